"""What a data sheet, or the buffer's answers, say of a bus: taken where reads bear it out."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import REQUESTS, asked, data_sheet, fitted, made_up, read
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.platter.skews import told_by_hits
from platterlab.calibration.trace.buffer_hits import Floor
from platterlab.documents import Json

BUFFERED = {"segments": 4, "segment": 65_536, "read_ahead": "none", "write_report": "buffer"}


def _drive(bus_ms: tuple[float, float], cache: Json, **bus: Any) -> Profile:
    read_ms, write_ms = bus_ms
    bus = bus | {"kind": "rate", "read_sector_ms": read_ms, "write_sector_ms": write_ms}
    return made_up(6).with_overrides({"cache": cache, "bus": bus})


def _measured(truth: Profile, path: Path) -> Path:
    """Reads and writes of many sizes, anywhere."""
    rng = np.random.default_rng(6)
    sectors = rng.integers(1, 65, REQUESTS)
    lba = rng.integers(0, truth.capacity_sectors - 64, REQUESTS)
    return asked(
        truth, path, (lba, sectors), rng.random(REQUESTS) < 0.3, rng.exponential(20.0, REQUESTS)
    )


def _calibrated(truth: Profile, sheet_ms: float, folder: Path) -> tuple[Json, float]:
    """What is found from a data sheet, and how many requests are near by it."""
    bus = {"kind": "rate", "read_sector_ms": sheet_ms, "write_sector_ms": sheet_ms}
    sheet = data_sheet(truth).with_overrides({"bus": bus})
    found = fitted(Job(_measured(truth, folder / "drive.trace"), sheet, rough=True, seed=3))
    near = findings(found).judged["by themselves"]["within_0.25_ms"]
    return tomllib.loads(found.profile.to_toml()), near


@pytest.mark.parametrize("overlap", [False, True])
def test_whether_the_arm_waits_for_a_writes_data(overlap: bool, tmp_path: Path) -> None:
    truth = _drive((0.05, 0.05), {"read_fence_share": 1.0}, overlap=overlap)
    found, near = _calibrated(truth, 0.05, tmp_path)
    assert found["bus"].get("overlap", True) == overlap
    assert near > 0.95


@pytest.mark.parametrize("read_ms", [0.08, *in_soak(0.03)])
def test_reads_may_go_over_the_bus_as_reported_writes_do(read_ms: float, tmp_path: Path) -> None:
    truth = _drive((read_ms, 0.08), BUFFERED)
    found, near = _calibrated(truth, 0.03, tmp_path)
    if read_ms == 0.08:
        # Slower than the platter: reads tell.
        assert found["bus"]["read_sector_ms"] == pytest.approx(read_ms, rel=0.03)
    assert near > 0.93


@pytest.mark.parametrize("sector_ms", [0.02, 0.15])
def test_answers_over_a_bus_that_no_read_has_are_none(sector_ms: float, tmp_path: Path) -> None:
    truth = _drive((0.02, 0.02), {})
    reading = read(_measured(truth, tmp_path / "drive.trace"), truth)
    lined_up = replace(reading, hits=Floor(sector_ms, 1.0, 0.01))
    told, angles = told_by_hits(lined_up, tomllib.loads(truth.to_toml()))
    assert (told.hits is None) == (sector_ms == 0.15)
    assert angles.spread_turns < 0.01


@pytest.mark.parametrize("read_ms", [0.3, *in_soak(0.02)])
def test_a_slow_bus_hides_no_rotation(read_ms: float, tmp_path: Path) -> None:
    # Far slower than the platter, which without answers to reads is all there is to follow.
    cache = {"segments": 0, "write_report": "immediate"}
    truth = _drive((read_ms, read_ms), cache, burst_sectors=40, reconnect_ms=0.4)
    found, near = _calibrated(truth, 0.85 * read_ms, tmp_path)
    assert found["spindle"]["rotation_ms"] == pytest.approx(
        truth.facts()["derived"]["rotation_ms"], rel=1e-5
    )
    assert near > 0.93
