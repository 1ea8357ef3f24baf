"""Written data that waits, and bursts that look like a fence: found where they are alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_up_drives import REQUESTS, asked, made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.judged.bursts_or_fence import bursts_or_fence
from platterlab.calibration.judged.write_back import open_values, write_back, write_back_again

BUFFERED: dict[str, Any] = {"segments": 4, "segment": 65_536, "write_report": "buffer"}


def _drive(cache: dict[str, Any]) -> Profile:
    return made_up(3).with_overrides({"cache": cache})


def test_how_long_the_drive_is_idle_before_it_writes(tmp_path: Path) -> None:
    waits = {"capacity": 1 << 16, "extents": 8, "idle_ms": 5.0}
    truth, plain = _drive(BUFFERED | {"write_back": waits}), _drive(BUFFERED)
    trace = traced(truth, tmp_path / "d.trace", read_share=0.5, think_ms=8.0, seed=3)
    reading = read(trace, plain)
    found = write_back(plain, reading)
    assert found["cache.write_back"]["idle_ms"] == pytest.approx(5.0, rel=0.05)
    known = plain.with_overrides(found)
    again = write_back_again(known, reading, found)
    assert again["cache.write_back"]["idle_ms"] == pytest.approx(5.0, rel=0.05)
    ends = open_values(known, reading)
    low, high = ends["idle_ms"]
    assert low <= found["cache.write_back"]["idle_ms"] <= high
    assert ends["extents"][0] <= 8 <= ends["extents"][1]


def test_no_more_runs_wait_than_a_profile_can_have(tmp_path: Path) -> None:
    """Not where hundreds of them wait, and more would do as well."""
    waits = {"capacity": 1 << 24, "extents": 1024}
    truth, plain = _drive(BUFFERED | {"write_back": waits}), _drive(BUFFERED)
    trace = traced(
        truth, tmp_path / "d.trace", read_share=0.5, think_ms=2.0, seed=3, requests=1_500
    )
    reading = read(trace, plain)
    found = {"cache.write_back": waits}
    again = write_back_again(plain.with_overrides(found), reading, found)
    assert 1 <= again["cache.write_back"]["extents"] <= 1024
    low, high = open_values(plain.with_overrides(found), reading)["extents"]
    assert 1 <= low <= high == 1024


@pytest.mark.parametrize("report", ["buffer", "buffer-in-turn"])
def test_writes_that_the_buffer_takes_in_turn(report: str, tmp_path: Path) -> None:
    truth, plain = _drive(BUFFERED | {"write_report": report}), _drive(BUFFERED)
    trace = traced(truth, tmp_path / "d.trace", read_share=0.5, think_ms=8.0, seed=3)
    reading = replace(read(trace, plain), write_report="buffer")
    found = write_back(plain, reading).get("cache.write_report")
    assert found == (report if report == "buffer-in-turn" else None)


SLOW = {"kind": "rate", "read_sector_ms": 0.12, "write_sector_ms": 0.12, "reconnect_ms": 0.2}
FENCE, SECTORS = 24 * 512, 24
SEGMENT = 64 * 512


@pytest.mark.parametrize("burst", [True, False], ids=["bursts", "fence"])
def test_bursts_over_a_slow_bus_are_told_by_reads_for_which_there_is_no_room(
    burst: bool, tmp_path: Path
) -> None:
    cache = {"segments": 2, "segment": SEGMENT, "read_ahead": "none"}
    in_bursts = _drive(cache).with_overrides({"bus": SLOW | {"burst_sectors": SECTORS}})
    fenced = _drive(cache | {"read_fence": FENCE}).with_overrides({"bus": SLOW})
    truth, other = (in_bursts, fenced) if burst else (fenced, in_bursts)
    rng = np.random.default_rng(4)
    sectors = rng.integers(1, 65, REQUESTS) * 2
    lba = rng.integers(0, truth.capacity_sectors - 128, REQUESTS)
    waits, writes = rng.exponential(20.0, REQUESTS), np.zeros(REQUESTS, dtype=bool)
    trace = asked(truth, tmp_path / "d.trace", (lba, sectors), writes, waits)
    wrong = {"bus": SLOW | ({} if burst else {"burst_sectors": SECTORS})}
    wrong |= {"cache.read_fence": FENCE} if burst else {}
    found = bursts_or_fence(other, read(trace, other), wrong)
    assert found["bus"].get("burst_sectors", 0) == (SECTORS if burst else 0)
    assert found["cache.read_fence"] == (0 if burst else FENCE)
    right = {"bus": truth.stated()["bus"]} | ({} if burst else {"cache.read_fence": FENCE})
    assert bursts_or_fence(truth, read(trace, truth), right) == {}
