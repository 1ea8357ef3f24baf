"""Traces that the buffer answers all of: nothing tells of the platter, but the bus is told."""

import numpy as np
import pytest

from made_up_drives import fitted
from platterlab import library
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings

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
