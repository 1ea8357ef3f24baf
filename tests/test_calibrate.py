"""Fits: they find what made the times, and give the same bits on any number of threads."""

import struct
from pathlib import Path

import numpy as np
import pytest

from on_threads import printed
from platterlab import library
from platterlab._core import Requests
from platterlab.studies.ruemmler_wilkes.fit import Stage, fit
from platterlab.studies.ruemmler_wilkes.parameter import Scalar

TRUTH = {"controller.write_ms": 4.2, "controller.read_ms": 6.0}
STAGE = Stage([Scalar(key, 5.1, 1.0, 8.0) for key in TRUTH], 200)
EVERYWHERE = Stage(STAGE.unknowns, 60, everywhere=True)
FEW = Stage(STAGE.unknowns, 16, everywhere=True)
"""Two generations: the second is of what the first, with replays side by side, left."""

PROGRAM = """
import sys
from test_calibrate import FEW, fitted
print(fitted(sys.argv[1], [FEW]).overrides)
"""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """A trace that a C2200A with `TRUTH` in its profile would leave, in HP's format."""
    truth = library.load("hp-c2200a", TRUTH)
    generated = Requests.generate(
        truth, 3000, read_share=0.4, sequential_share=0.3, local_share=0.7,
        local_distance_sectors=20_000, mean_sectors=32.0, max_sectors=64, align_sectors=32,
        think_ms=20.0, seed=5,
    )  # fmt: skip
    rows = generated.replay(truth, timing="closed", seed=5)
    issue_us = np.round(rows["issue_ms"] * 1e3).astype(int)
    stop_us = np.round(rows["service_ms"] * 1e3).astype(int)
    path = tmp_path / "truth.srt"
    with path.open("wb") as file:
        file.write(b"$$TR_IOREC-1.3\ndisks = { 0 -> { sectorsize = 256 } };\n\x0c")
        for index, (at, stop) in enumerate(zip(issue_us, stop_us, strict=True)):
            read = int(rows["operation"][index] == 0)
            sectors, lba = int(rows["sectors"][index]), int(rows["lba"][index])
            file.write(struct.pack(
                ">14i", 56, 0, at // 10**6, at % 10**6, 0, stop, sectors * 256, lba,
                0, 0, 0, read, 0, 0,
            ))  # fmt: skip
    return path


def fitted(trace, stages):
    """A fit that starts from the library's profile."""
    requests = Requests.load(str(trace), "hp-srt", device=0)
    profile = library.load("hp-c2200a")
    measured_ms = requests.replay(profile, timing="issue")["measured_ms"]
    return fit(profile, requests, measured_ms, stages, cap_ms=3.0, seed=1)


def test_a_fit_finds_what_made_the_times(trace):
    found = fitted(trace, [EVERYWHERE, STAGE])
    assert found.cost_ms < 0.1 * found.start_cost_ms
    for key, value in TRUTH.items():
        assert found.overrides[key] == pytest.approx(value, abs=0.1), key
    shown = found.profile.facts()["values"]
    assert TRUTH.keys() <= {one["key"] for one in shown}


def test_a_fit_is_the_same_on_one_thread_and_on_two(trace):
    said = [printed(PROGRAM, trace, threads) for threads in (1, 2)]
    assert said[0] == said[1]
    assert "controller.write_ms" in said[0]
