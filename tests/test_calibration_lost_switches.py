"""Bursts that reads over a track's end alone tell, of which some lose a turn at the switch."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import asked, data_sheet, made_up, read
from platterlab._core import Profile
from platterlab.calibration.buffer.read_completion import AtFence, InBursts
from platterlab.calibration.platter.over_ends import with_bus_of_track_ends
from platterlab.calibration.platter.skews import angles_of

REQUESTS = 3_000
BUS_MS = 0.19
"""A sector passes in .17 ms on the outermost tracks, and in .24 ms on the innermost ones."""


def drive(skews: list[int], how: dict[str, Any], cache: dict[str, Any]) -> Profile:
    """One of three zones with such skews, from head to head and from cylinder to cylinder."""
    base = made_up(3)
    period_ms = tomllib.loads(base.to_toml())["spindle"]["rotation_ms"]
    around = [int(period_ms / each_ms) for each_ms in (0.17, 0.2, 0.24)]
    zones = [
        {
            "cylinders": [300 * number, 300 * number + 299],
            "sectors_per_track": sectors,
            "track_skew_sectors": skew,
            "cylinder_skew_sectors": skew,
            "first_track_skew_sectors": 5 * number,
        }
        for number, (sectors, skew) in enumerate(zip(around, skews, strict=True))
    ]
    bus = {"kind": "rate", "read_sector_ms": BUS_MS, "write_sector_ms": BUS_MS, **how}
    return base.with_overrides(
        {"geometry": {"surfaces": 4, "cylinders": 900}, "zone": zones, "bus": bus, "cache": cache}
    )


@pytest.mark.parametrize(
    "skews", [[40, 9, 30], *in_soak([40, 35, 30])], ids=["too small in one", "enough"]
)
@pytest.mark.parametrize(
    ("how", "cache", "reads"),
    [
        ({"reconnect_ms": 0.35, "burst_sectors": 12, "burst_drains": True}, {}, InBursts(12)),
        ({"reconnect_ms": 0.35}, {"read_fence": 12 * 512}, AtFence(12)),
    ],
    ids=["bursts", "fence"],
)
def test_bursts_beside_switches_that_lose_a_turn(
    how: dict[str, Any],
    cache: dict[str, Any],
    reads: InBursts | AtFence,
    skews: list[int],
    tmp_path: Path,
) -> None:
    truth = drive(skews, how, cache)
    rng = np.random.default_rng(4)
    sectors = rng.choice([2, 4, 8, 16, 32, 48, 64], REQUESTS)
    lba = rng.integers(0, truth.capacity_sectors - 64, REQUESTS)
    think_ms = rng.exponential(10.0, REQUESTS)
    trace = asked(
        truth, tmp_path / "drive.trace", (lba, sectors), np.zeros(REQUESTS, dtype=bool), think_ms
    )
    told = dict.fromkeys(("read_sector_ms", "write_sector_ms"), 0.85 * BUS_MS)
    sheet = data_sheet(truth).with_overrides({"bus": {"kind": "rate"} | told})
    reading = read(trace, sheet)
    angles = angles_of(reading, tomllib.loads(sheet.to_toml()))
    found = with_bus_of_track_ends(reading, angles, 0.0)[1]
    assert type(found.reads) is type(reads)
    if isinstance(found.reads, InBursts):
        assert (found.reads.burst, found.reads.drains) == (12, True)
        assert float(found.reads.reconnect) * found.sector_ms == pytest.approx(0.35, abs=0.03)
    assert found.sector_ms == pytest.approx(BUS_MS, abs=0.001)
