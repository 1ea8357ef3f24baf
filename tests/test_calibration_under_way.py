"""Requests that wait for read-ahead say when a drive was ready at the latest, and no more."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.mechanism import _positioning
from platterlab.calibration.overrides import bus_delays
from platterlab.calibration.platter import positioning
from platterlab.calibration.platter.arm_place import behind_last
from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.skews import angles_of

OVERHEAD_MS = 0.1


def drive(read_ahead: str) -> Profile:
    """A quick one that is slow to change heads, so that it does so half of the time."""
    base = made_up(3)
    skews = {"track_skew_turns": 0.6, "cylinder_skew_turns": 0.8, "first_track_skew_turns": 0.1}
    zones = [
        {key: value for key, value in zone.items() if "_skew_" not in key} | skews
        for zone in tomllib.loads(base.to_toml())["zone"]
    ]
    cache = {"segments": 4, "segment": 1 << 18, "read_ahead": read_ahead, "write_report": "media"}
    costs = {"read_ms": OVERHEAD_MS, "write_ms": OVERHEAD_MS, "hit": {"read_ms": OVERHEAD_MS}}
    return base.with_overrides(
        {
            "spindle": {"rotation_ms": 4.0},
            "switch": {"head_ms": 2.2, "settle_write_ms": 0.0},
            "zone": zones,
            "cache": cache,
            "controller": costs,
        }
    )


def found(truth: Profile, path: Path, think_ms: float) -> Positioning:
    """How long positioning takes, all but the cache being known."""
    trace = traced(truth, path, read_share=0.8, think_ms=think_ms, seed=3)
    bare = truth.with_overrides({"cache": {}})
    stated, reading = tomllib.loads(bare.to_toml()), read(trace, bare)
    angles = angles_of(reading, stated)
    delays = bus_delays(stated, reading.seen, angles, reading.writes_wait)
    arm = behind_last(reading, angles.rotation_ms)
    return _positioning(reading, angles, stated, arm, delays[0], 0, overlaps=True)


def later_ms(truth: Profile, told: Positioning) -> float:
    """By how much overhead and arm come out longer than they are."""
    seek = tomllib.loads(truth.to_toml())["seek"]
    (a, b), (c, e) = seek["short_ms"], seek["long_ms"]
    far = told.distances.astype(np.float64)
    law = np.where(far < seek["boundary_cylinders"], a + b * np.sqrt(far), c + e * far)
    return float(np.median(told.effects["read"] + told.seek_ms - law)) - OVERHEAD_MS


def test_what_waits_for_read_ahead_makes_no_arm_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = drive("aggressive")
    told = found(truth, tmp_path / "drive.trace", 15.0)
    assert told.model.held.any()
    assert abs(later_ms(truth, told)) < 0.06
    # Without the rule such requests hide how soon the others were ready.
    monkeypatch.setattr(positioning, "are_later", lambda *_: False)
    assert later_ms(truth, found(truth, tmp_path / "drive.trace", 15.0)) > 0.15


def test_a_drive_that_reads_nothing_ahead_keeps_none_waiting(tmp_path: Path) -> None:
    truth = drive("none")
    told = found(truth, tmp_path / "drive.trace", 15.0)
    assert not told.model.held.any()
    assert abs(later_ms(truth, told)) < 0.06


def test_of_requests_that_all_come_soon_nothing_is_left_out(tmp_path: Path) -> None:
    told = found(drive("aggressive"), tmp_path / "drive.trace", 0.5)
    assert not told.model.held.any()
