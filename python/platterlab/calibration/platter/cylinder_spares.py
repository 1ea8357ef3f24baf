"""Spare sectors of each cylinder, or each few cylinders, of a drive whose profile states none.

With them later cylinders begin at other addresses than the profile has, ever more so, and few
requests meet the platter where they should. Zone by zone, from the first on, so many spares are
taken as have the requests of the zone agree best on skews (see `rotation_period`): the next zone
begins where this one ends.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import scipy.fft

from platterlab._core import unit_numbers
from platterlab.calibration.overrides import skew_turns
from platterlab.calibration.platter.regression import RIDGE, wrapped
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.unlisted_spares import LEAST_IN_ZONE, LEAST_MORE, on_zones
from platterlab.calibration.trace.observed import HEADS_FIRST, Floats, Whole
from platterlab.calibration.trace.rotation_period import (
    HEAD_CELLS,
    Peak,
    Waiting,
    transform_peak,
)

LEAST_MOST, SHARE_MOST = 16, 0.25
"""Spares of a cylinder: up to so many are tried, or to this share of a track."""

WIDEST = 12
"""Cylinders that have spares in common, at most."""

DRIFT_TURNS, WIDTHS, BEST = 0.25, (1, 4, 9), 3
"""From one try to the next, spares a cylinder are more, on average, by what moves the end of the
zone so far; the cylinders that have them in common there; how many tries are gone into."""

SPAN, TOLD = 300, 150
"""Cylinders of a zone, and requests, that tell which spares it may have."""

CLOSELY = 12
"""So many of them are held against all of the zone."""

RANGE_CELLS = 4
"""Angles to a range that are tried, for as many ranges as a zone has."""

NEAR_TURNS = 0.06
"""A profile's skew from head to head may be off by so much."""

TURNED_LEFT = 0.5
"""Ranges at angles of their own are seen where so much is left, at most, of what requests do not
agree by under the best spares of each cylinder."""

CLIMBS = 2
"""From the best cell of the transform to the best skews beside it."""

SURE, AS_WELL = 1.5, 0.8
"""Requests agree by more than chance if they do so many times as much; and those of a zone agree
about as well as those of the zones before, or one of these was wrong."""

STATED, STATED_SURELY = 0.7, 0.9
"""Requests that agree so much with the profile's own skews have no others, if ranges at angles of
their own do not leave far less; and surely none."""

ALIKE = 0.02
"""Requests that agree as much less agree as well."""

MOST = 0.9
"""Of the requests near the lattice: the spares are found."""

TELLING = 2
"""So many zones with spares by cylinder, and all are taken to have them so."""


@dataclass(frozen=True)
class Spares:
    """So many spare sectors at the end of each so many cylinders."""

    sectors: int
    cylinders: int = 1

    def table(self) -> dict[str, Any]:
        """As a profile has it."""
        if self.cylinders == 1:
            return {"kind": "cylinder", "sectors": self.sectors}
        return {"kind": "cylinders", "cylinders": self.cylinders, "sectors": self.sectors}


@dataclass(frozen=True)
class _Zone:
    """A zone, and the requests that may lie in it.

    Attributes:
        lba: of the requests, from the zone's first sector on, in that order.
        turns: where the platter was at each, less what came after that address.
        surfaces, per_track, cylinders: of the zone.
        skews: from head to head and from cylinder to cylinder, in turns; None where the profile
            states none.
    """

    lba: Whole
    turns: Floats
    surfaces: int
    per_track: int
    cylinders: int
    skews: tuple[float, float] | None

    def agreement(self, sectors: float, cylinders: int) -> tuple[float, float]:
        """How well requests agree with so many spares, and what they would by chance."""
        late, head, step = self._placed(sectors, cylinders)
        if len(late) < LEAST_IN_ZONE:
            return 0.0, 1.0
        cells = 1 << int(np.ceil(np.log2(2 * (self.cylinders + 1))))
        heads = min(HEAD_CELLS, 1 << int(np.ceil(np.log2(4 * self.surfaces))))
        peak = transform_peak(
            unit_numbers(2 * np.pi * late), head, step.astype(np.int64), cells, heads
        )
        chance = float(np.sqrt(np.log(heads * cells) / len(late)))
        return _climbed(late, np.stack([np.ones(len(late)), head, step], axis=1), peak), chance

    def stated_agreement(self, spares: Spares) -> float:
        """How well requests agree with some spares and the profile's own skews."""
        off = self._off_stated(spares)
        return float(np.abs(np.mean(unit_numbers(2 * np.pi * off[0])))) if off else 0.0

    def turned_agreement(self, spares: Spares) -> float:
        """The same where cylinders that have spares in common begin at an angle of their own.

        From one such range to the next it is the one at which requests agree best.
        """
        off = self._off_stated(spares)
        if off is None:
            return 0.0
        phases, at = unit_numbers(2 * np.pi * off[0]), off[1] // spares.cylinders
        cells = 1 << int(np.ceil(np.log2(RANGE_CELLS * (at.max() + 1))))
        real, imaginary = (np.bincount(at, part) for part in (phases.real, phases.imag))
        return float(np.abs(scipy.fft.fft(real + 1j * imaginary, cells)).max()) / len(phases)

    def _off_stated(self, spares: Spares) -> tuple[Floats, Whole] | None:
        """How late requests are by the profile's own skews, and their cylinders; None of few."""
        late, head, step = self._placed(spares.sectors, spares.cylinders)
        if self.skews is None or len(late) < LEAST_IN_ZONE:
            return None
        return late - head * self.skews[0] - step * self.skews[1], step.astype(np.int64)

    def near_agreement(self, spares: Spares) -> float:
        """The same with skews of which the profile's from head to head alone is about right.

        Those from cylinder to cylinder and from range to range are the ones that agree best.
        """
        late, head, step = self._placed(spares.sectors, spares.cylinders)
        if self.skews is None or len(late) < LEAST_IN_ZONE:
            return 0.0
        phases = unit_numbers(2 * np.pi * (late - head * self.skews[0]))
        steps = step.astype(np.int64)
        shape = (self.surfaces, spares.cylinders, int(steps.max()) // spares.cylinders + 1)
        place = head, steps % spares.cylinders, steps // spares.cylinders
        at = np.ravel_multi_index(place, shape)
        count = int(np.prod(shape))
        real, imaginary = (np.bincount(at, part, count) for part in (phases.real, phases.imag))
        grid = (real + 1j * imaginary).astype(np.complex64).reshape(shape[0], -1)
        cell = 1 / (RANGE_CELLS * self.surfaces)
        reach = np.arange(-NEAR_TURNS, NEAR_TURNS + cell, cell)
        turning = np.exp(-2j * np.pi * np.outer(reach, np.arange(shape[0]))).astype(np.complex64)
        cells = [1 << int(np.ceil(np.log2(RANGE_CELLS * each))) for each in shape[1:]]
        spectrum = scipy.fft.fft2((turning @ grid).reshape(-1, *shape[1:]), cells)
        return float(np.abs(spectrum).max()) / len(late)

    def _placed(self, sectors: float, cylinders: int) -> tuple[Floats, Whole, Floats]:
        """How late requests are on their tracks, and heads and cylinders, with so many spares."""
        size = cylinders * self.surfaces * self.per_track - sectors
        lba = self.lba[self.lba < size * self.cylinders / cylinders]
        first = np.floor(lba / size)
        within = lba - np.floor(first * size).astype(np.int64)
        track = within // self.per_track
        late = self.turns[: len(lba)] - (within % self.per_track) / self.per_track
        return late, track % self.surfaces, first * cylinders + track // self.surfaces

    def begun(self) -> "_Zone":
        """As much of its beginning as tells most of what all of it does."""
        full = self.surfaces * self.per_track
        span = max(SPAN, int(self.lba[min(TOLD, len(self.lba)) - 1] // full) + 1)
        return replace(self, cylinders=min(self.cylinders, span))

    @property
    def most(self) -> int:
        """Spares of a cylinder that are tried."""
        return max(LEAST_MOST, int(SHARE_MOST * self.per_track))

    def by_cylinder(self) -> list[Spares]:
        """Those of each cylinder that are tried."""
        return [Spares(sectors) for sectors in range(self.most + 1)]

    def size(self, spares: Spares) -> int:
        """Sectors with addresses."""
        lost = -(-self.cylinders // spares.cylinders) * spares.sectors
        return self.cylinders * self.surfaces * self.per_track - lost


def _climbed(late: Floats, steps: Floats, peak: Peak) -> float:
    """How well requests agree on the best skews near a peak; `steps` has what skews go by."""
    skews = np.array([peak.phase_turns, peak.head_turns, peak.step_turns])
    for _ in range(CLIMBS):
        off = wrapped(late - steps @ skews)
        weight = np.maximum(np.cos(2 * np.pi * off), 0.0)
        normal = (steps.T * weight) @ steps + RIDGE * np.eye(len(skews))
        skews = skews + np.linalg.solve(normal, steps.T @ (weight * off))
    agreed = float(np.abs(np.mean(unit_numbers(2 * np.pi * (late - steps @ skews)))))
    return max(agreed, peak.strength)


def with_cylinder_spares(plain: Layout) -> Layout:
    """The same with spares by cylinder or by a few of them, if requests surely tell of them."""
    zones = plain.stated["zone"]
    if "defect" in plain.stated or not all(_is_plain(zone) for zone in zones):
        return plain
    count, most = len(plain.angles.off_turns), near_share(plain.reading, plain.angles)
    if (1 - most) * count < LEAST_MORE:
        return plain
    best, best_share = plain, most + LEAST_MORE / count
    # Skews that are not quite the drive's agree with other spares than it has.
    for by_stated_skews, view in product((True, False), _views(plain)):
        if not by_stated_skews and not any(_skews(zone, 1) for zone in zones):
            continue
        found = _of_zones(plain, *view, by_stated_skews)
        spared = [
            zone | ({"sparing": spares.table()} if spares.sectors else {})
            for zone, spares in zip(zones, found, strict=True)
        ]
        other = on_zones(plain, spared) if any(one.sectors for one in found) else None
        if other is None:
            continue
        share = near_share(other.reading, other.angles)
        if share > best_share:
            best, best_share = other, share
        if best_share > MOST:
            break
    return best


def _is_plain(zone: dict[str, Any]) -> bool:
    free = not ({"sparing", "pass", "surface_sectors"} & set(zone))
    return free and zone.get("order", "traditional") in HEADS_FIRST


def _views(plain: Layout) -> list[tuple[Whole, Waiting]]:
    """Requests by their last sector as it passed, and by their first: address, and when."""
    reading = plain.reading
    waiting = reading.waiting(with_writes=False)
    if len(waiting.which) < LEAST_IN_ZONE:
        waiting = reading.waiting(with_writes=True)
    rows = waiting.which
    bus_ms = np.where(reading.seen.write[rows], 0.0, plain.angles.hit_sector_ms)
    sectors = reading.seen.sectors[rows]
    end_ms = waiting.end_ms - bus_ms * sectors
    first, passed = reading.seen.lba[rows], 1 / reading.seen.first.per_track[rows]
    last = first + sectors.astype(first.dtype) - 1
    return [(last, Waiting(rows, end_ms, passed)), (first, Waiting(rows, end_ms, 0 * passed))]


def _of_zones(plain: Layout, lba: Whole, waiting: Waiting, by_stated_skews: bool) -> list[Spares]:
    """The spares of each zone, as far as they are sure; none of those behind.

    By the skews that the profile states, if it does, or by any.
    """
    seen, rotation_ms = plain.reading.seen, plain.reading.period.rotation_ms
    order = np.argsort(lba, kind="stable")
    lba = lba[order]
    turns = np.asarray(waiting.end_ms / rotation_ms - waiting.turns, dtype=np.float64)[order]
    zones = plain.stated["zone"]

    def at(number: int, start: int) -> _Zone:
        stated, here = zones[number], lba >= start
        first, last = stated["cylinders"]
        return _Zone(
            lba[here] - start, turns[here], seen.surfaces, stated["sectors_per_track"],
            last - first + 1, _skews(stated, seen.surfaces) if by_stated_skews else None,
        )  # fmt: skip

    found: list[Spares] = []
    strengths: list[float] = []
    start = 0
    while len(found) < len(zones):
        zone = at(len(found), start)
        if (zone.lba < zone.size(Spares(0))).sum() < LEAST_IN_ZONE and len(found) + 1 < len(zones):
            # Where the next zone begins says how many this one has, if its own skews do.
            behind = [at(len(found) + 1, start + zone.size(one)) for one in zone.by_cylinder()]
            tries = [_by_stated_skews(one, one.by_cylinder()) for one in behind]
            best = max(range(len(tries)), key=lambda one: tries[one][1])
            spares, (_, strength, chance) = Spares(best), tries[best]
        else:
            spares, strength, chance = _of_zone(zone, found)
        if strength < max(SURE * chance, AS_WELL * np.median([strength, *strengths])):
            break
        found.append(spares)
        strengths.append(strength)
        start += zone.size(spares)
    return found + [Spares(0)] * (len(zones) - len(found))


def _skews(zone: dict[str, Any], surfaces: int) -> tuple[float, float] | None:
    """A zone's skews as the profile states them, if it does."""
    head, cylinder = skew_turns(zone, "track"), skew_turns(zone, "cylinder")
    return (head, cylinder + (surfaces - 1) * head) if head or cylinder else None


def _by_stated_skews(zone: _Zone, tried: list[Spares]) -> tuple[Spares, float, float]:
    """As `_of_zone`, with the profile's own skews."""
    found = {one: zone.stated_agreement(one) for one in tried}
    most = max(found.values())
    best = max(found, key=lambda one: found[one] - (ALIKE if one.cylinders > 1 else 0.0))
    return best, most, float(np.sqrt(np.log(len(tried)) / max(len(zone.lba), 1)))


def _least(found: dict[Spares, float], per_track: int) -> Spares:
    """The best of several, but whole tracks fewer where requests agree as well with those.

    Where ranges begin at any angle the tracks behind are all as if they were whole tracks later.
    """
    best = max(found, key=lambda one: found[one])
    alike = [
        one
        for one in found
        if one.cylinders == best.cylinders
        and (one.sectors - best.sectors) % per_track == 0
        and found[one] > found[best] - ALIKE
    ]
    return min(alike, key=lambda one: one.sectors)


def _of_zone(zone: _Zone, before: list[Spares]) -> tuple[Spares, float, float]:
    """Those with which its requests agree best, how well, and what they would by chance.

    Args:
        zone: with its requests.
        before: spares of the zones before; where they are by cylinder these are too.
    """
    tried = zone.by_cylinder()
    if zone.skews is not None:
        ranges = [Spares(n, of) for of in range(2, WIDEST + 1) for n in range(1, zone.most * of)]
        best, most, chance = _by_stated_skews(zone, tried + ranges)
        if most >= STATED_SURELY:
            return best, most, chance
        turned = _turned(zone, ranges, before, most if most >= STATED else None)
        if turned is not None:
            return turned[0], turned[1], chance
        if most >= STATED:
            return best, most, chance
    begun = zone.begun()
    if len(before) < TELLING or any(one.cylinders > 1 for one in before):
        tried += _by_range(begun)
    first = {one: begun.agreement(one.sectors, one.cylinders)[0] for one in tried}
    near = sorted(first, key=lambda one: first[one], reverse=True)[:CLOSELY]
    found = {one: zone.agreement(one.sectors, one.cylinders) for one in near}
    most = max(strength for strength, _ in found.values())
    # Several cylinders have them in common only where that says more.
    best = max(found, key=lambda one: found[one][0] - (ALIKE if one.cylinders > 1 else 0.0))
    return best, most, found[best][1]


def _turned(
    zone: _Zone, ranges: list[Spares], before: list[Spares], stated: float | None
) -> tuple[Spares, float] | None:
    """Ranges that begin at angles of their own, and how well requests agree, if they surely do.

    Args:
        zone: with its requests.
        ranges: that are tried.
        before: spares of the zones before; where they are by range, these are too.
        stated: how well requests agree with ranges by the profile's own skews, if they do.
    """
    alone = max(zone.agreement(one.sectors, 1)[0] for one in zone.by_cylinder())
    least = max(STATED, 1 - TURNED_LEFT * (1 - max(alone, stated or 0.0)))
    ranged = stated is None and sum(one.cylinders > 1 for one in before) >= TELLING
    for way, enough in (
        (zone.turned_agreement, least),
        (zone.near_agreement, STATED if ranged else least),
    ):
        found = {one: way(one) for one in ranges}
        if max(found.values()) >= enough:
            best = _least(found, zone.per_track)
            return best, found[best]
    return None


def _by_range(zone: _Zone) -> list[Spares]:
    """Spares of several cylinders, where coarse ones agree best."""
    found = []
    step = DRIFT_TURNS * zone.per_track / zone.cylinders
    for width in WIDTHS:
        steps = np.arange(step, zone.most, step)
        coarse = {float(each): zone.agreement(each * width, width)[0] for each in steps}
        for middle in sorted(coarse, key=lambda each: coarse[each], reverse=True)[:BEST]:
            for cylinders in range(2, WIDEST + 1):
                least, most = ((middle + way * step) * cylinders for way in (-1, 1))
                ends = max(1, int(least)), int(most) + 2
                found += [Spares(sectors, cylinders) for sectors in range(*ends)]
    return list(dict.fromkeys(found))
