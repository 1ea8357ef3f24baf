"""What the buffer keeps, again, with the mechanism known.

Policies are chosen by which reads the buffer answers, before it is known how long the arm and the
head take. Some change no outcome and many times: whether a read of which the buffer has a part
waits for the platter, say. The whole model tells.
"""

from typing import Any

from platterlab._core import Profile
from platterlab.calibration.buffer.policies import CHOICES, between, moves, overrides, rules_of
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.trace.reading import Reading

MOST = 6
"""Changes, one after the other."""


def policies_again(
    profile: Profile, reading: Reading, known: dict[str, Any], holds_ms: tuple[float, ...]
) -> dict[str, Any]:
    """Policies that bring nearly all requests that they move nearer, one after the other.

    Args:
        profile: as found so far.
        reading: the trace.
        known: what made the profile.
        holds_ms: as in `choose_cache`.
    """
    if "cache.segments" not in known:
        # No read told of a buffer: none was chosen.
        return {}
    found: dict[str, Any] = {}
    rules = rules_of(known, profile.sector_bytes)
    report = known.get("cache.write_report", reading.write_report)
    for _ in range(MOST):
        others = [one for name in CHOICES for one in moves(rules, name, holds_ms)]
        others += between(rules)
        ways = [overrides(one, report, profile.sector_bytes) for one in others]
        tried = Tried(profile, reading.seen, reading.period.rotation_ms)
        best = tried.mostly_nearer(ways, MOVED_TURNS)
        if best is None:
            break
        rules, found = others[best], ways[best]
        profile = profile.with_overrides(found)
    return found
