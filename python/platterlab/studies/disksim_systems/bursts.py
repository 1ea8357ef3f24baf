"""Bursts of 32 requests on one disk: DiskSim's policies, their means and each of their choices."""

import gzip
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab import experiment
from platterlab._core import Experiment
from platterlab.answers import Choices
from platterlab.studies.criteria import DISKSIM_BURST, EXACT
from platterlab.studies.disksim_systems.published import Burst
from platterlab.studies.row import Row


@dataclass(frozen=True)
class _Answers:
    """DiskSim's answers, one request each."""

    arrival_ms: NDArray[np.float64]
    lba: NDArray[np.uint64]
    sectors: NDArray[np.uint32]
    reads: NDArray[np.bool_]
    completion_ms: NDArray[np.float64]

    @classmethod
    def load(cls, path: Path) -> "_Answers":
        with gzip.open(path, "rt", encoding="ascii") as lines:
            rows = [line.split() for line in lines if not line.startswith("#")]
        return cls(
            arrival_ms=np.array([float(row[1]) for row in rows]),
            lba=np.array([int(row[3]) for row in rows], dtype=np.uint64),
            sectors=np.array([int(row[4]) for row in rows], dtype=np.uint32),
            reads=np.array([int(row[5], 16) & 1 == 1 for row in rows]),
            completion_ms=np.array([float(row[6]) for row in rows]),
        )


def measure(burst: Burst, data: Path) -> list[Row]:
    """The mean over the requests that DiskSim finished, and the share of its choices we make."""
    folder = data / "disksim"
    # What it finished is the same under every policy: all but the last burst.
    known = burst.answers or "FCFS"
    answers = _Answers.load(
        folder / "reference-output" / f"atlas10k_xc_burst32_drv_{known}.perreq.txt.gz"
    )
    overrides: list[tuple[str, str, float | str]] = [
        ("driver0", "Scheduler:Scheduling policy", float(burst.number))
    ]
    if burst.weight is not None:
        overrides.append(("driver0", "Scheduler:Timeout time/weight", float(burst.weight)))
    plan = experiment.disksim(
        folder / "atlas10k.parv",
        trace=folder / "reference-output" / "xc_burst32.trace.gz",
        overrides=overrides,
    )
    policy = burst.id.partition("/")[2].upper()
    mean = Row(
        id=burst.id,
        what=f"{policy}, mean response",
        paper=burst.mean_ms,
        ours=_mean_response(plan, answers),
        unit="ms",
        criterion=DISKSIM_BURST,
        group="Bursts of 32 requests on an Atlas 10K, by policy of the driver",
    )
    if burst.answers is None:
        return [mean]
    choices = plan.choices(
        answers.arrival_ms, answers.completion_ms, answers.lba, answers.sectors, answers.reads
    )
    same = choices["same"] / choices["choices"]
    share = Row(
        id=f"{burst.id}/same_choice_share",
        what=f"{policy}, share of DiskSim's choices made",
        paper=None,
        target=burst.least_same,
        ours=same,
        unit="",
        bound="at-least",
        criterion=EXACT,
        group=mean.group,
        extra={"differences": _differences(choices)},
    )
    extra = {"same_choice_share": same, "choices": choices}
    return [replace(mean, extra=extra), share]


def _differences(choices: Choices) -> dict[str, int]:
    return {
        "same_address": choices["same_address"],
        "as_near": choices["as_near"],
        "cached": choices["cached"],
        "after_write": choices["after_write"],
        "other": choices["other"],
    }


def _mean_response(plan: Experiment, answers: _Answers) -> float:
    """Ours, over the requests that DiskSim finished: it drops what is in flight at the end."""
    job = plan.start(1, True)
    arrivals, responses = [], []
    while (rows := job.rows(50)) is not None:
        commands, _ = rows
        arrivals.append(commands["arrival_ms"])
        responses.append(commands["response_ms"])
    job.finish()
    order = np.argsort(np.concatenate(arrivals), kind="stable")
    response = np.concatenate(responses)[order]
    finished = np.isfinite(answers.completion_ms)
    return float(response[np.argsort(np.argsort(answers.arrival_ms))[finished]].mean())
