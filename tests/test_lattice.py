"""The search for the rotation period, beside the transform that it stands for."""

import numpy as np
import pytest

from platterlab.calibration.trace.rotation_period import (
    NEAR_CELLS,
    NEAR_STEPS,
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
    whole = transform_peak(np.exp(2j * np.pi * turns), heads, steps, NEAR_CELLS)
    assert whole.strength > 0.5
    assert _Near(heads, steps).strength(turns) == pytest.approx(whole.strength, abs=1e-9)
