"""Whether the buffer answers reads at all, where none that it answered stand out.

A data sheet says how large a buffer is, and seldom what is done with it: look-ahead may be off, or
not begin. Where the profile's buffer answers reads that waited for the platter, the whole model
tells.
"""

from typing import Any

from platterlab._core import Profile
from platterlab.calibration.buffer.policies import CHOICES
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.trace.reading import Reading


def unanswered(profile: Profile, reading: Reading) -> dict[str, Any]:
    """That the drive does not read ahead, or keeps nothing, where that is sure; else nothing.

    Args:
        profile: as found so far.
        reading: the trace.
    """
    cache = profile.stated().get("cache", {})
    if reading.hits or reading.reported or not cache.get("segments"):
        return {}
    bare = {key: value for key, value in cache.items() if key not in CHOICES}
    ways: list[dict[str, Any]] = [{"cache.read_ahead": "none"}, {"cache": bare}]
    best = Tried(profile, reading.seen, reading.period.rotation_ms).surely_best(ways, MOVED_TURNS)
    return {} if best is None else ways[best]
