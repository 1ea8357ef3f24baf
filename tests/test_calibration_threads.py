"""A calibration is the same to the last bit, however many threads core and algebra may have."""

from pathlib import Path

from made_up_drives import data_sheet, made_up, traced
from on_threads import printed
from platterlab.calibration.job import Job
from platterlab.calibration.procedure import calibrate

SEED = 5


def said(trace: Path) -> str:
    """What is found from the trace."""
    return calibrate(Job(trace, data_sheet(made_up(SEED)), rough=True, seed=1)).profile.to_toml()


def test_a_calibration_is_the_same_on_one_thread_and_on_two(tmp_path: Path) -> None:
    drive = made_up(SEED)
    path = tmp_path / "drive.trace"
    trace = traced(drive, path, read_share=0.66, think_ms=30.0, seed=SEED, requests=3_000)
    program = "import sys; from test_calibration_threads import said; print(said(sys.argv[1]))"
    found = [printed(program, trace, threads) for threads in (1, 2)]
    assert found[0] == found[1]
    assert "[[zone]]" in found[0]
