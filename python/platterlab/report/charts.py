"""The charts of a report, each a Vega-Lite specification."""

from typing import Any

import altair as alt

from platterlab.report.digest import PARTS, Digest
from platterlab.report.style import MEASURED, SIMULATED, WIDTH, Records, Spec, finished, plot

DEMERIT = " The demerit is the root mean square of the horizontal distance between the curves."
TAIL_PCT = 99.9
"""What lies beyond is outside the first view; zoom out to see it."""
# In the order of PARTS; distinct by lightness too, for print and for the colour-blind.
PART_COLOURS = ("#5b6b7f", "#96a3b3", "#1f6fb2", "#7bb4e0", "#d1662c", "#f0b98d")


def charts(digest: Digest) -> list[tuple[str, str, Spec]]:
    """Title, one sentence, and specification of every chart that the results allow."""
    drawn = [
        (
            "Service time",
            "The share of requests that took at most so long at the drive."
            + (DEMERIT if digest.agreement else ""),
            _distribution(digest.distribution),
        ),
        (
            "Where the time goes",
            "The mean of each part; together they are the service time.",
            _breakdown(digest.breakdown),
        ),
        (
            "How often",
            "The share of requests in each bin of service time.",
            _histogram(digest.histogram),
        ),
        (
            "Through the trace",
            "Response time and arrival rate along the trace, in spans of equal length.",
            _timeline(digest.timeline),
        ),
    ]
    if digest.seeks:
        title = "Seeks"
        about = "Seek and settle time against the distance that the arm went, for a sample."
        drawn.append((title, about, _seeks(digest.seeks)))
    return [(title, about, finished(chart)) for title, about, chart in drawn]


def _kinds(records: Records) -> alt.Color:
    """A colour for each kind of time: simulated, and measured where the trace records it."""
    colours = {"simulated": SIMULATED, "measured": MEASURED}
    there = [kind for kind in colours if any(record["kind"] == kind for record in records)]
    scale = alt.Scale(domain=there, range=[colours[kind] for kind in there])
    return alt.Color("kind:N", scale=scale)


def _distribution(records: Records) -> Any:
    tail_ms = max(record["ms"] for record in records if record["share_pct"] <= TAIL_PCT)
    return (
        plot(records)
        .mark_line(interpolate="step-after", strokeWidth=1.8, clip=True)
        .encode(
            alt.X("ms:Q", title="service time, ms", scale=alt.Scale(domain=[0, 1.05 * tail_ms])),
            alt.Y("share_pct:Q", title="requests, %", scale=alt.Scale(domain=[0, 100])),
            _kinds(records),
            tooltip=[
                alt.Tooltip("kind:N"),
                alt.Tooltip("ms:Q", format=".3f"),
                alt.Tooltip("share_pct:Q", format=".3f", title="at most, %"),
            ],
        )
        .properties(width=WIDTH, height=280)
        .interactive(bind_y=False)
    )


def _breakdown(records: Records) -> Any:
    scale = alt.Scale(domain=list(PARTS), range=list(PART_COLOURS))
    return (
        plot(records)
        .transform_calculate(order=f"indexof({list(PARTS)}, datum.part)")
        .mark_bar(height=22)
        .encode(
            alt.X("sum(ms):Q", title="mean, ms"),
            alt.Y("group:N", title=None, sort=["all", "reads", "writes"]),
            alt.Color("part:N", scale=scale, sort=list(PARTS)),
            alt.Order("order:Q"),
            tooltip=[
                alt.Tooltip("group:N"),
                alt.Tooltip("part:N"),
                alt.Tooltip("sum(ms):Q", format=".4f", title="ms"),
            ],
        )
        .properties(width=WIDTH, height=alt.Step(34))
    )


def _histogram(records: Records) -> Any:
    return (
        plot(records)
        .mark_bar(opacity=0.6, binSpacing=0, clip=True)
        .encode(
            alt.X("from_ms:Q", title="service time, ms", bin="binned"),
            alt.X2("to_ms:Q"),
            alt.Y("share_pct:Q", title="requests, %", stack=None),
            _kinds(records),
            tooltip=[
                alt.Tooltip("kind:N"),
                alt.Tooltip("from_ms:Q", format=".2f"),
                alt.Tooltip("to_ms:Q", format=".2f"),
                alt.Tooltip("share_pct:Q", format=".3f"),
            ],
        )
        .properties(width=WIDTH, height=180)
    )


def _timeline(records: Records) -> Any:
    unit, length_ms = _unit_of(records[-1]["ms"])
    base = (
        plot(records)
        .transform_calculate(at=f"datum.ms / {length_ms}")
        .encode(alt.X("at:Q", title=f"arrival, {unit}", scale=alt.Scale(nice=False)))
    )
    zoom = alt.selection_interval(bind="scales", encodings=["x"])
    both = (
        base.transform_fold(["median_ms", "p95_ms"], as_=["kind", "took"])
        .transform_calculate(kind="datum.kind == 'p95_ms' ? '95th percentile' : 'median'")
        .mark_line(strokeWidth=1.3, clip=True)
        .encode(
            alt.Y("took:Q", title="response time, ms"),
            alt.Color(
                "kind:N",
                scale=alt.Scale(domain=["median", "95th percentile"], range=[SIMULATED, "#7bb4e0"]),
            ),
            tooltip=[
                alt.Tooltip("at:Q", format=".4f", title=unit),
                alt.Tooltip("took:Q", format=".3f", title="ms"),
            ],
        )
        .properties(width=WIDTH, height=180)
        .add_params(zoom)
    )
    rate = (
        base.mark_area(color="#c9ced6", interpolate="step", clip=True)
        .encode(
            alt.Y("requests_s:Q", title="requests/s"),
            tooltip=[
                alt.Tooltip("at:Q", format=".4f", title=unit),
                alt.Tooltip("requests_s:Q", format=",.1f"),
            ],
        )
        .properties(width=WIDTH, height=80)
    )
    return alt.vconcat(both, rate, spacing=6).resolve_scale(x="shared")


def _unit_of(longest_ms: float) -> tuple[str, float]:
    """The unit in which a length of time is a number that can be read, and its milliseconds."""
    units = (("days", 86_400_000.0), ("hours", 3_600_000.0), ("minutes", 60_000.0), ("s", 1000.0))
    return next((unit for unit in units if longest_ms >= 3 * unit[1]), ("ms", 1.0))


def _seeks(records: Records) -> Any:
    scale = alt.Scale(domain=["read", "write"], range=[SIMULATED, MEASURED])
    return (
        plot(records)
        .mark_circle(size=14, opacity=0.5, clip=True)
        .encode(
            alt.X("cylinders:Q", title="distance, cylinders"),
            alt.Y("ms:Q", title="seek and settle, ms"),
            alt.Color("operation:N", scale=scale),
            tooltip=["cylinders:Q", alt.Tooltip("ms:Q", format=".3f"), "operation:N"],
        )
        .properties(width=WIDTH, height=240)
        .interactive()
    )
