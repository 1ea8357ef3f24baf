"""Zones that begin some cylinders from where the profile has them: found zone by zone.

A cylinder more or fewer before a zone's first moves the addresses of all its tracks by what the
zone before has more to a cylinder, and where its tracks begin may be any angle anyhow. So each zone
by itself tells where it begins, from the first one on, whose beginning nothing moves: its requests
agree best on skews if their addresses are on the tracks where they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from platterlab._core import InputError, unit_numbers
from platterlab.calibration.buffer.read_completion import AtShare, Following, Streamed, waited_for
from platterlab.calibration.platter.moved_reads import LEAST_MORE, on_zones
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.zone_peaks import sums_of
from platterlab.calibration.trace.observed import Floats, Whole, own_angles, places_of
from platterlab.documents import Json

NEAR, FAR = 6, 24
"""Cylinders to either side of where the profile has a zone begin. Zones of few requests agree by
chance on one of many places, so that nearer ones are looked at by themselves, too. Of places closer
to each other than that the best one counts."""

AGREED, AS_WELL = 0.9, 0.9
"""Requests of the first zone, which begins where it should, agree by so much, or something else
is wrong with all zones; and those of a zone about as well as those of the zones before."""

CELLS_EACH = 16
"""Of the transform, to a step: with fewer requests seem to agree less well on angles between."""

LEAST_IN_ZONE = 22
"""Requests without which a zone tells nothing: fewer agree on some angles by chance."""

MOST_MET = 0.5
"""Of the requests that are off, so many are near by it: fewer are so where tracks are slipped, as
some cylinders more are nearly whole tracks."""

ALIKE = 0.004
"""Requests that agree less well by so much where the profile has their zone agree as well."""


def with_zone_edges(plain: Layout) -> Layout:
    """The same with zones that begin elsewhere, if more requests are near the lattice by that."""
    zones = plain.stated["zone"]
    count, most = len(plain.angles.off_turns), near_share(plain.reading, plain.angles)
    if len(zones) < 2 or (1 - most) * count < LEAST_MORE or any("pass" in zone for zone in zones):
        return plain
    ways = product(_ways(plain), (NEAR, FAR))
    moves = dict.fromkeys(tuple(_moved(told, reach)) for told, reach in ways)
    tried = (on_zones(plain, _begun(zones, moved)) for moved in moves if any(moved))
    shares = [(near_share(other.reading, other.angles), other) for other in tried if other]
    share, best = max(shares, key=lambda way: way[0], default=(0.0, plain))
    more = max(LEAST_MORE / count, MOST_MET * (1 - most))
    return best if share - most > more else plain


def _ways(plain: Layout) -> "list[_Told]":
    """How reads may follow the platter: as requests of the first zone agree best, or as well.

    Of few reads over a track's end hardly any tell a bus as fast as the platter, that starts with
    the first sector, from any that is faster.
    """
    fast = replace(plain, angles=replace(plain.angles, sector_ms=0.0))
    known = dict.fromkeys((plain.angles.reads, AtShare(1.0), Streamed()))
    ways = [*(_Told(plain, way) for way in known), _Told(fast, Streamed())]
    at_zero = [0] * len(plain.stated["zone"])
    agreed = [told.agreement(at_zero, 0, NEAR) for told in ways]
    least = max(AGREED, max(agreed) - ALIKE)
    return [told for told, own in zip(ways, agreed, strict=True) if own >= least]


def _begun(zones: list[Json], moved: Sequence[int]) -> list[Json]:
    """The zones with each begun so many cylinders on."""
    found = []
    for number, zone in enumerate(zones):
        first, last = zone["cylinders"]
        behind = moved[number + 1] if number + 1 < len(moved) else 0
        found.append(zone | {"cylinders": [first + moved[number], last + behind]})
    return found


def _moved(told: "_Told", most_cylinders: int) -> list[int]:
    """By how many cylinders, at most so many, each zone begins later, as far as requests tell.

    One of which too few do may begin anywhere: where the next one agrees with no beginning of its
    own, it is looked for together with that.
    """
    found = [0] * len(told.plain.stated["zone"])
    agreed = [max(told.agreement(found, 0, reach) for reach in (NEAR, FAR))]
    is_open = False
    for number in range(1, len(found)):
        least = AS_WELL * float(np.median(agreed))
        best, most = _begun_best(told, found, number, (most_cylinders, least))
        if most < least and is_open:
            for by in range(-NEAR, NEAR + 1):
                way = [*found[: number - 1], by, *found[number:]]
                other, own = _begun_best(told, way, number, (NEAR, least))
                best, most = (other, own) if own > most else (best, most)
        is_open = most < least
        if not is_open:
            agreed.append(most)
            found = best
    return found


def _begun_best(
    told: "_Told", found: list[int], number: int, limits: tuple[int, float]
) -> tuple[list[int], float]:
    """Where a zone begins best, and how well its requests agree then.

    Args:
        told: what requests tell.
        found: by how many cylinders each zone begins later so far.
        number: of the zone.
        limits: cylinders that it may, and how well its requests have to agree.
    """
    most_cylinders, least = limits
    strengths: dict[int, float] = {}
    ways: dict[int, list[int]] = {}
    # Hardly farther than to its end does a zone begin later.
    for reach in dict.fromkeys((most_cylinders, NEAR)):
        ways = {by: [*found[:number], by, *found[number + 1 :]] for by in range(-reach, reach + 1)}
        strengths = {by: told.agreement(way, number, reach) for by, way in ways.items()}
        if max(strengths.values()) >= least:
            break
    else:
        return found, max(strengths.values())
    most = max(strengths.values())
    # Some tracks more are whole ones, on which it agrees as well: what lies between tells.
    astray = {by: told.astray(ways[by], number, reach) for by in (0, *_tops(strengths))}
    best = min(astray, key=lambda by: astray[by])
    moves = strengths[0] < most - ALIKE or astray[best] < astray[0] - LEAST_MORE
    return (ways[best] if moves else found), most


def _tops(strengths: dict[int, float]) -> list[int]:
    """By how many cylinders a zone may begin later, if requests agree so well on each."""
    least = max(strengths.values()) - ALIKE
    return [
        by
        for by, own in strengths.items()
        if own >= least
        and own == max(strengths.get(by + off, 0.0) for off in range(-NEAR, NEAR + 1))
    ]


@dataclass(frozen=True)
class _Told:
    """What requests that wait for the media tell of where zones begin.

    Attributes:
        plain: the layout with zones as the profile has them.
        way: how reads follow the platter.
    """

    plain: Layout
    way: Following

    def astray(self, moved: list[int], number: int, reach: int) -> float:
        """How many requests of a zone begun so, and of all the zone before, do not agree."""
        parts = self._agreed(moved, number, reach), self._agreed(moved, number - 1, 0)
        return sum((1 - strength) * count for strength, count in parts)

    def agreement(self, moved: list[int], number: int, reach: int) -> float:
        """How well a zone's requests agree, begun so; 0 where it cannot or too few tell."""
        return self._agreed(moved, number, reach)[0]

    def _agreed(self, moved: list[int], number: int, reach: int) -> tuple[float, int]:
        """How well a zone's requests agree, begun so, and how many there are; 0 where too few tell.

        By the sector that each waited for last, so that all of them tell, wherever tracks then end;
        and before the cylinders that are the next zone's if that begins so many earlier.
        """
        reading, seen = self.plain.reading, self.plain.reading.seen
        media = ~reading.is_hit & np.isfinite(seen.service_ms)
        if not reading.writes_wait:
            media &= ~seen.write
        try:
            zones = _begun(self.plain.stated["zone"], moved)
            profile = self.plain.profile.with_overrides({"zone": zones})
        except InputError:
            return 0.0, 0
        # What later zones lack so far, the last addresses are beyond.
        fits = seen.lba + seen.sectors <= profile.capacity_sectors
        rows = np.flatnonzero(media & fits & (np.abs(seen.first.zone - number) <= 1))
        lba, turns = self._ends(rows, float(zones[number]["sectors_per_track"]))
        # Passes may be as long as their zone.
        own = own_angles(profile, seen.surfaces, seen.own.free)
        places = places_of(profile, lba, seen.surfaces, own)
        last = zones[number]["cylinders"][1] - (reach if number + 1 < len(zones) else 0)
        here = (places.zone == number) & (places.cylinder <= last)
        if here.sum() < LEAST_IN_ZONE:
            return 0.0, 0
        late = unit_numbers(2 * np.pi * (turns - places.from_zero)[here])
        peak = sums_of(late, places.head[here], places.step[here], CELLS_EACH).peak()
        return peak.strength, int(here.sum())

    def _ends(self, rows: Whole, per_track: float) -> tuple[Whole, Floats]:
        """The sectors that some requests waited for last, and where the platter was at their start.

        Of a read that goes over a track's end that is one behind it.
        """
        angles, seen = self.plain.angles, self.plain.reading.seen
        sectors, end_ms, write = seen.sectors[rows], seen.end_ms[rows], seen.write[rows]
        wide = sectors.astype(np.float64)
        bus_share = angles.bus_share(np.full(len(rows), per_track))
        passed = np.where(write, wide, self.way.passed(wide, bus_share))
        behind = np.where(write, wide - 1, waited_for(self.way, wide, bus_share))
        bus_ms = np.where(write, angles.write_turns * angles.rotation_ms, angles.sector_ms * wide)
        platter_ms = end_ms - bus_ms - angles.lag(end_ms)
        turns = platter_ms / angles.rotation_ms - (passed - behind) / per_track
        return seen.lba[rows] + behind.astype(np.int64), np.asarray(turns, dtype=np.float64)
