"""Delays that the drive does not explain: late interrupts and retries.

Completions that are late by no whole number of turns come from the host, or from a retry. Their
distribution is taken from the requests that a model was fitted to, and applied to others in an even
sequence: every part of the distribution occurs as often as it should, the long tail too.
"""

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]

ON_TIME_MS = 0.6
"""Up to this, an error is the clock's and the interrupt's ordinary scatter."""

GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
"""Multiples of it, less whole numbers, fill the interval from 0 to 1 evenly."""


def late_by(measured_ms: Column, simulated_ms: Column, rotation_ms: float) -> Column:
    """By how much each completion was late, whole revolutions and ordinary scatter aside."""
    late = measured_ms - simulated_ms
    off_turn = np.abs(late - rotation_ms * np.round(late / rotation_ms))
    return np.where((late > ON_TIME_MS) & (off_turn > ON_TIME_MS), late, 0.0)


def spread(delays_ms: Column, count: int, start: float) -> Column:
    """`count` delays with the distribution of `delays_ms`, in an even sequence from `start`."""
    shares = (start + GOLDEN * np.arange(1, count + 1)) % 1.0
    return np.asarray(np.quantile(delays_ms, shares), dtype=np.float64)
