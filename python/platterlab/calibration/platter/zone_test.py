"""Whether a zone has the profile's sectors per track: a test of that alone.

Two requests near each other, less than a track apart, are apart in time by whole turns and by the
sectors between them. How long a sector takes to pass is what they agree on best; skews, slipped
sectors and places visited seldom have no part in it.
"""

import numpy as np

from platterlab.calibration.trace.observed import Flags
from platterlab.calibration.trace.reading import Reading

LONGEST_MS = 2_000.0
"""Between two requests that are compared: the period is known well enough for so many turns."""

BEHIND = 4
"""Each request is compared with so many that come next."""

LEAST_PAIRS = 40
"""With fewer the test says nothing."""

FACTORS = np.linspace(0.7, 1.4, 281)
"""Of the profile's turn from sector to sector."""

AGREED = 0.6
"""So well pairs have to agree under another factor."""

CLEARLY = 0.7
"""Under the profile's own they agree by less than this share of that."""

APART = 0.02
"""The other factor is so far from 1, at least."""


def wrong_zones(reading: Reading) -> list[int]:
    """Zones in which another number of sectors per track explains what the profile's does not."""
    waiting, seen = reading.waiting(with_writes=False), reading.seen
    rows, period_ms = waiting.which, reading.period.rotation_ms
    end_ms = waiting.end_ms
    lba = np.asarray(seen.lba[rows], dtype=np.float64)
    zone, per_track = seen.first.zone[rows], seen.first.per_track[rows]
    turns, apart, where = [], [], []
    for behind in range(1, BEHIND + 1):
        moved = (lba[behind:] - lba[:-behind]) / per_track[:-behind]
        lag_ms = end_ms[behind:] - end_ms[:-behind]
        near: Flags = (np.abs(moved) < 1) & (moved != 0) & (lag_ms < LONGEST_MS)
        near &= zone[behind:] == zone[:-behind]
        turns.append(lag_ms[near] / period_ms)
        apart.append(moved[near])
        where.append(zone[:-behind][near])
    late, between, own = (np.concatenate(parts) for parts in (turns, apart, where))
    wrong = []
    for number in np.unique(own):
        some = own == number
        if some.sum() < LEAST_PAIRS:
            continue
        phases = late[some][None, :] - FACTORS[:, None] * between[some][None, :]
        strength = np.abs(np.mean(np.exp(2j * np.pi * phases), axis=1))
        best, stated = int(strength.argmax()), int(np.abs(FACTORS - 1).argmin())
        clearly = strength[stated] < CLEARLY * strength[best] and strength[best] > AGREED
        if clearly and abs(FACTORS[best] - 1) > APART:
            wrong.append(int(number))
    return wrong
