"""Where tracks lie, drawn: angles over addresses, and the path over surfaces."""

import altair as alt

from platterlab.measure.track_angles import Angles
from platterlab.report.style import (
    INK,
    MEASURED,
    QUIET,
    SIMULATED,
    WIDTH,
    Records,
    Spec,
    finished,
    plot,
)

_COLOURS = alt.Scale(domain=["measured", "profile"], range=[MEASURED, SIMULATED])


def angles(found: Angles) -> Spec:
    """Reads as dots on the lines of the profile, a rule where a track ends."""
    x = alt.X(
        "lba:Q",
        title="sector",
        axis=alt.Axis(labelFlush=True),
        scale=alt.Scale(domain=[0, found.end_lba], nice=True),
    )
    y = alt.Y("turns:Q", title="angle, turns", scale=alt.Scale(domain=[0, 1]))
    colour = alt.Color("of:N", title=None, scale=_COLOURS)
    lines = plot(found.lines)
    line = lines.mark_line(strokeWidth=1.4).encode(x, y, colour, detail="part:N")
    dot = plot(found.reads).mark_circle(size=22).encode(x, y, colour)
    behind = alt.Scale(domain=["cylinder", "head"], range=[INK, QUIET])
    ends = plot(found.ends)
    rule = ends.mark_rule(strokeDash=[2, 3]).encode(
        x, color=alt.Color("behind:N", scale=behind, legend=None), tooltip=["lba:Q", "behind:N"]
    )
    layers = alt.layer(rule, line, dot).resolve_scale(color="independent")
    return finished(layers.properties(width=WIDTH, height=280))


def path(rows: Records) -> Spec:
    """The way from track to track."""
    most = max(row["surface"] for row in rows)
    x = alt.X("cylinder:Q", title="cylinder", axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y(
        "surface:Q",
        title="surface",
        axis=alt.Axis(tickMinStep=1, format="d"),
        scale=alt.Scale(domain=[0, most], reverse=True, nice=False, padding=12),
    )
    base = plot(rows)
    line = base.mark_line(color=SIMULATED, strokeWidth=1.4).encode(x, y, order="track:Q")
    dots = base.mark_circle(size=30, color=INK).encode(x, y, tooltip=["track:Q"])
    first = base.transform_filter("datum.track === 0").mark_circle(size=90, color=MEASURED)
    return finished(
        alt.layer(line, dots, first.encode(x, y)).properties(
            width=WIDTH, height=min(76 + 16 * most, 360)
        )
    )
