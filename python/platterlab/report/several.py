"""The page of several sides next to each other: distributions, figures, changes from the first."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

from platterlab.comparing.sides import Rows
from platterlab.comparing.statistics import Difference, Group, against
from platterlab.report import page
from platterlab.report.style import WIDTH, Records, Spec, finished, plot

_POINTS = 400
"""Of each curve: quantiles, closer to each other towards the tail."""
_COLOURS = ("#1f6fb2", "#d1662c", "#4d9221", "#8e63b0", "#5b6b7f", "#b8860b")
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 1], [1, 3])
_FIGURES = ("mean", "p50", "p95", "p99", "max")


def build(sides: Sequence[Rows], of: str, target: Path) -> int:
    """Draws several sides as one HTML file that needs no network; its size in bytes.

    Args:
        sides: two or more; the changes are against the first.
        of: which time: a word of `TIMES`.
        target: the file to write.

    Raises:
        InputError: a side lacks that time, or the target's folder does not exist.
    """
    return page.write(target, " against ".join(_short(side) for side in sides), _body(sides, of))


def _short(side: Rows) -> str:
    return Path(side.name).name


def _body(sides: Sequence[Rows], of: str) -> Iterable[str]:
    found = [against(sides[0], other, of) for other in sides[1:]]
    whole = [groups["all"] for groups in found]
    figures = [(f"mean {of} of {_short(sides[0])}", f"{whole[0].figures['mean'].base.ms:,.2f} ms")]
    figures += [
        (f"{_short(side)}", _change(group.figures["mean"]))
        for side, group in zip(sides[1:], whole, strict=True)
    ]
    title = " against ".join(_short(side) for side in sides)
    yield page.header(title, f"{of} times, in milliseconds", figures)
    about = f"The share of requests with a {of} time of at most so long."
    yield page.chart("Side by side", about, _distributions(sides, of))
    about = "1 minus that share, on scales on which the tail can be seen."
    yield page.chart("The tail", about, _tails(sides, of))
    for side, groups in zip(sides[1:], found, strict=True):
        yield _table(sides[0], side, groups)


def _change(one: Difference) -> str:
    percent = "" if one.pct is None else f"{one.pct:+.1f} %"
    return f"{one.other.ms:,.2f} ms, {percent}"


def _curve(side: Rows, name: str, of: str) -> Records:
    times = side.times_ms[of]
    times = times[~np.isnan(times)]
    # As many points beyond each further ninth of what is left.
    left = np.unique(np.concatenate([np.linspace(0, 1, _POINTS), np.geomspace(1e-5, 1, _POINTS)]))
    values = np.quantile(times, 1 - left)
    return [
        {"side": name, "ms": float(ms), "share_pct": 100 * (1 - part), "left_pct": 100 * part}
        for ms, part in zip(values, left.tolist(), strict=True)
        if part == 0 or part * len(times) >= 1
    ]


def _lines(sides: Sequence[Rows], of: str) -> Any:
    names = [f"{number}. {_short(side)}" for number, side in enumerate(sides, 1)]
    records = [
        record for side, name in zip(sides, names, strict=True) for record in _curve(side, name, of)
    ]
    colours = [_COLOURS[at % len(_COLOURS)] for at in range(len(names))]
    dashes = [_DASHES[at % len(_DASHES)] for at in range(len(names))]
    return (
        plot(records)
        .mark_line(strokeWidth=1.8, clip=True)
        .encode(
            color=alt.Color("side:N", scale=alt.Scale(domain=names, range=colours)),
            strokeDash=alt.StrokeDash("side:N", scale=alt.Scale(domain=names, range=dashes)),
            tooltip=["side:N", alt.Tooltip("ms:Q", format=".3f"), "share_pct:Q"],
        )
        .properties(width=WIDTH, height=280)
    )


def _distributions(sides: Sequence[Rows], of: str) -> Spec:
    tail_ms = max(float(np.nanquantile(side.times_ms[of], 0.999)) for side in sides)
    scale = alt.Scale(domain=[0, 1.05 * tail_ms or 1.0])
    return finished(
        _lines(sides, of).encode(
            x=alt.X("ms:Q", title=f"{of} time, ms", scale=scale),
            y=alt.Y("share_pct:Q", title="requests, %", scale=alt.Scale(domain=[0, 100])),
        )
    )


def _tails(sides: Sequence[Rows], of: str) -> Spec:
    drawn = (
        _lines(sides, of)
        .transform_filter("datum.ms > 0 && datum.left_pct > 0")
        .encode(
            x=alt.X("ms:Q", title=f"{of} time, ms", scale=alt.Scale(type="log")),
            y=alt.Y("left_pct:Q", title="longer, %", scale=alt.Scale(type="log")),
        )
    )
    return finished(drawn)


def _table(base: Rows, other: Rows, groups: dict[str, Group]) -> str:
    rows = []
    for name, group in groups.items():
        for figure in _FIGURES if name == "all" else ("mean", "p99"):
            one = group.figures[figure]
            low, high = one.change.low_ms, one.change.high_ms
            interval = "–" if low is None or high is None else f"{low:+,.3f} … {high:+,.3f}"
            percent = "–" if one.pct is None else f"{one.pct:+.2f} %"
            label = figure if name == "all" else f"{name}: {figure}"
            rows.append([label, f"{one.base.ms:,.2f}", f"{one.other.ms:,.2f}", percent, interval])
    whole = groups["all"]
    how = "the same requests, paired" if whole.paired else "other requests, not paired"
    about = (
        f"{whole.count[0]:,} and {whole.count[1]:,} requests, {how}; the interval of 95 % is "
        "of the change in ms"
    )
    headings = ["", _short(base), _short(other), "change", "interval, ms"]
    return page.table(f"{_short(other)} against {_short(base)}", about, headings, rows)
