"""Where the arm is when a request comes: where the last one left it, or where a run has it."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_up_drives import made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.mechanism import mechanism_of
from platterlab.calibration.platter.arm_place import as_served, behind_last
from platterlab.calibration.platter.skews import angles_of

SOON_MS = 8.0

REPORTED: dict[str, Any] = {
    "segments": 4, "segment": 1 << 17, "read_ahead": "none", "write_report": "buffer",
    "write_back": {"capacity": 1 << 16, "extents": 8, "idle_ms": 5.0},
}  # fmt: skip


def _drive(cache: dict[str, Any]) -> Profile:
    return made_up(3).with_overrides({"cache": cache})


def _seek_ms(drive: Profile, distance: np.ndarray) -> np.ndarray:
    seek = tomllib.loads(drive.to_toml())["seek"]
    (a, b), (c, e) = seek["short_ms"], seek["long_ms"]
    far = distance.astype(np.float64)
    law = np.where(far < seek["boundary_cylinders"], a + b * np.sqrt(far), c + e * far)
    return np.asarray(law, dtype=np.float64)


def test_overhead_and_arm_are_told_apart_by_reads_that_wait_for_what_was_reported(
    tmp_path: Path,
) -> None:
    drive = _drive(REPORTED)
    trace = traced(drive, tmp_path / "d.trace", read_share=0.7, think_ms=SOON_MS, seed=3)
    reading = replace(read(trace, drive), write_report="buffer")
    stated = tomllib.loads(drive.to_toml())
    angles = angles_of(reading, stated)
    arm = as_served(drive, reading, angles.rotation_ms)
    assert (arm.busy_ms > 0.0).any()
    assert not arm.held.any()
    found = mechanism_of(reading, angles, stated, 0, arm=arm).positioning
    left = mechanism_of(reading, angles, stated, 0).positioning
    read_ms = stated["controller"]["read_ms"]
    assert found.effects["read"] == pytest.approx(read_ms, abs=0.15)
    off, other = (
        float(np.median(np.abs(one.seek_ms - _seek_ms(drive, one.distances))))
        for one in (found, left)
    )
    assert off < 0.1
    # By where requests left it, the arm comes from elsewhere than it is thought to.
    assert sum(found.slipped) < 0.01 < sum(left.slipped)
    assert other > 2 * off


def test_where_all_goes_to_the_media_a_run_has_the_arm_where_it_was_left(tmp_path: Path) -> None:
    drive = _drive({"segments": 1, "segment": 1 << 16, "read_ahead": "none"})
    trace = traced(drive, tmp_path / "d.trace", read_share=0.5, think_ms=SOON_MS, seed=3)
    reading = read(trace, drive)
    rotation_ms = tomllib.loads(drive.to_toml())["spindle"]["rotation_ms"]
    arm, left = as_served(drive, reading, rotation_ms), behind_last(reading, rotation_ms)
    assert not arm.busy_ms.any()
    assert np.mean(arm.known) > 0.9
    assert np.array_equal(arm.moved[arm.known], left.moved[arm.known])
