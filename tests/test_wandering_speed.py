"""A platter whose speed wanders while short movements are searched behind a cache.

When a sector passes is followed.
"""

from typing import Any

import pytest

from made_up_drives import made_up
from platterlab._core import Profile
from platterlab.studies.unseen_drives.trial import measured

HEAD_MS, LEAST_MS, MOST_MS = 1.25, 2.39, 20.8


def drive(wanders_ppm: int) -> Profile:
    zone = {"order": "traditional", "track_skew_turns": 0.125, "cylinder_skew_turns": 0.215}
    speed: dict[str, float] = {"speed_rpm": 4500.0}
    if wanders_ppm:
        speed |= {"drift_ppm": wanders_ppm, "drift_period_s": 60.0}
    return made_up(3).with_overrides(
        {
            "geometry": {"surfaces": 9, "cylinders": 2640},
            "zone": [
                zone | {"cylinders": [first, first + 659], "sectors_per_track": sectors}
                for first, sectors in ((0, 116), (660, 103), (1320, 90), (1980, 77))
            ],
            "spindle": speed,
            "switch": {"head_ms": HEAD_MS, "settle_write_ms": 0.31},
            "seek": {"kind": "table", "points": [
                [1, LEAST_MS], [10, 3.1], [100, 5.2], [800, 11.3], [2639, MOST_MS],
            ]},
            "controller": {"read_ms": 0.37, "write_ms": 0.5},
            "cache": {
                "segments": 2, "segment": "32k",
                "read_ahead": "aggressive", "write_report": "buffer",
                "partial_hits": True,
                "write_back": {"capacity": "1024k", "extents": 4, "idle_ms": 20.0},
            },
            "bus": {"kind": "rate", "read_mb_s": 3.3, "write_mb_s": 3.3},
        }
    )  # fmt: skip


@pytest.mark.parametrize("wanders_ppm", [0, 80], ids=["steady", "wanders"])
def test_short_movements_are_followed(wanders_ppm: int) -> None:
    found = measured(drive(wanders_ppm), 434, writes=False, tracks=None, time_s=900.0)
    printed: dict[str, Any] = {**found.extraction()}
    for name, truth_ms in (
        ("head_switch_ms", HEAD_MS),
        ("seek_min_ms", LEAST_MS),
        ("seek_max_ms", MOST_MS),
    ):
        assert printed[name]["value"] == pytest.approx(truth_ms, rel=0.03), name


@pytest.mark.parametrize("wanders_ppm", [0, 80], ids=["steady", "wanders"])
def test_a_turn_is_known_as_well_as_it_keeps(wanders_ppm: int) -> None:
    """Seconds at one place and minutes all over tell two speeds of a drive that wanders."""
    speed: dict[str, float] = {"speed_rpm": 3600.0}
    if wanders_ppm:
        speed |= {"drift_ppm": wanders_ppm, "drift_period_s": 60.0}
    zone = {
        "cylinders": [0, 819], "sectors_per_track": 54, "order": "traditional",
        "track_skew_turns": 0.0556, "cylinder_skew_turns": 0.2778,
    }  # fmt: skip
    plain = made_up(3).with_overrides(
        {
            "geometry": {"surfaces": 6, "cylinders": 820},
            "zone": [zone],
            "spindle": speed,
            "switch": {"head_ms": 0.27},
            "seek": {"kind": "linear", "single_ms": 3.3, "full_ms": 85.0},
            "controller": {"read_ms": 1.8, "write_ms": 1.8},
            "cache": {},
        }
    )
    found = measured(plain, 2, writes=False, tracks=None, time_s=900.0)
    printed: dict[str, Any] = {**found.extraction()}
    rotation = printed["rotation_ms"]
    low_ms, high_ms = rotation["ci95"]
    truth_ms = 60_000.0 / 3600.0
    assert rotation["status"] == "ok"
    assert low_ms <= truth_ms <= high_ms
    assert rotation["value"] == pytest.approx(truth_ms, rel=1e-4)
    assert printed["surfaces"]["status"] == "ok"
    assert printed["surfaces"]["value"] == 6.0
