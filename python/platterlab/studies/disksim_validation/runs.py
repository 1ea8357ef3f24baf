"""One drive in three ways: imported as DiskSim feeds it, at measured times, and calibrated."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab._core import disksim_import, row_labels
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.procedure import calibrate
from platterlab.studies.disksim_validation.drives import FORMAT, Measured, Times
from platterlab.studies.disksim_validation.edge import Edge, Scattered, find_edge, scattered
from platterlab.studies.study import Progress

_SERVED_BY_BUFFER = tuple(
    code for code, name in enumerate(row_labels()["cache"]) if name in ("hit", "in-flight")
)


@dataclass(frozen=True)
class Run:
    """What one way gave, beside DiskSim and the drive, of the same requests.

    Attributes:
        ours_ms, disksim_ms, measured_ms: service times.
        at_s: when each request was issued, in seconds.
    """

    ours_ms: Times
    disksim_ms: Times
    measured_ms: Times
    at_s: Times


@dataclass(frozen=True)
class Drive:
    """All ways of a drive.

    Attributes:
        imported, measured_times, unseen: the three ways.
        found: the calibration behind `unseen`.
        outcomes: share of the unseen reads of which the model says rightly whether the buffer
            had them.
        rotation_ms: the rotation period.
        edge: how the drive decides, in the half fitted on, between a revolution and the next.
        scattered: what that leaves of the unseen half.
    """

    which: Measured
    imported: Run
    measured_times: Run
    unseen: Run
    found: Calibration
    outcomes: float
    rotation_ms: float
    edge: Edge
    scattered: Scattered


def run_drive(which: Measured, data: Path, seed: int, progress: Progress) -> Drive:
    """All three ways.

    Raises:
        InputError: a file is missing or wrong.
    """
    trace = which.trace(data)
    progress(f"{which.what}: as imported", 0.0)
    profile, _, _ = disksim_import(str(which.parameters(data)), None, [], True)
    disksim = which.disksim_ms(data)
    closed = which.requests(data).replay(profile, timing="closed")["service_ms"]
    found = calibrate(
        Job(trace, profile, trace_format=FORMAT, seed=seed),
        lambda what, share: progress(f"{which.what}: {what}", 0.1 + 0.85 * share),
    )
    columns = found.reading.requests.columns()
    measured, at_s = columns["service_ms"], columns["arrival_ms"] / 1e3
    count = min(len(measured), len(disksim))
    whole, first, second = slice(0, count), slice(found.fitted), slice(found.fitted, count)
    timed = found.reading.requests.replay(profile, timing="issue", track_phase=True)
    rows = found.simulated()

    def made(times: Times, part: slice) -> Run:
        return Run(
            ours_ms=np.ascontiguousarray(times[part]),
            disksim_ms=np.ascontiguousarray(disksim[part]),
            measured_ms=np.ascontiguousarray(measured[part]),
            at_s=at_s[part],
        )

    rotation_ms = (found.angles or found.reading.period).rotation_ms
    latency_ms = rows["rotation_ms"]
    edge = find_edge(rows["service_ms"][first], measured[first], latency_ms[first], rotation_ms)
    return Drive(
        which=which,
        imported=made(closed, whole),
        measured_times=made(timed["service_ms"], whole),
        unseen=made(rows["service_ms"], second),
        found=found,
        outcomes=_outcomes(found, found.predicted()["cache"], columns, second),
        rotation_ms=rotation_ms,
        edge=edge,
        scattered=scattered(
            rows["service_ms"][second], latency_ms[second], rotation_ms, edge.scatter_ms, seed
        ),
    )


def _outcomes(
    found: Calibration,
    cache: NDArray[np.uint8],
    columns: dict[str, NDArray[np.float64]],
    part: slice,
) -> float:
    """How often model and drive agree on whether the buffer had a read's data."""
    line = found.reading.hits
    reads = columns["operation"][part] == 0
    if line is None or not reads.any():
        return float("nan")
    sectors = columns["sectors"][part].astype(np.int64)
    hit = line.below(columns["service_ms"][part], sectors)
    said = np.isin(cache[part], _SERVED_BY_BUFFER)
    return float(np.mean((hit == said)[reads]))
