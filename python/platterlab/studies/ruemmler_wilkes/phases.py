"""Skews from the phases of completions.

A request ends when its last sector has passed, and a constant after that. If the skews are right,
the time between two completions of the same kind and length agrees with the angle between their
last sectors, less whole revolutions; if they are wrong it does not, and the phases scatter.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]

SURFACES = 8
DATA_SECTORS = 113
SECTORS_PER_TRACK = 114
NEAR_MS = 60.0
"""Completions further apart are left out: the period is not known well enough beyond."""


@dataclass(frozen=True)
class Ends:
    """Where and when requests ended.

    Attributes:
        lba: last sector.
        completion_ms: when the host saw the end.
        kind: equal for requests that are comparable: operation and length.
    """

    lba: NDArray[np.int64]
    completion_ms: Column
    kind: NDArray[np.int64]


def vector_strength(
    ends: Ends, track_skew: int, cylinder_skew: int, rotation_ms: float
) -> tuple[float, int]:
    """How well phases agree under two skews, from 0 (chance) to 1, and from how many pairs."""
    track, sector = np.divmod(ends.lba, DATA_SECTORS)
    cylinder, surface = np.divmod(track, SURFACES)
    steps = (SURFACES - 1) * track_skew + cylinder_skew
    slot = (sector + 1 + track_skew * surface + steps * cylinder) % SECTORS_PER_TRACK
    turns = ends.completion_ms / rotation_ms - slot / SECTORS_PER_TRACK
    apart = np.diff(turns)
    near = (np.diff(ends.kind) == 0) & (np.diff(ends.completion_ms) < NEAR_MS)
    if not near.any():
        return 0.0, 0
    return float(np.abs(np.mean(np.exp(2j * np.pi * apart[near])))), int(near.sum())


def scan(
    ends: Ends, rotation_ms: float, track: range, cylinder: range, best: tuple[int, int]
) -> tuple[Column, Column]:
    """The strength over each skew, the other one held at its best."""
    by_track = [
        vector_strength(ends, skew, skew + best[1] - best[0], rotation_ms) for skew in track
    ]
    by_cylinder = [vector_strength(ends, best[0], skew, rotation_ms) for skew in cylinder]
    return np.array([s for s, _ in by_track]), np.array([s for s, _ in by_cylinder])
