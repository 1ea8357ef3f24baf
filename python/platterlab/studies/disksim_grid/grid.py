"""The systems with DiskSim's answers and ours, and the rows that say how near they are."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab import experiment
from platterlab._core import Experiment, InputError
from platterlab.documents import Json
from platterlab.studies.criteria import DISKSIM_MEAN, DISKSIM_SPREAD, EXACT
from platterlab.studies.row import Row
from platterlab.wrong_file import in_file

DISTANCE = 0.03
"""How far apart distributions may be: the largest difference of their cumulative shares."""

AGREE_SHARE = 0.95
"""How many of the systems are to be as near."""

_BATCHES = 25

FAMILIES = {
    "S": "one drive, scheduling policies and age weights",
    "Q": "the drive's own queue",
    "P": "parity arrays with writes",
    "M": "mirrors and stripes",
    "B": "many drives on one bus",
    "C": "a controller with a cache",
    "F": "sequential schemes, combining, overlaps",
}
"""By the first letter of a system's name."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class System:
    """A system and the answers that DiskSim has for it.

    Attributes:
        name: of its files.
        what: for people.
        index: of each request that DiskSim finished, in the trace.
        response_ms: DiskSim's, one each.
    """

    name: str
    what: str
    index: NDArray[np.int64]
    response_ms: Floats

    @property
    def family(self) -> str:
        """The first letter of the name."""
        return self.name[0]


@dataclass(frozen=True)
class Comparison:
    """Ours and DiskSim's response times of the same requests."""

    system: System
    response_ms: Floats
    notes: list[str]

    @property
    def mean_error(self) -> float:
        """How far our mean is from DiskSim's, as a share of that."""
        return float(self.response_ms.mean() / self.system.response_ms.mean() - 1.0)

    @property
    def distance(self) -> float:
        """The Kolmogorov-Smirnov distance of the distributions."""
        return ks_distance(self.response_ms, self.system.response_ms)

    @property
    def agrees(self) -> bool:
        """Whether mean and distribution are as near as is wanted."""
        return abs(self.mean_error) <= DISKSIM_MEAN.share and self.distance <= DISTANCE


def ks_distance(one: Floats, other: Floats) -> float:
    """The largest difference between the cumulative shares of two samples."""
    values = np.concatenate([one, other])
    shares = [
        np.searchsorted(np.sort(part), values, side="right") / len(part) for part in (one, other)
    ]
    return float(np.abs(shares[0] - shares[1]).max())


def load(folder: Path) -> list[System]:
    """Every system of the folder, in the order of its index.

    Raises:
        InputError: the folder lacks what the study needs.
    """
    index = folder / "index.jsonl"
    if not index.is_file():
        raise in_file(index, "there is no such file; it lists DiskSim's systems")
    systems = []
    for line in index.read_text(encoding="utf-8").splitlines():
        about = json.loads(line)
        with gzip.open(folder / f"{about['name']}.answers.gz", "rt", encoding="ascii") as answers:
            table = np.loadtxt(answers, ndmin=2)
        systems.append(
            System(
                name=about["name"],
                what=_what(about),
                index=table[:, 0].astype(np.int64),
                response_ms=table[:, 2],
            )
        )
    return systems


def _what(about: Json) -> str:
    drives = about["drives"]
    parts = [about["drive"] if drives == 1 else f"{drives} x {about['drive']}"]
    parts.append(f"policy {about['driver_policy']}")
    if about["weight"]:
        parts.append(f"weight {about['weight']}")
    if spec := about["drive_spec"]:
        parts.append(f"in the drive {spec['Scheduling policy']}, {spec['Max queue length']} deep")
    organization = about["logorg"]
    if organization["red"] != "Noredun":
        parts.append(organization["red"])
    parts.append(f"{about['reads']:.0%} reads".replace("%", " %"))
    return ", ".join(parts)


def compare(system: System, folder: Path) -> Comparison:
    """Runs the system and keeps our response to what DiskSim answered."""
    plan = experiment.disksim(
        folder / f"{system.name}.parv", trace=folder / f"{system.name}.trace.gz"
    )
    return Comparison(system, _responses(plan)[system.index], plan.notes)


def _responses(plan: Experiment) -> Floats:
    """Of every request, by its number in the trace."""
    job = plan.start(1, True)
    numbers, responses = [], []
    while (rows := job.rows(50)) is not None:
        _, requests = rows
        numbers.append(requests["request"])
        responses.append(requests["response_ms"])
    report = job.finish()
    if report["refused"]:
        raise InputError(f"{report['refused']} requests of the trace do not fit the system")
    found = np.empty(report["served"])
    found[np.concatenate(numbers)] = np.concatenate(responses)
    return found


def _half_width(differences: Floats) -> float:
    """Of the 95 % interval of the mean, of batches: neighbours are not independent."""
    means = np.array([part.mean() for part in np.array_split(differences, _BATCHES)])
    t_975_of_24 = 2.0639
    return float(t_975_of_24 * means.std(ddof=1) / np.sqrt(_BATCHES))


def rows(one: Comparison) -> list[Row]:
    """A system's rows: mean, standard deviation, distance, and how many requests are alike."""
    system, ours = one.system, one.response_ms
    theirs = system.response_ms
    group = f"Family {system.family}: {FAMILIES[system.family]}"
    differences = ours - theirs
    middle, half = float(differences.mean()), _half_width(differences)
    compared = {"requests": len(theirs)}
    mean = float(theirs.mean())
    return [
        Row(
            id=f"grid/{system.name}/mean_ms",
            what=f"{system.name}, mean response: {system.what}",
            paper=mean,
            ours=float(ours.mean()),
            unit="ms",
            criterion=DISKSIM_MEAN,
            interval=(mean + middle - half, mean + middle + half),
            group=group,
            extra={**compared, "notes": one.notes},
        ),
        Row(
            id=f"grid/{system.name}/std_ms",
            what=f"{system.name}, standard deviation",
            paper=float(theirs.std()),
            ours=float(ours.std()),
            unit="ms",
            criterion=DISKSIM_SPREAD,
            group=group,
            extra=compared,
        ),
        Row(
            id=f"grid/{system.name}/ks_distance",
            what=f"{system.name}, distance of the distributions",
            paper=None,
            target=DISTANCE,
            ours=one.distance,
            unit="",
            bound="at-most",
            criterion=EXACT,
            group=group,
            extra=compared,
        ),
        Row(
            id=f"grid/{system.name}/within_0_1_ms",
            what=f"{system.name}, share of requests within 0.1 ms of DiskSim's",
            paper=None,
            ours=float((np.abs(differences) <= 0.1).mean()),
            unit="",
            group=group,
            extra=compared,
        ),
    ]


def shares(compared: list[Comparison]) -> list[Row]:
    """How many systems agree: of all, and of each family."""
    parts = {"": compared}
    for family in FAMILIES:
        if own := [one for one in compared if one.system.family == family]:
            parts[f"{family}/"] = own
    return [_share(part, own) for part, own in parts.items()]


def _share(part: str, own: list[Comparison]) -> Row:
    about = f"family {part[0]}, {FAMILIES[part[0]]}" if part else "all systems"
    return Row(
        id=f"grid/{part}within_2_pct",
        what=f"share of {about} within 2 % and a distance of {DISTANCE}",
        paper=None,
        target=AGREE_SHARE,
        ours=sum(one.agrees for one in own) / len(own),
        unit="",
        bound="at-least",
        criterion=EXACT,
        group="Systems whose mean and distribution agree",
        extra={
            "systems": len(own),
            "disagree": [one.system.name for one in own if not one.agrees],
        },
    )
