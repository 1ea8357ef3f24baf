"""One rung after the other, judged against measured times."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Profile, Requests, error_figures
from platterlab.answers import ErrorFigures
from platterlab.documents import Json, Overrides

Column = NDArray[np.float64]
READ, WRITE = 0, 1


@dataclass(frozen=True)
class Measured:
    """What a rung is judged against: service times and operations, a number per request each."""

    service_ms: Column
    operation: NDArray[np.uint8]

    def part(self, first: int, last: int) -> "Measured":
        """The requests from `first` to before `last`."""
        return Measured(self.service_ms[first:last], self.operation[first:last])


def simulate(
    requests: Requests,
    profile: Profile,
    overrides: Overrides,
    *,
    timing: str,
    seed: int,
    track_phase: bool = False,
) -> Column:
    """Service times of one rung, in milliseconds."""
    rung = profile.with_overrides(overrides) if overrides else profile
    (service_ms,) = requests.service_ms([rung], timing=timing, seed=seed, track_phase=track_phase)
    return service_ms


class Judged(ErrorFigures):
    """How far a rung is off: all requests, and reads and writes apart where there are any."""

    reads: ErrorFigures | None
    writes: ErrorFigures | None


def judge(simulated_ms: Column, measured: Measured) -> Judged:
    """How far a rung is off."""

    def apart(operation: int) -> ErrorFigures | None:
        mine = measured.operation == operation
        return error_figures(simulated_ms[mine], measured.service_ms[mine]) if mine.any() else None

    every = error_figures(simulated_ms, measured.service_ms)
    return {**every, "reads": apart(READ), "writes": apart(WRITE)}


def beside(figures: Judged) -> Json:
    """The figures that go with a rung's demerit in per cent."""
    reads, writes = figures["reads"], figures["writes"]
    return {
        "demerit_ms": figures["demerit_ms"],
        "mean_ms": figures["simulated_mean_ms"],
        "measured_mean_ms": figures["measured_mean_ms"],
        "rmse_ms": figures["rmse_ms"],
        "median_abs_error_ms": figures["median_abs_error_ms"],
        "p95_abs_error_ms": figures["p95_abs_error_ms"],
        "within_0.1_ms": figures["within_100_us"],
        "within_0.5_ms": figures["within_500_us"],
        "within_1_ms": figures["within_1_ms"],
        "reads_demerit_percent": reads["demerit_percent"] if reads else None,
        "writes_demerit_percent": writes["demerit_percent"] if writes else None,
    }


def mean_error_pct(figures: Judged) -> float:
    """The simulated mean against the measured one, in per cent."""
    return 100.0 * (figures["simulated_mean_ms"] / figures["measured_mean_ms"] - 1.0)
