"""Requests that may have waited for what the drive was still at when they came.

Until it has written what it has reported, a drive may have no time for what comes. One that reads
ahead may end a switch to the next track that it has begun, and only then set out for another. Such
a request says when the drive was ready at the latest, but not that it was not ready a turn before:
taken for that, it makes overhead and arm longer than they are. Not all drives wait so: requests
that come soon after a read tell, beside those that come to an idle drive.
"""

import numpy as np

from platterlab.calibration.platter.positioning_fit import NAMES, WIDTHS_MS, Model, misfit
from platterlab.calibration.trace.observed import Flags, Floats, Observed, Whole

BUSY_TURNS = 3.0
"""A drive idle for so long has written what it has reported, and read ahead as far as it does."""

LEAST_IDLE = 40
"""Requests of a kind that came to an idle drive, without which the others are all there is."""

LATER_MS = np.arange(-0.6, 0.61, 0.02)
"""By how much requests may be ready later than the others."""


def soon_after_reads(seen: Observed, which: Whole, rotation_ms: float) -> Flags:
    """Which of some requests came while a drive may still have read ahead.

    Of reads and of writes, where enough others came later.
    """
    after_read, write = ~seen.after_write[which], seen.write[which]
    soon = seen.gap_ms[which] < BUSY_TURNS * rotation_ms
    found: Flags = np.zeros(len(which), dtype=bool)
    for kind in (after_read & ~write, after_read & write):
        if np.sum(kind & ~soon) >= LEAST_IDLE:
            found |= kind & soon
    return found


def are_later(model: Model, full: Floats, soon: Flags, idle: Flags) -> bool:
    """Whether requests were ready later where they came soon than to an idle drive.

    A time of their own has to spare as much as any number more (Schwarz's criterion).

    Args:
        model: what was fitted.
        full: the unknowns.
        soon: those of its requests that came while the drive may have read ahead.
        idle: those that came to an idle drive.
    """
    if min(soon.sum(), idle.sum()) < LEAST_IDLE:
        return False
    by_soon, by_idle = (_by_later(model.some(np.flatnonzero(some)), full) for some in (soon, idle))
    spared = float((by_soon + by_idle).min() - by_soon.min() - by_idle.min())
    worth_it = spared > 0.5 * np.log(soon.sum() + idle.sum())
    return bool(worth_it and by_soon.argmin() > by_idle.argmin())


def _by_later(some: Model, full: Floats) -> Floats:
    """The penalties of some requests where all of them are ready so much later."""
    more = np.zeros(len(full))
    more[[0, len(NAMES)]] = 1.0
    return np.array([misfit(full + ms * more, some, WIDTHS_MS[-1]) for ms in LATER_MS])
