"""The charts of a simulated system's report."""

from collections.abc import Sequence

import altair as alt

from platterlab.answers import Report
from platterlab.report.charts import PART_COLOURS
from platterlab.report.digest import PARTS
from platterlab.report.limits import Part, name_of
from platterlab.report.style import MEASURED, QUIET, SIMULATED, WIDTH, Records, Spec, finished, plot

_MOST_LINES = 5


def utilisation(found: Sequence[Part], bin_ms: float, elapsed_ms: float) -> Spec:
    """Every part against time, the busiest at the top, each with its mean."""
    shown = sorted(
        (part for part in found if part.over_time is not None),
        key=lambda part: -part.utilisation,
    )
    unit, length_ms = unit_of(elapsed_ms)
    order = [part.name for part in shown]
    cells: Records = [
        {
            "part": part.name,
            "from": index * bin_ms / length_ms,
            "to": min((index + 1) * bin_ms, elapsed_ms) / length_ms,
            "pct": 100 * value,
        }
        for part in shown
        for index, value in enumerate(part.over_time or ())
    ]
    means: Records = [{"part": part.name, "pct": 100 * part.utilisation} for part in shown]
    step = alt.Step(26 if len(shown) <= 12 else 14)
    rows = alt.Y("part:N", title=None, sort=order, axis=alt.Axis(labelLimit=110))
    scale = alt.Scale(
        type="threshold",
        domain=[20, 50, 80, 95],
        range=["#f1f4f7", "#cfe1f0", "#8fbbe0", SIMULATED, MEASURED],
    )
    legend = alt.Legend(title="at work, %", orient="top", gradientLength=300)
    heat = (
        plot(cells)
        .mark_rect()
        .encode(
            alt.X("from:Q", title=f"time, {unit}", scale=alt.Scale(nice=False)),
            alt.X2("to:Q"),
            rows,
            alt.Color("pct:Q", scale=scale, legend=legend),
            tooltip=[
                alt.Tooltip("part:N"),
                alt.Tooltip("from:Q", format=".4f", title=f"from, {unit}"),
                alt.Tooltip("pct:Q", format=".1f", title="at work, %"),
            ],
        )
        .properties(width=WIDTH - 210, height=step)
    )
    bars = plot(means).encode(alt.Y("part:N", title=None, sort=order, axis=None))
    bar = bars.mark_bar(height=alt.RelativeBandSize(0.6)).encode(
        alt.X(
            "pct:Q",
            title="mean, %",
            scale=alt.Scale(domain=[0, 118]),
            axis=alt.Axis(values=[0, 50, 100]),
        ),
        alt.Color("pct:Q", scale=scale, legend=legend),
    )
    text = bars.mark_text(align="left", dx=3).encode(
        alt.X("pct:Q"), text=alt.Text("pct:Q", format=".0f")
    )
    return finished(alt.hconcat(heat, (bar + text).properties(width=120, height=step), spacing=8))


def distributions(kinds: dict[str, list[int]], lower: Sequence[float]) -> Spec:
    """The share of each kind that took at most so long.

    Args:
        kinds: counts for each bin, by what they are of.
        lower: where each bin begins, in milliseconds; the last has no end.
    """
    records: Records = []
    for kind, counts in kinds.items():
        total, reached = sum(counts), 0
        for index, count in enumerate(counts[:-1]):
            reached += count
            if total:
                upper = lower[index + 1]
                records.append({"kind": kind, "ms": upper, "share_pct": 100 * reached / total})
    last = max((one["ms"] for one in records if one["share_pct"] < 99.99), default=10.0)
    first = min((one["ms"] for one in records if one["share_pct"] > 0.1), default=0.01)
    scale = alt.Scale(type="log", domain=[min(max(first, 0.01), last / 10), last * 1.3], nice=False)
    return finished(
        plot(records)
        .mark_line(strokeWidth=1.8, clip=True)
        .encode(
            alt.X("ms:Q", title="ms", scale=scale),
            alt.Y("share_pct:Q", title="took at most so long, %", scale=alt.Scale(domain=[0, 100])),
            alt.Color(
                "kind:N",
                sort=list(kinds),
                scale=alt.Scale(domain=list(kinds), range=_line_colours(len(kinds))),
                legend=alt.Legend(columns=3, labelLimit=220),
            ),
            tooltip=[
                alt.Tooltip("kind:N"),
                alt.Tooltip("ms:Q", format=".3f"),
                alt.Tooltip("share_pct:Q", format=".2f", title="at most, %"),
            ],
        )
        .properties(width=WIDTH, height=260)
    )


def queues(report: Report, names: dict[str, Sequence[str]]) -> Spec:
    """Requests under way, and commands waiting for the devices with the longest queues."""
    over_time, elapsed_ms = report["over_time"], report["elapsed_ms"]
    unit, length_ms = unit_of(elapsed_ms)
    longest = sorted(over_time["devices"], key=lambda one: -sum(one["queue"]))[:_MOST_LINES]
    series = {"requests under way": over_time["in_flight"]}
    for one in longest:
        series[f"waiting for {name_of(names, 'devices', one['device'])}"] = one["queue"]
    records: Records = [
        {"kind": kind, "at": (index + 0.5) * over_time["bin_ms"] / length_ms, "mean": value}
        for kind, values in series.items()
        for index, value in enumerate(values)
    ]
    zoom = alt.selection_interval(bind="scales", encodings=["x"])
    return finished(
        plot(records)
        .mark_line(strokeWidth=1.4, clip=True)
        .encode(
            alt.X("at:Q", title=f"time, {unit}", scale=alt.Scale(nice=False)),
            alt.Y("mean:Q", title="mean number"),
            alt.Color(
                "kind:N",
                scale=alt.Scale(
                    domain=list(series), range=["#1d2530", *_line_colours(len(longest))]
                ),
                legend=alt.Legend(columns=3, labelLimit=220),
            ),
            tooltip=[
                alt.Tooltip("kind:N"),
                alt.Tooltip("at:Q", format=".4f", title=unit),
                alt.Tooltip("mean:Q", format=".2f"),
            ],
        )
        .add_params(zoom)
        .properties(width=WIDTH, height=240)
    )


def breakdown(report: Report) -> Spec:
    """The mean of each part of a command's way: the queue, then the device."""
    commands = report["commands"]
    queue = commands["queue"]["mean_ms"] if commands["queue"] else 0.0
    records: Records = [{"part": "queue", "ms": queue, "row": "queue"}]
    records += [
        {"part": one["name"], "ms": one["mean_ms"], "row": "device"}
        for one in commands["parts_mean_ms"]
    ]
    scale = alt.Scale(domain=["queue", *PARTS], range=["#1d2530", *PART_COLOURS])
    return finished(
        plot(records)
        .transform_calculate(order=f"indexof({list(PARTS)}, datum.part)")
        .mark_bar(height=22)
        .encode(
            alt.X("ms:Q", title="mean, ms"),
            alt.Y("row:N", title=None, sort=["queue", "device"]),
            alt.Color("part:N", scale=scale, sort=["queue", *PARTS]),
            alt.Order("order:Q"),
            tooltip=[alt.Tooltip("part:N"), alt.Tooltip("ms:Q", format=".4f")],
        )
        .properties(width=WIDTH - 110, height=alt.Step(34))
    )


def _line_colours(count: int) -> list[str]:
    """A colour for each of some lines, begun anew where there are many."""
    colours = [SIMULATED, MEASURED, QUIET, "#5a9e6f", "#8a6bb0", "#c2a13a"]
    return [colours[index % len(colours)] for index in range(count)]


def unit_of(elapsed_ms: float) -> tuple[str, float]:
    """A unit of time in which a run has a handy length, and its length."""
    for unit, length_ms in (("hours", 3.6e6), ("minutes", 6e4), ("s", 1e3)):
        if elapsed_ms >= 3 * length_ms:
            return unit, length_ms
    return "ms", 1.0
