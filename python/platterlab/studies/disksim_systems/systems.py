"""DiskSim's own systems, imported unchanged and run under several seeds."""

import json
from pathlib import Path
from typing import Any

from platterlab import experiment
from platterlab.studies.disksim_systems.published import System
from platterlab.studies.row import Row

SEEDS = 10
"""Runs of each synthetic workload."""

_SHARE = 0.02


def measure(system: System, data: Path, seed: int) -> Row:
    """One row: ours within 2 % of DiskSim's, or DiskSim's one run among those of ours.

    DiskSim's figure is of one run with random numbers of its own, so where ours are random too, it
    is held against the 95 % interval for one more run of ours.
    """
    folder = data / "disksim"
    trace = None if system.trace is None else data / system.trace
    runs = SEEDS if trace is None else 1
    plan = experiment.disksim(
        folder / system.file, trace=trace, seed=seed or None, replications=runs
    )
    report = json.loads(plan.start(2, False).finish())
    interval = report["mean_command_ms" if system.of_commands else "mean_response_ms"]
    width = interval["half_width_95"] or 0.0
    # Of the mean of n runs; for one run more, of a variance n + 1 times as large.
    one_more = width * (interval["count"] + 1) ** 0.5
    return Row(
        id=system.id,
        what=system.what,
        paper=system.mean_ms,
        ours=interval["mean"],
        unit="ms",
        tolerance=max(_SHARE * system.mean_ms, one_more),
        group="Mean response of DiskSim's own systems",
        extra=_extra(report, one_more),
    )


def _extra(report: dict[str, Any], one_more: float) -> dict[str, Any]:
    return {
        "runs": report["mean_response_ms"]["count"],
        "one_more_run_95_ms": one_more,
        "offered": report["offered"],
        "served": report["served"],
        "refused": report["refused"],
    }
