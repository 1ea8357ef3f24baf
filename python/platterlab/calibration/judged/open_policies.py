"""Policies that change no outcome of a read and yet times: the whole model tells which.

Which word such a policy has reads may tell, but not surely: else it would have been taken.
"""

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.buffer.policies import moves, overrides, rules_of
from platterlab.calibration.judged.cross_validation import MOVED_TURNS
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Overrides

LEAST_MOVED = 4
"""Requests whose times another word changes: fewer tell nothing."""


def move_times(
    profile: Profile, reading: Reading, known: Overrides, names: list[str]
) -> frozenset[str]:
    """Which of some policies have words under which requests take another time.

    Args:
        profile: as found.
        reading: the trace.
        known: what made the profile.
        names: of policies.
    """
    if "cache.segments" not in known:
        return frozenset()
    rules = rules_of(known, profile.sector_bytes)
    report = known.get("cache.write_report", reading.write_report)
    ways = [(name, other) for name in names for other in moves(rules, name, ())]
    profiles = [
        profile.with_overrides(overrides(other, report, profile.sector_bytes)) for _, other in ways
    ]
    own, *others = reading.seen.requests.service_ms(
        [profile, *profiles], timing="issue", track_phase=True
    )
    least_ms = MOVED_TURNS * reading.period.rotation_ms
    return frozenset(
        name
        for (name, _), times in zip(ways, others, strict=True)
        if int(np.sum(np.abs(times - own) > least_ms)) >= LEAST_MOVED
    )
