"""The report of a sweep: the best points, what each key does, and what cannot both be had."""

from collections.abc import Iterable
from pathlib import Path

import altair as alt

from platterlab import manifest, variations
from platterlab.report import page
from platterlab.report.style import MEASURED, QUIET, SIMULATED, WIDTH, Records, Spec, finished, plot
from platterlab.sweeps import effects
from platterlab.sweeps.sweep import Swept

_MOST_DOTS = 5000
_SHOWN = 20


def build(found: Swept, target: Path, *, title: str) -> int:
    """Writes the page and gives its size in bytes."""
    return page.write(target, title, _body(found, title))


def _body(found: Swept, title: str) -> Iterable[str]:
    rows = effects.known(found.rows)
    best = effects.best(rows)
    figures = [("points", f"{len(found.rows):,}"), ("keys", str(len(found.keys)))]
    if best:
        figures.append(("best mean response, ms", f"{best[0]['mean_response_ms']:,.3f}"))
    yield page.header(title, f"{', '.join(found.keys)}. {found.runs}; ± 95 % confidence.", figures)
    if not rows:
        return
    yield _points("The best points", "And those whose 95 % interval reaches theirs.", found, best)
    about = "The mean response over all points at a value of the key, whatever the others are."
    yield page.chart("What each key does", about, _marginal(found))
    if len(found.keys) > 1:
        about = "The mean response at each pair of values of the first two keys."
        yield page.chart("The response over two keys", about, _surface(found))
    about = (
        "Each dot is a point; no point is better in both than one on the line. With an open "
        "workload the requests a second are the workload's, and the line is short."
    )
    yield page.chart("Response and throughput", about, _front(found))
    made = list(map(list, manifest.lines(found.made_by)))
    yield page.table("Made by", "What it takes to get the same again.", [], made, "made")


def _points(title: str, about: str, found: Swept, rows: list[effects.Row]) -> str:
    cells = []
    for row in rows[:_SHOWN]:
        mean = _known(row["mean_response_ms"], row["half_width_95_ms"])
        p95 = _known(row["p95_response_ms"], row["p95_half_width_95_ms"])
        words = [variations.word(row[key]) for key in found.keys]
        cells.append([*words, mean, p95, str(row["replications"])])
    headings = [*found.keys, "mean, ms", "95th percentile, ms", "replications"]
    return page.table(title, about, headings, cells)


def _known(value: float, half_width: float | None) -> str:
    return f"{value:,.3f}" + ("" if half_width is None else f" ± {half_width:,.3f}")


def _marginal(found: Swept) -> Spec:
    records = [
        {"key": one.key, "value": one.value, "ms": one.mean_response_ms, "order": index}
        for index, one in enumerate(effects.main_effects(found.rows, found.keys))
    ]
    panels = []
    for key in found.keys:
        own = [record for record in records if record["key"] == key]
        order = [str(record["value"]) for record in own]
        bars = plot(own).mark_bar(color=SIMULATED, height=14)
        panels.append(
            bars.encode(
                alt.Y("value:N", title=None, sort=order),
                alt.X("ms:Q", title="mean response, ms"),
                tooltip=["value:N", alt.Tooltip("ms:Q", format=".3f")],
            ).properties(width=WIDTH - 110, height=alt.Step(22), title=key)
        )
    return finished(alt.vconcat(*panels, spacing=18))


def _surface(found: Swept) -> Spec:
    first, second = found.keys[:2]
    groups: dict[tuple[str, str], list[float]] = {}
    for row in effects.known(found.rows):
        place = (variations.word(row[first]), variations.word(row[second]))
        groups.setdefault(place, []).append(row["mean_response_ms"])
    numeric = all(isinstance(row[key], float) for row in found.rows for key in (first, second))
    records: Records = [
        {
            "x": float(one) if numeric else one,
            "y": float(other) if numeric else other,
            "ms": sum(values) / len(values),
        }
        for (one, other), values in groups.items()
    ]
    base = plot(records[:_MOST_DOTS])
    colour = alt.Color("ms:Q", scale=alt.Scale(scheme="blues"), legend=alt.Legend(title="ms"))
    if numeric:
        scale = alt.Scale(zero=False)
        marks = base.mark_circle(size=60).encode(
            alt.X("x:Q", title=first, scale=scale), alt.Y("y:Q", title=second, scale=scale), colour
        )
        return finished(marks.properties(width=WIDTH, height=320))
    order = list(dict.fromkeys(one for one, _ in groups))
    others = list(dict.fromkeys(other for _, other in groups))
    cells = base.mark_rect().encode(
        alt.X("x:N", title=first, sort=order, axis=alt.Axis(labelAngle=0)),
        alt.Y("y:N", title=None, sort=others),
        colour,
        tooltip=["x:N", "y:N", alt.Tooltip("ms:Q", format=".3f")],
    )
    return finished(cells.properties(width=WIDTH - 90, height=alt.Step(26)))


def _front(found: Swept) -> Spec:
    def records(rows: list[effects.Row]) -> list[dict[str, float]]:
        return [{"ms": row["mean_response_ms"], "per_s": row["served_per_s"]} for row in rows]

    scale = alt.Scale(zero=False)
    x = alt.X("per_s:Q", title="requests a second", scale=scale)
    y = alt.Y("ms:Q", title="mean response, ms", scale=scale)
    dots = plot(records(effects.known(found.rows)[:_MOST_DOTS]))
    line = plot(records(effects.front(found.rows)))
    return finished(
        alt.layer(
            dots.mark_circle(size=24, color=QUIET).encode(x, y),
            line.mark_line(color=MEASURED, point=True).encode(x, y),
        ).properties(width=WIDTH, height=280)
    )
