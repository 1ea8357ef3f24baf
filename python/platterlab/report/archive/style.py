"""The style of measurements in the site's charts: colours, intervals, dots hollow in doubt."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from platterlab.report.archive.measured import Measured
from platterlab.report.style import SIMULATED, Records, plot

COLOURS = ("#1f6fb2", "#d1662c", "#4d9221", "#8e63b0", "#5b6b7f", "#b8860b")
MOST_CURVES = 24
"""Measurements whose curves are drawn; more in one chart show nothing."""
HOLLOW = "Hollow: not sure, or a bandwidth that is not the media's."


def drawn(every: Sequence[Measured]) -> list[Measured]:
    """As many as can be distinguished in a chart, spread evenly over all."""
    if len(every) <= MOST_CURVES:
        return list(every)
    step = len(every) / MOST_CURVES
    return [every[int(at * step)] for at in range(MOST_CURVES)]


def tint(some: Sequence[Measured]) -> Any:
    """One colour for each measurement where there are few; one for all where there are many."""
    if not 1 < len(some) <= len(COLOURS):
        return alt.value(SIMULATED)
    names = [one.label for one in some]
    scale = alt.Scale(domain=names, range=list(COLOURS[: len(names)]))
    return alt.Color("label:N", scale=scale, legend=legend())


def legend() -> Any:
    """As full as the dots, however faint what else has the colour is."""
    return alt.Legend(labelLimit=200, symbolOpacity=1, symbolType="circle")


def dots(records: Records, x: Any, y: Any, color: Any, tooltip: Sequence[Any]) -> list[Any]:
    """Filled where the status is ok, hollow where it is another."""
    layers = []
    for is_filled in (True, False):
        mine = [record for record in records if (record["status"] == "ok") == is_filled]
        if mine:
            marks = plot(mine).mark_point(
                size=42, strokeWidth=1.5, filled=is_filled, opacity=1, clip=True
            )
            layers.append(marks.encode(x, y, color=color, tooltip=list(tooltip)))
    return layers


def bars(records: Records, x: Any, y: Any, color: Any, *ends: Any) -> list[Any]:
    """The 95 % intervals of what is drawn, as lines through it; none where there is no interval."""
    known = [record for record in records if record["low"] < record["high"]]
    if not known:
        return []
    marks = plot(known).mark_rule(strokeWidth=1.4, clip=True)
    return [marks.encode(x, y, *ends, color=color)]
