"""Quality of a simulation, in figures: the demerit and what it hides.

The demerit (Ruemmler and Wilkes, 1994) is the root mean square of the horizontal distance between
the two distributions of service times. It does not see which request had which time, so the
figures of single requests accompany it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from platterlab.answers import AgreementSummary, ErrorFigures


@dataclass(frozen=True)
class Errors:
    """How far single requests are off: |simulated - measured|."""

    rmse_ms: float
    median_abs_error_ms: float
    p95_abs_error_ms: float
    within_100_us: float
    """The share of requests at most so far off, from 0 to 1."""
    within_250_us: float
    within_500_us: float
    within_1_ms: float


@dataclass(frozen=True)
class Comparison:
    """A simulated distribution against the measured one."""

    measured_requests: int
    simulated_requests: int
    measured_mean_ms: float
    simulated_mean_ms: float
    demerit_ms: float
    exact: bool
    """False where there were so many requests that the demerit, the median and the 95th percentile
    come from bins of 0.025 %."""
    errors: Errors | None
    """None when the requests of the two do not pair up."""

    @property
    def demerit_pct(self) -> float:
        """The demerit in percent of the measured mean."""
        return 100 * self.demerit_ms / self.measured_mean_ms if self.measured_mean_ms else 0.0

    def to_json(self) -> dict[str, float | int | None]:
        """Flat, with the units in the keys."""
        figures = asdict(self)
        errors = figures.pop("errors") or {}
        return {**figures, "demerit_pct": self.demerit_pct, **errors}


def groups_of(told: AgreementSummary | None) -> dict[str, Comparison] | None:
    """All, reads and writes, where there are any; None of nothing."""
    if told is None:
        return None
    groups = {"all": told["all"], "reads": told["reads"], "writes": told["writes"]}
    return {name: _comparison(one) for name, one in groups.items() if one is not None}


def _comparison(figures: ErrorFigures) -> Comparison:
    every: Mapping[str, Any] = figures
    return Comparison(
        measured_requests=figures["requests"],
        simulated_requests=figures["requests"],
        measured_mean_ms=figures["measured_mean_ms"],
        simulated_mean_ms=figures["simulated_mean_ms"],
        demerit_ms=figures["demerit_ms"],
        exact=figures["exact"],
        errors=Errors(**{name: every[name] for name in Errors.__annotations__}),
    )
