"""How much of a read the bus waits for, where only reads over a track's end tell.

A slow bus that starts after some sectors makes all reads on one track later by as much as these
take, which looks as if tracks began later. Those over a track's end have the time of the switch for
it. Nor do reads on one track tell a fence from bursts of as many sectors: a bus that keeps up with
the platter lets go of it at the switch alone.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.buffer.read_completion import (
    AtFence,
    AtShare,
    Following,
    InBursts,
    Streamed,
)
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.platter.bursts import RECONNECTS_MS
from platterlab.calibration.platter.regression import Angles, regress
from platterlab.calibration.trace.observed import Floats, Whole
from platterlab.calibration.trace.reading import Reading

FENCES = (2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Sectors that the bus may wait for."""

ALIKE_SECTORS = 0.5
"""Reads on one track are later by the same under both, to within this."""

LEAST_OVER = 30
"""Reads over a track's end; with fewer there is no telling."""


def untold_fences(reading: Reading, angles: Angles) -> list[Angles]:
    """The angles with each fence, or bursts, under which reads on one track are as near."""
    seen = reading.seen
    if angles.tracked:
        return []
    media = ~reading.is_hit & ~seen.write & np.isfinite(seen.service_ms)
    single = media & (seen.pieces == 1)
    if (media & ~single).sum() < LEAST_OVER or not single.any():
        return []
    sectors, per_track = seen.sectors[single], seen.first.per_track[single]
    plain = angles.passed(sectors, per_track)
    ways = [replace(angles, reads=one) for one in _others(angles, int(sectors.max()))]
    later = [way.passed(sectors, per_track) - plain for way in ways]
    waiting = reading.waiting(with_writes=True)
    return [
        regress(seen, waiting, way)
        for way, by in zip(ways, later, strict=True)
        if _is_untold(way.reads, by, seen.first.zone[single])
    ]


def _is_untold(reads: Following, later: Floats, zone: Whole) -> bool:
    """Whether reads on one track of these zones, later by so many sectors, do not tell of it."""
    # All of a zone later by the same is where it begins.
    mean = np.bincount(zone, later) / np.maximum(np.bincount(zone), 1)
    rest = later - mean[zone]
    if isinstance(reads, InBursts):
        return bool(np.mean(np.abs(rest)) < ALIKE_SECTORS)
    # A fence of no sectors more is none.
    return bool(np.ptp(rest) < ALIKE_SECTORS < later.mean())


def _others(angles: Angles, most_sectors: int) -> list[Following]:
    """What reads may wait for instead."""
    match angles.reads:
        case AtShare() | Streamed():
            return [AtFence(fence) for fence in FENCES if fence <= most_sectors]
        case AtFence(fence) if angles.sector_ms > 0:
            return [InBursts(fence, ms / angles.sector_ms) for ms in RECONNECTS_MS.tolist()]
        case _:
            return []


def best_fence(profile: Profile, reading: Reading, ways: list[dict[str, Any]]) -> int | None:
    """Which of some overrides is surely better than none; None where none is."""
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    return tried.surely_best(ways, MOVED_TURNS)
