"""Spare sectors of a drive whose profile states none.

A spare at the end of each track leaves fewer sectors with addresses than the track has, so that all
of them lie a little off. Spares at the end of each zone leave fewer addresses to it, so that tracks
of later zones begin at other ones. Either is taken if the platter is surely met better by it.
"""

from dataclasses import replace

import numpy as np

from platterlab._core import unit_numbers
from platterlab.calibration.platter.moved_reads import (
    ALIKE,
    LEAST_IN_ZONE,
    LEAST_MORE,
    MediaReads,
    by_first_zone,
    on_zones,
    room,
    states_spares,
    strength,
)
from platterlab.calibration.platter.regression import wrapped
from platterlab.calibration.platter.skews import is_surely_nearer
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.trace.observed import Floats, Whole
from platterlab.documents import Overrides

PER_TRACK = (1, 2)
"""Spare sectors of a track that are tried."""

PER_ZONE = 480
"""Spare sectors of a zone, at most."""

COARSE, PARTS = 8, 16
"""Sectors from one try to the next, or a part of a track if that is more; around the best ones
every one is tried."""

BEST = 3
"""Of the coarse tries, so many are looked at closely."""

ROUNDS = 5

AROUND = 16
"""Sectors beyond a track to either side of what was found, in which it is looked for again."""

SHARP_TURNS = 0.01
"""A request so far from where most are counts half."""


def with_spares_by_track(plain: Layout) -> Layout:
    """The same with spares at the end of each track, if the profile states none and has no defects.

    So it is with all that is found here.
    """
    found = plain
    if states_spares(plain):
        return plain
    for count in PER_TRACK:
        other = on_zones(plain, [_longer(zone, count) for zone in plain.stated["zone"]])
        if other is not None and is_surely_nearer(other.angles, found.angles):
            found = other
    return found


def _longer(zone: Overrides, count: int) -> Overrides:
    """The zone with so many spares on each track, beside the sectors that it has addresses for."""
    longer = {"sectors_per_track": zone["sectors_per_track"] + count}
    if (own := zone.get("surface_sectors_per_track")) is not None:
        longer["surface_sectors_per_track"] = [sectors + count for sectors in own]
    return zone | longer | {"sparing": {"kind": "track", "sectors": count}}


def with_spares_of_any_size(plain: Layout) -> Layout:
    """The same with spares at the end of each zone, be they as many as a cylinder has sectors.

    More of them have a zone's requests on the same tracks of other cylinders.
    """
    longest = max(int(zone["sectors_per_track"]) for zone in plain.stated["zone"])
    return with_spares_by_zone(plain, longest * plain.reading.seen.surfaces)


def with_spares_by_zone(plain: Layout, most_sectors: int = PER_ZONE) -> Layout:
    """The same with spares at the end of each zone, at most so many.

    Once most of the zones' addresses lie where they should, the angles are known better, and by
    them the rest.
    """
    zones = plain.stated["zone"]
    most = near_share(plain.reading, plain.angles)
    count = len(plain.angles.off_turns)
    if len(zones) < 2 or states_spares(plain):
        return plain
    if (1 - most) * count < LEAST_MORE:
        return plain
    found, moved = plain, np.zeros(len(zones), dtype=np.int64)
    for number in range(ROUNDS):
        known = found if number else replace(plain, angles=by_first_zone(plain))
        moved = _moved(known, moved, 0 if number else most_sectors)
        spared = [
            zone | ({"sparing": {"kind": "zone", "sectors": int(spares)}} if spares else {})
            for zone, spares in zip(zones, [*np.diff(moved), 0], strict=True)
        ]
        other = on_zones(plain, spared) if moved.any() else None
        share = near_share(other.reading, other.angles) if other else 0.0
        if other is None or (share - most) * count < (LEAST_MORE if found is plain else 1.0):
            break
        found, most = other, share
    return found


def _moved(layout: Layout, before: Whole, most_sectors: int) -> Whole:
    """By how many sectors the addresses of each zone are moved on, which never falls.

    Args:
        layout: on which they are by so many.
        before: by how many.
        most_sectors: of a zone's spares, where nothing is known of them yet; otherwise 0.
    """
    moved, zone = before.copy(), layout.reading.seen.first.zone
    for number in range(1, len(moved)):
        least = int(moved[number - 1])
        known = number < len(layout.angles.known) and layout.angles.known[number]
        moved[number] = max(least, before[number])
        if known and np.sum(zone == number) >= LEAST_IN_ZONE:
            around = layout.stated["zone"][number]["sectors_per_track"] + AROUND
            ends = (least, least + most_sectors) if most_sectors else (-around, around)
            reads = MediaReads.of_zone(layout, number)
            moved[number] = max(least, before[number] + _shift(reads, ends, fresh=most_sectors > 0))
    moved[:] = np.minimum(moved, before[-1] + room(layout))
    return moved


def _shift(reads: MediaReads, ends: tuple[int, int], *, fresh: bool) -> int:
    """By how many sectors more a zone's addresses are moved on, from so many to so many."""
    layout, number = reads.layout, reads.number
    if len(reads.lba) < LEAST_IN_ZONE:
        return max(ends[0], 0)
    around = int(layout.stated["zone"][number]["sectors_per_track"])
    step = max(COARSE, around // PARTS)
    ways = dict.fromkeys(range(ends[0], ends[1], step), layout.angles)
    if fresh:
        # A surface that seems turned may be tracks that others stand for: it is none yet.
        ways = {shift: reads.by_peak(shift) for shift in ways}
    agreed = strength if fresh else _nearness
    score = {shift: agreed(reads.late(shift, by)) for shift, by in ways.items()}
    best = sorted(ways, key=lambda shift: score[shift], reverse=True)[:BEST]
    for middle in best:
        for shift in range(max(ends[0], middle - step), middle + step + 1):
            score[shift] = agreed(reads.late(shift, ways[middle]))
    found = max(sorted(score), key=lambda shift: score[shift])
    for shift in range(found % around, found, around) if fresh else ():
        # Whole tracks more are another angle of the zone's first one.
        own = agreed(reads.late(shift, reads.by_peak(shift)))
        if shift >= ends[0] and own > (1 - ALIKE) * score[found]:
            return shift
    return found


def _nearness(late: Floats) -> float:
    """How many of them are near the one on which most agree."""
    off = wrapped(late - np.angle(np.sum(unit_numbers(2 * np.pi * late))) / (2 * np.pi))
    off = off - float(np.median(off)) if len(off) else off
    return float(np.sum(np.exp(-0.5 * (off / SHARP_TURNS) ** 2)))
