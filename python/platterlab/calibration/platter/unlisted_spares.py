"""Spare sectors of a drive whose profile states none.

A spare at the end of each track leaves fewer sectors with addresses than the track has, so that all
of them lie a little off. Spares at the end of each zone leave fewer addresses to it, so that tracks
of later zones begin at other ones. Either is taken if the platter is surely met better by it.
"""

import tomllib
from dataclasses import replace
from typing import Any

import numpy as np

from platterlab._core import InputError
from platterlab.calibration.judged.cross_validation import SURE
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.trace.observed import Floats, Whole, places_of
from platterlab.calibration.trace.reading import Reading

PER_TRACK = (1, 2)
"""Spare sectors of a track that are tried."""

PER_ZONE = 480
"""Spare sectors of a zone, at most."""

COARSE, FINE = 6, 8
"""Sectors from one try to the next, and around the best ones every one."""

BEST = 3
"""Of the coarse tries, so many are looked at closely."""

CAP_TURNS = 0.02
"""A distance counts up to this."""

LEAST_IN_ZONE = 40
"""Requests without which a zone tells nothing of what lies before it."""

LEAST_MORE = 9.0
"""So many more requests have to be near the lattice: three standard errors of that number."""


def with_spares(plain: Layout) -> Layout:
    """The same with spares, if the profile has none and requests tell of them."""
    zones = plain.stated["zone"]
    if any("sparing" in zone or "pass" in zone for zone in zones) or "defect" in plain.stated:
        return plain
    return _by_zone(_by_track(plain))


def _by_track(plain: Layout) -> Layout:
    """The same with spares at the end of each track."""
    found = plain
    for count in PER_TRACK:
        zones = [
            zone
            | {"sectors_per_track": zone["sectors_per_track"] + count}
            | {"sparing": {"kind": "track", "sectors": count}}
            for zone in plain.stated["zone"]
        ]
        other = _on(plain, zones)
        if other is not None and _is_surely_nearer(other.angles, found.angles):
            found = other
    return found


def _is_surely_nearer(own: Angles, other: Angles) -> bool:
    """Whether requests, the same on both layouts, are nearer the lattice, in each half of them."""
    if len(own.off_turns) != len(other.off_turns):
        return False
    near, far = (np.minimum(np.abs(one.off_turns), CAP_TURNS) for one in (own, other))
    halves = np.array_split(far - near, 2)
    return all(np.mean(gain) > SURE * np.std(gain) / np.sqrt(len(gain)) for gain in halves)


def _by_zone(plain: Layout) -> Layout:
    """The same with spares at the end of each zone."""
    zones = plain.stated["zone"]
    most = near_share(plain.reading, plain.angles)
    if len(zones) < 2 or any("sparing" in zone for zone in zones):
        return plain
    off = (1 - most) * len(plain.angles.off_turns)
    if off < LEAST_MORE:
        return plain
    spares, moved = np.zeros(len(zones), dtype=np.int64), 0
    zone = plain.reading.seen.first.zone
    for number in range(1, min(len(zones), len(plain.angles.known))):
        if plain.angles.known[number] and np.sum(zone == number) >= LEAST_IN_ZONE:
            spares[number - 1] = _moved(plain, number, moved) - moved
            moved += int(spares[number - 1])
    if not spares.any():
        return plain
    spared = [
        zone | ({"sparing": {"kind": "zone", "sectors": int(count)}} if count else {})
        for zone, count in zip(zones, spares, strict=True)
    ]
    found = _on(plain, spared)
    if found is None:
        return plain
    more = near_share(found.reading, found.angles) - most
    return found if more * len(found.angles.off_turns) >= LEAST_MORE else plain


def _moved(plain: Layout, number: int, least: int) -> int:
    """By how many sectors a zone's addresses are moved on, at least by so many."""
    reading, angles = plain.reading, plain.angles
    waiting = reading.waiting(with_writes=False)
    rows = waiting.which
    here = reading.seen.first.zone[rows] == number
    rows, end_ms = rows[here], waiting.end_ms[here]
    if len(rows) < LEAST_IN_ZONE:
        return least
    sectors, per_track = reading.seen.sectors[rows], reading.seen.first.per_track[rows]
    media = angles.passed(sectors, per_track) / per_track
    platter_ms = end_ms - angles.sector_ms * sectors - angles.lag(end_ms)
    turns = np.asarray(platter_ms / angles.rotation_ms - media, dtype=np.float64)

    def strength(shift: int) -> float:
        return _strength(plain, number, reading.seen.lba[rows] + shift, turns)

    coarse = list(range(least, least + PER_ZONE, COARSE))
    coarse.sort(key=strength, reverse=True)
    fine = {
        shift
        for middle in coarse[:BEST]
        for shift in range(max(least, middle - FINE), middle + FINE + 1)
    }
    return max(sorted(fine), key=strength)


def _strength(plain: Layout, number: int, lba: Whole, turns: Floats) -> float:
    """How well requests agree on a zone's first angle, were they at these addresses."""
    reading, angles = plain.reading, plain.angles
    fits = lba < plain.profile.capacity_sectors
    places = places_of(
        plain.profile, np.where(fits, lba, 0), reading.seen.surfaces, reading.seen.own
    )
    inside = fits & (places.zone == number)
    late = turns - places.from_zero - angles.track(places, np.arange(len(lba)))
    return float(np.abs(np.sum(np.exp(2j * np.pi * late[inside])))) / len(lba)


def _on(plain: Layout, zones: list[dict[str, Any]]) -> Layout | None:
    """The layout with other zones; None where it has no room for the trace's requests."""
    found = {"zone": zones}
    try:
        profile = plain.profile.with_overrides(found)
        reading: Reading = plain.reading.under(profile)
    except InputError:
        return None
    stated = tomllib.loads(profile.to_toml())
    angles = angles_of(reading, stated)
    return replace(
        plain, profile=profile, stated=stated, reading=reading, angles=angles,
        overrides=plain.overrides | found,
    )  # fmt: skip
