"""Whether reads go over the bus in bursts or from a fence on, where their sizes do not tell.

Over a bus that is slower than the platter a read of one track is complete at the same time either
way. One for which the buffer has no room, or over a track's end, is not.
"""

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Overrides


def bursts_or_fence(profile: Profile, reading: Reading, overrides: Overrides) -> Overrides:
    """Bursts as long as the fence that was found, or the other way round, where that is sure.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
    """
    bus, unit = overrides["bus"], profile.sector_bytes
    fence, burst = overrides.get("cache.read_fence", 0), bus.get("burst_sectors", 0)
    if fence > unit and not burst:
        other = {"bus": bus | {"burst_sectors": fence // unit}, "cache.read_fence": 0}
    elif burst and not bus.get("burst_drains"):
        plain = {key: value for key, value in bus.items() if key != "burst_sectors"}
        other = {"bus": plain, "cache.read_fence": burst * unit}
    else:
        return {}
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    return {} if tried.surely_best([other], MOVED_TURNS) is None else other
