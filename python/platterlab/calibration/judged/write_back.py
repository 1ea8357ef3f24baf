"""How much written data waits for the media, where the buffer takes all writes: the model tells.

Data that waits leaves the arm to the reads, and is written in another order than it came. What does
not wait for them may wait for the rest of its request, over a bus that is slower than the media.
"""

from itertools import product
from typing import Any

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.trace.reading import Reading

CAPACITIES_KIB = (64, 256, 1024, 4096, 16384)
"""Data that may wait."""

EXTENTS = (1, 2, 4, 8, 16, 32, 64, 256, 1024)
"""Runs of addresses that may wait."""

LOST_TURNS = 0.25
"""A request whose error changes by more is moved by what the drive wrote before it."""


def write_back(profile: Profile, reading: Reading) -> dict[str, Any]:
    """What may wait, where that is sure; nothing where each write goes to the media as it comes.

    Args:
        profile: as found so far.
        reading: the trace.
    """
    if reading.write_report != "buffer":
        return {}
    ways: list[dict[str, Any]] = [
        {"cache.write_back": {"capacity": 1024 * kib, "extents": extents}}
        for kib, extents in product(CAPACITIES_KIB, EXTENTS)
    ]
    longest = int(reading.seen.sectors[reading.seen.write].max(initial=0))
    ways.append({"cache.write_fence": profile.sector_bytes * longest})
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    best = tried.surely_best(ways, LOST_TURNS)
    return {} if best is None else ways[best]
