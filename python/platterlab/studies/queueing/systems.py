"""Small systems with a theory, each run several times."""

import json
from dataclasses import dataclass
from pathlib import Path

from scipy import stats

from platterlab._core import Experiment
from platterlab.known import known
from platterlab.studies.row import Interval

RUNS = 20
REQUESTS = 40_000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Measured:
    """A mean over independent runs.

    Attributes:
        mean: of what was measured, in its unit.
        half: half its confidence interval.
    """

    mean: float
    half: float

    @property
    def interval(self) -> Interval:
        """The ends of the confidence interval."""
        return self.mean - self.half, self.mean + self.half


def responses_ms(system: str, seed: int, folder: Path | None = None) -> list[float]:
    """The mean response of each run of a system, which leaves out how long it is run.

    Args:
        system: in TOML.
        seed: of the first run.
        folder: where the profiles lie that it names; those of the library lie anywhere.
    """
    stop = (
        f"seed = {seed + 1}\nreplications = {RUNS}\n"
        f"[stop]\nrequests = {REQUESTS}\nwarm_up_requests = {REQUESTS // 20}\n"
    )
    place = folder or Path.cwd()
    plan = Experiment.parse(stop + system, "a system of the study", place, {})
    runs = plan.start(2, False).finish()["runs"]
    return [known(run["report"]["response_ms"])["mean_ms"] for run in runs]


def mean_of(means: list[float]) -> Measured:
    """Their mean and how well it is known, by Student's t."""
    known = stats.sem(means) * stats.t.ppf(0.5 + CONFIDENCE / 2.0, len(means) - 1)
    return Measured(float(sum(means) / len(means)), float(known))


def difference(one: list[float], other: list[float]) -> Measured:
    """How much more the one system takes than the other with the same random numbers."""
    return mean_of([a - b for a, b in zip(one, other, strict=True)])


def exponential(count: int, mean_ms: float, more: str = "") -> str:
    """Drives whose accesses are exponential."""
    access = f'{{ kind = "exponential", mean_ms = {mean_ms} }}'
    simple = f'simple = {{ size = "1G", access = {access} }}'
    return f'[[drive]]\nname = "d"\ncount = {count}\n{simple}\n{more}'


def names(count: int) -> str:
    """Those drives, as a list of TOML."""
    return json.dumps([f"d{index}" for index in range(count)])


def volume(drives: int, layout: str) -> str:
    """One volume over all drives; `layout` has the keys of its layout."""
    return f'[[volume]]\nname = "v"\ndrives = {names(drives)}\nlayout = {{ {layout} }}\n'


def poisson(gap_ms: float, read_share: float, sectors: int = 8) -> str:
    """Requests that come at random, of one length."""
    return (
        '[[workload]]\nkind = "open"\n'
        f'interval_ms = {{ kind = "exponential", mean = {gap_ms} }}\n'
        f"pattern = {{ read_share = {read_share}, "
        f'size_sectors = {{ kind = "constant", value = {sectors} }} }}\n'
    )
