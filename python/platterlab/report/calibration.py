"""The report of a calibration: start against result, and what it was found from."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import altair as alt

from platterlab.calibration.outcome import TIMINGS, Findings
from platterlab.calibration.pictures import NEAR_MS, Class, Phases, Pictures, Seeks
from platterlab.report import page
from platterlab.report.style import MEASURED, QUIET, SIMULATED, WIDTH, Spec, finished, plot

FIGURES = (
    ("demerit_ms", "demerit", "{:.3f} ms", 1),
    ("rmse_ms", "root mean square of single errors", "{:.3f} ms", 1),
    ("median_abs_error_ms", "median of single errors", "{:.3f} ms", 1),
    ("p95_abs_error_ms", "95th percentile of single errors", "{:.2f} ms", 1),
    ("within_0.1_ms", "within 0.1 ms", "{:.1f} %", 100),
    ("within_0.25_ms", "within 0.25 ms", "{:.1f} %", 100),
    ("within_0.5_ms", "within 0.5 ms", "{:.1f} %", 100),
    ("within_1_ms", "within 1 ms", "{:.1f} %", 100),
    ("slipped_revolution", "a revolution off", "{:.1f} %", 100),
)
"""By which start and result are compared: name, words, form and factor."""


def build(target: Path, title: str, told: Findings, drawn: Pictures) -> int:
    """Draws a calibration as one HTML file that needs no network; gives its size in bytes.

    Args:
        target: the file to write.
        title: of the page.
        told: what was found.
        drawn: what of it is drawn.

    Raises:
        InputError: the file cannot be written.
    """
    return page.write(target, title, _body(title, told, drawn))


def _body(title: str, told: Findings, drawn: Pictures) -> Iterable[str]:
    result = told.judged["result"]
    figures = [
        ("verdict", told.verdict),
        ("demerit, ms", f"{result['demerit_ms']:.3f}"),
        ("median error, ms", f"{result['median_abs_error_ms']:.3f}"),
        (f"within {NEAR_MS} ms", f"{result['within_0.25_ms']:.1%}"),
        ("a revolution off", f"{result['slipped_revolution']:.1%}"),
    ]
    yield page.header(title, told.sentence, figures)
    yield page.notices("Before you use it", told.warnings)
    yield _comparison(told)
    if drawn.phases:
        about = (
            "Each dot is a request that waited for the platter: how much later it was complete "
            "than by the layout that was found. A band around nothing is a layout that holds; "
            "steps are tracks or clocks that it does not have."
        )
        yield page.chart("The platter's phases", about, _phases(drawn.phases))
    if drawn.seeks:
        about = (
            "The line is the curve, the bars its 95 % intervals. A blue dot is a request that just "
            "caught its sector, so that the seek took no longer; an orange one just missed it, so "
            "that the seek took longer. Where both mix the seeks scatter."
        )
        yield page.chart("Seeks", about, _seeks(drawn.seeks))
    for kind in dict.fromkeys(one.kind for one in drawn.classes):
        about = f"The share of the requests not fitted on that are more than {NEAR_MS} ms off."
        some = [one for one in drawn.classes if one.kind == kind]
        yield page.chart(f"Off by {kind}", about, _residuals(some))
    yield _values(told)
    yield _undetermined(told)


def _comparison(told: Findings) -> str:
    rows = [
        [words, *(form.format(factor * told.judged[which][name]) for which in ("start", "result"))]
        for name, words, form, factor in FIGURES
    ]
    judges = "not fitted on" if told.fitted < told.requests else "fitted on"
    about = f"On the requests {judges}, {TIMINGS[told.timing]}."
    return page.table("Start and result", about, ["", "start", "result"], rows)


def _phases(phases: Phases) -> Spec:
    records = [
        {"at_s": at, "off_ms": off, "kind": "write" if write else "read"}
        for at, off, write in zip(phases.at_s, phases.off_ms, phases.write, strict=True)
    ]
    dots = (
        plot(records)
        .mark_circle(size=9, opacity=0.5)
        .encode(
            x=alt.X("at_s:Q", title="time, s"),
            y=alt.Y("off_ms:Q", title="later than by the layout, ms"),
            color=_colours("kind", {"read": SIMULATED, "write": MEASURED}),
        )
    )
    return finished(dots.properties(width=WIDTH, height=260))


def _seeks(seeks: Seeks) -> Spec:
    kinds = {"caught its sector": SIMULATED, "missed it": MEASURED}
    records = [
        {"cylinders": distance, "ms": time, "kind": kind}
        for kind, points in zip(kinds, (seeks.caught, seeks.missed), strict=True)
        for distance, time in points
    ]
    x = alt.X("cylinders:Q", title="cylinders", scale=alt.Scale(type="sqrt"))
    dots = (
        plot(records)
        .mark_circle(size=9, opacity=0.45)
        .encode(x=x, y=alt.Y("ms:Q", title="ms"), color=_colours("kind", kinds))
    )
    curve = [
        {"cylinders": distance, "ms": time, "low": time - reach, "high": time + reach}
        for distance, time, reach in seeks.curve
    ]
    base = plot(curve).encode(x=x)
    line = base.mark_line(color="#1d2530").encode(y="ms:Q")
    bars = base.mark_rule(color="#1d2530").encode(y="low:Q", y2="high:Q")
    return finished(alt.layer(dots, line, bars).properties(width=WIDTH, height=320))


def _residuals(classes: list[Class]) -> Spec:
    names = [_range(one) for one in classes]
    records = [
        {"class": name, "which": which, "share": share, "requests": one.count}
        for name, one in zip(names, classes, strict=True)
        for which, share in (("start", one.start), ("result", one.result))
    ]
    bars = (
        plot(records)
        .mark_bar()
        .encode(
            y=alt.Y("class:N", title=None, sort=names),
            yOffset=alt.YOffset("which:N", sort=["start", "result"]),
            x=alt.X("share:Q", title="off", axis=alt.Axis(format="%")),
            color=_colours("which", {"start": QUIET, "result": SIMULATED}),
            tooltip=["class:N", "which:N", alt.Tooltip("share:Q", format=".1%"), "requests:Q"],
        )
    )
    return finished(bars.properties(width=WIDTH - 90, height=alt.Step(11)))


def _range(one: Class) -> str:
    return f"{one.low:.4g}" if one.low == one.high else f"{one.low:.4g} to {one.high:.4g}"


def _colours(field: str, colours: dict[str, str]) -> Any:
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color(f"{field}:N", scale=scale)


def _values(told: Findings) -> str:
    rows = [
        [
            one.what,
            f"{_to_half_width(one.value, one.reach)} {one.unit}".rstrip(),
            _to_half_width(one.reach, one.reach),
            f"{one.requests:,}" if one.requests else "–",
        ]
        for one in told.values
    ]
    about = "With 95 % intervals and the number of requests behind each. " + "; ".join(told.choices)
    headings = ["", "value", "± 95 %", "from requests"]
    return page.table("Values found in the trace", about, headings, rows)


def _to_half_width(value: float, half_width: float | None) -> str:
    """A value to the second digit of its interval: what lies beyond says nothing."""
    if not half_width:
        return f"{value:.4g}"
    return f"{value:.{max(0, 1 - math.floor(math.log10(half_width)))}f}"


def _undetermined(told: Findings) -> str:
    rows = [[line.partition(": ")[0], line.partition(": ")[2]] for line in told.undetermined]
    about = (
        "Values that no request of the part fitted on determines, and why." if rows else "Nothing."
    )
    return page.table("What is not determined", about, ["what", "why"], rows, "made")
