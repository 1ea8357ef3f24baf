"""The page of a grid of variations: the best point, every point, the price of each choice."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import altair as alt

from platterlab import manifest, variations
from platterlab.report import page
from platterlab.report.style import QUIET, SIMULATED, WIDTH, Records, Spec, finished, plot
from platterlab.variations import Variation

_MOST_BARS = 60
"""Points that are drawn; the table has all."""


def build(found: Sequence[Variation], name: str, target: Path) -> int:
    """Draws a grid as one HTML file that needs no network; its size in bytes.

    Args:
        found: every point.
        name: of the experiment.
        target: the file to write.

    Raises:
        InputError: the target's folder does not exist.
    """
    return page.write(target, f"{name}: variations", _body(found, name))


def _body(found: Sequence[Variation], name: str) -> Iterable[str]:
    least_ms = variations.best_ms(found)
    known = [one for one in found if one.is_known]
    best = min(known, key=lambda one: _mean(one, least_ms), default=None)
    made_by = found[0].outcome.manifest
    runs = found[0].outcome.report["runs"]
    figures = [("points", f"{len(found):,}"), ("replications of each", f"{len(runs):,}")]
    if best is not None:
        figures.append(("least mean response", f"{least_ms:,.2f} ms"))
    about = "" if best is None else f"Best: {_values(best)}"
    yield page.header(name, about, figures)
    if known:
        about = "Mean response with its 95 % interval, the best first."
        if len(known) > _MOST_BARS:
            about += f" The best {_MOST_BARS} of {len(known):,} points."
        yield page.chart("Every point", about, _points(known, least_ms))
        prices = variations.prices(found)
        if len({key for key, _, _ in prices}) > 1:
            about = "How much dearer the best point with this value is than the best of all."
            yield page.chart("What a choice costs", about, _prices(prices))
            rows = [[key, variations.word(value), _price(above)] for key, value, above in prices]
            yield page.table("Prices", about, ["key", "value", "dearer"], rows)
    yield _table(found, least_ms)
    made = [[name, value] for name, value in manifest.lines(made_by) if name != "overrides"]
    about = "The settings for the same result again, apart from the values of the points."
    yield page.table("Made by", about, [], made, "made")


def _mean(one: Variation, least_ms: float) -> float:
    return float(one.figures(least_ms)["mean_response_ms"] or 0.0)


def _values(one: Variation) -> str:
    return ", ".join(f"{key} = {variations.word(value)}" for key, value in one.values.items())


def _price(above: float | None) -> str:
    if above is None:
        return "–"
    return "best" if above == 0 else f"{100 * above:+.1f} %"


def _points(known: Sequence[Variation], least_ms: float) -> Spec:
    ordered = sorted(known, key=lambda one: _mean(one, least_ms))[:_MOST_BARS]
    records: Records = []
    for one in ordered:
        mean, width = list(one.figures(least_ms).values())[:2]
        half = width or 0.0
        records.append(
            {
                "point": ", ".join(variations.word(value) for value in one.values.values()),
                "mean_ms": mean,
                "low_ms": (mean or 0.0) - half,
                "high_ms": (mean or 0.0) + half,
            }
        )
    order = [str(record["point"]) for record in records]
    base = plot(records).encode(y=alt.Y("point:N", sort=order, title=None))
    bars = base.mark_bar(color=SIMULATED).encode(
        x=alt.X("mean_ms:Q", title="mean response, ms"),
        tooltip=["point:N", alt.Tooltip("mean_ms:Q", format=".3f")],
    )
    intervals = base.mark_rule(color="#1d2530").encode(x="low_ms:Q", x2="high_ms:Q")
    return finished((bars + intervals).properties(width=WIDTH - 160))


def _prices(prices: Sequence[tuple[str, Any, float]]) -> Spec:
    records = [
        {"choice": f"{key} = {variations.word(value)}", "dearer_pct": 100 * above}
        for key, value, above in prices
    ]
    order = [str(record["choice"]) for record in records]
    chart = (
        plot(records)
        .mark_bar(color=QUIET)
        .encode(
            y=alt.Y("choice:N", sort=order, title=None, axis=alt.Axis(labelLimit=320)),
            x=alt.X("dearer_pct:Q", title="dearer than the best, %"),
            tooltip=["choice:N", alt.Tooltip("dearer_pct:Q", format=".2f")],
        )
        .properties(width=WIDTH - 260)
    )
    return finished(chart)


def _table(found: Sequence[Variation], least_ms: float) -> str:
    keys = list(found[0].values)
    names = ("mean, ms", "± 95 %", "p95, ms", "± 95 %", "a second", "± 95 %")
    figures = [list(one.figures(least_ms).values()) for one in found]
    # Of one run nobody knows how far another would be off.
    known = [at for at in range(len(names)) if any(row[at] is not None for row in figures)]
    rows = []
    for one, row in zip(found, figures, strict=True):
        cells = ["–" if row[at] is None else f"{row[at]:,.2f}" for at in known]
        words = [variations.word(value) for value in one.values.values()]
        rows.append([*words, *cells, _price(row[-1])])
    headings = [*keys, *(names[at] for at in known), "dearer"]
    return page.table("All points", "Response times, with the same seeds at each.", headings, rows)
