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
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.unlisted_spares import LEAST_IN_ZONE, LEAST_MORE, on_zones
from platterlab.calibration.trace.observed import HEADS_FIRST, Floats, Places, Whole, places_in
from platterlab.calibration.trace.peaks import transform_peak
from platterlab.documents import Json

NEAR, FAR = 6, 24
"""Cylinders to either side of where the profile has a zone begin. So many more as are farther than
the former may be whole tracks, so that of places so far apart the nearer one is likelier."""

AGREED, AS_WELL = 0.9, 0.9
"""Requests of the first zone, which begins where it should, agree by so much, or something else
is wrong with all zones; and those of a zone about as well as those of the zones before."""

MOST_MET = 0.5
"""Of the requests that are off, so many are near by it: fewer are so where tracks are slipped, as
some cylinders more are nearly whole tracks."""

ALIKE = 0.004
"""Requests that agree less well by so much where the profile has their zone agree as well."""


def with_zone_edges(plain: Layout, reach: int = NEAR) -> Layout:
    """The same with zones that begin elsewhere, if more requests are near the lattice by that."""
    zones = plain.stated["zone"]
    count, most = len(plain.angles.off_turns), near_share(plain.reading, plain.angles)
    if len(zones) < 2 or (1 - most) * count < LEAST_MORE or not all(map(_is_movable, zones)):
        return plain
    moved = _moved(plain, reach)
    other = on_zones(plain, _begun(zones, moved)) if any(moved) else None
    share = near_share(other.reading, other.angles) if other else 0.0
    more = max(LEAST_MORE / count, MOST_MET * (1 - most))
    return other if other and share - most > more else plain


def with_far_zone_edges(plain: Layout) -> Layout:
    """The same with zones that may begin far from where the profile has them."""
    return with_zone_edges(plain, FAR)


def _is_movable(zone: Json) -> bool:
    """Whether a zone may have a cylinder more or fewer."""
    return zone.get("order", "traditional") in HEADS_FIRST and "pass" not in zone


def _begun(zones: list[Json], moved: list[int]) -> list[Json]:
    """The zones with each begun so many cylinders on."""
    found = []
    for number, zone in enumerate(zones):
        first, last = zone["cylinders"]
        behind = moved[number + 1] if number + 1 < len(moved) else 0
        found.append(zone | {"cylinders": [first + moved[number], last + behind]})
    return found


def _moved(plain: Layout, reach: int) -> list[int]:
    """By how many cylinders, at most so many, each zone begins later, as far as requests tell."""
    found = [0] * len(plain.stated["zone"])
    # How reads follow the platter is known as well as zones are: the first one says, or what is
    # known so far.
    known = plain.angles.reads
    told = max(
        (_Told(plain, way) for way in (known, AtShare(1.0), Streamed())),
        key=lambda told: told.agreement(found, 0),
    )
    agreed = [told.agreement(found, 0)]
    if agreed[0] < AGREED:
        return found
    for number in range(1, len(found)):
        strengths = {
            by: told.agreement([*found[:number], by, *found[number + 1 :]], number)
            for by in range(-reach, reach + 1)
        }
        most = max(strengths.values())
        if most < AS_WELL * float(np.median(agreed)):
            continue
        agreed.append(most)
        if strengths[0] < most - ALIKE:
            found[number] = _likeliest(strengths)
    return found


def _likeliest(strengths: dict[int, float]) -> int:
    """By how many cylinders a zone begins later, if requests agree so well on each."""
    least = max(strengths.values()) - ALIKE
    tops = [
        by
        for by, own in strengths.items()
        if own >= least
        and own == max(strengths.get(by + off, 0.0) for off in range(-NEAR, NEAR + 1))
    ]
    return min(tops, key=abs)


@dataclass(frozen=True)
class _Told:
    """What reads from the media tell of where zones begin.

    Attributes:
        plain: the layout with zones as the profile has them.
        way: how reads follow the platter.
    """

    plain: Layout
    way: Following

    def agreement(self, moved: list[int], number: int) -> float:
        """How well a zone's reads agree, begun so; 0 where it cannot or too few tell.

        Of those that are on one track then, whatever the profile's zones make of them.
        """
        reading, seen = self.plain.reading, self.plain.reading.seen
        media = ~reading.is_hit & ~seen.write & np.isfinite(seen.service_ms)
        rows = np.flatnonzero(media & (np.abs(seen.first.zone - number) <= 1))
        try:
            zones = _begun(self.plain.stated["zone"], moved)
            profile = self.plain.profile.with_overrides({"zone": zones})
            extents = seen.lba[rows].astype(np.uint64), seen.sectors[rows].astype(np.uint64)
            table = runs(profile, *extents)
        except InputError:
            return 0.0
        pieces = np.bincount(table["request"], minlength=len(rows))
        places = places_in(table, np.cumsum(pieces) - pieces, seen.surfaces, seen.own)
        here = np.flatnonzero((pieces == 1) & (places.zone == number))
        if len(here) < LEAST_IN_ZONE:
            return 0.0
        late = self._late(rows[here], places, here)
        head, step = places.head[here], places.step[here]
        cells = max(256, 1 << int(np.ceil(np.log2(4 * (int(np.ptp(step)) + 1)))))
        return transform_peak(unit_numbers(2 * np.pi * late), head, step, cells).strength

    def _late(self, rows: Whole, places: Places, here: Whole) -> Floats:
        """By how many turns some reads are late, with all tracks beginning at one angle."""
        angles, seen = self.plain.angles, self.plain.reading.seen
        sectors, per_track = seen.sectors[rows].astype(np.float64), places.per_track[here]
        end_ms = seen.end_ms[rows]
        platter_ms = end_ms - angles.sector_ms * sectors - angles.lag(end_ms)
        passed = self.way.passed(sectors, angles.bus_share(per_track)) / per_track
        late = platter_ms / angles.rotation_ms - passed - places.from_zero[here]
        return np.asarray(late, dtype=np.float64)
