"""The buffer's policies as the start states them, where the whole model tells no others surely.

They were chosen by which reads the buffer answers, in a model whose arm came from elsewhere. Now
that it is known where the arm is, a word that the start states is tried once more.
"""

from platterlab._core import Profile
from platterlab.calibration.buffer.policies import (
    CHOICES,
    is_consistent,
    overrides,
    rules_of,
    rules_stated,
)
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Overrides


def policies_stated(
    profile: Profile, reading: Reading, known: Overrides, stated: Overrides
) -> Overrides:
    """Policies of the start under which requests are not surely farther.

    Args:
        profile: as found so far.
        reading: the trace.
        known: what made the profile.
        stated: the start's table of the cache, as its file states it.
    """
    own = rules_stated(stated, profile.sector_bytes)
    if "cache.segments" not in known or not own:
        return {}
    rules, found = rules_of(known, profile.sector_bytes), {}
    report = known.get("cache.write_report", reading.write_report)
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    for name in sorted(set(CHOICES) & set(stated)):
        other = rules | {name: own[name]}
        if own[name] == rules[name] or not is_consistent(other):
            continue
        way = overrides(other, report, profile.sector_bytes)
        if not tried.is_worse(way):
            rules, found = other, way
    return found
