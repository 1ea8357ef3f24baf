"""That a write waits for its data on each track anew is found of drives that do so alone."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import asked, data_sheet, fitted, without_skews
from platterlab import library
from platterlab._core import Profile
from platterlab.calibration.job import Job

REQUESTS = 5_000
FENCE_SECTORS = 64


def _drive(*, by_track: bool) -> Profile:
    """One whose bus takes nearly twice as long over a sector as the platter."""
    base = library.load("seagate-hawk")
    skews = {"track_skew_turns": 0.13, "cylinder_skew_turns": 0.21}
    return base.with_overrides(
        {
            "zone": [zone | skews for zone in without_skews(base)],
            "spindle": {"rotation_ms": 10.0},
            "controller": {"read_ms": 0.6, "write_ms": 0.9},
            "cache": {"write_fence": 512 * FENCE_SECTORS, "write_fence_by_track": by_track},
            "switch": {"head_ms": 0.9},
            "bus": {"kind": "rate", "read_sector_ms": 0.12, "write_sector_ms": 0.12},
        }
    )


@pytest.mark.parametrize("by_track", [True, False])
def test_a_fence_by_track_is_found_where_the_drive_has_it(tmp_path: Path, by_track: bool) -> None:
    truth, rng = _drive(by_track=by_track), np.random.default_rng(7)
    sectors = rng.choice([32, 64], REQUESTS)
    lba = rng.integers(0, truth.capacity_sectors - 64, REQUESTS)
    write = rng.random(REQUESTS) < 0.6
    near = np.flatnonzero(rng.random(REQUESTS) < 0.6)
    near = near[near > 0]
    lba[near] = (lba[near - 1] + rng.integers(0, 300, len(near))) % (truth.capacity_sectors - 64)
    think_ms = rng.exponential(15.0, REQUESTS)
    trace = asked(truth, tmp_path / "drive.trace", (lba, sectors), write, think_ms)
    found = fitted(Job(trace, data_sheet(truth), seed=3))
    cache = tomllib.loads(found.profile.to_toml())["cache"]
    assert cache.get("write_fence_by_track", False) == by_track
