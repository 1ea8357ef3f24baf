"""DiskSim's own systems, imported unchanged and run under several seeds."""

from pathlib import Path

from platterlab import experiment
from platterlab.answers import JobReport
from platterlab.documents import Json
from platterlab.known import known
from platterlab.studies.criteria import DISKSIM_MEAN
from platterlab.studies.disksim_systems.published import System
from platterlab.studies.row import Row

SEEDS = 10
"""Runs of each synthetic workload."""


def measure(system: System, data: Path, seed: int) -> Row:
    """One row: ours and DiskSim's.

    DiskSim's figure is of one run with random numbers of its own: where ours are random too, they
    show how far one run may be off.
    """
    folder = data / "disksim"
    trace = None if system.trace is None else data / system.trace
    runs = SEEDS if trace is None else 1
    plan = experiment.disksim(
        folder / system.file, trace=trace, seed=seed or None, replications=runs
    )
    report = plan.start(2, False).finish()
    found = known(report["mean_command_ms"] if system.of_commands else report["mean_response_ms"])
    mean, half = float(found["mean"]), float(found["half_width_95"] or 0.0)
    one_run_half = half * float(found["count"]) ** 0.5
    return Row(
        id=system.id,
        what=system.what,
        paper=system.mean_ms,
        ours=mean,
        unit="ms",
        criterion=DISKSIM_MEAN,
        reference_half=one_run_half,
        interval=(mean - half, mean + half) if half else None,
        group="Mean response of DiskSim's own systems",
        extra=_extra(report, one_run_half),
    )


def _extra(report: JobReport, one_run_half: float) -> Json:
    return {
        "runs": known(report["mean_response_ms"])["count"],
        "one_run_95_ms": one_run_half,
        "offered": report["offered"],
        "served": report["served"],
        "refused": report["refused"],
    }
