"""Reads on one track or over the end of one, and when they are over the bus in one way or another.

A read that goes on to the next track has the skew before the bus starts, or within its time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from platterlab._core import unit_numbers
from platterlab.calibration.buffer.read_completion import AtFence, AtMark, InBursts
from platterlab.calibration.judged.cross_validation import is_sure_gain
from platterlab.calibration.platter.bursts import LATER_TURNS
from platterlab.calibration.platter.regression import Angles, wrapped
from platterlab.calibration.trace.observed import Flags, Floats, Whole
from platterlab.calibration.trace.reading import Reading

LEAST_OVER = 30
"""Reads over a track's end; with fewer there is no telling."""

ENOUGH = 600
"""Of the reads on one track, and of those over its end, to see which way is nearest."""

FINER_STEPS = np.array(sorted(np.linspace(-0.03, 0.03, 7), key=abs))
"""Of the bus time of a sector, around the best."""

FINER_MS = np.array(sorted(np.linspace(-0.04, 0.04, 9), key=abs))
"""Of the time to take the bus, around the best."""

CAP_TURNS = 0.02
"""A distance counts up to this."""

NEAR_TURNS = 0.006
"""Reads on one track that are farther do not wait for their first sector: it is not the bus."""

CLEARLY = 1.25
"""By less another way is nearer where angles or seeks are a little off."""

AS_NEAR, NEARLY_TURNS = 1.5, 0.001
"""Reads over a track's end are as near as the others: within so many times their distance, and so
much more. Where they are not, it is not the bus that is off."""


Lost = Literal["never", "always", "some"]
"""Whether switches within a read lose a turn, as skews are too small for them: some may in some
zones, those to the next head or those to the next cylinder."""


@dataclass(frozen=True)
class Way:
    """How reads may go over the bus.

    Attributes:
        reads: what the bus waits for.
        sector_ms: of a sector.
        taking_ms: to have it, before the first sector.
        lost: which switches miss the next track's first sector: all that went before is over the
            bus by then.
    """

    reads: AtFence | AtMark | InBursts
    sector_ms: float
    taking_ms: float
    lost: Lost = "never"


@dataclass(frozen=True)
class Reads:
    """Reads from the media within a zone, on one track or over one track's end.

    Attributes:
        zone: of each.
        sectors, on_first: of each, and those on its first track.
        per_track: sectors around the track.
        next_cylinder: whether the next track is on another cylinder.
        goes_on: turns from the first sector's angle to that of the first on the next track.
        late: turns from the first sector's angle to the completion.
        rotation_ms: the period.
        behind_turns: how much later than its last sector a read is complete, as writes show it; 0
            where there are none.
        started: turns until the bus starts, by what it waits for.
        last: those until all is done, by the way that was asked for last.
    """

    zone: Whole
    sectors: Whole
    on_first: Whole
    per_track: Whole
    next_cylinder: Flags
    goes_on: Floats
    late: Floats
    rotation_ms: float
    behind_turns: float
    started: dict[AtFence | AtMark, Floats] = field(default_factory=dict, init=False)
    last: dict[Way, Floats] = field(default_factory=dict, init=False)

    @property
    def is_over(self) -> Flags:
        """Which go over a track's end."""
        return np.asarray(self.on_first < self.sectors)

    def _some(self) -> "Reads":
        """Enough of each kind to see which way is nearest."""
        kinds = (np.flatnonzero(~self.is_over), np.flatnonzero(self.is_over))
        rows = np.concatenate([one[:: max(1, len(one) // ENOUGH)] for one in kinds])
        names = ("zone", "sectors", "on_first", "per_track", "next_cylinder", "goes_on", "late")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def nearest(
        self,
        known: Way,
        ways: Sequence[AtFence | AtMark | InBursts],
        rates_ms: list[float],
        taking_ms: Sequence[float],
    ) -> Way:
        """The nearest of some ways over each bus, in finer steps where there are several."""
        few = self._some()
        tried = [
            replace(known, reads=way, sector_ms=rate, taking_ms=ms)
            for way in ways
            for rate in rates_ms
            for ms in taking_ms
        ]
        # One by one: what a way was found to be early by says how far it is, too.
        late_enough = (way for way in tried if not few.is_too_early(way))
        best = min(late_enough, key=few.distance, default=known)
        rates = 1.0 + FINER_STEPS if len(rates_ms) > 1 else np.ones(1)
        later = FINER_MS if len(taking_ms) > 1 else np.zeros(1)
        finer = [
            replace(
                best,
                sector_ms=best.sector_ms * float(rate),
                taking_ms=max(best.taking_ms + float(ms), 0.0),
            )
            for rate in rates
            for ms in later
        ]
        return min(finer, key=self.distance)

    def distance(self, way: Way) -> float:
        """How far they are from a way, as finely as it matters: the first of equals is taken."""
        return round(float(self.off(way).mean()), 5)

    def surely(self, before: Way, found: Way) -> Way:
        """What was found, if it is surely nearer."""
        return found if self.is_surely_nearer(before, found) else before

    def is_surely_nearer(self, before: Way, found: Way) -> bool:
        """Whether all reads are, and each half of those over a track's end, as near as the rest."""
        over, was, now = self.is_over, self.off(before), self.off(found)
        if now[over].mean() * CLEARLY > was[over].mean():
            return False
        if now[~over].mean() > NEAR_TURNS or not self.is_as_near(found):
            return False
        gain = was - now
        return all(map(is_sure_gain, [gain, *np.array_split(gain[over], 2)]))

    def is_as_near(self, way: Way) -> bool:
        """Whether reads over a track's end are as near as the others."""
        over, off = self.is_over, self.off(way)
        return bool(off[over].mean() <= AS_NEAR * off[~over].mean() + NEARLY_TURNS)

    def off(self, way: Way) -> Floats:
        """How far each is from a way, with each zone's tracks where those on one track have it."""
        if way.lost == "some":
            in_time, later = (self.off(replace(way, lost=lost)) for lost in ("never", "always"))
            switch = 2 * self.zone + self.next_cylinder
            loses = np.bincount(switch, in_time - later) > 0
            return np.where(loses[switch], later, in_time)
        rest = wrapped(self.late - self._done(way))
        single = ~self.is_over
        middle = np.zeros(int(self.zone.max()) + 1, dtype=np.complex128)
        np.add.at(middle, self.zone[single], unit_numbers(2 * np.pi * rest[single]))
        rest = wrapped(rest - (np.angle(middle) / (2 * np.pi))[self.zone])
        return np.asarray(np.minimum(np.abs(rest), CAP_TURNS))

    def is_too_early(self, way: Way) -> bool:
        """Whether reads would be complete with their last sector, and writes show them later.

        What else is late waits for the bus, which may take longer.
        """
        single = ~self.is_over
        last = self._behind[-1][1] + way.sector_ms / self.rotation_ms
        with_last = float(np.mean((self._done(way) <= last)[single])) > 0.5
        return with_last and self.behind_turns > way.sector_ms / self.rotation_ms + LATER_TURNS

    def _done(self, way: Way) -> Floats:
        """Turns from a read's first sector to its completion."""
        if way not in self.last:
            self.last.clear()
            self.last[way] = (self._later if way.lost == "always" else self)._done_in_time(way)
        return self.last[way]

    @cached_property
    def _later(self) -> "Reads":
        """The same where each next track is met a turn later."""
        return replace(self, goes_on=self.goes_on + 1.0)

    def _done_in_time(self, way: Way) -> Floats:
        """The same where no turn is lost."""
        reads, turn_ms = way.reads, self.rotation_ms
        bus, taking = way.sector_ms / turn_ms, way.taking_ms / turn_ms
        if isinstance(reads, InBursts):
            return (self._draining if reads.drains else self._in_bursts)(reads.burst, bus, taking)
        done = self._waited(reads) + taking + self.sectors * bus
        for at, passed in self._behind:
            done = np.maximum(done, passed + (self.sectors - at + 1) * bus)
        return np.asarray(done)

    def _waited(self, reads: AtFence | AtMark) -> Floats:
        """Turns until the bus starts, which is the same whatever it takes."""
        if reads not in self.started:
            if isinstance(reads, AtMark):
                waits = np.floor(reads.share * self.sectors + 1e-9).clip(1.0).astype(np.int64)
            else:
                waits = np.minimum(reads.fence, self.sectors)
            self.started[reads] = self._passed(waits)
        return self.started[reads]

    @cached_property
    def _behind(self) -> list[tuple[Whole, Floats]]:
        """The sectors that a read may wait for, and turns until they have passed.

        Each goes once it has passed: what passes last before the skew waits for nothing that those
        behind it, the first and the last ones, do not wait for.
        """
        ends = np.minimum(self.on_first + 1, self.sectors), self.sectors
        return [(at, self._passed(at)) for at in ends]

    def _in_bursts(self, burst: int, bus: float, taking: float) -> Floats:
        """The same where so many sectors go at a time, and waiting for more lets go of the bus."""
        done = np.full(len(self.sectors), -np.inf)
        for number in range(int(np.ceil(self.sectors.max() / burst))):
            sent = np.clip(self.sectors - number * burst, 0, burst)
            ready = self._passed(np.minimum((number + 1) * burst, self.sectors))
            after = np.where(ready > done, ready + taking, done) + sent * bus
            done = np.where(sent > 0, after, done)
        return done

    def _draining(self, burst: int, bus: float, taking: float) -> Floats:
        """The same where a burst goes on with what passes meanwhile, until the buffer is empty."""
        done = np.full(len(self.sectors), -np.inf)
        for number in range(int(self.sectors.max())):
            passed = self._passed(np.minimum(number + 1, self.sectors))
            ready = self._passed(np.minimum(number + burst, self.sectors))
            after = np.where(passed > done, np.maximum(ready, done) + taking, done) + bus
            done = np.where(number < self.sectors, after, done)
        return done

    def _passed(self, count: Whole) -> Floats:
        """Turns until so many sectors of each have passed."""
        behind = self.goes_on + (count - self.on_first) / self.per_track
        return np.where(count <= self.on_first, count / self.per_track, behind)


def reads_of(reading: Reading, angles: Angles) -> Reads | None:
    """Those that tell; None where too few do."""
    seen = reading.seen
    media = ~reading.is_hit & ~seen.write & np.isfinite(seen.service_ms) & (seen.pieces <= 2)
    media &= (seen.first.zone == seen.last.zone) & angles.known[seen.first.zone]
    over = seen.pieces == 2
    if min((media & over).sum(), (media & ~over).sum()) < LEAST_OVER:
        return None
    rows = np.flatnonzero(media)
    begins = angles.track(seen.first, rows) + seen.first.from_zero[rows]
    goes_on = angles.track(seen.last, rows) + seen.last.from_zero[rows]
    end_ms, sectors = seen.end_ms[rows], seen.sectors[rows]
    passing = angles.passed(sectors, seen.first.per_track[rows]) - sectors
    behind = passing / seen.first.per_track[rows] + sectors * angles.sector_ms / angles.rotation_ms
    writes = seen.write.any() and reading.writes_wait
    return Reads(
        zone=seen.first.zone[rows],
        sectors=sectors,
        on_first=np.where(over[rows], sectors - seen.on_last[rows], sectors),
        per_track=seen.first.per_track[rows],
        next_cylinder=seen.first.cylinder[rows] != seen.last.cylinder[rows],
        # The next track begins behind the last sector of the first, within a turn.
        goes_on=(goes_on - begins) % 1.0,
        late=(end_ms - angles.lag(end_ms)) / angles.rotation_ms - begins,
        rotation_ms=angles.rotation_ms,
        behind_turns=float(np.median(behind)) - angles.write_turns if writes else 0.0,
    )
