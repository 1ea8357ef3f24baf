"""Fits unknowns of a profile to measured service times, request by request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from platterlab._core import Profile, Requests
from platterlab.documents import Overrides
from platterlab.studies.ruemmler_wilkes.parameter import Numbers, Unknown

Progress = Callable[[float], None]
"""Called with the share that is done, from 0 to 1."""


LONGEST_SHARE = 0.001
"""The share of requests, the longest ones, that the distribution's part of the cost leaves out: a
single retry would outweigh all others."""


DEMERIT_WEIGHT = 0.3
"""Weight of the distribution against single requests: enough to keep revolutions lost and won
in balance."""


@dataclass(frozen=True)
class Fitted:
    """What a fit found.

    Attributes:
        profile: the profile with the fitted values in it.
        overrides: the fitted values by key.
        cost_ms: the mean capped error per request at the end.
        start_cost_ms: the same at the start.
        evaluations: how often the requests were simulated.
    """

    profile: Profile
    overrides: Overrides
    cost_ms: float
    start_cost_ms: float
    evaluations: int


@dataclass(frozen=True)
class Stage:
    """Some unknowns that are searched together.

    Attributes:
        unknowns: what to find, given what earlier stages found.
        evaluations: how many simulations the search may use, roughly.
        everywhere: search the whole of the bounds (differential evolution) and not just downhill
            from the start (Powell's method).
    """

    unknowns: Sequence[Unknown]
    evaluations: int
    everywhere: bool = False


def fit(
    profile: Profile,
    requests: Requests,
    measured_ms: NDArray[np.float64],
    stages: Sequence[Stage],
    *,
    cap_ms: float,
    seed: int,
    progress: Progress = lambda _share: None,
) -> Fitted:
    """Fits the unknowns, stage after stage.

    The cost is the mean over all requests of the absolute error in milliseconds, at most `cap_ms`
    each: a request that slips a revolution, or that the host reported late, counts as wrong and not
    as more than that. The platter's phase follows the measured completions of earlier requests.
    Values found in one stage hold in the next. The same inputs give the same fit.

    Args:
        profile: where the search starts.
        requests: with recorded issue times.
        measured_ms: their service times, in milliseconds, shape (len(requests),).
        stages: what to search for, in order.
        cap_ms: the most that one request counts.
        seed: of the searches that draw.
        progress: called with the share of the work that is done.
    """
    most = sum(stage.evaluations for stage in stages)
    search = _Search(profile, requests, measured_ms, cap_ms, most, progress)
    found: Overrides = {}
    (start_cost,) = search.costs([found])
    for stage in stages:
        found |= (
            search.everywhere(found, stage, seed)
            if stage.everywhere
            else (search.downhill(found, stage))
        )
    (cost,) = search.costs([found])
    return Fitted(
        profile=profile.with_overrides(found),
        overrides=found,
        cost_ms=cost,
        start_cost_ms=start_cost,
        evaluations=search.done,
    )


class _Search:
    """The requests to be explained, and how often they were simulated."""

    def __init__(
        self,
        profile: Profile,
        requests: Requests,
        measured_ms: NDArray[np.float64],
        cap_ms: float,
        most: int,
        progress: Progress,
    ) -> None:
        self.profile = profile
        self.requests = requests
        self.measured_ms = measured_ms
        self.sorted_ms = np.sort(measured_ms)
        self.common = max(1, int(len(measured_ms) * (1 - LONGEST_SHARE)))
        self.cap_ms = cap_ms
        self.most = most
        self.progress = progress
        self.done = 0

    def costs(self, candidates: Sequence[Overrides]) -> list[float]:
        """The mean capped error of each candidate's keys."""
        self.done += len(candidates)
        self.progress(min(1.0, self.done / self.most))
        profiles = [self.profile.with_overrides(candidate) for candidate in candidates]
        runs = self.requests.service_ms(profiles, timing="issue", track_phase=True)
        return [self.cost(run) for run in runs]

    def cost(self, simulated_ms: NDArray[np.float64]) -> float:
        """The capped error request by request, plus the demerit of all but the longest times."""
        single = np.minimum(np.abs(simulated_ms - self.measured_ms), self.cap_ms).mean()
        apart = np.sort(simulated_ms)[: self.common] - self.sorted_ms[: self.common]
        return float(single + DEMERIT_WEIGHT * np.sqrt(np.mean(apart**2)))

    def downhill(self, found: Overrides, stage: Stage) -> Overrides:
        """The best values near the start."""
        unknowns = stage.unknowns
        bounds = _bounds(unknowns)
        low, high = np.array(bounds).T

        def inside(numbers: Numbers) -> Overrides:
            # Powell's steps end beside a bound by the rounding of its sums.
            return _overrides(unknowns, np.clip(numbers, low, high))

        result = scipy.optimize.minimize(
            lambda numbers: self.costs([found | inside(numbers)])[0],
            _current(found, unknowns),
            method="Powell",
            bounds=bounds,
            options={"maxfev": stage.evaluations, "xtol": 1e-3, "ftol": 1e-5},
        )
        return inside(result.x)

    def everywhere(self, found: Overrides, stage: Stage, seed: int) -> Overrides:
        """The best values within the bounds."""
        unknowns = stage.unknowns
        bounds = _bounds(unknowns)
        population = 4 * len(bounds)

        def costs(numbers: Numbers) -> NDArray[np.float64]:
            columns = np.atleast_2d(numbers.T)
            return np.array(self.costs([found | _overrides(unknowns, one) for one in columns]))

        result = scipy.optimize.differential_evolution(
            costs,
            bounds,
            x0=_current(found, unknowns),
            popsize=4,
            maxiter=max(1, stage.evaluations // population - 1),
            tol=1e-4,
            rng=seed,
            polish=False,
            vectorized=True,
            updating="deferred",
        )
        return _overrides(unknowns, result.x)


def _bounds(unknowns: Sequence[Unknown]) -> list[tuple[float, float]]:
    return [pair for unknown in unknowns for pair in unknown.bounds]


def _current(found: Overrides, unknowns: Sequence[Unknown]) -> Numbers:
    """Where to start: what was found before, else each unknown's own start."""
    starts = [unknown.numbers(found) or unknown.start for unknown in unknowns]
    low, high = np.array(_bounds(unknowns)).T
    return np.asarray(np.clip(np.concatenate(starts), low, high), dtype=np.float64)


def _overrides(unknowns: Sequence[Unknown], numbers: Numbers) -> Overrides:
    overrides: Overrides = {}
    at = 0
    for unknown in unknowns:
        count = len(unknown.start)
        overrides |= unknown.overrides(numbers[at : at + count])
        at += count
    return overrides
