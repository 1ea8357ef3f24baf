"""Where on a drive files lie, and what the drive does there."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from platterlab._core import Profile, first_lba, next_track_ms, positioning_ms, tracks


@dataclass(frozen=True)
class Spot:
    """A place on a drive, at the start of a track.

    Attributes:
        lba: its first address.
        rate_mb_s: what passes under the head there, in 10^6 bytes per second.
        track_sectors: sectors of the track that hold data.
        switch_ms: from the end of the track's data to the next track's first sector.
    """

    lba: int
    rate_mb_s: float
    track_sectors: int
    switch_ms: float


def spot(profile: Profile, diameter: Fraction, file_sectors: int) -> Spot:
    """The track start at a diameter, or the last one before which a file still fits."""
    facts = _facts(profile)
    cylinders, rotation_ms = int(facts["cylinders"]), facts["rotation_ms"]
    wanted = first_lba(profile, min(round((1 - diameter) * (cylinders - 1)), cylinders - 1))
    # A file needs the room behind it; two tracks' worth more covers rounding to a track.
    last = max(profile.capacity_sectors - file_sectors - 2, 0)
    lba = _track_start(profile, min(wanted, last))
    if lba + file_sectors > profile.capacity_sectors:
        lba = 0
    here = tracks(profile, [lba])
    rate = float(here["sectors_per_track"][0]) * profile.sector_bytes / rotation_ms / 1e3
    return Spot(lba, rate, int(here["track_data_sectors"][0]), next_track_ms(profile, lba))


def rotation_ms(profile: Profile) -> float:
    """Time of one revolution in milliseconds."""
    return float(_facts(profile)["rotation_ms"])


def seeks_ms(profile: Profile, spots: Sequence[Spot]) -> list[float]:
    """The seek to each spot from the one before, the first from the last."""
    return [
        positioning_ms(profile, before.lba, here.lba)
        for before, here in zip([spots[-1], *spots[:-1]], spots, strict=True)
    ]


def overhead_ms(profile: Profile) -> float:
    """What the controller takes for a read, before and after."""
    return float(_facts(profile)["read_ms"])


def _track_start(profile: Profile, lba: int) -> int:
    return int(tracks(profile, [lba])["track_first_lba"][0])


@lru_cache(maxsize=64)
def _facts(profile: Profile) -> dict[str, float]:
    document = json.loads(profile.to_json())
    values = {item["key"]: item["value"] for item in document["values"]}
    overheads = ("controller.read_ms", "controller.read_completion_ms")
    return {
        "cylinders": document["derived"]["cylinders"],
        "rotation_ms": document["derived"]["rotation_ms"],
        "read_ms": sum(float(values.get(key, 0.0)) for key in overheads),
    }
