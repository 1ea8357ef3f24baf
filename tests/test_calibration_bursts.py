"""Buses that send reads in bursts, from data sheets whose bus is another's by some share."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import data_sheet, fitted, made_up, traced
from platterlab.calibration.buffer.read_completion import InBursts
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings

BUS_MS = 0.055
"""A sector; on the outermost tracks of the drive it passes faster, on the innermost slower."""

OFF = 0.85
"""The sheet's bus takes so much of the time."""


def _sent(sectors: int, burst: int, bus_share: float, reconnect: float) -> tuple[float, int]:
    """When the last burst is through, one after the other, and how much was sent in one go."""
    at, sent, since = -1.0, 0, 0
    while sent < sectors:
        size = min(burst, sectors - sent)
        if sent + size > at:
            at, since = sent + size + reconnect * bus_share, 0
        at, since, sent = at + size * bus_share, since + size, sent + size
    return at, since


def _drained(sectors: int, level: int, bus_share: float, reconnect: float) -> tuple[float, int]:
    """The same where each burst goes on until the next sector has not passed yet."""
    at, sent, last = 0.0, 0, 0
    while sent < sectors:
        at, last = max(at, min(sent + level, sectors) + reconnect * bus_share), sent
        while sent < sectors and sent + 1 <= at:
            at, sent = at + bus_share, sent + 1
    return at, sectors - last


@pytest.mark.parametrize(("drains", "through"), [(False, _sent), (True, _drained)])
def test_bursts_are_through_when_they_are_sector_by_sector(
    drains: bool, through: Callable[[int, int, float, float], tuple[float, int]]
) -> None:
    rng = np.random.default_rng(1 + drains)
    for _ in range(2_000):
        sectors, burst = int(rng.integers(1, 300)), int(rng.integers(4, 129))
        share, reconnect = rng.uniform(0.2, 1.5), float(rng.choice([0.0, rng.uniform(0, 10)]))
        at, last = through(sectors, burst, share, reconnect)
        reads, count = InBursts(burst, reconnect, drains=drains), np.array([float(sectors)])
        beside = (reconnect + sectors) * share
        assert reads.passed(count, np.array([share]))[0] + beside == pytest.approx(at)
        assert reads.columns(count, np.array([share]))[0][0] == last


@pytest.mark.parametrize(
    ("own", "cache"),
    [
        ({"burst_sectors": 16, "burst_drains": True}, {}),
        *in_soak(
            ({}, {"read_fence": 16 * 512}),
            ({"burst_sectors": 16}, {}),
            ({}, {"read_fence_share": 1.0}),
        ),
    ],
    ids=["drained", "fence", "bursts", "whole"],
)
def test_bursts_of_a_bus_that_the_sheet_does_not_have(
    own: dict[str, Any], cache: dict[str, Any], tmp_path: Path
) -> None:
    how = own | {"reconnect_ms": 0.3}
    bus = {"kind": "rate", "read_sector_ms": BUS_MS, "write_sector_ms": BUS_MS}
    truth = made_up(3).with_overrides({"bus": bus | how, "cache": cache})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.7, think_ms=20.0, seed=3)
    told = dict.fromkeys(("read_sector_ms", "write_sector_ms"), OFF * BUS_MS)
    sheet = data_sheet(truth).with_overrides({"bus": {"kind": "rate"} | told})
    found = fitted(Job(trace, sheet, rough=True))
    stated = tomllib.loads(found.profile.to_toml())
    for key in ("burst_sectors", "burst_drains"):
        assert stated["bus"].get(key) == how.get(key)
    assert stated["bus"]["read_sector_ms"] == pytest.approx(BUS_MS, abs=0.001)
    assert findings(found).judged["by themselves"]["within_0.25_ms"] > 0.95
