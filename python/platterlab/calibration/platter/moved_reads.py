"""Reads of a zone from the media, moved on to the tracks that other spares would have them on.

A zone's addresses moved on by some sectors are on the drive's tracks where its requests agree best
on some skews.
"""

from dataclasses import dataclass, replace

import numpy as np

from platterlab._core import InputError, runs, unit_numbers
from platterlab.calibration.buffer.read_completion import waited_for
from platterlab.calibration.platter.followed import follow
from platterlab.calibration.platter.regression import NO_DRIFT, Angles
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slipped_layout import Layout
from platterlab.calibration.platter.zone_peaks import sums_of
from platterlab.calibration.trace.observed import Floats, Places, Whole, places_in, stated_of
from platterlab.calibration.trace.reading import Reading
from platterlab.calibration.trace.rotation_period import Waiting
from platterlab.documents import Overrides

ALIKE = 1e-3
"""Requests that agree less well by such a share agree as well."""

LEAST_IN_ZONE = 40
"""Requests without which a zone tells nothing of what lies before it."""

LEAST_MORE = 9.0
"""So many more requests have to be near the lattice: three standard errors of that number."""


@dataclass(frozen=True)
class MediaReads:
    """Requests of a zone that waited for the platter, which may be on other tracks of it.

    Attributes:
        layout: on which they are in the zone.
        number: of the zone.
        lba: by the sector that was there last: a request that goes over a track's end ends behind.
        turns: where the platter was at that sector's start.
    """

    layout: Layout
    number: int
    lba: Whole
    turns: Floats

    @classmethod
    def of_zone(cls, layout: Layout, number: int) -> "MediaReads":
        """Those of a layout."""
        reading, angles = layout.reading, layout.angles
        waiting = reading.waiting(with_writes=False)
        here = reading.seen.first.zone[waiting.which] == number
        rows, end_ms = waiting.which[here], waiting.end_ms[here]
        sectors, per_track = reading.seen.sectors[rows], reading.seen.first.per_track[rows]
        passed = angles.passed(sectors, per_track)
        wide = sectors.astype(np.float64)
        behind = waited_for(angles.reads, wide, angles.bus_share(per_track))
        platter_ms = end_ms - angles.sector_ms * sectors - angles.lag(end_ms)
        turns = platter_ms / angles.rotation_ms - (passed - behind) / per_track
        return cls(layout, number, reading.seen.lba[rows] + behind.astype(np.int64), turns)

    def late(self, shift: int, by: Angles) -> Floats:
        """What they are late by under some angles, moved on by so many sectors."""
        return _late(self.layout, self.number, by, (self.lba + shift, self.turns))[1]

    def by_peak(self, shift: int) -> Angles:
        """The skews on which they agree best, moved on by so many sectors."""
        bare = _bare(self.layout.angles)
        places, late = _late(self.layout, self.number, bare, (self.lba + shift, self.turns))
        return _by_peak(places, late, bare)


def by_first_zone(layout: Layout) -> Angles:
    """The platter, where it is followed, as requests of the first zone have it.

    No spares move the addresses of that; those of other zones are anywhere until spares are known.
    """
    reading, angles = layout.reading, layout.angles
    waiting = reading.waiting(with_writes=True)
    here = reading.seen.first.zone[waiting.which] == 0
    if not angles.tracked or here.sum() < LEAST_IN_ZONE:
        return angles
    own = Waiting(waiting.which[here], waiting.end_ms[here], waiting.turns[here])
    return follow(reading.seen, own, replace(angles, drift_ms=NO_DRIFT))


def room(layout: Layout) -> int:
    """By so many sectors addresses can be moved on, for those that are asked for to be there."""
    columns = layout.reading.requests.columns()
    return layout.profile.capacity_sectors - int(np.max(columns["lba"] + columns["sectors"]))


def _bare(angles: Angles) -> Angles:
    """The same of a drive on which all tracks begin at one angle."""
    none = np.zeros(len(angles.offset))
    return replace(
        angles, offset=none, head=none, step=none, group=none, surface=0 * angles.surface
    )


def _by_peak(places: Places, late: Floats, bare: Angles) -> Angles:
    """The skews on which some requests agree best, by what they are late by without any."""
    if not len(late):
        return bare
    peak = sums_of(unit_numbers(2 * np.pi * late), places.head, places.step).peak()
    ones = np.ones(len(bare.offset))
    return replace(bare, head=peak.head_turns * ones, step=peak.step_turns * ones)


def _late(
    layout: Layout, number: int, angles: Angles, requests: tuple[Whole, Floats]
) -> tuple[Places, Floats]:
    """Where requests at some addresses are that are in a zone, and what they are late by there."""
    reading, (lba, turns) = layout.reading, requests
    inside = np.flatnonzero((lba >= 0) & (lba < layout.profile.capacity_sectors))
    table = runs(
        layout.profile, lba[inside].astype(np.uint64), np.ones_like(inside, dtype=np.uint64)
    )
    there = np.flatnonzero(table["zone"] == number)
    inside = inside[there]
    places = places_in(table, there, reading.seen.surfaces, reading.seen.own)
    late = turns[inside] - places.from_zero - angles.track(places, np.arange(len(inside)))
    return places, np.asarray(late, dtype=np.float64)


def strength(late: Floats) -> float:
    """How much some requests agree on an angle."""
    return float(np.abs(np.sum(unit_numbers(2 * np.pi * late))))


def states_spares(layout: Layout) -> bool:
    """Whether a profile has spares, or defects that some stand in for, or lists passes."""
    zones = layout.stated["zone"]
    return any("sparing" in zone or "pass" in zone for zone in zones) or "defect" in layout.stated


def on_zones(plain: Layout, zones: list[Overrides]) -> Layout | None:
    """The layout with other zones; None where it has no room for the trace's requests."""
    found = {"zone": zones}
    try:
        profile = plain.profile.with_overrides(found)
        reading: Reading = plain.reading.under(profile)
    except InputError:
        return None
    stated = stated_of(profile)
    angles = angles_of(reading, stated)
    return replace(
        plain, profile=profile, stated=stated, reading=reading, angles=angles,
        overrides=plain.overrides | found,
    )  # fmt: skip
