"""Reads of other heads of one cylinder are known as far as tracks are; elsewhere the arm moves."""

from typing import Any

import pytest

from made_up_drives import made_up
from platterlab._core import Profile
from platterlab.studies.unseen_drives.trial import measured

HEAD_MS, SURFACES = 0.62, 18


def drive(differ: bool) -> Profile:
    """Seeks first, in serpentines; its surfaces hold equally many sectors or not."""
    zones: list[dict[str, Any]] = []
    for first, last, sectors in ((0, 2069, 821), (2070, 2339, 803), (2340, 4049, 785)):
        zone = {
            "cylinders": [first, last], "sectors_per_track": sectors, "order": "surface-serpentine",
            "serpentine_cylinders": 90, "cylinder_skew_turns": 0.19, "serpentine_skew_turns": 0.3,
        }  # fmt: skip
        if differ:
            more = [37 * surface % 61 - 30 for surface in range(1, SURFACES)]
            by_two = [13 * (surface % 2) for surface in range(1, SURFACES)]
            by_surface = more if first else by_two
            zone["surface_sectors_per_track"] = [sectors, *(sectors + it for it in by_surface)]
        zones.append(zone)
    points = [[1, 0.97], [10, 1.3], [100, 3.0], [800, 7.0], [4049, 14.5]]
    return made_up(3).with_overrides(
        {
            "geometry": {"surfaces": SURFACES, "cylinders": 4050},
            "zone": zones,
            "spindle": {"speed_rpm": 10000.0},
            "switch": {"head_ms": HEAD_MS},
            "seek": {"kind": "table", "points": points},
            "controller": {"read_ms": 0.3, "write_ms": 0.3},
            "cache": {},
        }
    )


@pytest.mark.parametrize("differ", [False, True], ids=["alike", "differ"])
def test_a_head_switch_is_one_of_one_cylinder(differ: bool) -> None:
    found = measured(drive(differ), 2, writes=False, tracks=None, time_s=900.0)
    printed: dict[str, Any] = {**found.extraction()}
    switch = printed["head_switch_ms"]
    if differ:
        assert switch["value"] is None or switch["value"] == pytest.approx(HEAD_MS, rel=0.05)
    else:
        assert switch["status"] == "ok"
        assert switch["value"] == pytest.approx(HEAD_MS, rel=0.05)
