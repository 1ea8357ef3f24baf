"""Where each track begins: skews as angles, by zone, surface and sparing range.

The peak of the Fourier transform of each zone (see `trace.peaks`) says which whole turns are meant;
from there `regression` finds all angles at once.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from platterlab._core import unit_numbers
from platterlab.calibration.buffer.read_completion import AtShare, BeforeEnd, Streamed
from platterlab.calibration.judged.cross_validation import SURE
from platterlab.calibration.platter.bursts import CAP_TURNS, by_size, is_before, keeps_bus, nearest
from platterlab.calibration.platter.followed import LEAST_IN_ZONE, LEAST_STRENGTH, followed
from platterlab.calibration.platter.listed_passes import with_legs
from platterlab.calibration.platter.pooled import pooled_or_free
from platterlab.calibration.platter.regression import (
    NO_DRIFT,
    Angles,
    Completed,
    Design,
    phases,
    regress,
    wrapped,
)
from platterlab.calibration.platter.turned_surfaces import turned_surfaces
from platterlab.calibration.platter.zone_peaks import by_zone, sums_of
from platterlab.calibration.trace.observed import Flags, Floats, Observed, Whole
from platterlab.calibration.trace.peaks import HEAD_CELLS, SINGLE
from platterlab.calibration.trace.reading import Reading, told_sector_ms
from platterlab.calibration.trace.rotation_period import Waiting

LOST_TURNS = 0.05
"""Farther from the lattice in the median, requests do not follow an even clock."""

MOST_LOST = 0.9
"""Zones of which so small a share of requests is near as in most others, or less, are lost."""

LEAST_ALIKE = 6
"""A zone with fewer requests is not looked for among the angles of the others."""

ALIKE = 0.85
"""Of its peak there; what is off counts in it, and with so few requests chance reaches 0.7."""

BEYOND_TURNS = 0.003
"""A zone's angle may be so far beyond those of the other zones."""

LEAST_SIZES = 3
"""Of reads, for what is left of one when the bus starts to be told from a share of it."""

SLOWEST_BUS_MS, BUS_STEP_MS = 0.4, 0.02
"""Times of a sector over the bus that are tried where nothing tells of it."""

STATED_SHARES = np.arange(0.72, 1.3, 0.04)
"""Of the bus time that the profile states, those that may be: a sheet is of no single drive."""

CLEARLY = 1.25
"""So many times as much agreement is no chance."""

ABOUT = 1.1
"""So many times as far is about as near."""


def angles_of(reading: Reading, stated: dict[str, Any]) -> Angles:
    """The angles of all zones; `stated` is the profile as its file states it."""
    sparing = [zone.get("sparing", {}) for zone in stated["zone"]]
    ranges = np.array([
        one["cylinders"] if one.get("kind") == "cylinders" else 0
        for one in sparing[: reading.seen.zones]
    ])  # fmt: skip
    waiting = reading.waiting(with_writes=True)
    rotation = reading.period.rotation_ms
    if reading.hits:
        sector_ms = reading.hits.sector_ms
        rates_ms = np.array([sector_ms])
    else:
        # What is known of the bus is what reported writes or the profile say, where reads bear it
        # out.
        bare = bare_angles(reading.seen, rotation, 0 * ranges, told_sector_ms(reading, stated))
        sector_ms = _with_bus(reading.seen, waiting, bare).hit_sector_ms
        rates_ms = sector_ms * STATED_SHARES if sector_ms else np.zeros(0)
    found = find_angles(reading.seen, waiting, rotation, ranges, sector_ms, rates_ms)
    if reading.hits or not sector_ms or isinstance(found.reads, Streamed):
        return found
    # What is said of a bus may be far from it: that of its like, or of no drive at all.
    free = find_angles(reading.seen, waiting, rotation, ranges, 0.0, np.zeros(0))
    return free if is_surely_nearer(free, found) or _is_likelier(free, found) else found


def told_by_hits(reading: Reading, stated: dict[str, Any]) -> tuple[Reading, Angles]:
    """The same, and the trace without answers of the buffer over a bus that no read has.

    A few requests that a coarse clock lines up look like answers. Over the bus that they tell reads
    would be on it before they are under the head.
    """
    angles = angles_of(reading, stated)
    if reading.hits and is_before(angles):
        bare = reading.without_hits()
        if _is_likelier(free := angles_of(bare, stated), angles):
            return bare, free
    return reading, angles


def is_surely_nearer(own: Angles, other: Angles) -> bool:
    """Whether the same requests are surely nearer the lattice, in each half of them."""
    if len(own.off_turns) != len(other.off_turns):
        return False
    near, far = (np.minimum(np.abs(one.off_turns), CAP_TURNS) for one in (own, other))
    halves = np.array_split(far - near, 2)
    return all(np.mean(gain) > SURE * np.std(gain) / np.sqrt(len(gain)) for gain in halves)


def _is_likelier(own: Angles, other: Angles) -> bool:
    """Whether only others have reads on the bus so early, and are about as far."""
    about = own.spread_turns < ABOUT * other.spread_turns
    return is_before(other) and not is_before(own) and about


def find_angles(
    seen: Observed,
    waiting: Waiting,
    rotation_ms: float,
    group_steps: Whole,
    sector_ms: float,
    rates_ms: Floats,
) -> Angles:
    """The angles of all zones.

    Args:
        seen: the trace.
        waiting: requests on one track that waited for the platter, reads and writes; `turns` are of
            the first sector without skew, `end_ms` with nothing taken off.
        rotation_ms: the period as the lattice has it.
        group_steps: by zone, cylinders in a sparing range; 0 where there are none.
        sector_ms: bus time of a sector, roughly; 0 where nothing tells of it.
        rates_ms: those that may be, for `by_size`.
    """
    ways = [0 * group_steps, *([group_steps] if group_steps.any() else [])]
    starts = [_start(seen, waiting, rotation_ms, groups, sector_ms) for groups in ways]
    singles = _regressed(seen, waiting, starts)
    if sector_ms and all(one.spread_turns > LOST_TURNS for one in singles):
        # Reads of up to a track that wait for all of it lie anywhere, taken as if they did not.
        whole = [_start(seen, waiting, rotation_ms, groups, sector_ms, 1.0) for groups in ways]
        singles += _regressed(seen, waiting, whole)
    if not singles:
        # Over the pauses of a long trace the platter's position is lost, between them it is not.
        return followed(seen, waiting, starts[0], sector_ms, rates_ms)
    single = min(singles, key=lambda found: found.spread_turns)
    if single.spread_turns > LOST_TURNS:
        # Zones of few requests may have agreed by chance.
        other = followed(seen, waiting, starts[0], sector_ms, rates_ms)
        if other.known.any() and other.spread_turns < LOST_TURNS:
            return other
    if not (single.group_steps.any() or seen.own.legs):
        single = _found_again(seen, waiting, single)
    wider = _neighbourly(seen, waiting, single)
    if wider.known.sum() > single.known.sum():
        single = regress(seen, waiting, wider)
    best = pooled_or_free(seen, waiting, single)
    # A bus that keeps up with the platter, or lags behind it, takes a number less than one that
    # starts at a share.
    streamed = replace(best, reads=Streamed(), sector_ms=sector_ms)
    design = Design(seen, waiting, best)
    follows = [best, regress(seen, waiting, streamed, design)]
    write = seen.write[waiting.which]
    if write.any() and len(np.unique(seen.sectors[waiting.which][~write])) >= LEAST_SIZES:
        # Writes say where the media of a read ended; as many numbers again. Of few sizes, a share
        # of the read says the same as what is left of it.
        follows.append(regress(seen, waiting, replace(best, reads=BeforeEnd(0.0)), design))
    best = nearest(seen, follows, sector_ms)
    return by_size(seen, waiting, best, rates_ms, lambda way: regress(seen, waiting, way, design))


def _regressed(seen: Observed, waiting: Waiting, starts: list[Angles]) -> list[Angles]:
    """What the regression finds from those starts that know a zone."""
    return [regress(seen, waiting, start) for start in starts if start.known.any()]


def _start(
    seen: Observed,
    waiting: Waiting,
    rotation_ms: float,
    group_steps: Whole,
    sector_ms: float,
    share: float = 0.0,
) -> Angles:
    """Each zone by the transform of its reads, or of its writes where there are more.

    With the bus starting at a share of each read.
    """
    rows, places = waiting.which, seen.first
    write = seen.write[rows]
    bare = bare_angles(seen, rotation_ms, group_steps, sector_ms)
    start = replace(bare, reads=AtShare(share))
    if not sector_ms:
        start = _with_bus(seen, waiting, start)
    if seen.own.legs:
        return _level(seen, waiting, with_legs(seen, waiting, start, LEAST_STRENGTH))
    late, zones = phases(seen, waiting, start), places.zone[rows]
    tells = write == _mostly_writes(write, zones)[zones]
    first, strengths = by_zone(seen, rows, start, np.where(tells, late, np.nan))
    most = int(np.bincount(zones[tells], minlength=seen.zones).argmax())
    here = tells & (zones == most)
    surface = turned_surfaces(
        late[here], places.surface[rows[here]], places.step[rows[here]], seen.surfaces,
        float(strengths[most]),
    )  # fmt: skip
    if surface is not None:
        late = np.where(tells, late - surface[places.surface[rows]], np.nan)
        first, _ = by_zone(seen, rows, replace(start, surface=surface), late)
    return _level(seen, waiting, first)


def _mostly_writes(write: Flags, zones: Whole) -> Flags:
    """By zone, whether most requests are writes."""
    counts = np.bincount(zones), np.bincount(zones, write)
    return np.asarray(2 * counts[1] > counts[0])


def bare_angles(seen: Observed, rotation_ms: float, group_steps: Whole, sector_ms: float) -> Angles:
    """A drive on which all tracks begin at one angle."""
    zeros = np.zeros(seen.zones)
    return Angles(
        offset=zeros, head=zeros, step=zeros, group=zeros, group_steps=group_steps,
        known=zeros > 0, surface=np.zeros(seen.surfaces), leg=np.zeros(max(1, seen.own.legs)),
        along=np.zeros(max(1, seen.own.legs)), rotation_ms=rotation_ms,
        reads=AtShare(0.0), sector_ms=sector_ms, hit_sector_ms=sector_ms,
        write_turns=0.0, drift_ms=NO_DRIFT, off_turns=np.ones(1), pooled=False,
        tracked=False, errors={},
    )  # fmt: skip


def _level(seen: Observed, waiting: Waiting, first: Angles) -> Angles:
    """The same with how much later writes are complete, where there are reads and writes."""
    write = seen.write[waiting.which]
    usable = first.known[seen.first.zone[waiting.which]]
    reads, writes = usable & ~write, usable & write
    if reads.sum() < LEAST_IN_ZONE or writes.sum() < LEAST_IN_ZONE:
        return first
    apart = phases(seen, waiting, first)
    mean = [np.angle(np.exp(2j * np.pi * apart[some]).mean()) for some in (reads, writes)]
    return replace(first, write_turns=float(wrapped(np.diff(mean) / (2 * np.pi))[0]))


def _with_bus(seen: Observed, waiting: Waiting, start: Angles) -> Angles:
    """The same with the bus under which the reads of one zone agree best, if they clearly do.

    A slow bus turns reads of many sectors by more than the regression finds its way through.
    """
    rows, zones = waiting.which, seen.first.zone[waiting.which]
    read = ~seen.write[rows]
    here = read & (zones == np.bincount(zones[read], minlength=1).argmax())
    if here.sum() < LEAST_IN_ZONE:
        return start
    heads, steps = seen.first.head[rows[here]], seen.first.step[rows[here]]
    some = Completed(seen, Waiting(rows[here], waiting.end_ms[here], waiting.turns[here]))
    found: list[tuple[float, Angles]] = []
    known = [start.sector_ms] if start.sector_ms else []
    for sector_ms in [*known, *np.arange(0.0, SLOWEST_BUS_MS, BUS_STEP_MS).tolist()]:
        for share in (0.0, 1.0):
            way = replace(start, reads=AtShare(share), sector_ms=sector_ms)
            sums = sums_of(unit_numbers(2 * np.pi * some.late(way)), heads, steps)
            # What cannot be the best need not be known.
            least = max((strength for strength, _ in found), default=0.0)
            found.append((0.0 if sums.most() + SINGLE < least else sums.peak().strength, way))
    strength, best = max(found, key=lambda one: one[0])
    if known and strength < CLEARLY * max(found[0][0], found[1][0]):
        return start
    return replace(best, hit_sector_ms=0.0)


def _found_again(seen: Observed, waiting: Waiting, angles: Angles) -> Angles:
    """The same with zones that are lost looked for as the reads of the others follow the platter.

    The peak of a zone of long tracks may be chance where its reads do not follow as was assumed,
    and is of few of its surfaces where these are turned.
    """
    start, zones = angles, seen.first.zone[waiting.which]
    near = np.abs(angles.off_turns) < LOST_TURNS
    usual = float(np.median([np.mean(near[zones == zone]) for zone in np.unique(zones)]))
    for zone in range(seen.zones):
        here = zones == zone
        if here.sum() < LEAST_IN_ZONE or np.mean(near[here]) > MOST_LOST * usual:
            continue
        rows, bare = waiting.which[here], _with_zone(angles, zone, (0.0, 0.0, 0.0))
        late = np.exp(2j * np.pi * phases(seen, waiting, bare)[here])
        peak = sums_of(late, seen.first.head[rows], seen.first.step[rows]).peak()
        if peak.strength > LEAST_STRENGTH:
            found = peak.phase_turns, peak.head_turns, peak.step_turns
            start = _with_zone(start, zone, found)
    if start is angles:
        return angles
    again = nearer = regress(seen, waiting, start)
    bus_ms = angles.hit_sector_ms if keeps_bus(angles, angles.hit_sector_ms) else 0.0
    if not keeps_bus(again, bus_ms):
        # Reads that no share of them describes may have another bus by it: that of answers tells.
        own = replace(start, reads=Streamed(), sector_ms=bus_ms)
        nearer = regress(seen, waiting, own)
    is_better = keeps_bus(nearer, bus_ms) and is_surely_nearer(nearer, angles)
    return again if is_better else angles


def _neighbourly(seen: Observed, waiting: Waiting, angles: Angles) -> Angles:
    """The same with zones of few requests, which agree on angles like those of the other zones.

    Such angles are few, so that few requests on one of them are not chance.
    """
    if angles.group_steps.any():
        return angles
    heads = _like(angles.head[angles.known], HEAD_CELLS)
    found, zones = angles, seen.first.zone[waiting.which]
    for zone in np.flatnonzero(~angles.known):
        here = np.flatnonzero(zones == zone)
        if len(here) < LEAST_ALIKE:
            continue
        rows = waiting.which[here]
        head, step = seen.first.head[rows], seen.first.step[rows]
        steps = _like(angles.step[angles.known], 4 * (int(np.ptp(step)) + 1))
        bare = _with_zone(angles, int(zone), (0.0, 0.0, 0.0))
        late = np.exp(2j * np.pi * phases(seen, waiting, bare)[here])
        sums = np.array([
            [np.mean(late * np.exp(-2j * np.pi * (one * head + other * step))) for other in steps]
            for one in heads
        ])  # fmt: skip
        at = np.unravel_index(int(np.abs(sums).argmax()), sums.shape)
        if abs(sums[at]) > ALIKE:
            phase = float(np.angle(sums[at])) / (2 * np.pi)
            found = _with_zone(found, int(zone), (phase, float(heads[at[0]]), float(steps[at[1]])))
    return found


def _like(turns: Floats, cells: int) -> Floats:
    """Angles from the least to the greatest of some, and a little beyond, so many to a turn."""
    middle = float(turns[0])
    around = wrapped(turns - middle)
    low, high = around.min() - BEYOND_TURNS, around.max() + BEYOND_TURNS
    return middle + np.linspace(low, high, 2 + int((high - low) * cells))


def _with_zone(angles: Angles, zone: int, found: tuple[float, float, float]) -> Angles:
    """The same with a zone's offset, head and cylinder angle."""
    offset, head, step = (
        np.where(np.arange(len(angles.known)) == zone, new, old)
        for new, old in zip(found, (angles.offset, angles.head, angles.step), strict=True)
    )
    known = angles.known | (np.arange(len(angles.known)) == zone)
    return replace(angles, offset=offset, head=head, step=step, known=known)
