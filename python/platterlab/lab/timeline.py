"""A run over time, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

Series = Sequence[float | None]


def table(report: Mapping[str, Any]) -> pa.Table:
    """The first run of an experiment's report: a row for each bin of each quantity."""
    import pyarrow as pa

    over_time = report["runs"][0]["report"]["over_time"]
    bins = len(over_time["in_flight"])
    begin_ms: list[float] = []
    what: list[str] = []
    busy: list[float | None] = []
    waiting: list[float | None] = []
    for name, shares, counts in _quantities(report, over_time):
        begin_ms += [index * over_time["bin_ms"] for index in range(bins)]
        what += [name] * bins
        busy += shares or [None] * bins
        waiting += counts or [None] * bins
    return pa.table(
        {
            "begin_ms": pa.array(begin_ms, pa.float64()),
            "what": pa.array(what, pa.string()),
            "busy": pa.array(busy, pa.float64()),
            "waiting": pa.array(waiting, pa.float64()),
        }
    )


def _quantities(
    report: Mapping[str, Any], over_time: Mapping[str, Any]
) -> Iterator[tuple[str, Series, Series]]:
    """Name, shares and counts of each; no shares or no counts where it has none."""
    yield "requests", [], over_time["in_flight"]
    for device in over_time["devices"]:
        yield report["drives"][device["device"]], device["utilisation"], device["queue"]
    for name, shares in zip(report["buses"], over_time["buses"], strict=True):
        yield name, shares, []
