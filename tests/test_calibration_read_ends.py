"""What of a read's time comes after its data: told where the platter sets the pace."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from made_up_drives import read
from measured_trace import written
from platterlab._core import Profile, Requests
from platterlab.calibration.judged.read_ends import read_ends
from platterlab.calibration.judged.refined import trimmed
from platterlab.calibration.overrides import completed_later
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.reading import Reading
from test_calibration import true_profile

LATE_MS = 0.2
"""What reads take longer than writes."""

ANSWER_MS = 0.5
"""What the buffer's answers cost, all in all."""


def keys(taking_ms: float, after_ms: float, sector_ms: float) -> dict[str, Any]:
    """A drive's bus, and what its reads cost."""
    bus = {"kind": "rate", "read_sector_ms": sector_ms, "write_sector_ms": sector_ms}
    answer = {"read_ms": ANSWER_MS - after_ms}
    controller = {"read_ms": 0.6, "write_ms": 0.6, "read_completion_ms": after_ms}
    return {
        "bus": bus | {"reconnect_ms": taking_ms},
        "controller": controller | {"hit": answer},
        "cache": {"segments": 2, "segment": 65_536, "read_ahead": "aggressive"},
    }


def measured(truth: Profile, profile: Profile, folder: Path) -> Reading:
    """What a drive did, on the layout of a profile."""
    requests = Requests.generate(
        truth, 2_000, read_share=0.8, sequential_share=0.2, local_share=0.2,
        local_distance_sectors=400, mean_sectors=12, max_sectors=48, align_sectors=2, think_ms=30.0,
        seed=6,
    )  # fmt: skip
    rows = requests.replay(truth, timing="closed", seed=4)
    return read(written(rows, folder / "drive.trace", truth.sector_bytes), profile)


def told(taking_ms: float, after_ms: float, sector_ms: float, folder: Path) -> dict[str, Any]:
    """What is told of a drive, from a profile with all of it before the data."""
    truth = true_profile().with_overrides(keys(taking_ms, after_ms, sector_ms))
    start = keys(taking_ms + after_ms, 0.0, sector_ms)
    profile = truth.with_overrides(start)
    return read_ends(profile, measured(truth, profile, folder), start)


def test_what_reads_of_a_slow_platter_take_longer_comes_after_their_data(tmp_path: Path) -> None:
    found = told(0.0, LATE_MS, 0.002, tmp_path)
    assert found["controller"]["read_completion_ms"] == pytest.approx(LATE_MS, abs=0.03)
    assert found["bus"]["reconnect_ms"] == pytest.approx(0.0, abs=0.03)
    after_ms = found["controller"]["read_completion_ms"]
    assert found["controller"]["hit"]["read_ms"] == pytest.approx(ANSWER_MS - after_ms)


def test_what_it_takes_to_have_a_slow_bus_stays_before_the_data(tmp_path: Path) -> None:
    assert told(LATE_MS, 0.0, 0.1, tmp_path) == {}


def test_what_is_left_of_it_comes_after_the_data_too(tmp_path: Path) -> None:
    truth = true_profile().with_overrides(keys(0.0, LATE_MS, 0.002))
    start = keys(0.0, LATE_MS / 2, 0.002) | {"zone": tomllib.loads(truth.to_toml())["zone"]}
    profile = truth.with_overrides(start)
    angles = cast(Angles, SimpleNamespace(tracked=False))
    found = trimmed(profile, measured(truth, profile, tmp_path), start, angles)
    assert "bus" not in found
    assert found["controller"]["read_completion_ms"] == pytest.approx(LATE_MS, abs=0.02)


def test_an_answer_costs_the_same_in_all() -> None:
    rules: list[dict[str, Any]] = [
        {"operation": "read", "hit": True, "run": 1, "ms": 0.4},
        {"operation": "read", "hit": False, "run": 1, "ms": 0.4},
        {"operation": "write", "hit": True, "ms": 0.4},
    ]
    controller = {"read_ms": 0.6, "hit": {"read_ms": 0.5, "write_ms": 0.7}, "rules": rules}
    found = completed_later(completed_later(controller, 0.1), 0.05)
    assert found["read_completion_ms"] == pytest.approx(0.15)
    assert found["read_ms"] == 0.6
    assert found["hit"] == {"read_ms": pytest.approx(0.35), "write_ms": 0.7}
    assert [rule["ms"] for rule in found["rules"]] == [pytest.approx(0.25), 0.4, 0.4]
