"""Which reading of the trace its own clock bears out, and the rotation period under it.

A trace may leave open whether a row's gap lies before or after its request. Only under the right
reading do completions follow the platter.
"""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from platterlab._core import InputError, Profile, Requests, trace_detect
from platterlab.calibration.trace.answered import answered_reads, answered_writes
from platterlab.calibration.trace.buffer_hits import Floor
from platterlab.calibration.trace.observed import Flags, Floats, Observed, observe
from platterlab.calibration.trace.rotation_period import (
    LEAST_PAIRS,
    MANY_PAIRS,
    MOST_PAIRS,
    Period,
    Waiting,
    find_periods,
)
from platterlab.calibration.trace.service_times import check_service_times, with_issues
from platterlab.documents import Overrides
from platterlab.wrong_file import in_file

LEAST_REQUESTS = 200
"""With fewer there is nothing to fit."""

SPREAD = 0.02
"""How far the period may be from the profile's; a rough profile's, twice as far."""

LATTICE_MS = 0.3
"""A request farther from where the platter has it does not tell when the drive was ready."""

ALL_CACHED = 0.9
"""Where the buffer answers this share of the writes, those that took longer were just late."""

AGREED = 0.7
"""Requests that agree so much on the period have tracks begin where they do."""

FREER = 0.1
"""How much more requests have to agree on the period where the angles of passes are free."""

FREER_TIMES = 2.0
"""Or so many times as much, if they do however far apart in time they are: zones that each turn
from pass to pass by another angle share none that many of their pairs of requests agree on."""

FEWER_WRONG = 0.5
"""Which writes end in the buffer is told by what came before them where that is wrong of so many
fewer of them than to say of all that they do, or of none."""


@dataclass(frozen=True)
class Reading:
    """A trace under one reading of its gaps.

    Attributes:
        gap: `before` or `after`; None where the trace leaves nothing open.
        requests: all of them.
        seen: those to fit on.
        hits, reported: the lines of reads and writes that the buffer answered.
        is_hit: by request: whether it lies on its line.
        write_report: when writes are reported as complete, in the profile's words.
        period: the best one.
    """

    gap: str | None
    requests: Requests
    seen: Observed
    hits: Floor | None
    reported: Floor | None
    is_hit: Flags
    write_report: str
    period: Period

    @property
    def writes_wait(self) -> bool:
        """Whether writes that the buffer does not answer are complete only on the media."""
        return self.write_report != "buffer"

    @property
    def written_behind(self) -> Flags:
        """Which requests came after a write that was reported before it was on the media."""
        if self.write_report == "media":
            return np.zeros(len(self.seen), dtype=bool)
        if self.write_report == "buffer":
            return self.seen.after_write
        after_hit: Flags = np.concatenate([[False], self.is_hit[:-1]])
        return self.seen.after_write & after_hit

    @property
    def answer_ms(self) -> float | None:
        """What the buffer's answers cost beside their data: of reads, or else of writes."""
        seen = self.seen
        for line, some in ((self.hits, ~seen.write), (self.reported, seen.write)):
            if line is not None:
                rest = seen.service_ms - line.sector_ms * seen.sectors
                return float(np.median(rest[self.is_hit & some]))
        return None

    def ways(self) -> "list[Reading]":
        """The same; where the buffer answers writes and nothing says which, also with all of them.

        Those that took longer were just late then.
        """
        if self.reported is None or self.write_report != "media":
            return [self]
        return [self, replace(self, write_report="buffer")]

    def under(self, profile: Profile, *, free_passes: bool = False) -> "Reading":
        """The same trace on another layout, with angles of passes as here or to be found.

        Raises:
            InputError: a request lies beyond it, be it one that is not fitted on.
        """
        columns = self.requests.columns()
        end = int(np.max(columns["lba"] + columns["sectors"]))
        if end > profile.capacity_sectors:
            raise InputError(f"{end} sectors are asked for of {profile.capacity_sectors}")
        free = self.seen.own.free or free_passes
        seen = observe(profile, self.seen.requests, self.seen.surfaces, free)
        return replace(self, seen=seen)

    def without_hits(self) -> "Reading":
        """The same with no read that the buffer answered."""
        return replace(self, hits=None, is_hit=self.is_hit & self.seen.write)

    def with_bus(self, sector_ms: float) -> "Reading":
        """The same where a read's sector takes so long over the bus, its answers of one size."""
        if self.hits is None:
            return self
        size = float(np.median(self.seen.sectors[self.is_hit & ~self.seen.write]))
        upper_ms = self.hits.upper_ms + (self.hits.sector_ms - sector_ms) * size
        return replace(self, hits=replace(self.hits, sector_ms=sector_ms, upper_ms=upper_ms))

    def waiting(self, with_writes: bool) -> Waiting:
        """Requests on one track that waited for the platter, angles without skew."""
        seen = self.seen
        media = ~self.is_hit & (seen.pieces == 1) & np.isfinite(seen.service_ms)
        if not (with_writes and self.writes_wait):
            media &= ~seen.write
        rows = np.flatnonzero(media)
        return Waiting(rows, seen.end_ms[rows], seen.first.from_zero[rows])

    def over_tracks(self, sector_ms: float, with_reads: bool) -> Waiting:
        """Requests on several tracks, by what is on the last one.

        Args:
            sector_ms: bus time of a read's sector; that of its other sectors is taken off the end.
            with_reads: whether those are followed by the end of the request.
        """
        seen = self.seen
        media = ~self.is_hit & (seen.pieces > 1) & np.isfinite(seen.service_ms)
        media &= (seen.write & self.writes_wait) | (~seen.write & with_reads)
        rows = np.flatnonzero(media)
        others = np.where(seen.write, 0, seen.sectors - seen.on_last)[rows]
        end_ms = seen.end_ms[rows] - sector_ms * others
        return Waiting(rows, end_ms, seen.last.from_zero[rows])


def read_trace(
    trace: Path,
    profile: Profile,
    stated: Overrides,
    *,
    trace_format: str | None,
    options: Overrides,
    device: int,
    share: float,
    rough: bool,
) -> list[Reading]:
    """The trace under each reading that it leaves open, the one that its clock bears out first.

    Raises:
        InputError: the trace is wrong, has no service times or none that a drive can have, or is
            not of this drive.
    """
    known = trace_format or (None if "columns" in options else trace_detect(trace))
    gaps: list[str | None] = [None]
    if known == "disksim-validate":
        gaps = [options["gap"]] if "gap" in options else ["after", "before"]
    readings = []
    for gap in gaps:
        chosen = options | ({"gap": gap} if gap else {})
        requests = Requests.load(trace, trace_format, device=device, options=chosen).on(profile)
        requests = with_issues(trace, requests)
        count = int(len(requests) * share)
        if count < LEAST_REQUESTS:
            raise in_file(
                trace,
                f"{len(requests)} requests of device {device}; to fit on the first "
                f"{share:.0%} of them at least {LEAST_REQUESTS / share:.0f} are needed",
            )
        seen = observe(profile, requests.part(0, count), stated["geometry"]["surfaces"])
        check_service_times(trace, seen, rotation_of(stated))
        found = _read(gap, requests, seen, stated, rough)
        if found.period.strength < AGREED:
            free = with_free_passes(found, profile, stated, rough)
            found = clearer(found, free) if free is not None else found
        readings.append(found)
    if not any(one.period.is_locked or one.hits for one in readings):
        # A bus as slow as the platter has reads as far off it as they are long: what else is told
        # of the bus is near enough.
        readings = [_timed(one, stated, rough, told_sector_ms(one, stated)) for one in readings]
    return sorted(readings, key=lambda one: one.period.rank, reverse=True)


def with_free_passes(
    own: Reading, profile: Profile, stated: Overrides, rough: bool
) -> Reading | None:
    """The trace read anew with the angles of passes to be found; None where the profile has none.

    Or where they were free before.
    """
    if own.seen.own.free:
        return None
    free = observe(profile, own.seen.requests, own.seen.surfaces, free_passes=True)
    return _read(own.gap, own.requests, free, stated, rough) if free.own.free else None


def clearer(own: Reading, free: Reading) -> Reading:
    """The reading with the profile's own angles of passes, unless they are not the drive's."""
    more = free.period.above_chance - own.period.above_chance
    times = free.period.above_chance > FREER_TIMES * own.period.above_chance
    clearer = more > FREER or (free.period.lasts and (times or not own.period.lasts))
    return free if free.period.is_locked and clearer else own


def _read(
    gap: str | None,
    requests: Requests,
    seen: Observed,
    stated: Overrides,
    rough: bool,
) -> Reading:
    rotation = rotation_of(stated)
    write = seen.write
    hits, read = answered_reads(seen, rotation, _expected(seen, stated))
    reported = answered_writes(seen, rotation, hits)
    is_hit = np.zeros(len(seen), dtype=bool)
    for line, some in ((hits, read), (reported, write)):
        if line:
            is_hit |= some & line.below(seen.service_ms, seen.sectors)
    period = Period(rotation, 0, 1)
    report = _write_report(seen, is_hit, reported)
    reading = Reading(gap, requests, seen, hits, reported, is_hit, report, period)
    return _timed(reading, stated, rough, hits.sector_ms if hits else 0.0)


def _timed(reading: Reading, stated: Overrides, rough: bool, bus_ms: float) -> Reading:
    """The same with the likeliest rotation period, or with its own; reads go over such a bus."""
    views, best, seen = _views(reading, bus_ms), reading.period, reading.seen
    spread = SPREAD * (2 if rough else 1)
    ways = (seen.first, seen.first.by_range(stated))
    for least, places in product((MOST_PAIRS, MANY_PAIRS, LEAST_PAIRS), ways):
        if (best.is_locked and best.lasts) or places is None:
            continue
        near = replace(seen, first=places)
        for same in views:
            tries = find_periods(near, same, rotation_of(stated), spread, least)
            best = max([best, *tries], key=lambda one: one.rank)
    return replace(reading, period=best)


def _expected(seen: Observed, stated: Overrides) -> float | None:
    """Bus time of a sector as the profile has it, where all reads are of one size.

    They do not tell it from what each of them costs.
    """
    sizes = np.unique(seen.sectors[~seen.write])
    return (stated_sector_ms(stated) or None) if len(sizes) == 1 else None


def _write_report(seen: Observed, is_hit: Flags, reported: Floor | None) -> str:
    """When writes are reported as complete, as far as the buffer's answers alone tell."""
    if reported is None:
        return "media"
    # The first write since a read, and one that goes on from the last write.
    early = ~seen.after_write | seen.sequential
    wrong = float(np.mean((is_hit != early)[seen.write]))
    if wrong < FEWER_WRONG * min(reported.share, 1 - reported.share):
        return "immediate"
    return "buffer" if reported.share >= ALL_CACHED else "media"


def _views(reading: Reading, bus_ms: float) -> list[list[Waiting]]:
    """Reads by their first sector and by their last one, over such a bus, and writes.

    Each without skews and with the profile's, if it has any. Which of the sectors the completion
    follows depends on the drive.
    """
    seen, media = reading.seen, reading.waiting(with_writes=True)
    sectors, per_track = seen.sectors[media.which], seen.first.per_track[media.which]
    skews = seen.first.turns[media.which] - media.turns
    write = seen.write[media.which]
    end: Floats = media.end_ms - np.where(write, 0.0, bus_ms * sectors)
    first, last = media.turns, media.turns + sectors / per_track
    views = []
    for some, ways in ((~write, (first, last)), (write, (last,))):
        if some.sum() >= LEAST_REQUESTS / 4:
            views.append([
                Waiting(media.which[some], end[some], angle[some])
                for turns in ways
                for angle in (turns, *([turns + skews] if skews.any() else []))
            ])  # fmt: skip
    return views


def told_sector_ms(reading: Reading, stated: Overrides) -> float:
    """Bus time of a read's sector by the answers to writes of several sizes, or else as stated."""
    written = reading.seen.sectors[reading.is_hit & reading.seen.write]
    if reading.reported is None or np.ptp(written) == 0:
        return stated_sector_ms(stated)
    return reading.reported.sector_ms / stated_write_share(stated)


def stated_sector_ms(stated: Overrides) -> float:
    """Bus time of a read's sector as the profile has it; 0 where it has none."""
    bus = stated.get("bus", {})
    if bus.get("kind") != "rate":
        return 0.0
    if "read_mb_s" in bus:
        return float(stated["geometry"].get("sector_bytes", 512) / (1e3 * bus["read_mb_s"]))
    return float(bus.get("read_sector_ms", 0.0))


def stated_write_share(stated: Overrides) -> float:
    """Bus time of a write's sector as a share of a read's, as the profile has it.

    Few writes tell their overhead from the bus time of their data: what they leave open the profile
    says, and where it says nothing the two are alike.
    """
    bus = stated.get("bus", {})
    if bus.get("read_mb_s") and bus.get("write_mb_s"):
        return float(bus["read_mb_s"] / bus["write_mb_s"])
    if bus.get("read_sector_ms") and bus.get("write_sector_ms"):
        return float(bus["write_sector_ms"] / bus["read_sector_ms"])
    return 1.0


def rotation_of(stated: Overrides) -> float:
    """The profile's rotation period in milliseconds."""
    spindle = stated["spindle"]
    rotation = spindle.get("rotation_ms") or 60_000.0 / spindle["speed_rpm"]
    return float(rotation / (1 + 1e-6 * spindle.get("speed_error_ppm", 0.0)))
