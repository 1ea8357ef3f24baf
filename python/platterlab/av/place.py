"""Places of files on a drive, and the times that the drive takes there."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from platterlab._core import Profile, first_lba, next_track_ms, positioning_ms, tracks


class Spot(NamedTuple):
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


def spots(profile: Profile, diameters: Sequence[Fraction], file_sectors: int) -> list[Spot]:
    """The track start at each diameter, or the last one before which a file still fits."""
    last_cylinder = int(_facts(profile)["cylinders"]) - 1
    wanted = [_nearest(diameter, last_cylinder) for diameter in diameters]
    # A file needs the room behind it; two tracks' worth more covers rounding to a track.
    last = max(profile.capacity_sectors - file_sectors - 2, 0)
    within = [min(lba, last) for lba in first_lba(profile, wanted)]
    starts = tracks(profile, within)["track_first_lba"].tolist()
    lbas = [lba if lba + file_sectors <= profile.capacity_sectors else 0 for lba in starts]
    here = tracks(profile, lbas)
    rates = here["sectors_per_track"] * float(profile.sector_bytes) / rotation_ms(profile) / 1e3
    columns = (lbas, rates.tolist(), here["track_data_sectors"].tolist())
    return [Spot(*one) for one in zip(*columns, next_track_ms(profile, lbas), strict=True)]


def rotation_ms(profile: Profile) -> float:
    """Time of one revolution in milliseconds."""
    return float(_facts(profile)["rotation_ms"])


def seeks_ms(profile: Profile, spots: Sequence[Spot]) -> list[float]:
    """The seek to each spot from the one before, the first from the last."""
    lbas = [spot.lba for spot in spots]
    return positioning_ms(profile, list(zip([lbas[-1], *lbas[:-1]], lbas, strict=True)))


def overhead_ms(profile: Profile) -> float:
    """The controller's overhead of a read, before and after."""
    return float(_facts(profile)["read_ms"])


def _nearest(diameter: Fraction, last_cylinder: int) -> int:
    """The cylinder nearest to a diameter, the even one of two; fractions themselves are slow."""
    outward, whole = diameter.denominator - diameter.numerator, diameter.denominator
    cylinder, rest = divmod(outward * last_cylinder, whole)
    return cylinder + (2 * rest + cylinder % 2 > whole)


@lru_cache(maxsize=64)
def _facts(profile: Profile) -> dict[str, float]:
    document = profile.facts()
    values = {item["key"]: item["value"] for item in document["values"]}
    overheads = ("controller.read_ms", "controller.read_completion_ms")
    return {
        "cylinders": document["derived"]["cylinders"],
        "rotation_ms": document["derived"]["rotation_ms"],
        "read_ms": sum(float(values.get(key, 0.0)) for key in overheads),
    }
