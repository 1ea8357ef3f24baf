"""What the buffer answers: nothing of it tells of the platter, but the bus is told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import data_sheet, fitted, made_up, read, traced
from platterlab import library
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.stages import _with_writes_reported
from platterlab.calibration.trace.observed import stated_of

REQUESTS = 1200
START_MS, BLOCK_MS = 0.31, 0.043


def answers(operation: str) -> str:
    """Requests one after the other in the address space, each at the buffer's price."""
    rng = np.random.default_rng(8)
    blocks = rng.integers(1, 20, REQUESTS) * 2
    starts = 2000 + np.concatenate([[0], np.cumsum(blocks)[:-1]])
    service_us = 1e3 * (START_MS + BLOCK_MS * blocks) + rng.uniform(0.0, 4.0, REQUESTS)
    return "".join(
        f"{operation} Hit {at} {count} {us:.3f} 30000.0\n"
        for at, count, us in zip(starts, blocks, service_us, strict=True)
    )


@pytest.mark.parametrize("bus", ["off", "rate"])
@pytest.mark.parametrize("operation", ["R", "W"])
def test_what_the_buffer_answers_costs_as_much_under_the_profile(tmp_path, operation, bus):
    trace = tmp_path / "answers.trace"
    trace.write_text(answers(operation))
    changed = {"kind": "rate", "read_sector_ms": 0.2, "write_sector_ms": 0.2}
    profile = library.load("hp-c2200a", {"bus": changed if bus == "rate" else {"kind": "off"}})
    found = fitted(Job(trace, profile, rough=True))
    assert found.angles is None
    own = found.overrides["bus"][{"R": "read", "W": "write"}[operation] + "_sector_ms"]
    blocks_a_sector = profile.sector_bytes / 512
    assert own == pytest.approx(BLOCK_MS * blocks_a_sector, rel=0.02)
    figures = findings(found).judged["by themselves"]
    assert figures["median_abs_error_ms"] < 0.02


@pytest.mark.parametrize("report", ["buffer", "media"])
def test_writes_that_are_anywhere_on_the_platter_do_not_wait_for_it(
    report: str, tmp_path: Path
) -> None:
    """Here writes of a buffer that counts as answering the first of several alone."""
    truth = made_up(3).with_overrides({"cache.write_report": report})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    sheet = data_sheet(truth)
    stated, reading = stated_of(sheet), read(trace, sheet)
    assert reading.write_report == report
    if report == "buffer":
        is_hit = reading.is_hit & ~(reading.seen.write & reading.seen.after_write)
        reading = replace(reading, write_report="immediate", is_hit=is_hit)
    else:
        reading = replace(reading, reported=reading.hits)
    told, _ = _with_writes_reported(reading, angles_of(reading, stated), stated)
    assert told.write_report == report
