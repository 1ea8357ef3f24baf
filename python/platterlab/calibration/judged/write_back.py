"""How much written data waits for the media, where the buffer takes all writes: the model tells.

Data that waits leaves the arm to the reads, and is written in another order than it came, some time
after the drive has nothing else to do. What does not wait for them may wait for the rest of its
request, over a bus that is slower than the media.
"""

from itertools import product

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Overrides

CAPACITIES_KIB = (16, 32, 64, 128, 256, 1024, 4096, 16384)
"""Data that may wait, at first."""

EXTENTS = (1, 2, 4, 8, 16, 32, 64, 256, 1024)
"""Runs of addresses that may wait, at first."""

MOST_EXTENTS = 1024
"""Runs that a profile can have at most."""

IDLES_MS = (0.0, 2.0, 8.0, 30.0, 120.0)
"""How long a drive has nothing to do before it writes, at first."""

CLOSER = ((2.0, 2.0), (2.0, 1.5), (1.4, 1.15), (1.2, 1.03))
"""Factors by which what is next to the best is more and less, one pair after the other: of sizes,
and of times."""

AMONG = 13
"""Times from the one end to the other."""

STARTS = 3
"""Of the first ways, so many of the best are gone on from."""

FACTORS = (0.25, 0.5, 0.7, 0.8, 0.9, 1.1, 1.25, 1.4, 2.0, 4.0)
"""Of what was found: which of them go as well is told."""

LOST_TURNS = 0.25
"""A request whose error changes by more is moved by what the drive wrote before it."""

MOST_NEARER = 0.65
"""Of the requests that a choice moves so far: where the arm was is right of fewer than what else a
model says, as it is where the write before it left it."""

_Way = tuple[int, int, float]
"""A capacity in bytes, a number of extents, and a time in ms."""


def write_back(profile: Profile, reading: Reading) -> Overrides:
    """What may wait, where that is sure; nothing where each write goes to the media as it comes.

    Args:
        profile: as found so far.
        reading: the trace.
    """
    if reading.write_report == "media":
        return {}
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    # Few writes in a row look as if each one behind another waited.
    last: list[Overrides] = [{"cache.write_report": "buffer-in-turn"}]
    if reading.write_report == "buffer":
        longest = int(reading.seen.sectors[reading.seen.write].max(initial=0))
        last.append({"cache.write_fence": profile.sector_bytes * longest})
        last.append(_table(_likeliest(tried, profile.sector_bytes)))
    found = tried.surely_best(last, LOST_TURNS, MOST_NEARER)
    return {} if found is None else last[found]


def _likeliest(tried: Tried, sector_bytes: int) -> _Way:
    """How much may wait and for how long, if anything does."""
    capacities = [1024 * kib for kib in CAPACITIES_KIB]
    ways = list(product(capacities, EXTENTS, IDLES_MS))
    nearest = tried.nearest([_table(way) for way in ways])[:STARTS]
    # A limit that is never met hides in another that is: from more than one way on.
    ends = [_refined(tried, ways[at], sector_bytes) for at in nearest]
    return ends[tried.best([_table(way) for way in ends])]


def write_back_again(profile: Profile, reading: Reading, overrides: Overrides) -> Overrides:
    """What may wait, with the arm's time known by now: that something does is sure.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
    """
    if "cache.write_back" not in overrides:
        return {}
    table = overrides["cache.write_back"]
    way = table["capacity"], table["extents"], table.get("idle_ms", 0.0)
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    return _table(_refined(tried, way, profile.sector_bytes))


def _refined(tried: Tried, way: _Way, sector_bytes: int) -> _Way:
    """The best way near another one, in ever smaller steps."""
    for size_factor, time_factor in CLOSER:
        for near in (_sized(way, size_factor, sector_bytes), _timed(way, time_factor)):
            way = near[tried.best([_table(one) for one in near])]
    return way


def open_values(profile: Profile, reading: Reading) -> dict[str, tuple[float, float]]:
    """Of each key of what was found the least and the most of `FACTORS` that are not surely worse.

    Args:
        profile: as found, with data that waits.
        reading: the trace.
    """
    table = profile.stated()["cache"]["write_back"]
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    ends = {}
    for key, value in table.items():
        whole = key != "idle_ms"
        others = [value * factor for factor in FACTORS]
        if whole:
            # A capacity is whole sectors.
            unit = profile.sector_bytes if key == "capacity" else 1
            others = [unit * max(1, round(one / unit)) for one in others]
        if key == "extents":
            others = [min(one, MOST_EXTENTS) for one in others]
        ways = [{"cache.write_back": table | {key: other}} for other in others]
        left = [other for other, way in zip(others, ways, strict=True) if not tried.is_worse(way)]
        ends[key] = min([value, *left]), max([value, *left])
    return ends


def _sized(way: _Way, factor: float, sector_bytes: int) -> list[_Way]:
    """The same, and with capacity or extents more or less by a factor."""
    capacity, extents, idle_ms = way
    sectors = _around(capacity // sector_bytes, factor)
    runs = [count for count in _around(extents, factor) if count <= MOST_EXTENTS]
    return [(sector_bytes * one, other, idle_ms) for one, other in product(sectors, runs)]


def _timed(way: _Way, factor: float) -> list[_Way]:
    """The same, and with times more and less by up to a factor, if there is one."""
    capacity, extents, idle_ms = way
    times = idle_ms * factor ** np.linspace(-1.0, 1.0, AMONG)
    return [(capacity, extents, time) for time in dict.fromkeys(np.round(times, 2).tolist())]


def _around(count: int, factor: float) -> list[int]:
    """A number, and a smaller and a greater one, if they are others."""
    return list(dict.fromkeys((count, max(1, round(count / factor)), round(count * factor))))


def _table(way: _Way) -> Overrides:
    """A way in the profile's keys."""
    capacity, extents, idle_ms = way
    table = {"capacity": capacity, "extents": extents}
    return {"cache.write_back": table | ({"idle_ms": idle_ms} if idle_ms else {})}
