"""Reads that wait for reported writes tell overhead from arm, and what those writes lose."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_up_drives import asked, made_up, read
from platterlab._core import Profile
from platterlab.calibration.judged.arm_behind import arm_behind
from platterlab.calibration.judged.switches import switches_within
from platterlab.calibration.platter.skews import angles_of

ROTATION_MS = 10.0
TRACK_SKEW_MS = 1.3
OVERHEAD_MS, MOVED_MS = 1.6, 0.94
FITS, LOSES = {"head_ms": 0.9, "settle_write_ms": 0.0}, {"head_ms": 0.9, "settle_write_ms": 0.8}
"""Whether a write that goes on to the next head is under it in time."""


def _drive(
    report: str, switch: dict[str, float], overhead_ms: float = OVERHEAD_MS, arm_ms: float = 2.0
) -> Profile:
    base = made_up(3)
    zones = [
        {key: value for key, value in zone.items() if "_skew_" not in key}
        | {"track_skew_turns": TRACK_SKEW_MS / ROTATION_MS, "cylinder_skew_turns": 0.5}
        for zone in tomllib.loads(base.to_toml())["zone"]
    ]
    last = tomllib.loads(base.to_toml())["geometry"]["cylinders"] - 1
    points = [[1, arm_ms], [last // 4, arm_ms + 6.0], [last, arm_ms + 14.0]]
    costs = {"read_ms": overhead_ms, "write_ms": overhead_ms}
    answers = {"read_ms": OVERHEAD_MS, "write_ms": OVERHEAD_MS}
    return base.with_overrides(
        {
            "zone": zones,
            "spindle": {"rotation_ms": ROTATION_MS},
            "seek": {"kind": "table", "points": points},
            "switch": switch,
            "controller": costs | {"after_write": costs, "hit": answers},
            "cache": {"segments": 4, "segment": 65_536, "write_report": report},
            "bus": {"kind": "rate", "read_sector_ms": 0.02, "write_sector_ms": 0.02},
        }
    )


def _traced(truth: Profile, path: Path) -> Path:
    """Reads and writes of up to a third of a track, anywhere, most of them soon."""
    rng, count = np.random.default_rng(5), 4_000
    sectors = rng.integers(1, 64, count)
    lba = rng.integers(0, truth.capacity_sectors - int(sectors.max()), count)
    return asked(truth, path, (lba, sectors), rng.random(count) < 0.5, rng.exponential(6.0, count))


def _known(profile: Profile) -> dict[str, Any]:
    """What a calibration would have found."""
    stated = tomllib.loads(profile.to_toml())
    return {name: stated[name] for name in ("seek", "switch", "controller")}


@pytest.mark.parametrize(
    ("report", "moved_ms"), [("buffer", MOVED_MS), ("buffer", 0.0), ("media", MOVED_MS)]
)
def test_overhead_and_arm_by_reads_behind_writes(
    report: str, moved_ms: float, tmp_path: Path
) -> None:
    trace = _traced(_drive(report, FITS), tmp_path / "drive.trace")
    told = _drive(report, FITS, OVERHEAD_MS - moved_ms, 2.0 + moved_ms)
    found = arm_behind(told, read(trace, told), _known(told))
    # Without writes that are under way only the sum is seen.
    assert bool(found) is (report == "buffer" and moved_ms > 0.0)
    if found:
        assert found["controller"]["read_ms"] == pytest.approx(OVERHEAD_MS, abs=0.2)
        assert found["seek"]["points"][0][1] == pytest.approx(2.0, abs=0.2)
        assert found["switch"]["settle_write_ms"] == pytest.approx(0.0, abs=0.35)


@pytest.mark.parametrize("switch", [FITS, LOSES])
def test_turns_that_reported_writes_lose(switch: dict[str, float], tmp_path: Path) -> None:
    trace = _traced(_drive("buffer", switch), tmp_path / "drive.trace")
    told = _drive("buffer", FITS)
    reading = replace(read(trace, told), write_report="buffer")
    angles = angles_of(reading, tomllib.loads(told.to_toml()))
    found = switches_within(told, reading, _known(told), angles).get("switch", FITS)
    # A read over the same track's end loses none.
    assert found["head_ms"] < TRACK_SKEW_MS
    assert (found.get("head_write_ms", 0.0) > 1.0) is (switch is LOSES)
