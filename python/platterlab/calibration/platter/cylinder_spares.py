"""Spare sectors of each track, cylinder, or few cylinders, of a drive whose profile states none.

A track has as many sectors as the profile says, and addresses for fewer of them (of tracks that are
longer than it says: `unlisted_spares`). So later cylinders begin at other addresses than the
profile has, ever more so, and few requests meet the platter where they should. Zone by zone, from
the first on, so many spares are taken as have the requests of the zone agree best on skews (see
`rotation_period`): the next zone begins where this one ends.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from heapq import heappushpop
from itertools import product
from typing import TypeVar

import numpy as np

from platterlab.calibration.buffer.read_completion import Streamed
from platterlab.calibration.overrides import skew_turns
from platterlab.calibration.platter.moved_reads import LEAST_IN_ZONE, LEAST_MORE, on_zones
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.spared_zone import EACH_TRACK, Spares, Zone
from platterlab.calibration.trace.observed import HEADS_FIRST, OWN_LENGTHS, PASSES, Whole
from platterlab.calibration.trace.rotation_period import Waiting
from platterlab.documents import Json

WIDEST = 12
"""Cylinders that have spares in common, at most."""

DRIFT_TURNS, WIDTHS, BEST = 0.25, (1, 4, 9), 3
"""From one try to the next, spares a cylinder are more, on average, by what moves the end of the
zone so far; the cylinders that have them in common there; how many tries are gone into."""

CLOSELY = 12
"""So many of them are held against all of the zone."""

TURNED_LEFT = 0.5
"""Ranges at angles of their own are seen where so much is left, at most, of what requests do not
agree by under the best spares of each cylinder, beyond what is left in any zone."""

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

CLEARLY_LESS = 0.5
"""Of the distance from the lattice: tracks on which requests are so much nearer are the drive's."""

TELLING = 2
"""So many zones with spares by cylinder, and all are taken to have them so."""


_Tried = TypeVar("_Tried")
_Known = dict[tuple[int, float, int], tuple[float, float]]


def with_cylinder_spares(plain: Layout) -> Layout:
    """The same with spares by cylinder or by a few of them, if requests surely tell of them."""
    zones = plain.stated["zone"]
    if "defect" in plain.stated or not all(_is_plain(zone) for zone in zones):
        return plain
    count, most = len(plain.angles.off_turns), near_share(plain.reading, plain.angles)
    if (1 - most) * count < LEAST_MORE:
        return plain
    best, best_share = plain, most + LEAST_MORE / count
    # What zones told under any skews they tell again, whatever the profile states.
    views = [(*view, dict[tuple[int, int], _Known]()) for view in _views(plain)]
    # Skews that are not quite the drive's agree with other spares than it has.
    for by_stated_skews, view in product((True, False), views):
        if not by_stated_skews and not any(_skews(zone, 1) for zone in zones):
            continue
        found = _of_zones(plain, *view, by_stated_skews)
        ways = _alike(found, plain.reading.seen.surfaces)
        for way, layout in product(ways, _layouts(plain)):
            spared = [
                zone | ({"sparing": spares.table()} if spares.sectors else {})
                for zone, spares in zip(zones, way, strict=True)
            ]
            other = on_zones(layout, spared) if any(one.sectors for one in way) else None
            share = near_share(other.reading, other.angles) if other else 0.0
            if other and share > best_share:
                best, best_share = other, share
        if best_share > MOST:
            break
    return plain if _are_shorter(plain, best) else best


def _are_shorter(plain: Layout, spared: Layout) -> bool:
    """Whether requests are nearer where tracks are shorter than the profile's by their spares.

    Those hold as much and have their sectors at other angles: the profile's tracks are not the
    drive's, and nothing of how they lie is known.
    """
    zones = [dict(zone) for zone in spared.stated["zone"]]
    for zone in zones:
        spares = zone.pop("sparing", {"kind": "track", "sectors": 0})
        tracks = {"track": 1, "cylinder": plain.reading.seen.surfaces}.get(spares["kind"], 0)
        if not tracks or spares["sectors"] % tracks:
            return False
        zone["sectors_per_track"] -= spares["sectors"] // tracks
    other = on_zones(replace(plain, reading=spared.reading), zones) if spared is not plain else None
    least = CLEARLY_LESS * spared.angles.spread_turns
    return other is not None and other.angles.spread_turns < least


def _is_plain(zone: Json) -> bool:
    # Cylinders are counted by one length of all their tracks.
    free = not ({"sparing", "pass", *OWN_LENGTHS} & set(zone))
    order = zone.get("order", "traditional")
    return free and (order in HEADS_FIRST or _along(zone) > 0)


def _along(zone: Json) -> int:
    """Cylinders of a pass, where the order of tracks seeks first; else 0."""
    first, last = zone["cylinders"]
    seeks = zone.get("order") in PASSES and not zone.get("skew_from_data_end", False)
    return int(zone.get("serpentine_cylinders", last - first + 1)) if seeks else 0


def _layouts(plain: Layout) -> list[Layout]:
    """The layout, and the same with angles of passes to be found, where it has such."""
    if plain.reading.seen.own.free or not any(map(_along, plain.stated["zone"])):
        return [plain]
    free = plain.reading.under(plain.profile, free_passes=True)
    return [plain, replace(plain, reading=free)]


def _alike(found: list[Spares], surfaces: int) -> list[list[Spares]]:
    """The spares of zones, and the same with those of all by track where some surely are.

    As many on each track of a cylinder are nearly those of the cylinder: the skew from head to head
    makes up for all but what lies near a track's end.
    """
    if not any(one.cylinders == EACH_TRACK for one in found):
        return [found]
    by_track = [
        Spares(one.sectors // surfaces, EACH_TRACK)
        if one.cylinders == 1 and one.sectors and one.sectors % surfaces == 0
        else one
        for one in found
    ]
    return [found] if by_track == found else [found, by_track]


def _views(plain: Layout) -> list[tuple[Whole, Waiting]]:
    """Requests by their last sector as it passed, and by their first: address, and when.

    Behind the first sector of a read the slower of platter and bus sets the pace, which may be the
    bus in some zones and the platter in others.
    """
    reading = plain.reading
    waiting = reading.waiting(with_writes=False)
    if len(waiting.which) < LEAST_IN_ZONE:
        waiting = reading.waiting(with_writes=True)
    rows = waiting.which
    bus_ms = np.where(reading.seen.write[rows], 0.0, plain.angles.hit_sector_ms)
    sectors = reading.seen.sectors[rows]
    end_ms = waiting.end_ms - bus_ms * sectors
    per_track = reading.seen.first.per_track[rows].astype(np.float64)
    first, passed = reading.seen.lba[rows], 1 / per_track
    last = first + sectors.astype(first.dtype) - 1
    streamed = 0 * passed
    if bus_share := plain.angles.hit_sector_ms / plain.angles.rotation_ms:
        more = Streamed().passed(sectors.astype(np.float64), bus_share * per_track) - 1
        streamed = np.where(reading.seen.write[rows], 0.0, more / per_track)
    return [(last, Waiting(rows, end_ms, passed)), (first, Waiting(rows, end_ms, streamed))]


def _of_zones(
    plain: Layout,
    lba: Whole,
    waiting: Waiting,
    known: dict[tuple[int, int], _Known],
    by_stated_skews: bool,
) -> list[Spares]:
    """The spares of each zone, as far as they are sure; none of those behind.

    Args:
        plain: the layout without them.
        lba: of the requests.
        waiting: when each passed; both as `_views` gives them.
        known: what zones told so far, by number and first address.
        by_stated_skews: by the skews that the profile states, if it does, or by any.
    """
    seen, rotation_ms = plain.reading.seen, plain.reading.period.rotation_ms
    order = np.argsort(lba, kind="stable")
    lba = lba[order]
    turns = np.asarray(waiting.end_ms / rotation_ms - waiting.turns, dtype=np.float64)[order]
    zones = plain.stated["zone"]

    def at(number: int, start: int) -> Zone:
        stated, here = zones[number], lba >= start
        first, last = stated["cylinders"]
        return Zone(
            lba[here] - start, turns[here], seen.surfaces, stated["sectors_per_track"],
            last - first + 1, _skews(stated, seen.surfaces) if by_stated_skews else None,
            _along(stated), known.setdefault((number, start), {}),
        )  # fmt: skip

    found: list[Spares] = []
    strengths: list[float] = []
    start = 0
    while len(found) < len(zones):
        zone = at(len(found), start)
        if (zone.lba < zone.size(Spares(0))).sum() < LEAST_IN_ZONE and len(found) + 1 < len(zones):
            # Where the next zone begins says how many this one has, if its own skews do.
            ways = zone.by_cylinder() + zone.by_track()
            behind = [at(len(found) + 1, start + zone.size(one)) for one in ways]
            tries = [_by_stated_skews(one, one.by_cylinder() + one.by_track()) for one in behind]
            best = max(range(len(tries)), key=lambda one: tries[one][1])
            spares, (_, strength, chance) = ways[best], tries[best]
        else:
            spares, strength, chance = _of_zone(zone, found, max(strengths, default=1.0))
        if strength < max(SURE * chance, AS_WELL * np.median([strength, *strengths])):
            break
        found.append(spares)
        strengths.append(strength)
        start += zone.size(spares)
    return found + [Spares(0)] * (len(zones) - len(found))


def _skews(zone: Json, surfaces: int) -> tuple[float, float] | None:
    """A zone's skews by head and cylinder as the profile states them, if it does."""
    if zone.get("order") in PASSES:
        return None
    head, cylinder = skew_turns(zone, "track"), skew_turns(zone, "cylinder")
    return (head, cylinder + (surfaces - 1) * head) if head or cylinder else None


def _by_stated_skews(zone: Zone, tried: list[Spares]) -> tuple[Spares, float, float]:
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


def _of_zone(zone: Zone, before: list[Spares], top: float) -> tuple[Spares, float, float]:
    """Those with which its requests agree best, how well, and what they would by chance.

    Args:
        zone: with its requests.
        before: spares of the zones before; where they are by cylinder these are too.
        top: how well requests of one of those agree at most.
    """
    tried = zone.by_cylinder() + zone.by_track()
    if zone.skews is not None:
        ranges = [Spares(n, of) for of in range(2, WIDEST + 1) for n in range(1, zone.most * of)]
        best, most, chance = _by_stated_skews(zone, tried + ranges)
        # Spares of each track as in all zones before, which requests agree with: no others.
        alike = best.cylinders == EACH_TRACK and before.count(best) == len(before) >= TELLING
        if most >= (STATED if alike else STATED_SURELY):
            return best, most, chance
        turned = _turned(zone, ranges, before, most if most >= STATED else None, top)
        if turned is not None:
            return turned[0], turned[1], chance
        if most >= STATED:
            return best, most, chance
    begun = zone.begun()
    ranged = len(before) < TELLING or any(one.cylinders > 1 for one in before)
    if ranged and not zone.along:
        tried += _by_range(begun)
    near = _best(
        tried, lambda one, least: begun.agreement(one.sectors, one.cylinders, least)[0], CLOSELY
    )
    found = {one: zone.agreement(one.sectors, one.cylinders) for one in near}
    most = max(strength for strength, _ in found.values())
    # Several cylinders have them in common only where that says more.
    best = max(found, key=lambda one: found[one][0] - (ALIKE if one.cylinders > 1 else 0.0))
    return best, most, found[best][1]


def _turned(
    zone: Zone, ranges: list[Spares], before: list[Spares], stated: float | None, top: float
) -> tuple[Spares, float] | None:
    """Ranges that begin at angles of their own, and how well requests agree, if they surely do.

    Args:
        zone: with its requests.
        ranges: that are tried.
        before: spares of the zones before; where they are by range, these are too.
        stated: how well requests agree with ranges by the profile's own skews, if they do.
        top: how well those of a zone before agree at most: what is left then are strays.
    """
    cylinders = _best(
        zone.by_cylinder(), lambda one, least: zone.agreement(one.sectors, 1, least)[0], 1
    )
    others = max(*cylinders.values(), stated or 0.0)
    least = max(STATED, top - TURNED_LEFT * (top - others), others + ALIKE)
    ranged = stated is None and sum(one.cylinders > 1 for one in before) >= TELLING
    enough = STATED if ranged else least
    ways: tuple[tuple[Callable[[Spares], float], float], ...] = (
        (zone.turned_agreement, least),
        # One that agrees by so much less than enough is not even as good as one that does.
        (lambda one: zone.near_agreement(one, enough - ALIKE), enough),
    )
    for way, wanted in ways:
        found = {one: way(one) for one in ranges}
        if max(found.values()) >= wanted:
            best = _least(found, zone.per_track)
            return best, found[best]
    return None


def _by_range(zone: Zone) -> list[Spares]:
    """Spares of several cylinders, where coarse ones agree best."""
    found = []
    step = DRIFT_TURNS * zone.per_track / zone.cylinders
    for width in WIDTHS:
        steps = np.arange(step, zone.most, step)

        def agreement(each: float, least: float, width: int = width) -> float:
            return zone.agreement(each * width, width, least)[0]

        for middle in _best(steps.tolist(), agreement, BEST):
            for cylinders in range(2, WIDEST + 1):
                least, most = ((middle + way * step) * cylinders for way in (-1, 1))
                ends = max(1, int(least)), int(most) + 2
                found += [Spares(sectors, cylinders) for sectors in range(*ends)]
    return list(dict.fromkeys(found))


def _best(
    tried: Iterable[_Tried], way: Callable[[_Tried, float], float], count: int
) -> dict[_Tried, float]:
    """So many of what is tried that agree best, the best first, and how well.

    Args:
        tried: in the order in which equals count.
        way: how well requests agree, or nothing where that is surely less than a number.
        count: how many.
    """
    found, best = dict[_Tried, float](), [0.0] * count
    for one in dict.fromkeys(tried):
        found[one] = way(one, best[0])
        heappushpop(best, found[one])
    order = sorted(found, key=lambda one: found[one], reverse=True)[:count]
    return {one: found[one] for one in order}
