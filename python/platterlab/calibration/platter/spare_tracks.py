"""Spare tracks at the end of each zone, of a drive whose profile states none.

They leave fewer addresses to the zone, so that later zones begin so many of its tracks earlier.
Whole cylinders more are another angle of a zone's first track, but not of the zone behind that.
"""

from dataclasses import replace

from platterlab.calibration.platter.moved_reads import (
    LEAST_IN_ZONE,
    LEAST_MORE,
    MediaReads,
    by_first_zone,
    on_zones,
    room,
    states_spares,
    strength,
)
from platterlab.calibration.platter.slipped_layout import Layout, near_share

MOST = 40
"""Tracks of a zone that are spare, at most."""

HARDLY = 1.0
"""Of a zone's requests, which agree by as much more or less by chance."""


def with_spare_tracks(plain: Layout) -> Layout:
    """The same with spare tracks at the end of each zone, if more requests are near by them."""
    zones = plain.stated["zone"]
    most, count = near_share(plain.reading, plain.angles), len(plain.angles.off_turns)
    if len(zones) < 2 or states_spares(plain) or (1 - most) * count < LEAST_MORE:
        return plain
    own = _spares(replace(plain, angles=by_first_zone(plain)))
    best, least = plain, most + LEAST_MORE / count
    # What most zones have the others probably have as well.
    for spares in dict.fromkeys((tuple(own), (max(own, key=own.count),) * len(own))):
        spared = [
            zone | ({"sparing": {"kind": "tracks", "tracks": tracks}} if tracks else {})
            for zone, tracks in zip(zones, [*spares, 0], strict=True)
        ]
        other = on_zones(plain, spared) if any(spares) else None
        share = near_share(other.reading, other.angles) if other else 0.0
        if other is not None and share >= least:
            best, least = other, share
    return best


def _spares(layout: Layout) -> list[int]:
    """How many tracks are spare at the end of each zone but the last one.

    Where a zone's requests hardly tell another number from that of the zone before, it is that.
    """
    zones, found, moved = layout.stated["zone"], list[int](), 0
    for number, before in enumerate(zones[:-1], 1):
        reads, own = MediaReads.of_zone(layout, number), found[-1] if found else 0
        around = int(before["sectors_per_track"])
        if len(reads.lba) >= LEAST_IN_ZONE:
            scores = [_agreed(reads, moved + tracks * around) for tracks in range(MOST + 1)]
            if number == 1 or scores[own] < max(scores) - HARDLY:
                own = scores.index(max(scores))
        if moved + own * around > room(layout):
            own = 0
        found.append(own)
        moved += own * around
    return found


def _agreed(reads: MediaReads, shift: int) -> float:
    """How well a zone's requests agree on the skews that suit them best, moved on so far."""
    return strength(reads.late(shift, reads.by_peak(shift)))
