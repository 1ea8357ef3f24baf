"""Whether reads go over the bus in bursts, or from a fence on: what the sizes of reads tell.

From the media's end to a read's completion the bus has its last burst to send, so that this time is
a sawtooth in the size. The burst whose sawtooth leaves the smallest distances is taken if it surely
leaves smaller ones than the other ways do, for each half of the reads by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from platterlab.calibration.buffer.read_completion import (
    ROUND_SHARES,
    AtFence,
    AtMark,
    AtShare,
    InBursts,
)
from platterlab.calibration.judged.cross_validation import SURE
from platterlab.calibration.platter.regression import SAME_BUS, Angles, phases
from platterlab.calibration.trace.observed import Flags, Floats, Observed, Whole
from platterlab.calibration.trace.rotation_period import Waiting

Fit = Callable[[Angles], Angles]
"""The angles that leave the smallest distances, from some on."""

BURSTS = range(4, 129)
"""Sectors that are tried for a burst."""

RATES_MS = np.arange(0.01, 0.4, 0.01)
"""Times of a sector over the bus that are tried where nothing tells of it."""

LEAST_READS = 200
"""With fewer there is no telling."""

LEAST_SLOW = 4
"""Sizes, for the fence of a slow bus and its rate: two numbers, and where zones begin."""

LEAST_SIZES, LEAST_KINDS = 8, 9
"""Of fewer sizes any few numbers are a sawtooth, but for tracks on which a sector takes longer: so
many sizes on tracks of one kind, or on each, are no chance."""

CAP_TURNS = 0.02
"""A distance counts up to this."""

FAR = 5.0
"""What is so many standard deviations from what is known is not so."""

EARLY_SHARE = 0.05
"""Of a read; by less it is the error of its numbers."""

CLEARLY = 1.1
"""So many times as far is clearly farther; by less the same may come out twice."""

MOST_BUS_SHARE = 1.0
"""A bus slower than the platter never empties the buffer before the end."""


def nearest(seen: Observed, ways: list[Angles], sector_ms: float) -> Angles:
    """The way of following the platter that leaves the smallest distances.

    One under which reads are complete before they have passed is how something else looks, and has
    to be clearly nearer: reads of one size do not tell a share of them from where zones begin.
    """
    # Where all tracks are alike, the time of a sector may be the bus's or the platter's.
    near = FAR * SAME_BUS * sector_ms
    alike = [way for way in ways if not sector_ms or abs(way.sector_ms - sector_ms) < near]
    per_track = seen.first.per_track[~seen.write]

    def off(way: Angles) -> float:
        return way.spread_turns * (CLEARLY if _ends_early(way, per_track) else 1.0)

    return min(alike or ways, key=off)


def _ends_early(way: Angles, per_track: Whole) -> bool:
    """Whether most reads would be complete before their last sector has passed."""
    if not isinstance(way.reads, AtShare) or not len(per_track):
        return False
    return way.reads.share + float(np.median(way.bus_share(per_track))) < 1 - EARLY_SHARE


def by_size(
    seen: Observed, waiting: Waiting, otherwise: Angles, sector_ms: float, fit: Fit
) -> Angles:
    """The angles with what the sizes of reads tell: a fence, or bursts; else as they are.

    Args:
        seen: the trace.
        waiting: requests on one track that waited for the platter.
        otherwise: the best of the other ways.
        sector_ms: bus time of a sector, as answers of the buffer have it; 0 where nothing tells.
        fit: finds all other numbers of a way.
    """
    rows = waiting.which
    read = ~seen.write[rows]
    sectors = seen.sectors[rows][read]
    if len(sectors) < LEAST_READS or sectors.max() <= BURSTS[0]:
        return otherwise
    counts = [count for count in BURSTS if count < sectors.max()]
    sizes = _Sizes(seen, waiting, read, fit)
    fences = [AtFence(count) for count in counts]
    per_track = seen.first.per_track[rows][read]
    if sector_ms <= 0:
        # A bus that is slower than the platter, from a fence on, is told by sizes alone.
        if len(np.unique(sectors)) < LEAST_SLOW:
            return otherwise
        ways = [_with(otherwise, one, float(ms)) for one in fences for ms in RATES_MS]
        fenced = sizes.best(ways)
        slow = float(np.median(fenced.bus_share(per_track))) >= MOST_BUS_SHARE
        return fenced if slow and sizes.is_surely_nearer(fenced, otherwise) else otherwise
    fenced = sizes.best([_with(otherwise, one, sector_ms) for one in fences])
    marked = sizes.best([_with(otherwise, AtMark(share), sector_ms) for share in ROUND_SHARES])
    nearest = fenced if sizes.is_surely_nearer(fenced, otherwise) else otherwise
    kinds = len(np.unique(sectors)) * len(np.unique(per_track))
    if len(np.unique(sectors)) < LEAST_SIZES and kinds < LEAST_KINDS:
        return nearest
    found = sizes.best([_with(otherwise, InBursts(count), sector_ms) for count in counts])
    share = found.bus_share(per_track)
    if float(np.median(share)) >= MOST_BUS_SHARE:
        return nearest
    # What waits for a fence or for whole sectors of a share comes and goes with the size, too.
    told = all(sizes.is_surely_nearer(found, other, 1) for other in (nearest, fenced, marked))
    return found if told and sizes.is_surely_nearer(found, otherwise) else nearest


def _with(angles: Angles, reads: AtFence | AtMark | InBursts, sector_ms: float) -> Angles:
    return replace(angles, reads=reads, sector_ms=sector_ms)


@dataclass(frozen=True)
class _Sizes:
    """Reads of many sizes, and how near the platter they are in one way or another."""

    seen: Observed
    waiting: Waiting
    read: Flags
    fit: Fit

    def best(self, ways: list[Angles]) -> Angles:
        """The way that leaves the smallest distances, fitted."""
        off = [_off(phases(self.seen, self.waiting, way)[self.read]) for way in ways]
        return self.fit(ways[int(np.argmin(off))])

    def is_surely_nearer(self, found: Angles, other: Angles, parts: int = 2) -> bool:
        """Whether each of so many parts of the reads is, by itself."""
        own, otherwise = (_capped(one.off_turns[self.read]) for one in (found, other))
        for gain in np.array_split(otherwise - own, parts):
            if float(np.mean(gain)) <= SURE * float(np.std(gain)) / np.sqrt(len(gain)):
                return False
        return True


def _off(turns: Floats) -> float:
    """How far some phases are from what most of them are."""
    middle = float(np.angle(np.exp(2j * np.pi * turns).mean()) / (2 * np.pi))
    off = (turns - middle + 0.5) % 1.0 - 0.5
    return float(np.mean(_capped(np.asarray(off - np.median(off), dtype=np.float64))))


def _capped(off_turns: Floats) -> Floats:
    return np.asarray(np.minimum(np.abs(off_turns), CAP_TURNS), dtype=np.float64)
