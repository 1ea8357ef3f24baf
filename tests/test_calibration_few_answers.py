"""Reads that a buffer answers now and then: few among all, most of those that need no arm."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import asked, data_sheet, fitted, read
from platterlab import library
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings

REQUESTS, SECTORS = 6_000, 16
SIZES = (2, 8, 16, 32)
CACHE = {"segments": 2, "segment": 131_072, "read_ahead": "aggressive"}
GOING_ON = 0.02
"""Share of the requests that go on from the one before: for no other the arm is still."""

READ_MS, WRITE_MS, HEAD_MS = 1.6, 3.2, 0.9


def _drive(cache: dict[str, Any]) -> Profile:
    return library.load("seagate-hawk").with_overrides(
        {
            "spindle": {"rotation_ms": 11.1},
            "controller": {"read_ms": READ_MS, "write_ms": WRITE_MS, "hit": {"read_ms": 1.2}},
            "cache": cache,
            "switch": {"head_ms": HEAD_MS},
            "bus": {"kind": "rate", "read_sector_ms": 0.05, "write_sector_ms": 0.05},
        }
    )


def _measured(
    truth: Profile, path: Path, sizes: tuple[int, ...] = (SECTORS,), think_ms: float = 15.0
) -> Path:
    rng = np.random.default_rng(17)
    most = truth.capacity_sectors - 2 * max(sizes)
    sectors = np.resize(sizes, REQUESTS)
    lba = rng.integers(0, most, REQUESTS)
    near = np.flatnonzero(rng.random(REQUESTS) < 0.5)[1:]
    lba[near] = (lba[near - 1] + rng.integers(3_000, 60_000, len(near))) % most
    on = np.flatnonzero(rng.random(REQUESTS) < GOING_ON)
    on = on[on > 0]
    write = rng.random(REQUESTS) < 0.35
    lba[on], write[on], write[on - 1] = lba[on - 1] + sectors[on - 1], False, False
    return asked(truth, path, (lba, sectors), write, rng.exponential(think_ms, REQUESTS))


@pytest.mark.parametrize("cache", [{}, *in_soak(CACHE)])
def test_writes_come_in_time_whatever_the_buffer_answers(
    cache: dict[str, Any], tmp_path: Path
) -> None:
    truth = _drive(cache)
    job = Job(_measured(truth, tmp_path / "drive.trace"), data_sheet(truth), seed=3)
    found = fitted(job, to_the_end=True)
    figures = findings(found).judged["by themselves"]
    # What the buffer's answers cost is not told: of one size they do not tell of the bus.
    assert figures["within_0.25_ms"] > (0.92 if cache else 0.97)
    assert figures["slipped_revolution"] < 0.02
    if not cache:
        # Reads that go on tell what comes before the platter by itself.
        stated = tomllib.loads(found.profile.to_toml())
        settles_ms = stated["switch"].get("resettle_read_ms", 0.0)
        assert stated["controller"]["read_ms"] + settles_ms == pytest.approx(READ_MS, abs=0.25)


@pytest.mark.parametrize("reconnect_ms", [0.2, *in_soak(0.0)])
def test_answers_of_several_sizes_tell_of_the_bus_though_they_are_few(
    reconnect_ms: float, tmp_path: Path
) -> None:
    truth = _drive(CACHE).with_overrides({"bus.reconnect_ms": reconnect_ms})
    trace = _measured(truth, tmp_path / "drive.trace", SIZES)
    found = fitted(Job(trace, data_sheet(truth), seed=3))
    assert found.reading.hits is not None
    assert found.reading.hits.sector_ms == pytest.approx(0.05, abs=0.004)
    assert findings(found).judged["by themselves"]["within_0.25_ms"] > 0.97
    # What a read waits for, to take the bus, is not a fence: its bus would be another than theirs.
    cache = tomllib.loads(found.profile.to_toml())["cache"]
    assert cache.get("read_fence", 0) == 0


@pytest.mark.parametrize(
    ("sizes", "told"), [((24, 40, 56), True), ((32, 64), False)], ids=["several", "nearly all one"]
)
def test_answers_beside_reads_that_wait_for_a_turn(
    sizes: tuple[int, ...], told: bool, tmp_path: Path
) -> None:
    # Most reads that go on come while read-ahead has not got there, which answers none of them.
    truth = _drive(CACHE | {"hits_in_flight": False})
    trace = _measured(truth, tmp_path / "drive.trace", sizes, think_ms=3.0)
    hits = read(trace, data_sheet(truth)).hits
    assert (hits is not None) == told
    if hits is not None:
        assert hits.share < GOING_ON
        assert hits.sector_ms == pytest.approx(0.05, abs=0.001)


def test_reads_that_no_buffer_answers_are_on_no_line(tmp_path: Path) -> None:
    truth = _drive({})
    trace = _measured(truth, tmp_path / "drive.trace", (32, 64), think_ms=3.0)
    assert read(trace, data_sheet(truth)).hits is None
