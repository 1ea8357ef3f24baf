"""Surfaces that are turned each by an angle of its own, as one zone's requests have them.

An even turn from head to head, as most drives have it, has then few of a zone's surfaces agree, in
each zone others. Along the cylinders each surface agrees by itself: at the step on which all do
most, each tells how far it is turned.
"""

import numpy as np
import scipy.fft

from platterlab.calibration.trace.observed import Floats, Whole

AGREED = 0.8
"""Requests of a zone that agree as well as this, on an even turn, tell of none else."""

BEYOND_CHANCE = 2.5
"""So many times as much as by chance surfaces agree that do."""

CLEARLY = 1.25
"""And so many times as much as on an even turn."""


def turned_surfaces(
    late: Floats, surface: Whole, step: Whole, count: int, even: float
) -> Floats | None:
    """How far each surface is turned against the first, in turns; None where they do not agree.

    Args:
        late: what requests of a zone are late by without any skew, in turns.
        surface: on which each is.
        step: its steps of cylinders from the zone's first.
        count: of the drive's surfaces.
        even: how well they agree on an even turn from head to head, from 0 to 1.
    """
    if even > AGREED or count < 2 or not len(late):
        return None
    cells = max(256, 1 << int(np.ceil(np.log2(4 * (int(step.max()) + 1)))))
    grid = np.zeros((count, cells), dtype=np.complex128)
    np.add.at(grid, (surface, step % cells), np.exp(2j * np.pi * late))
    sums = scipy.fft.fft(grid, axis=1)
    together = np.abs(sums).sum(axis=0) / len(late)
    best = int(np.argmax(together))
    if together[best] < max(CLEARLY * even, BEYOND_CHANCE * np.sqrt(count / len(late))):
        return None
    turns = np.angle(sums[:, best]) / (2 * np.pi)
    return np.asarray((turns - turns[0]) % 1.0, dtype=np.float64)
