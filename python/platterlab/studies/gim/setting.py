"""The paper's experiment: four HDTV streams on Disk1 and its aligned models (Section 5.2)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from platterlab import library
from platterlab._core import Profile, align
from platterlab.av import place
from platterlab.av.play import Played, Serving, Stream, play
from platterlab.studies.gim import priors
from platterlab.studies.study import Request

DISK1 = "samsung-120g-disk1"
DISKS = {
    "disk1": DISK1,
    "disk2": "samsung-300g-disk2",
    "disk3": "western-digital-320g-disk3",
    "disk4": "seagate-320g-disk4",
    "disk5": "hitachi-320g-disk5",
}
HDTV_BIT_S = 19_390_000
EXTENT_BYTES = 128 * 1024
FILE_BYTES = 1 << 30
AT = (Fraction(1), Fraction(2, 3), Fraction(1, 3), Fraction(0))
"""Outermost, 2/3, 1/3 and innermost diameter."""

EXTENTS_PER_TRACK = 4
"""The paper's choice: 216,879,104 sectors are 4 x 128 KB on each of 4 x 52,949 tracks."""

REPEATS = 6
"""Runs with other breaks and other host delays, of which the mean is taken."""


@dataclass(frozen=True)
class Models:
    """Disk1 as it is, and aligned by each of the three models."""

    original: Profile
    aligned: dict[int, Profile]
    capacity_sectors: int


def models(request: Request) -> Models:
    """Disk1 and its three aligned models, with the constants of a run."""
    original = library.load(DISK1)
    stated = {
        "seek.single_ms": priors.SEEK_SINGLE_MS,
        "seek.average_ms": priors.SEEK_AVERAGE_MS,
        "controller.read_ms": priors.OVERHEAD_MS,
    }
    changed = request.changed(stated)
    if changed:
        original = original.with_overrides(changed)
    made = {model: align(original, EXTENT_BYTES, model, EXTENTS_PER_TRACK) for model in (1, 2, 3)}
    return Models(
        original,
        {model: profile for model, (profile, _) in made.items()},
        int(made[3][1]["capacity_sectors"]),
    )


def serve(profile: Profile, io_bytes: int, serving: Serving) -> Played:
    """Four streams at the paper's diameters, each of a 1 GB file."""
    io_sectors = io_bytes // profile.sector_bytes
    spots = place.spots(profile, AT, serving.ios * io_sectors)
    return play(profile, [Stream(spot.lba, HDTV_BIT_S, io_sectors) for spot in spots], serving)


def paper_serving(request: Request, profile: Profile, io_bytes: int, seed: int) -> Serving:
    """1 GB in each of four streams.

    The host hands an I/O over up to a revolution after it could, so that no stream is locked to the
    platter's phase.
    """
    spread_ms = place.rotation_ms(profile) * request.constant(priors.HOST_SPREAD_TURNS)
    return Serving(ios=FILE_BYTES // io_bytes, host_spread_ms=spread_ms, seed=seed)


def responses_ms(run: Callable[[int], Played], seed: int) -> list[float]:
    """Mean responses of `REPEATS` runs."""
    return [run(seed * REPEATS + number).response_ms for number in range(REPEATS)]
