"""A calibration is the same to the last bit, however many threads core and algebra may have."""

from pathlib import Path

import pytest

from conftest import in_soak
from made_up_drives import data_sheet, fitted, made_up, traced
from on_threads import printed
from platterlab.calibration.job import Job
from platterlab.calibration.procedure import calibrate

SEED = 5


def said(how: str, trace: Path) -> str:
    """What is found from the trace."""
    job = Job(trace, data_sheet(made_up(SEED)), rough=True, seed=1)
    found = calibrate(job) if how == "calibrated" else fitted(job, to_the_end=True)
    return found.profile.to_toml()


@pytest.mark.parametrize("how", ["fitted", *in_soak("calibrated")])
def test_a_calibration_is_the_same_on_one_thread_and_on_two(how: str, tmp_path: Path) -> None:
    drive = made_up(SEED)
    path = tmp_path / "drive.trace"
    trace = traced(drive, path, read_share=0.66, think_ms=30.0, seed=SEED, requests=3_000)
    program = (
        f"import sys; from test_calibration_threads import said; print(said({how!r}, sys.argv[1]))"
    )
    found = [printed(program, trace, threads) for threads in (1, 2)]
    assert found[0] == found[1]
    assert "[[zone]]" in found[0]
