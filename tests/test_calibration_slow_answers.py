"""Answers that cost more than a third of a revolution, or come over a slow bus: recognized."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import data_sheet, made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.trace.buffer_hits import find_floor
from platterlab.calibration.trace.reading import Reading

ROTATION_MS, WRITE_MS = 6.0, 2.5


def of(path: Path, report: str) -> tuple[Profile, Reading]:
    """A drive that reports writes so, and its trace as a calibration reads it."""
    base = made_up(3)
    controller = tomllib.loads(base.to_toml())["controller"]
    costs = controller | {"write_ms": WRITE_MS, "hit": controller["hit"] | {"write_ms": WRITE_MS}}
    truth = base.with_overrides(
        {
            "spindle": {"rotation_ms": ROTATION_MS},
            "controller": costs,
            "cache": {"segments": 4, "segment": 1 << 17, "write_report": report},
        }
    )
    trace = traced(truth, path / "drive.trace", read_share=0.5, think_ms=20.0, seed=3)
    return truth, read(trace, data_sheet(truth))


@pytest.mark.parametrize("report", ["immediate", "buffer"])
def test_answers_beyond_a_third_of_a_revolution(report: str, tmp_path: Path) -> None:
    truth, reading = of(tmp_path, report)
    assert reading.write_report == report
    assert reading.reported is not None
    bus_ms = tomllib.loads(truth.to_toml())["bus"]["write_sector_ms"]
    assert reading.reported.sector_ms == pytest.approx(bus_ms, rel=0.02)


@pytest.mark.parametrize("sector_ms", [0.434, 0.85])
def test_answers_over_a_bus_of_a_megabyte_a_second(sector_ms: float) -> None:
    rng = np.random.default_rng(1)
    sectors = rng.choice([2, 4, 8, 16, 32], 2_000)
    service_ms = 0.6 + sector_ms * sectors + rng.uniform(0.0, 0.02, 2_000)
    line = find_floor(service_ms, sectors, 16.0)
    assert line is not None
    assert line.sector_ms == pytest.approx(sector_ms, rel=1e-3)


def test_writes_on_the_media_are_no_answers(tmp_path: Path) -> None:
    _, reading = of(tmp_path, "media")
    assert reading.write_report == "media"
    assert reading.reported is None
