"""Reads of up to a whole track: where tracks begin is found however the bus waits for them."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import asked, data_sheet, laid_out, read
from platterlab import library
from platterlab._core import Profile
from platterlab.calibration.buffer.read_completion import AtShare
from platterlab.calibration.platter import skews
from platterlab.calibration.platter.bursts import keeps_bus
from platterlab.calibration.platter.regression import regress
from platterlab.calibration.platter.skews import angles_of

SURFACES, LONGEST = 4, 60
EDGES = [0, 250, 500, 750, 1_000, 1_200, 1_475, 1_770, 1_950, 2_280, 2_400]
PER_TRACK = [65, 62, 60, 57, 54, 52, 49, 46, 44, 40]
HEAD_TURNS, CYLINDER_TURNS = 0.1, 0.15
LOST = 8
"""A zone whose angles chance had."""


def _drive(share: float) -> Profile:
    """One with many zones, and a bus six times as fast as the platter that waits for a share."""
    zones = [
        {
            "cylinders": [first, after - 1],
            "sectors_per_track": sectors,
            "track_skew_turns": HEAD_TURNS,
            "cylinder_skew_turns": CYLINDER_TURNS,
        }
        for first, after, sectors in zip(EDGES, EDGES[1:], PER_TRACK, strict=False)
    ]
    return library.load("mock").with_overrides(
        {
            "geometry": {"surfaces": SURFACES, "cylinders": EDGES[-1]},
            "zone": zones,
            "spindle": {"rotation_ms": 14.0},
            "media": {"transfer": True},
            "seek": {"kind": "linear", "single_ms": 1.5, "full_ms": 18.0},
            "switch": {"head_ms": 0.6},
            "controller": {"read_ms": 0.8, "write_ms": 0.8},
            "bus": {"kind": "rate", "read_sector_ms": 0.04, "write_sector_ms": 0.04},
            "cache": {
                "read_fence_share": share,
                "segments": 2,
                "segment": 512 * 192,
                "read_ahead": "aggressive",
                "read_ahead_over_requested": True,
            },
        }
    )


def _measured(truth: Profile, path: Path, requests: int, write_share: float, seed: int) -> Path:
    """Reads and writes of up to a track; a fifth of them go on from the one before."""
    rng = np.random.default_rng(seed)
    sectors = rng.integers(1, LONGEST, requests)
    lba = rng.integers(0, truth.capacity_sectors - LONGEST, requests)
    some = np.flatnonzero(rng.random(requests) < 0.2)[1:]
    lba[some] = np.minimum(lba[some - 1] + sectors[some - 1], truth.capacity_sectors - LONGEST)
    write = rng.random(requests) < write_share
    return asked(
        truth, path / "drive.trace", (lba, sectors), write, rng.exponential(12.0, requests)
    )


def _near_share(truth: Profile, path: Path, requests: int, write_share: float, seed: int) -> float:
    """Share of the requests near the lattice; 0 where not every zone is known."""
    trace = _measured(truth, path, requests, write_share, seed)
    angles = laid_out(trace, data_sheet(truth)).angles
    return float(np.mean(np.abs(angles.off_turns) < 0.01)) * bool(angles.known.all())


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_reads_that_wait_for_all_of_a_track_do_not_lose_the_platter(
    tmp_path: Path, share: float
) -> None:
    assert _near_share(_drive(share), tmp_path, 2_500, 0.45, seed=5) > 0.95


@pytest.mark.parametrize("seed", [4, 5])
def test_a_zone_that_agrees_on_chance_is_found_as_reads_follow_elsewhere(
    tmp_path: Path, seed: int
) -> None:
    assert _near_share(_drive(0.0), tmp_path, 1_500, 0.3, seed) > 0.95


def test_a_lost_zone_is_found_though_no_share_of_reads_has_the_bus_of_answers(
    tmp_path: Path,
) -> None:
    truth = _drive(0.0).with_overrides({"cache.read_fence": 4 * 512})
    sheet = data_sheet(truth)
    reading = read(_measured(truth, tmp_path, 1_500, 0.3, seed=5), sheet)
    seen, waiting = reading.seen, reading.waiting(with_writes=True)
    right = angles_of(reading, tomllib.loads(sheet.to_toml()))
    by_share = replace(right, reads=AtShare(0.9))
    head, step = right.head.copy(), right.step.copy()
    head[LOST], step[LOST] = 0.25, 0.4
    lost = regress(seen, waiting, replace(by_share, head=head, step=step))
    assert not keeps_bus(lost, lost.hit_sector_ms)
    assert lost.head[LOST] != pytest.approx(HEAD_TURNS, abs=0.01)
    assert skews._found_again(seen, waiting, lost).head[LOST] == pytest.approx(HEAD_TURNS, abs=0.01)
