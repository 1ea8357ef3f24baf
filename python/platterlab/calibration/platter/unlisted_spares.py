"""Spare sectors of a drive whose profile states none.

A spare at the end of each track leaves fewer sectors with addresses than the track has, so that all
of them lie a little off. Spares at the end of each zone leave fewer addresses to it, so that tracks
of later zones begin at other ones. Either is taken if the platter is surely met better by it.
"""

from dataclasses import replace

import numpy as np

from platterlab._core import InputError, runs, unit_numbers
from platterlab.calibration.buffer.read_completion import waited_for
from platterlab.calibration.platter.followed import follow
from platterlab.calibration.platter.regression import NO_DRIFT, Angles, wrapped
from platterlab.calibration.platter.skews import angles_of, is_surely_nearer
from platterlab.calibration.platter.slipped_layout import Layout, in_turn, near_share
from platterlab.calibration.trace.observed import Floats, Places, Whole, places_in, stated_of
from platterlab.calibration.trace.peaks import transform_peak
from platterlab.calibration.trace.reading import Reading
from platterlab.calibration.trace.rotation_period import Waiting
from platterlab.documents import Overrides

PER_TRACK = (1, 2)
"""Spare sectors of a track that are tried."""

PER_ZONE = 480
"""Spare sectors of a zone, at most."""

COARSE, FINE = 8, 8
"""Sectors from one try to the next, and around the best ones every one."""

BEST = 3
"""Of the coarse tries, so many are looked at closely."""

ROUNDS = 5

AROUND = 16
"""Sectors beyond a track to either side of what was found, in which it is looked for again."""

ALIKE = 1e-3
"""Requests that agree less well by such a share agree as well."""

SHARP_TURNS = 0.01
"""A request so far from where most are counts half."""

LEAST_IN_ZONE = 40
"""Requests without which a zone tells nothing of what lies before it."""

LEAST_MORE = 9.0
"""So many more requests have to be near the lattice: three standard errors of that number."""


def with_spares(plain: Layout) -> Layout:
    """The same with spares, if the profile has none and requests tell of them."""
    zones = plain.stated["zone"]
    if any("sparing" in zone or "pass" in zone for zone in zones) or "defect" in plain.stated:
        return plain
    return in_turn(plain, _by_track, _by_zone)


def _by_track(plain: Layout) -> Layout:
    """The same with spares at the end of each track."""
    found = plain
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


def _by_zone(plain: Layout) -> Layout:
    """The same with spares at the end of each zone.

    Once most of the zones' addresses lie where they should, the angles are known better, and by
    them the rest.
    """
    zones = plain.stated["zone"]
    most = near_share(plain.reading, plain.angles)
    count = len(plain.angles.off_turns)
    if len(zones) < 2 or any("sparing" in zone for zone in zones):
        return plain
    if (1 - most) * count < LEAST_MORE:
        return plain
    found, moved = plain, np.zeros(len(zones), dtype=np.int64)
    for number in range(ROUNDS):
        known = found if number else replace(plain, angles=_by_first_zone(plain))
        moved = _moved(known, moved, fresh=number == 0)
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


def _by_first_zone(layout: Layout) -> Angles:
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


def _moved(layout: Layout, before: Whole, *, fresh: bool) -> Whole:
    """By how many sectors the addresses of each zone are moved on, which never falls.

    Args:
        layout: on which they are by so many.
        before: by how many.
        fresh: whether nothing is known of them yet.
    """
    moved, zone = before.copy(), layout.reading.seen.first.zone
    for number in range(1, len(moved)):
        least = int(moved[number - 1])
        known = number < len(layout.angles.known) and layout.angles.known[number]
        moved[number] = max(least, before[number])
        if known and np.sum(zone == number) >= LEAST_IN_ZONE:
            around = layout.stated["zone"][number]["sectors_per_track"] + AROUND
            ends = (least, least + PER_ZONE) if fresh else (-around, around)
            moved[number] = max(least, before[number] + _shift(layout, number, ends, fresh=fresh))
    moved[:] = np.minimum(moved, before[-1] + _room(layout))
    return moved


def _room(layout: Layout) -> int:
    """By so many sectors addresses can be moved on, for those that are asked for to be there."""
    columns = layout.reading.requests.columns()
    return layout.profile.capacity_sectors - int(np.max(columns["lba"] + columns["sectors"]))


def _shift(layout: Layout, number: int, ends: tuple[int, int], *, fresh: bool) -> int:
    """By how many sectors more a zone's addresses are moved on, from so many to so many."""
    reading, angles = layout.reading, layout.angles
    waiting = reading.waiting(with_writes=False)
    here = reading.seen.first.zone[waiting.which] == number
    rows, end_ms = waiting.which[here], waiting.end_ms[here]
    if len(rows) < LEAST_IN_ZONE:
        return max(ends[0], 0)
    sectors, per_track = reading.seen.sectors[rows], reading.seen.first.per_track[rows]
    passed = angles.passed(sectors, per_track)
    # By the sector that was there last: a request that goes over a track's end ends behind it.
    behind = waited_for(angles.reads, sectors.astype(np.float64), angles.bus_share(per_track))
    lba = reading.seen.lba[rows] + behind.astype(np.int64)
    platter_ms = end_ms - angles.sector_ms * sectors - angles.lag(end_ms)
    media = (passed - behind) / per_track
    turns = np.asarray(platter_ms / angles.rotation_ms - media, dtype=np.float64)

    def late(shift: int, by: Angles) -> tuple[Places, Floats]:
        return _late(layout, number, by, (lba + shift, turns))

    # A surface that seems turned may be tracks that others stand for: at first it is no surface.
    free = fresh and not reading.seen.own.passes[number]
    around = int(layout.stated["zone"][number]["sectors_per_track"])
    ways = dict.fromkeys(range(ends[0], ends[1], COARSE), angles)
    if free:
        ways = {shift: _by_peak(*late(shift, _bare(angles)), angles) for shift in ways}
    agreed = _strength if fresh else _nearness
    score = {shift: agreed(late(shift, by)[1]) for shift, by in ways.items()}
    best = sorted(ways, key=lambda shift: score[shift], reverse=True)[:BEST]
    for middle in best:
        for shift in range(max(ends[0], middle - FINE), middle + FINE + 1):
            score[shift] = agreed(late(shift, ways[middle])[1])
    found = max(sorted(score), key=lambda shift: score[shift])
    for shift in range(found % around, found, around) if free else ():
        # Whole tracks more are another angle of the zone's first one.
        by = _by_peak(*late(shift, _bare(angles)), angles)
        if shift >= ends[0] and agreed(late(shift, by)[1]) > (1 - ALIKE) * score[found]:
            return shift
    return found


def _bare(angles: Angles) -> Angles:
    """The same of a drive on which all tracks begin at one angle."""
    none = np.zeros(len(angles.offset))
    return replace(
        angles, offset=none, head=none, step=none, group=none, surface=0 * angles.surface
    )


def _by_peak(places: Places, late: Floats, angles: Angles) -> Angles:
    """The skews on which some requests agree best, by what they are late by without any."""
    bare = _bare(angles)
    if not len(late):
        return bare
    cells = max(256, 1 << int(np.ceil(np.log2(4 * (int(np.ptp(places.step)) + 1)))))
    peak = transform_peak(unit_numbers(2 * np.pi * late), places.head, places.step, cells)
    ones = np.ones(len(angles.offset))
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


def _strength(late: Floats) -> float:
    """How much some requests agree on an angle."""
    return float(np.abs(np.sum(unit_numbers(2 * np.pi * late))))


def _nearness(late: Floats) -> float:
    """How many of them are near the one on which most agree."""
    off = wrapped(late - np.angle(np.sum(unit_numbers(2 * np.pi * late))) / (2 * np.pi))
    off = off - float(np.median(off)) if len(off) else off
    return float(np.sum(np.exp(-0.5 * (off / SHARP_TURNS) ** 2)))


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
