"""Charts over all drives of the archive: bandwidth against capacity, the range of seeks."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from platterlab.documents import Json
from platterlab.report.archive.curves import Chart
from platterlab.report.archive.measured import Measured, interval, shown, standing
from platterlab.report.archive.style import HOLLOW, bars, dots, legend
from platterlab.report.style import MEASURED, SIMULATED, WIDTH, Records, Spec, finished, plot

_MOST_MODELS = 40
_KINDS = {"measured": MEASURED, "simulated": SIMULATED}
_WHO = [alt.Tooltip("model:N"), alt.Tooltip("bundle:N"), alt.Tooltip("status:N")]

Models = Mapping[str, Sequence[Measured]]
"""The measurements of each model, by its name for people."""


def charts(models: Models) -> list[Chart]:
    """Those for which anything was measured."""
    found = [
        (
            "Bandwidth against capacity",
            f"Of the outermost zone, with its 95 % interval; a dot is a measurement. {HOLLOW}",
            _bandwidth(models),
        ),
        (
            "From the least seek to the longest",
            f"A model in each line, a measurement at each pair of dots. {HOLLOW}{_cut(models)}",
            _range(models, "seek_min_ms", "seek_max_ms", "seek, ms"),
        ),
        (
            "Bandwidth, innermost to outermost",
            f"A model in each line, a measurement at each pair of dots. {HOLLOW}{_cut(models)}",
            _range(models, "inner_mib_s", "outer_mib_s", "bandwidth, MiB/s"),
        ),
    ]
    return [(title, about, spec) for title, about, spec in found if spec is not None]


def _cut(models: Models) -> str:
    if len(models) <= _MOST_MODELS:
        return ""
    return f" The first {_MOST_MODELS} of {len(models):,} models are drawn; the table has all."


def _record(one: Measured, key: str) -> Json | None:
    """A value that a scale of logarithms can show; None where there is none."""
    estimate = one.estimate(key)
    if not shown(estimate) or not estimate.value or estimate.value <= 0:
        return None
    low, high = interval(estimate)
    return {
        "model": one.entry.model or one.entry.title,
        "bundle": one.entry.id,
        "kind": "simulated" if one.entry.simulated else "measured",
        "value": estimate.value,
        "low": low if low > 0 else estimate.value,
        "high": high,
        "status": standing(estimate),
    }


def _kinds(records: Records) -> Any:
    """A colour for what was measured, and one for what was simulated."""
    there = [kind for kind in _KINDS if any(record["kind"] == kind for record in records)]
    scale = alt.Scale(domain=there, range=[_KINDS[kind] for kind in there])
    return alt.Color("kind:N", scale=scale, legend=legend())


def _bandwidth(models: Models) -> Spec | None:
    records: Records = []
    for one in (one for some in models.values() for one in some):
        record = _record(one, "outer_mib_s")
        if record is not None and one.entry.capacity_bytes:
            records.append({**record, "gb": one.entry.capacity_bytes / 1e9})
    if not records:
        return None
    log = alt.Scale(type="log", padding=12, nice=False)
    color = _kinds(records)
    x = alt.X("gb:Q", title="capacity, GB", scale=log, axis=alt.Axis(format="~g"))
    y = alt.Y("value:Q", title="outer bandwidth, MiB/s", scale=log, axis=alt.Axis(format="~g"))
    tips = [*_WHO, alt.Tooltip("value:Q", title="MiB/s", format=".4~f")]
    layers = [
        *bars(records, x, alt.Y("low:Q"), color, alt.Y2("high:Q")),
        *dots(records, x, y, color, tips),
    ]
    return finished(alt.layer(*layers).properties(width=WIDTH, height=320))


def _range(models: Models, least: str, most: str, title: str) -> Spec | None:
    records: Records = []
    lines: Records = []
    order = []
    for some in list(models.values())[:_MOST_MODELS]:
        for one in some:
            ends = [record for key in (least, most) if (record := _record(one, key)) is not None]
            records += ends
            if len(ends) == 2:
                lines.append({**ends[0], "from": ends[0]["value"], "to": ends[1]["value"]})
            if ends and ends[0]["model"] not in order:
                order.append(ends[0]["model"])
    if not records:
        return None
    x = alt.X(
        "value:Q",
        title=title,
        scale=alt.Scale(type="log", padding=8, nice=False),
        axis=alt.Axis(format="~g"),
    )
    y = alt.Y(
        "model:N", title=None, sort=order, scale=alt.Scale(domain=order),
        axis=alt.Axis(labelLimit=140),
    )  # fmt: skip
    color = _kinds(records)
    layers = []
    if lines:
        spans = plot(lines).mark_rule(size=3, opacity=0.25, clip=True)
        layers.append(spans.encode(alt.X("from:Q"), y, alt.X2("to:Q"), color=color))
    tips = [*_WHO, alt.Tooltip("value:Q", title=title, format=".4~f")]
    layers += [
        *bars(records, alt.X("low:Q"), y, color, alt.X2("high:Q")),
        *dots(records, x, y, color, tips),
    ]
    return finished(alt.layer(*layers).properties(width=WIDTH - 150, height=alt.Step(20)))
