"""One value of an extraction put wrong on purpose, and whether the self-check notices it.

What is put wrong is drawn from all values that are sure, and by how much from what is beyond the
tolerance of being right up to what a person would see.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from platterlab._core import InputError, Profile
from platterlab.answers import Extraction
from platterlab.measure.advice import Quantity
from platterlab.measure.origins import ok

from . import drive as drives
from . import profile
from .trial import measured


@dataclass(frozen=True)
class Falsified:
    """A drive, the value that was put wrong, and whether that was noticed."""

    seed: int
    name: str
    true: float
    false: float
    noticed: bool


def falsify(seed: int) -> Falsified | None:
    """Measures the drive of a seed and puts a value wrong; None where none is sure or simulated."""
    drive = drives.draw(seed)
    try:
        built = Profile.parse(profile.text(drive), f"unseen {seed}")
    except InputError:
        return None
    measurement = measured(built, seed, writes=seed % 2 == 0, tracks=None, time_s=900.0)
    found = measurement.extraction()
    if found["self_check"]["status"] != "ok":
        return None
    rng = Random(f"falsified {seed}")  # noqa: S311
    choices = list(_choices(rng, found))
    if not choices:
        return None
    name, true, false = rng.choice(choices)
    answer = measurement.falsified(name, false)
    noticed = answer is not None and bool(answer["self_check"]["disagreements"])
    return Falsified(seed, name, true, false, noticed)


def _choices(rng: Random, found: Extraction) -> Iterator[tuple[str, float, float]]:
    """Each sure value by its name, as it is and as it is to be said."""
    most_off: dict[Quantity, float] = {"rotation_ms": 0.01, "seek_min_ms": 0.5, "seek_max_ms": 0.5}
    for name, most in most_off.items():
        least = 3e-4 if name == "rotation_ms" else 0.1
        if (value := ok(found[name])) is not None:
            yield name, value, value * (1 + rng.choice((-1, 1)) * rng.uniform(least, most))
    for name in ("sectors_per_track", "surfaces"):
        if (value := ok(found[name])) is not None:
            yield name, value, _other_count(rng, value)
    sector_ms = found["sector_ms"]["value"] or 0.0
    for name in ("track_skew_ms", "cylinder_skew_ms"):
        if (value := ok(found[name])) is not None:
            off = max(2.1 * sector_ms, 0.04 * value) * rng.uniform(1, 3)
            yield name, value, value - off if rng.random() < 0.5 and value > off else value + off
    for index, zone in enumerate(found["zones"]):
        at = f"zones[{index}]"
        count = ok(zone["sectors_per_track"])
        first = ok(zone["first_lba"])
        if count is not None:
            yield f"{at}.sectors_per_track", count, _other_count(rng, count)
        if count is not None and first:
            off = rng.choice((count, rng.randint(int(count) // 4 + 1, 5 * int(count))))
            yield f"{at}.first_lba", first, first + rng.choice((-1, 1)) * off


def _other_count(rng: Random, count: float) -> float:
    off = rng.randint(1, 3)
    return count - off if rng.random() < 0.5 and count > off else count + off
