"""Zones that begin some cylinders from where the profile has them: found zone by zone.

A cylinder more or fewer before a zone's first moves the addresses of all its tracks by what the
zone before has more to a cylinder, and where its tracks begin may be any angle anyhow. So each zone
by itself tells where it begins, from the first one on, whose beginning nothing moves: its requests
agree best on skews if their addresses are on the tracks where they are.
"""

from dataclasses import dataclass

import numpy as np

from platterlab._core import InputError, runs, unit_numbers
from platterlab.calibration.buffer.read_completion import AtShare, Following, Streamed
from platterlab.calibration.platter.skews import sums_of
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.unlisted_spares import LEAST_IN_ZONE, LEAST_MORE, on_zones
from platterlab.calibration.trace.observed import Floats, Places, Whole, own_angles, places_in
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

MOST_MET = 0.5
"""Of the requests that are off, so many are near by it: fewer are so where tracks are slipped, as
some cylinders more are nearly whole tracks."""

ALIKE = 0.004
"""Requests that agree less well by so much where the profile has their zone agree as well."""


def with_zone_edges(plain: Layout) -> Layout:
    """The same with zones that begin elsewhere, if more requests are near the lattice by that."""
    ways = [_within(plain, reach) for reach in (NEAR, FAR)]
    return max(ways, key=lambda way: near_share(way.reading, way.angles))


def _within(plain: Layout, reach: int) -> Layout:
    """The same with those that begin so many cylinders away at most."""
    zones = plain.stated["zone"]
    count, most = len(plain.angles.off_turns), near_share(plain.reading, plain.angles)
    if len(zones) < 2 or (1 - most) * count < LEAST_MORE or any("pass" in zone for zone in zones):
        return plain
    moved = _moved(plain, reach)
    other = on_zones(plain, _begun(zones, moved)) if any(moved) else None
    share = near_share(other.reading, other.angles) if other else 0.0
    more = max(LEAST_MORE / count, MOST_MET * (1 - most))
    return other if other and share - most > more else plain


def _begun(zones: list[Json], moved: list[int]) -> list[Json]:
    """The zones with each begun so many cylinders on."""
    found = []
    for number, zone in enumerate(zones):
        first, last = zone["cylinders"]
        behind = moved[number + 1] if number + 1 < len(moved) else 0
        found.append(zone | {"cylinders": [first + moved[number], last + behind]})
    return found


def _moved(plain: Layout, most_cylinders: int) -> list[int]:
    """By how many cylinders, at most so many, each zone begins later, as far as requests tell."""
    found = [0] * len(plain.stated["zone"])
    # How reads follow the platter is known as well as zones are: the first one says, or what is
    # known so far.
    known = plain.angles.reads
    told = max(
        (_Told(plain, way) for way in (known, AtShare(1.0), Streamed())),
        key=lambda told: told.agreement(found, 0, NEAR),
    )
    agreed = [max(told.agreement(found, 0, reach) for reach in (NEAR, FAR))]
    if agreed[0] < AGREED:
        return found
    for number in range(1, len(found)):
        before = float(np.median(agreed))
        # Hardly farther than to its end does a zone begin later.
        for reach in dict.fromkeys((most_cylinders, NEAR)):
            ways = {
                by: [*found[:number], by, *found[number + 1 :]] for by in range(-reach, reach + 1)
            }
            strengths = {by: told.agreement(way, number, reach) for by, way in ways.items()}
            most = max(strengths.values())
            if most >= AS_WELL * before:
                break
        else:
            continue
        agreed.append(most)
        # Some tracks more are whole ones, on which it agrees as well: what lies between tells.
        astray = {by: told.astray(ways[by], number, reach) for by in (0, *_tops(strengths))}
        best = min(astray, key=lambda by: astray[by])
        if strengths[0] < most - ALIKE or astray[best] < astray[0] - LEAST_MORE:
            found = ways[best]
    return found


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
    """What reads from the media tell of where zones begin.

    Attributes:
        plain: the layout with zones as the profile has them.
        way: how reads follow the platter.
    """

    plain: Layout
    way: Following

    def astray(self, moved: list[int], number: int, reach: int) -> float:
        """How many reads of a zone begun so, and of all the zone before, do not agree."""
        parts = self._agreed(moved, number, reach), self._agreed(moved, number - 1, 0)
        return sum((1 - strength) * count for strength, count in parts)

    def agreement(self, moved: list[int], number: int, reach: int) -> float:
        """How well a zone's reads agree, begun so; 0 where it cannot or too few tell."""
        return self._agreed(moved, number, reach)[0]

    def _agreed(self, moved: list[int], number: int, reach: int) -> tuple[float, int]:
        """How well a zone's reads agree, begun so, and how many there are; 0 where too few tell.

        Of those that are on one track then, whatever the profile's zones make of them, and before
        the cylinders that are the next zone's if that begins so many earlier.
        """
        reading, seen = self.plain.reading, self.plain.reading.seen
        media = ~reading.is_hit & ~seen.write & np.isfinite(seen.service_ms)
        try:
            zones = _begun(self.plain.stated["zone"], moved)
            profile = self.plain.profile.with_overrides({"zone": zones})
        except InputError:
            return 0.0, 0
        # What later zones lack so far, the last addresses are beyond.
        fits = seen.lba + seen.sectors <= profile.capacity_sectors
        rows = np.flatnonzero(media & fits & (np.abs(seen.first.zone - number) <= 1))
        extents = seen.lba[rows].astype(np.uint64), seen.sectors[rows].astype(np.uint64)
        table = runs(profile, *extents)
        # Passes may be as long as their zone.
        own = own_angles(profile, seen.surfaces, seen.own.free)
        pieces = np.bincount(table["request"], minlength=len(rows))
        places = places_in(table, np.cumsum(pieces) - pieces, seen.surfaces, own)
        last = zones[number]["cylinders"][1] - (reach if number + 1 < len(zones) else 0)
        inside = (places.zone == number) & (places.cylinder <= last)
        here = np.flatnonzero((pieces == 1) & inside)
        if len(here) < LEAST_IN_ZONE:
            return 0.0, 0
        late = self._late(rows[here], places, here)
        peak = sums_of(
            unit_numbers(2 * np.pi * late), places.head[here], places.step[here], CELLS_EACH
        ).peak()
        return peak.strength, len(here)

    def _late(self, rows: Whole, places: Places, here: Whole) -> Floats:
        """By how many turns some reads are late, with all tracks beginning at one angle."""
        angles, seen = self.plain.angles, self.plain.reading.seen
        sectors, per_track = seen.sectors[rows].astype(np.float64), places.per_track[here]
        end_ms = seen.end_ms[rows]
        platter_ms = end_ms - angles.sector_ms * sectors - angles.lag(end_ms)
        passed = self.way.passed(sectors, angles.bus_share(per_track)) / per_track
        late = platter_ms / angles.rotation_ms - passed - places.from_zero[here]
        return np.asarray(late, dtype=np.float64)
