"""One unseen drive, measured on its own host: what was printed, and the verdicts on it."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, get_args

from platterlab._core import InputError, Measurement, Profile
from platterlab.documents import Json
from platterlab.measure.advice import AT_THE_START
from platterlab.measure.outcome import MeasurementError
from platterlab.measure.run import measure_all

from . import drive as drives
from . import host as hosts
from . import others, profile, truth

Part = Literal["characterize", "quick", "survey"]
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True)
class Trial:
    """A drive, and the verdict on each of its values."""

    seed: int
    verdicts: truth.Verdicts
    """Of the values that make a drive whole."""
    printed: Json
    others: truth.Verdicts = field(default_factory=dict)
    """Of all others that were printed."""
    refused: str = ""
    """Why there is no such drive, where the core says so of what was drawn."""

    @property
    def wrong(self) -> list[str]:
        """Values that were printed as sure and are not so."""
        every = {**self.verdicts, **self.others}
        return [name for name, verdict in every.items() if verdict == "wrong"]

    @property
    def right(self) -> bool:
        """Whether all values that make a drive whole are sure and so."""
        return not self.refused and all(verdict == "right" for verdict in self.verdicts.values())


def measure(seed: int, part: Part, *, writes: bool | None = None, time_s: float = 900.0) -> Trial:
    """Measures the drive of a seed; half of all drives are only read, as real ones are."""
    return of_drive(drives.draw(seed), part, writes=writes, time_s=time_s)


def of_drive(
    drive: drives.Drive, part: Part, *, writes: bool | None = None, time_s: float = 900.0
) -> Trial:
    """Measures a drive on the host of its seed, likewise."""
    seed, text = drive.seed, profile.text(drive)
    writes = (seed % 2 == 0 if writes is None else writes) and part != "survey"
    try:
        built = Profile.parse(text, f"unseen {seed}")
    except InputError as error:
        return Trial(seed, {}, {}, refused=str(error))
    measurement = measured(
        built,
        seed,
        writes=writes,
        tracks="fast" if part == "survey" else None,
        time_s=time_s,
        whole=part != "quick",
    )
    given = others.Given(drive, hosts.draw(seed), writes)
    if part == "survey":
        tracks = measurement.track_map()
        counted = {"value": tracks["tracks"], "status": tracks["status"]}
        found: Json = {**tracks, "tracks": counted}
        verdicts = truth.judge_survey(drive, {"survey": found})
        return Trial(seed, verdicts, found, others.judge_survey(given, found))
    found = {**measurement.extraction()}
    verdicts, rest = truth.judge(drive, found), others.judge(given, found)
    if part == "quick":
        rest = {**verdicts, **rest}
        verdicts = {str(name): rest.pop(name) for name in AT_THE_START}
    return Trial(seed, verdicts, found, rest)


def measured(
    built: Profile,
    seed: int,
    *,
    writes: bool,
    tracks: str | None,
    time_s: float,
    whole: bool = True,
) -> Measurement:
    """The measurement of a drive on the host of a seed, carried out."""
    measurement = Measurement.simulated(
        built,
        host=hosts.draw(seed).figures(),
        seed=seed,
        writes=writes,
        tracks=tracks,
        time_s=time_s,
        whole=whole,
    )
    # Of a device that fails, what was found until then is printed, and judged.
    with suppress(InputError, MeasurementError):
        measure_all(measurement)
    return measurement
