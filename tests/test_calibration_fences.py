"""What the bus waits for is told by reads over a track's end; what nothing tells is not made up."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import asked, data_sheet, fitted, without_skews
from platterlab import library
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings

ROTATION_MS = 10.0
REQUESTS = 6_000

FAST_MS, SLOW_MS = 0.05, 0.2
"""A bus that waits for the platter, and one that the platter waits for, a sector."""


ROOM = {"track_skew_turns": 0.13, "cylinder_skew_turns": 0.21}
NO_ROOM = {"track_skew_turns": 0.05, "cylinder_skew_turns": 0.07}
"""Skews for a head switch of 0.9 ms; and shorter ones: the next track comes a turn later."""


def _drive(
    sector_ms: float, fence_sectors: int, taking_ms: float = 0.0, skews: dict[str, float] = ROOM
) -> Profile:
    base = library.load("seagate-hawk")
    zones = [zone | skews for zone in without_skews(base)]
    return base.with_overrides(
        {
            "zone": zones,
            "spindle": {"rotation_ms": ROTATION_MS},
            "controller": {"read_ms": 0.6, "write_ms": 0.9},
            "cache": {"read_fence": 512 * fence_sectors},
            "switch": {"head_ms": 0.9},
            "bus": {
                "kind": "rate",
                "read_sector_ms": sector_ms,
                "write_sector_ms": sector_ms,
                "reconnect_ms": taking_ms,
            },
        }
    )


def _calibrated(
    truth: Profile,
    sizes: list[int],
    path: Path,
    sheet: Profile | None = None,
    *,
    to_the_end: bool = False,
) -> tuple[dict[str, float], dict[str, Any]]:
    rng = np.random.default_rng(11)
    sectors = rng.choice(sizes, REQUESTS)
    lba = rng.integers(0, truth.capacity_sectors - max(sizes), REQUESTS)
    # Half of them lie near the one before.
    near = np.flatnonzero(rng.random(REQUESTS) < 0.5)
    near = near[near > 0]
    lba[near] = (lba[near - 1] + rng.integers(50, 4_000, len(near))) % (
        truth.capacity_sectors - max(sizes)
    )
    think_ms = rng.exponential(15.0, REQUESTS)
    trace = asked(
        truth, path / "drive.trace", (lba, sectors), np.zeros(REQUESTS, dtype=bool), think_ms
    )
    found = fitted(Job(trace, sheet or data_sheet(truth), seed=3), to_the_end=to_the_end)
    return findings(found).judged["by themselves"], tomllib.loads(found.profile.to_toml())


def test_reads_of_one_size_are_complete_with_their_last_sector(tmp_path: Path) -> None:
    figures, found = _calibrated(_drive(FAST_MS, 0), [16], tmp_path)
    assert figures["within_0.25_ms"] > 0.97
    # Each zone begins where it does, as seen from the first one.
    zones = found["zone"]
    turns = np.array([zone["first_track_skew_turns"] for zone in zones])
    assert "read_fence" not in found.get("cache", {})
    truth = tomllib.loads(_drive(FAST_MS, 0).to_toml())["zone"]
    true = np.array([zone.get("first_track_skew_turns", 0.0) for zone in truth])
    off = (turns - turns[0] - true + true[0] + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() < 0.02


@pytest.mark.parametrize("fence_sectors", [4, *in_soak(0)])
def test_a_fence_that_only_reads_over_a_tracks_end_tell_of(
    fence_sectors: int, tmp_path: Path
) -> None:
    figures, found = _calibrated(_drive(SLOW_MS, fence_sectors), [8, 16], tmp_path)
    assert found.get("cache", {}).get("read_fence", 0) == 512 * fence_sectors
    assert figures["within_0.25_ms"] > 0.97


@pytest.mark.parametrize("fence_sectors", [8, *in_soak(0)])
def test_a_bus_that_the_sheet_has_a_quarter_off_and_reads_of_one_size(
    fence_sectors: int, tmp_path: Path
) -> None:
    truth = _drive(0.098, fence_sectors)
    said_ms = {"read_sector_ms": 0.076, "write_sector_ms": 0.076}
    sheet = data_sheet(truth).with_overrides({"bus": {"kind": "rate"} | said_ms})
    figures, found = _calibrated(truth, [16], tmp_path, sheet)
    assert found.get("cache", {}).get("read_fence", 0) == 512 * fence_sectors
    assert figures["within_0.25_ms"] > 0.97
    if fence_sectors:
        # Without a fence the bus waits for the platter, and nothing tells its rate.
        assert found["bus"]["read_sector_ms"] == pytest.approx(0.098, rel=0.05)


@pytest.mark.parametrize("taking_ms", [0.2, *in_soak(0.0)])
def test_the_time_to_take_the_bus_is_told_by_reads_over_a_tracks_end(
    taking_ms: float, tmp_path: Path
) -> None:
    truth = _drive(0.098, 16, taking_ms)
    said_ms = {"read_sector_ms": 0.098, "write_sector_ms": 0.098}
    sheet = data_sheet(truth).with_overrides({"bus": {"kind": "rate"} | said_ms})
    figures, found = _calibrated(truth, list(range(1, 65)), tmp_path, sheet, to_the_end=True)
    assert found["bus"]["reconnect_ms"] == pytest.approx(taking_ms, abs=0.05)
    assert "burst_sectors" not in found["bus"]
    assert found["cache"]["read_fence"] == 512 * 16
    assert figures["within_0.25_ms"] > 0.97


@pytest.mark.parametrize("skews", [NO_ROOM, *in_soak(ROOM)], ids=["a turn later", "in time"])
def test_reads_over_a_tracks_end_tell_of_the_bus_where_they_lose_a_turn(
    skews: dict[str, float], tmp_path: Path
) -> None:
    truth = _drive(SLOW_MS, 0, 0.3, skews)
    said_ms = {"read_sector_ms": 0.8 * SLOW_MS, "write_sector_ms": 0.8 * SLOW_MS}
    sheet = data_sheet(truth).with_overrides({"bus": {"kind": "rate"} | said_ms})
    figures, found = _calibrated(truth, [16], tmp_path, sheet)
    assert found["bus"]["read_sector_ms"] == pytest.approx(SLOW_MS, rel=0.05)
    assert found["bus"]["reconnect_ms"] == pytest.approx(0.3, abs=0.1)
    # A head switch is not taken to be longer than the skew: 80 % where it is.
    assert figures["within_0.25_ms"] > (0.97 if skews is ROOM else 0.75)
