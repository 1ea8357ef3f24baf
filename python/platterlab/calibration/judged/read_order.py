"""In which order reads take sectors: as they are asked for, or as the arriving head meets them.

A read that the head arrives within is done a turn after that, wherever on the track it lies: such
reads are off the lattice, the more of them the longer they are. The whole model tells.
"""

from typing import Any

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.trace.reading import Reading

RATES = 12
"""Times of a sector over the bus that are tried, up to that under the head, where none is known."""


def read_order(profile: Profile, reading: Reading, overrides: dict[str, Any]) -> dict[str, Any]:
    """That reads begin anywhere, where that is sure; nothing otherwise.

    The last data of such a read need not be its last sectors, so that a bus shows that did not.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
    """
    seen, rotation_ms = reading.seen, reading.period.rotation_ms
    if seen.write.all():
        return {}
    bus = overrides["bus"]
    rates_ms = [bus.get("read_sector_ms", 0.0)]
    if not reading.hits:
        media_ms = rotation_ms / float(np.median(seen.first.per_track))
        rates_ms += np.linspace(0.0, media_ms, RATES + 1)[1:].tolist()
    ways = [
        {"cache.zero_latency_read": True, "bus": bus | {"read_sector_ms": ms}} for ms in rates_ms
    ]
    best = Tried(profile, seen, rotation_ms).surely_best(ways, MOVED_TURNS)
    return {} if best is None else ways[best]
