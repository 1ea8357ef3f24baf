"""Answers of the buffer by a clock that counts in whole milliseconds."""

import numpy as np
import pytest

from platterlab.calibration.trace.buffer_hits import find_floor

ROTATION_MS = 11.1


@pytest.mark.parametrize(("share", "clock_ms"), [(0.0, 1.0), (0.0, 0.1), (0.3, 1.0), (0.3, 0.1)])
def test_what_the_platter_answers_is_not_the_buffers(share: float, clock_ms: float) -> None:
    rng = np.random.default_rng(5)
    count = 4_000
    sectors = rng.integers(1, 17, count)
    answered = rng.random(count) < share
    wait_ms = rng.uniform(0.0, ROTATION_MS, count) + 8.0 * rng.random(count) ** 2
    service_ms = 0.6 + np.where(answered, 0.0, wait_ms)
    seen_ms = np.ceil((service_ms + rng.uniform(0.0, clock_ms, count)) / clock_ms - 1) * clock_ms
    found = find_floor(seen_ms, sectors, ROTATION_MS)
    assert (found is not None) == (share > 0.0), found
    if found is not None:
        assert found.share == pytest.approx(share, abs=0.06)
