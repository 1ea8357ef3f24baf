"""Intervals hold what requests leave open: drifts, sums of two times, slopes of crowded lines."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from platterlab.calibration.outcome import _slope_reach
from platterlab.calibration.platter.mean_period import mean_period_error_ms
from platterlab.calibration.platter.positioning_fit import NAMES, SEEKS, Model
from platterlab.calibration.platter.told_effects import open_ms

ROTATION_MS, LENGTH_MS, PPM = 10.0, 100_000.0, 60.0


def _angles(period_ms: float, phase: float, ppm: float) -> tuple[Any, float]:
    """The lags of a spindle that drifts so, and by how much the line in them is off, in ms."""
    times = np.linspace(0.0, LENGTH_MS, 200)
    waves = 2 * np.pi * times / period_ms + phase
    lags = 1e-6 * ppm * period_ms / (2 * np.pi) * np.sin(waves)
    noise = 1e-3 * np.random.default_rng(3).normal(size=len(times))
    slope, lag = np.polyfit(times, lags + noise, 1)
    drift_ms = times, lags + noise - slope * times - lag
    errors = {"drift_ms": 2e-3}
    told = SimpleNamespace(drift_ms=drift_ms, rotation_ms=ROTATION_MS, errors=errors)
    return told, abs(float(slope)) * ROTATION_MS


@pytest.mark.parametrize("period_ms", [20_000.0, 90_000.0, 300_000.0])
@pytest.mark.parametrize("phase", [0.0, 1.0, 2.0])
def test_the_mean_period_of_a_spindle_that_drifts(period_ms: float, phase: float) -> None:
    angles, off_ms = _angles(period_ms, phase, PPM)
    assert mean_period_error_ms(angles) > off_ms
    if period_ms < LENGTH_MS:
        # Waves that are seen whole leave little open.
        assert mean_period_error_ms(angles) < 0.5e-6 * PPM * ROTATION_MS


def test_one_that_does_not_drift_leaves_nothing_open() -> None:
    angles, _ = _angles(50_000.0, 0.0, 0.0)
    angles.errors["drift_ms"] = 0.01
    assert mean_period_error_ms(angles) == 0.0
    few = SimpleNamespace(drift_ms=(np.zeros(0), np.zeros(0)), rotation_ms=1.0, errors={})
    assert mean_period_error_ms(few) == 0.0  # type: ignore[arg-type]


@pytest.mark.parametrize(("stay", "least_ms", "most_ms"), [(0, 4.0, 5.0), (300, 0.0, 0.1)])
def test_overhead_and_settling_of_writes_are_told_apart_by_those_that_move_no_arm(
    stay: int, least_ms: float, most_ms: float
) -> None:
    rng, count = np.random.default_rng(4), 600
    arm, full = np.zeros((count, SEEKS + 2)), np.zeros(SEEKS + 2)
    read, write, settle = (NAMES.index(name) for name in ("read", "write", "settle_write"))
    arm[:, [read, write]] = 1.0
    arm[stay:, [settle, SEEKS]] = 1.0
    full[[read, write, settle, SEEKS]] = 0.5, 0.3, 0.4, 2.0
    waited_ms = arm @ full + rng.uniform(0.0, ROTATION_MS, count)
    usable = np.ones(SEEKS + 2, dtype=bool)
    held = np.zeros(count, dtype=bool)
    model = Model(arm, None, held, waited_ms, ROTATION_MS, np.array([1, 2]), usable, 0.1)
    found: Any = SimpleNamespace(model=model, full=full)
    assert least_ms <= open_ms(found, "settle_write") <= most_ms
    assert least_ms <= open_ms(found, "write") <= most_ms


@pytest.mark.parametrize("off_ms", [0.0, 2e-4])
def test_a_slope_beside_that_of_the_line_is_as_far_off_as_it_is(off_ms: float) -> None:
    rng = np.random.default_rng(5)
    sectors = rng.integers(1, 257, 800)
    service_ms = 0.4 + 0.06 * sectors + rng.normal(0.0, 0.005, 800)
    service_ms[::50] += 3.0
    some = np.ones(800, dtype=bool)
    reach = _slope_reach(service_ms, sectors, some, 0.06 + off_ms)
    assert reach is not None
    assert off_ms < reach < off_ms + 2e-5
    assert _slope_reach(service_ms, np.full(800, 8), some, 0.06) is None
