"""The layout with the tracks that the drive skips.

They are looked for again with what is known of the platter from the time before, as long as more
requests meet it where they should.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.platter.followed import follow
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slips import find_slips, phases_over_tracks
from platterlab.calibration.trace.observed import Flags, Whole, stated_of
from platterlab.calibration.trace.reading import Reading

NEAR_TURNS = 0.03
"""A request farther from the lattice met another track than the layout has."""

TAIL = 0.01
"""With fewer requests off the lattice there is nothing to look for."""

ROUNDS = 4


@dataclass(frozen=True)
class Layout:
    """A layout, and what is found on it.

    Attributes:
        profile, stated: with the layout; the latter as its file states it.
        reading: the trace on it.
        angles: where its tracks begin.
        overrides: what makes it of the profile to start from.
    """

    profile: Profile
    stated: dict[str, Any]
    reading: Reading
    angles: Angles
    overrides: dict[str, Any]


def with_slips(plain: Layout) -> Layout:
    """The same with slipped tracks, if more requests are explained by them."""
    spares = [zone.get("sparing", {}).get("kind") for zone in plain.stated["zone"]]
    if "tracks" not in spares:
        return plain
    best, known, before = plain, None, None
    most = near_share(plain.reading, plain.angles)
    for _ in range(ROUNDS):
        before = find_slips(plain.reading, plain.stated, plain.angles, known, before)
        if not before.tracks:
            break
        slips = [{"kind": "slipped-track", "at": at} for at in before.tracks]
        found = {"defect": [*plain.stated.get("defect", []), *slips]}
        profile = plain.profile.with_overrides(found)
        stated = stated_of(profile)
        reading = plain.reading.under(profile)
        angles = angles_of(reading, stated)
        # Where the trace's clock jumped, requests are off until it is followed.
        known = follow(reading.seen, reading.waiting(with_writes=True), angles)
        share = near_share(reading, known)
        if share <= most:
            break
        most = share
        best = Layout(profile, stated, reading, angles, plain.overrides | found)
    return best


def near_share(reading: Reading, angles: Angles) -> float:
    """The share of the requests that are near the lattice, those on several tracks included."""
    return float(np.mean(_near(reading, angles)[1]))


def near_by_zone(reading: Reading, angles: Angles, zones: int) -> Whole:
    """How many requests are near the lattice, by the zone of their first sector."""
    rows, near = _near(reading, angles)
    return np.bincount(reading.seen.first.zone[rows[near]], minlength=zones)


def _near(reading: Reading, angles: Angles) -> tuple[Whole, Flags]:
    """The requests that waited for the platter, and which of them are near the lattice."""
    over, off_over = phases_over_tracks(reading, angles)
    rows = np.concatenate([reading.waiting(with_writes=True).which, over])
    return rows, np.abs(np.concatenate([angles.off_turns, off_over])) < NEAR_TURNS
