"""Whether reads go over the bus in bursts, or from a fence on: what the sizes of reads tell.

From the media's end to a read's completion the bus has its last burst to send, so that this time is
a sawtooth in the size. The burst whose sawtooth leaves the smallest distances is taken if it surely
leaves smaller ones than the other ways do, for each half of the reads by itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from platterlab._core import unit_numbers
from platterlab.calibration.buffer.read_completion import (
    ROUND_SHARES,
    AtFence,
    AtMark,
    AtShare,
    Following,
    InBursts,
    Streamed,
)
from platterlab.calibration.judged.cross_validation import SURE
from platterlab.calibration.platter.regression import SAME_BUS, Angles, phases, wrapped
from platterlab.calibration.trace.observed import Flags, Floats, Observed, Whole
from platterlab.calibration.trace.rotation_period import Waiting

Fit = Callable[[Angles], Angles]
"""The angles that leave the smallest distances, from some on."""

BURSTS = range(4, 129)
"""Sectors that are tried for a burst."""

RATES_MS = np.arange(0.01, 0.4, 0.01)
"""Times of a sector over the bus that are tried where nothing tells of it."""

RECONNECTS_MS, FINER_MS = np.arange(0.0, 0.6, 0.1), np.arange(-0.08, 0.09, 0.02)
"""Times to take the bus again for a burst, and those that are tried around the best."""

NONE_MS = np.zeros(1)
"""Nothing lets go of the bus."""

ENOUGH, ROUGHLY = 600, 150
"""Of the reads, to see which way is worth a fit, and which ways are worth to be looked at so."""

LIKELY = 12
"""Ways that are."""

LEAST_READS = 200
"""With fewer there is no telling."""

LEAST_SLOW = 4
"""Sizes, for the fence of a slow bus and its rate: two numbers, and where zones begin."""

LEAST_SIZES, LEAST_KINDS = 8, 9
"""Of fewer sizes any few numbers are a sawtooth, but for tracks on which a sector takes longer: so
many sizes on tracks of one kind, or on each, are no chance."""

FINALISTS = 3
"""Ways, each with its best rate of those tried, are fitted before one is chosen."""

LEAST_GAIN_TURNS = 1e-6
"""By less two ways are the same, but for how they are worked out."""

CAP_TURNS = 0.02
"""A distance counts up to this."""

FAR = 5.0
"""What is so many standard deviations from what is known is not so."""

EARLY_SHARE = 0.05
"""Of a read; by less it is the error of its numbers."""

A_NUMBER_LESS = 1.02
"""By so many times nearer is a share of a read than a bus without any, or there is none."""

LATER_TURNS = 0.02
"""Reads that are so much later than writes are not complete as their last sector has passed."""

CLEARLY = 1.1
"""So many times as far is clearly farther; by less the same may come out twice."""

LOST = 2.0
"""So many times as far as another way is not near the platter at all."""

MOST_BUS_SHARE = 1.0
"""Of a slow bus; one slower than the platter never empties the buffer before the end."""


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
        if isinstance(way.reads, Streamed):
            return way.spread_turns * (CLEARLY if way.write_turns < -LATER_TURNS else 1.0)
        return way.spread_turns * (CLEARLY if _ends_early(way, per_track) else A_NUMBER_LESS)

    return min(alike or ways, key=off)


def _ends_early(way: Angles, per_track: Whole) -> bool:
    """Whether most reads would be complete before their last sector has passed."""
    if not isinstance(way.reads, AtShare) or not len(per_track):
        return False
    return way.reads.share + float(np.median(way.bus_share(per_track))) < 1 - EARLY_SHARE


def is_before(angles: Angles) -> bool:
    """Whether reads would be on the bus before their first sector: so no drive has them."""
    return isinstance(angles.reads, AtShare) and angles.reads.share < -EARLY_SHARE


def keeps_bus(found: Angles, bus_ms: float) -> bool:
    """Whether the bus is the one that the buffer's answers show, if there are any."""
    return not bus_ms or abs(found.sector_ms - bus_ms) < FAR * SAME_BUS * bus_ms


def by_size(
    seen: Observed, waiting: Waiting, otherwise: Angles, rates_ms: Floats, fit: Fit
) -> Angles:
    """The angles with what the sizes of reads tell: a fence, or bursts; else as they are.

    Args:
        seen: the trace.
        waiting: requests on one track that waited for the platter.
        otherwise: the best of the other ways.
        rates_ms: bus times of a sector that may be: as answers of the buffer have it, or around
            what a data sheet has; none where nothing tells.
        fit: finds all other numbers of a way.
    """
    rows = waiting.which
    read = ~seen.write[rows]
    sectors = seen.sectors[rows][read]
    if len(sectors) < LEAST_READS or sectors.max() <= BURSTS[0]:
        return otherwise
    if len(rates_ms) and not rates_ms.all():
        # Over a bus that takes no time every way ends with the last sector.
        return otherwise
    counts = [count for count in BURSTS if count < sectors.max()]
    bus_ms = float(rates_ms[0]) if len(rates_ms) == 1 else 0.0
    sizes = _Sizes(seen, waiting, read, fit, bus_ms)
    fences = [AtFence(count) for count in counts]
    per_track = seen.first.per_track[rows][read]
    if not len(rates_ms):
        # A bus that is slower than the platter, from a fence on, is told by sizes alone.
        if len(np.unique(sectors)) < LEAST_SLOW:
            return otherwise
        fenced = sizes.best(otherwise, fences, RATES_MS)
        slow = float(np.median(fenced.bus_share(per_track))) >= MOST_BUS_SHARE
        return fenced if slow and sizes.is_surely_nearer(fenced, otherwise) else otherwise
    fenced = sizes.best(otherwise, fences, rates_ms)
    marked = sizes.best(otherwise, [AtMark(share) for share in ROUND_SHARES], rates_ms)
    early = _from_a_mark(sizes, otherwise, fenced, marked)
    kinds = len(np.unique(sectors)) * len(np.unique(per_track))
    if len(np.unique(sectors)) < LEAST_SIZES and kinds < LEAST_KINDS:
        # Where the bus is known, the time to take it is the one number that is left.
        return _taken(sizes, otherwise, early, rates_ms) if bus_ms else early
    found = min(_in_bursts(sizes, otherwise, counts, rates_ms), key=sizes.off)
    # What waits for a fence or for whole sectors of a share comes and goes with the size, too, the
    # more so where it takes time to have the bus.
    taking = sizes.best(otherwise, [AtFence(1), *fences], rates_ms, RECONNECTS_MS)
    others = (early, fenced, marked, taking)
    told = all(sizes.is_surely_nearer(found, other, 1) for other in others)
    if told and sizes.is_surely_nearer(found, otherwise):
        return found
    return taking if sizes.is_surely_nearer(taking, early) else early


def _taken(sizes: "_Sizes", otherwise: Angles, early: Angles, rates_ms: Floats) -> Angles:
    """The angles with a time to take the bus for the first sector, if surely nearer."""
    taking = sizes.best(otherwise, [AtFence(1)], rates_ms, RECONNECTS_MS)
    if isinstance(taking.reads, AtFence):
        taking = _finer(sizes, taking, taking.reads, rates_ms)
    return taking if sizes.is_surely_nearer(taking, early) else early


def _in_bursts(
    sizes: "_Sizes", otherwise: Angles, counts: list[int], rates_ms: Floats
) -> Iterator[Angles]:
    """The angles with the best bursts of a fixed size, and with those that empty the buffer."""
    for drains in (False, True):
        ways = [InBursts(count, drains=drains) for count in counts]
        found = sizes.best(otherwise, ways, rates_ms, RECONNECTS_MS)
        if isinstance(found.reads, InBursts):
            found = _finer(sizes, found, found.reads, np.array([found.sector_ms]))
        yield found


def _finer(sizes: "_Sizes", found: Angles, reads: AtFence | InBursts, rates_ms: Floats) -> Angles:
    """The angles with the time to take the bus, roughly known, in finer steps."""
    own_ms = reads.reconnect * found.sector_ms + FINER_MS
    return sizes.best(found, [reads], rates_ms, own_ms[own_ms >= 0])


def _from_a_mark(sizes: "_Sizes", otherwise: Angles, fenced: Angles, marked: Angles) -> Angles:
    """The angles with a fence or a share, if one is surely nearer; else as they are.

    A share is found by the regression, but for a bus far from the true one; then it is lost, or
    more than all of a read, or reads are best as they go over a bus that the buffer's answers do
    not show.
    """
    beyond = isinstance(otherwise.reads, AtShare) and otherwise.reads.share > 1 + EARLY_SHARE
    lost = beyond or sizes.off(otherwise) > LOST * sizes.off(marked)
    lost |= isinstance(otherwise.reads, Streamed) and sizes.is_surely_nearer(marked, otherwise)
    early = min([marked, fenced] if lost else [fenced], key=sizes.off)
    as_near = beyond and sizes.off(early) < CLEARLY * sizes.off(otherwise)
    return early if as_near or sizes.is_surely_nearer(early, otherwise) else otherwise


@dataclass(frozen=True)
class _Sizes:
    """Reads of many sizes, and how near the platter they are in one way or another.

    Attributes:
        seen, waiting: the trace, and its requests that waited for the platter.
        read: which of those are reads.
        fit: finds all other numbers of a way.
        bus_ms: time of a sector over the bus as the buffer's answers show it; 0 without any.
        known: what was fitted, by what it was fitted from: several searches end at the same way.
    """

    seen: Observed
    waiting: Waiting
    read: Flags
    fit: Fit
    bus_ms: float
    known: dict[tuple[int, Following, float], tuple[Angles, Angles]] = field(default_factory=dict)

    def best(
        self,
        angles: Angles,
        ways: Sequence[AtFence | AtMark | InBursts],
        rates_ms: Floats,
        reconnects_ms: Floats = NONE_MS,
    ) -> Angles:
        """The angles with the way and the bus that leave the smallest distances, fitted.

        As they are where each way has another bus than the buffer's answers.
        """
        rates, reconnects = (one.ravel() for one in np.meshgrid(rates_ms, reconnects_ms))
        if len(ways) > LIKELY:
            roughly = self._scored(angles, ways, rates, reconnects, ROUGHLY)
            likely = sorted(range(len(ways)), key=lambda number: roughly[number][0])[:LIKELY]
            ways = [ways[number] for number in sorted(likely)]
        best = self._scored(angles, ways, rates, reconnects, ENOUGH)
        # Between the rates that are tried another count may look better.
        best.sort(key=lambda one: one[0])
        fitted = [self._fitted(angles, way) for _, way in best[:FINALISTS]]
        kept = [found for found in fitted if keeps_bus(found, self.bus_ms)]
        return min(kept, key=self.off, default=angles)

    def _scored(
        self,
        angles: Angles,
        ways: Sequence[AtFence | AtMark | InBursts],
        rates: Floats,
        reconnects: Floats,
        enough: int,
    ) -> list[tuple[float, Angles]]:
        """How far about so many of the reads are under the best bus of each way, and that bus."""
        some = np.flatnonzero(self.read)
        some = some[:: max(1, len(some) // enough)]
        zones = self.seen.first.zone[self.waiting.which[some]]
        some = some[np.argsort(zones, kind="stable")]
        rows = self.waiting.which[some]
        ends = np.cumsum(np.unique(zones, return_counts=True)[1])
        sectors = self.seen.sectors[rows].astype(np.float64)
        per_track = self.seen.first.per_track[rows]
        bare = phases(self.seen, self.waiting, angles)[some]
        bare = bare + _passing(angles.reads, angles.bus_share(per_track), sectors, per_track)
        # A row for each bus, all at once.
        share = rates[:, None] / angles.rotation_ms * per_track
        scored = []
        for way in ways:
            passing = _passing(_taking(way, reconnects / rates), share, sectors, per_track)
            off = _off(bare - passing, ends)
            at = int(np.argmin(off))
            reads = _taking(way, float(reconnects[at] / rates[at]))
            found = replace(angles, reads=reads, sector_ms=float(rates[at]))
            scored.append((float(off[at]), found))
        return scored

    def _fitted(self, angles: Angles, way: Angles) -> Angles:
        """What is fitted from some angles with another way to follow the platter."""
        key = id(angles), way.reads, way.sector_ms
        if key not in self.known:
            # With the angles, so that no others get their number.
            self.known[key] = angles, self.fit(way)
        return self.known[key][1]

    def off(self, found: Angles) -> float:
        """How far the reads are from what was fitted."""
        return float(np.mean(_capped(found.off_turns[self.read])))

    def is_surely_nearer(self, found: Angles, other: Angles, parts: int = 2) -> bool:
        """Whether each of so many parts of the reads is, by itself."""
        own, otherwise = (_capped(one.off_turns[self.read]) for one in (found, other))
        for gain in np.array_split(otherwise - own, parts):
            least = max(SURE * float(np.std(gain)) / np.sqrt(len(gain)), LEAST_GAIN_TURNS)
            if float(np.mean(gain)) <= least:
                return False
        return True


def _taking(
    way: AtFence | AtMark | InBursts, reconnect: float | Floats
) -> AtFence | AtMark | InBursts:
    """The way with such times to take the bus again, in bus times of a sector."""
    if isinstance(way, AtMark):
        return way
    return replace(way, reconnect=reconnect if isinstance(reconnect, float) else reconnect[:, None])


def _passing(reads: Following, share: Floats, sectors: Floats, per_track: Whole) -> Floats:
    """How long reads take from their first sector on, in turns."""
    return np.asarray((reads.passed(sectors, share) + sectors * share) / per_track)


def _off(turns: Floats, ends: Whole) -> Floats:
    """How far some phases are from what most of their zone's are, by row; zones by their ends."""
    unit = unit_numbers(2 * np.pi * turns.ravel()).reshape(turns.shape)
    starts = np.concatenate([[0], ends[:-1]])
    middle = np.angle(np.add.reduceat(unit, starts, axis=-1)) / (2 * np.pi)
    off = wrapped(turns - np.repeat(middle, ends - starts, axis=-1))
    return np.asarray(_capped(off - np.median(off, axis=-1, keepdims=True)).mean(axis=-1))


def _capped(off_turns: Floats) -> Floats:
    return np.asarray(np.minimum(np.abs(off_turns), CAP_TURNS), dtype=np.float64)
