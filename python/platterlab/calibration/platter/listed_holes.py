"""Listed passes of which the profile does not know, or knows wrongly, where some begin.

On the angles that it states most requests may be near, and those of one pass anywhere. With all
passes' angles found from the requests those are near, too; where it is not the angles that are
wrong, they are not.
"""

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slipped_layout import NEAR_TURNS, near_by_zone
from platterlab.calibration.trace.observed import Whole
from platterlab.calibration.trace.reading import Reading, with_free_passes
from platterlab.documents import Overrides

HALF = 0.5
"""Of the requests of a pass, so many are elsewhere: it is where it begins that is not known. Of
those so many have to be near under other angles."""

LEAST_REQUESTS = 20
"""Of fewer, half may be off by chance."""


def without_holes(
    profile: Profile, stated: Overrides, reading: Reading, angles: Angles, rough: bool
) -> tuple[Reading, Angles]:
    """The same with the angles of all passes from requests, where that brings lost ones near."""
    lost = _lost(reading, angles) if _is_listed(stated) else 0
    free = with_free_passes(reading, profile, stated, rough) if lost else None
    if free is None or not free.period.is_locked:
        return reading, angles
    freely = angles_of(free, stated)
    own, other = (near_by_zone(*one, 1).sum() for one in ((reading, angles), (free, freely)))
    return (free, freely) if other - own > HALF * lost else (reading, angles)


def _is_listed(stated: Overrides) -> bool:
    return any(zone.get("order") == "listed" for zone in stated["zone"])


def _lost(reading: Reading, angles: Angles) -> int:
    """How many requests lie in passes most of whose requests are elsewhere.

    What a group of cylinders has of one surface counts as one pass.
    """
    seen, rows = reading.seen, reading.waiting(with_writes=True).which
    of: Whole = seen.first.zone[rows] * seen.surfaces + seen.first.surface[rows]
    count = np.bincount(of)
    off = np.bincount(of, weights=np.abs(angles.off_turns) > NEAR_TURNS)
    return int(count[(count >= LEAST_REQUESTS) & (off > HALF * count)].sum())
