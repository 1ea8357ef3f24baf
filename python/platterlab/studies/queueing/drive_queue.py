"""The gain of a drive that chooses among what it has taken, against DiskSim's answers."""

from pathlib import Path

from platterlab import experiment
from platterlab.known import known
from platterlab.studies.criteria import DISKSIM_MEAN, RATIO
from platterlab.studies.row import Row

FCFS_MS = 124.360
"""DiskSim's mean response to bursts of 32 requests on an Atlas 10K, in the order they come."""

SPTF_IN_DRIVE_MS = 107.860
"""The same where the drive takes 32 and chooses by SPTF."""

_TAKES_32: list[tuple[str, str, float | str]] = [
    ("driver0", "Scheduler:Scheduling policy", 1.0),
    ("disk0", "Max queue length", 32.0),
    ("disk0", "Scheduler:Scheduling policy", 8.0),
]


def rows(data: Path) -> list[Row]:
    """The means of both, and what the queue gains."""
    fcfs_ms = _mean_ms(data, _TAKES_32[:1])
    sptf_ms = _mean_ms(data, _TAKES_32)
    group = "SPTF in the drive, 32 deep, bursts of 32 on an Atlas 10K: DiskSim and ours"
    gain = 1.0 - SPTF_IN_DRIVE_MS / FCFS_MS
    return [
        Row(
            id="drive-queue/sptf-32",
            what="mean response",
            paper=SPTF_IN_DRIVE_MS,
            ours=sptf_ms,
            unit="ms",
            criterion=DISKSIM_MEAN,
            group=group,
        ),
        Row(
            id="drive-queue/gain",
            what="share of the response under FCFS that it saves",
            paper=gain,
            ours=1.0 - sptf_ms / fcfs_ms,
            unit="",
            criterion=RATIO,
            group=group,
        ),
    ]


def _mean_ms(data: Path, overrides: list[tuple[str, str, float | str]]) -> float:
    folder = data / "disksim"
    plan = experiment.disksim(
        folder / "atlas10k.parv",
        trace=folder / "reference-output" / "xc_burst32.trace.gz",
        overrides=overrides,
    )
    report = plan.start(1, False).finish()
    return float(known(report["mean_response_ms"])["mean"])
