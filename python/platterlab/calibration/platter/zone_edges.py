"""Zones that begin some cylinders from where the profile has them: found zone by zone.

A cylinder more or fewer before a zone's first moves the addresses of all its tracks by what the
zone before has more to a cylinder, and where its tracks begin may be any angle anyhow. So each zone
by itself tells where it begins, from the first one on, whose beginning nothing moves: its requests
agree best on skews if their addresses are on the tracks where they are.
"""

from dataclasses import dataclass

import numpy as np

from platterlab._core import InputError, unit_numbers
from platterlab.calibration.platter.cylinder_spares import MOST, views_of
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.unlisted_spares import LEAST_IN_ZONE, LEAST_MORE, on_zones
from platterlab.calibration.trace.observed import HEADS_FIRST, Floats, Whole, places_of
from platterlab.calibration.trace.peaks import transform_peak
from platterlab.documents import Json

REACH = 6
"""Cylinders to either side of where the profile has a zone begin."""

ALIKE = 0.004
"""Requests that agree less well by so much agree as well: the fewest cylinders are taken."""


def with_zone_edges(plain: Layout) -> Layout:
    """The same with zones that begin elsewhere, if more requests are near the lattice by that."""
    zones = plain.stated["zone"]
    count, most = len(plain.angles.off_turns), near_share(plain.reading, plain.angles)
    if len(zones) < 2 or (1 - most) * count < LEAST_MORE or not all(map(_is_movable, zones)):
        return plain
    best = plain
    for lba, waiting in views_of(plain):
        turns = waiting.end_ms / plain.reading.period.rotation_ms - waiting.turns
        order = np.argsort(lba, kind="stable")
        told = _Told(plain, lba[order], np.asarray(turns, dtype=np.float64)[order])
        moved = told.moved()
        other = on_zones(plain, _begun(zones, moved)) if any(moved) else None
        share = near_share(other.reading, other.angles) if other else 0.0
        if other and (share - most) * count > LEAST_MORE:
            best, most = other, share
        if most > MOST:
            break
    return best


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


@dataclass(frozen=True)
class _Told:
    """Requests in the order of their addresses, and what they tell of where zones begin.

    Attributes:
        plain: the layout with zones as the profile has them.
        lba: of the requests.
        turns: where the platter was at each, less what came after that address.
    """

    plain: Layout
    lba: Whole
    turns: Floats

    def moved(self) -> list[int]:
        """By how many cylinders each zone begins later."""
        zones = self.plain.stated["zone"]
        found = [0] * len(zones)
        for number in range(1, len(zones)):
            strengths = {}
            for by in range(-REACH, REACH + 1):
                tried = [*found[:number], by, *found[number + 1 :]]
                strengths[by] = self._agreement(tried, number)
            most = max(strengths.values())
            alike = [by for by, strength in strengths.items() if strength > most - ALIKE]
            found[number] = min(alike, key=abs)
        return found

    def _agreement(self, moved: list[int], number: int) -> float:
        """How well a zone's requests agree, begun so; 0 where it cannot or too few tell."""
        plain = self.plain
        try:
            zones = _begun(plain.stated["zone"], moved)
            profile = plain.profile.with_overrides({"zone": zones})
        except InputError:
            return 0.0
        seen = plain.reading.seen
        fits = self.lba < profile.capacity_sectors
        places = places_of(profile, self.lba[fits], seen.surfaces, seen.own)
        here = np.flatnonzero(places.zone == number)
        if len(here) < LEAST_IN_ZONE:
            return 0.0
        late = self.turns[fits][here] - places.from_zero[here]
        step = places.step[here]
        cells = max(256, 1 << int(np.ceil(np.log2(4 * (int(np.ptp(step)) + 1)))))
        unit = unit_numbers(2 * np.pi * late)
        return transform_peak(unit, places.head[here], step, cells).strength
