"""The search for the rotation period, beside the transform that it stands for."""

import numpy as np
import pytest

from platterlab.calibration.trace.rotation_period import (
    NEAR_CELLS,
    NEAR_STEPS,
    Period,
    _Near,
    transform_peak,
)


@pytest.mark.parametrize("surfaces", [1, 2, 19])
def test_pairs_near_each_other_have_the_strength_of_the_whole_transform(surfaces: int) -> None:
    rng = np.random.default_rng(surfaces)
    heads = rng.integers(1 - surfaces, surfaces, 500)
    steps = rng.integers(-NEAR_STEPS, NEAR_STEPS + 1, 500)
    off = rng.normal(scale=0.1, size=500) + 0.137 * heads + 0.246 * steps
    turns = off + rng.integers(-(10**5), 10**5, 500)
    near = _Near(heads, steps)
    head_cells, step_cells = (len(one) for one in (near._by_head, near._by_step))
    assert step_cells == NEAR_CELLS
    whole = transform_peak(np.exp(2j * np.pi * turns), heads, steps, step_cells, head_cells)
    assert whole.strength > 0.5
    # Far apart in time, so that periods beside the right one turn each pair otherwise.
    lag_ms = rng.uniform(1e3, 1e5, 500)
    per_ms = 0.1 * (1 + 1e-4 * np.arange(-40, 41))
    strengths = near.strengths(lag_ms, 0.1 * lag_ms - turns, per_ms)
    assert strengths.argmax() == 40
    # In single precision.
    assert strengths[40] == pytest.approx(whole.strength, abs=1e-6)
    assert np.median(strengths) < 0.25


def test_a_period_that_few_pairs_agree_on_is_more_than_chance() -> None:
    assert Period(8.0, 0.25, 0.1).is_locked
    assert not Period(8.0, 0.25, 0.2).is_locked
    assert Period(8.0, 0.9, 0.5).is_locked
    assert not Period(8.0, 0.7, 0.5).is_locked
