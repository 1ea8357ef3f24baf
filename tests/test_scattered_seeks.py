"""Seeks that take another time each time: the share of requests that make the revolution rises."""

from typing import Any

import pytest

from made_up_drives import made_up
from platterlab._core import Profile
from platterlab.studies.unseen_drives.trial import measured

SURFACES, LEAST_MS, MOST_MS = 6, 5.4, 82.0


def drive(scatter_ms: float) -> Profile:
    zone = {
        "cylinders": [0, 511], "sectors_per_track": 26, "order": "traditional",
        "track_skew_turns": 0.118, "cylinder_skew_turns": 0.423,
    }  # fmt: skip
    values: dict[str, Any] = {
        "geometry": {"surfaces": SURFACES, "cylinders": 512},
        "zone": [zone],
        "spindle": {"speed_rpm": 3600.0},
        "seek": {"kind": "linear", "single_ms": LEAST_MS, "full_ms": MOST_MS},
        "switch": {"head_ms": 1.3},
        "controller": {"read_ms": 2.3, "write_ms": 3.3},
        "cache": {},
    }
    if scatter_ms:
        values["seek_scatter"] = {"kind": "constant", "time_ms": scatter_ms}
    return made_up(3).with_overrides(values)


@pytest.mark.parametrize("scatter_ms", [0.0, 0.27], ids=["one-time", "scattered"])
def test_the_order_of_tracks_is_known_of_both(scatter_ms: float) -> None:
    found = measured(drive(scatter_ms), 2, writes=False, tracks=None, time_s=900.0)
    printed: dict[str, Any] = {**found.extraction()}
    for name, truth in (
        ("surfaces", float(SURFACES)),
        ("seek_min_ms", LEAST_MS),
        ("seek_max_ms", MOST_MS),
    ):
        assert printed[name]["status"] == "ok", (name, printed[name])
        assert printed[name]["value"] == pytest.approx(truth, rel=0.05 if "seek" in name else 0.0)
    # What a single one of them takes is no better known than by what it scatters.
    low_ms, high_ms = printed["seek_min_ms"]["ci95"]
    assert high_ms - low_ms > scatter_ms / 10
    scatter = printed["seek_scatter_ms"]
    assert (scatter is None) == (scatter_ms == 0.0)
    if scatter:
        assert scatter["ci95"][0] <= scatter_ms <= scatter["ci95"][1]
