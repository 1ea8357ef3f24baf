"""Drives of every kind are found from data sheets; PLATTERLAB_SWARM says how many are tried."""

import os
import tomllib
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import data_sheet, made_up, traced
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.procedure import calibrate

DRIVES = int(os.environ.get("PLATTERLAB_SWARM", "1"))
MANY = 12
"""Of them, where there is time."""


@pytest.mark.parametrize("drives", [DRIVES, pytest.param(MANY, marks=pytest.mark.soak)])
def test_most_requests_of_most_drives_are_predicted(drives: int, tmp_path: Path) -> None:
    near, slipped, period_ppm = [], [], []
    for seed in range(drives):
        drive = made_up(seed)
        rng = np.random.default_rng(1_000 + seed)
        read_share, think_ms = rng.choice([0.5, 0.66, 0.8]), rng.choice([10.0, 30.0, 60.0])
        trace = traced(
            drive, tmp_path / "drive.trace", read_share=read_share, think_ms=think_ms, seed=seed
        )
        found = calibrate(Job(trace, data_sheet(drive), rough=True, seed=1))
        figures = findings(found).judged["by themselves"]
        near.append(figures["within_0.25_ms"])
        slipped.append(figures["slipped_revolution"])
        true_ms = tomllib.loads(drive.to_toml())["spindle"]["rotation_ms"]
        period_ppm.append(
            1e6 * abs((found.angles or found.reading.period).rotation_ms / true_ms - 1)
        )
        print(
            f"{seed}: {near[-1]:.3f} within 0.25 ms, {slipped[-1]:.3f} a turn off; "
            f"rotation off by {period_ppm[-1]:.3f} ppm"
        )
    print(f"worst {min(near):.3f}, a tenth below {np.quantile(near, 0.1):.3f}, median "
          f"{np.median(near):.3f}; slips up to {max(slipped):.3f}; "
          f"rotation {np.median(period_ppm):.3f} ppm, worst {max(period_ppm):.3f}")  # fmt: skip
    assert np.median(near) > 0.96
    assert np.quantile(near, 0.1) > 0.9
    assert np.median(slipped) < 0.02
    assert np.median(period_ppm) < 0.1
