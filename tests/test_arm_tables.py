"""Seeks and switches of a measured profile: stated as measured where they were printed as sure."""

from typing import Any

import pytest

from platterlab.datasheet import SKEW_USED
from platterlab.measure import arm_tables
from platterlab.measure.origins import Origins


def estimate(value: float, *, half_width: float = 0.02, note: str = "") -> dict[str, Any]:
    """A value that is sure, or where there is a note, not."""
    return {
        "value": value,
        "ci95": [value - half_width, value + half_width],
        "method": "pairs of reads",
        "status": "ambiguous" if note else "ok",
        "note": note,
    }


def found(**values: dict[str, Any]) -> Any:
    """An extraction of a drive with a few seeks."""
    seeks = [
        {"distance_cylinders": far, "seek_ms": time_ms, "half_width_ms": 0.02}
        for far, time_ms in ((1, 0.9), (40, 2.0), (900, 8.0))
    ]
    usual = {
        "seek_min_ms": estimate(0.9),
        "seek_max_ms": estimate(8.0),
        "head_switch_ms": estimate(0.3),
        "cylinder_switch_ms": estimate(1.2),
        "track_skew_ms": estimate(0.35),
        "cylinder_skew_ms": estimate(1.3),
    }
    layout = {"class": {"value": "head-first"}}
    return usual | {"seeks": seeks, "layout": layout} | values


@pytest.mark.parametrize("open_end", [None, "seek_min_ms", "seek_max_ms"])
def test_a_seek_curve_is_measured_where_both_its_ends_are_sure(open_end):
    known = Origins("bundle 1")
    doubt = {open_end: estimate(5.0, note="the arm may not have moved")} if open_end else {}
    table = arm_tables.seek(known, found(**doubt), None, 0.0)
    assert table["points"][1][0] == 40
    entry = known.entries["seek"]
    assert entry["kind"] == ("assumed" if open_end else "measured")
    assert ("the arm may not have moved" in entry["from"]) == bool(open_end)


@pytest.mark.parametrize(("half_width", "kept"), [(0.02, True), (0.6, False)])
def test_a_switch_that_is_surely_longer_than_the_skew_is_stated_as_printed(half_width, kept):
    known = Origins("bundle 1")
    longer = found(head_switch_ms=estimate(0.86, half_width=half_width))
    table = arm_tables.switch(known, longer, None, 0.0, streams=True)
    assert table["head_ms"] == pytest.approx(0.86 if kept else SKEW_USED * 0.35)
    assert ("note" in known.entries["switch.head_ms"]) != kept


@pytest.mark.parametrize("kind", ["head-first", "seek-first"])
@pytest.mark.parametrize("streams", [True, False])
def test_a_skew_bounds_a_switch_where_reads_stream_over_it(kind, streams):
    known = Origins("bundle 1")
    longer = found(head_switch_ms=estimate(0.86, half_width=0.6))
    longer["layout"]["class"]["value"] = kind
    table = arm_tables.switch(known, longer, None, 0.0, streams=streams)
    bounded = streams and kind == "head-first"
    assert table["head_ms"] == pytest.approx(SKEW_USED * 0.35 if bounded else 0.86)
