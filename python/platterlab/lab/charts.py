"""Charts of a drive, a result or a comparison, made with Altair, to change and to combine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from platterlab.extras import need

if TYPE_CHECKING:
    import altair as alt

    from platterlab.comparing.statistics import Group

_POINTS = 400
_WIDTH, _HEIGHT = 480, 240


def seeks(name: str, curve: Mapping[str, NDArray[Any]]) -> alt.Chart:
    """Positioning times over distances."""
    columns = {"cylinders": curve["cylinders"].tolist(), "seek_ms": curve["seek_ms"].tolist()}
    chart: alt.Chart = (
        _begun(columns, name)
        .mark_line(point=True)
        .encode(
            x=_axis("x", "cylinders", "distance, cylinders"),
            y=_axis("y", "seek_ms", "seek for a read, ms"),
            tooltip=["cylinders:Q", "seek_ms:Q"],
        )
    )
    return chart


def distribution(response_ms: NDArray[np.float64]) -> alt.Chart:
    """The share of requests that took at most this time."""
    shares = np.linspace(0, 1, _POINTS) if len(response_ms) else np.empty(0)
    times = np.quantile(response_ms, shares) if len(response_ms) else shares
    columns = {"response_ms": times.tolist(), "share_pct": (100 * shares).tolist()}
    chart: alt.Chart = (
        _begun(columns, "response times")
        .mark_line()
        .encode(
            x=_axis("x", "response_ms", "response time, ms"),
            y=_axis("y", "share_pct", "requests, %"),
            tooltip=["response_ms:Q", "share_pct:Q"],
        )
    )
    return chart


def changes(found: Mapping[str, Mapping[str, Group]]) -> alt.LayerChart:
    """Difference of each figure of all requests from the first side's, with its 95 % interval."""
    rows = [
        (other, name, one.change)
        for other, groups in found.items()
        for name, one in (groups["all"].figures.items() if "all" in groups else ())
    ]
    names = list(dict.fromkeys(name for _, name, _ in rows))
    columns: dict[str, Sequence[Any]] = {
        "other": [other for other, _, _ in rows],
        "figure": [name for _, name, _ in rows],
        "ms": [change.ms for _, _, change in rows],
        "low_ms": [change.low_ms for _, _, change in rows],
        "high_ms": [change.high_ms for _, _, change in rows],
    }
    begun = _begun(columns, "change against the first side")
    import altair as alt

    chart = begun.encode(
        y=alt.Y("figure:N", title=None, sort=names),
        yOffset=alt.YOffset("other:N"),
        color=alt.Color("other:N", title=None),
    )
    rules = chart.mark_rule().encode(x=_axis("x", "low_ms", "change, ms"), x2="high_ms:Q")
    points = chart.mark_point(filled=True, size=60).encode(x="ms:Q", tooltip=["other:N", "ms:Q"])
    return alt.LayerChart(layer=[rules, points])


def _begun(columns: Mapping[str, Sequence[Any]], title: str) -> alt.Chart:
    need("charts")
    import altair as alt

    rows = zip(*columns.values(), strict=True)
    values = alt.InlineData(values=[dict(zip(columns, row, strict=True)) for row in rows])
    return alt.Chart(values, title=title, width=_WIDTH, height=_HEIGHT)


def _axis(channel: str, column: str, title: str) -> Any:
    import altair as alt

    return (alt.X if channel == "x" else alt.Y)(f"{column}:Q", title=title)
