"""How near a profile comes to measured times: the figures, and whether one beats another."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from platterlab._core import Profile, error_figures
from platterlab.calibration.judged.cross_validation import is_sure_gain
from platterlab.calibration.trace.observed import Flags, Floats, Whole
from platterlab.calibration.trace.reading import Reading

SLIP_REACH = 0.05
"""An error this near to one turn, in turns, is a turn missed or won."""

NOT_WORSE = 1.001
"""A figure may be so many times the start's and count as no worse."""

LEAST_ALIKE = 30
"""Requests of one operation that its own median is of any use for."""

NO_MATTER_MS = 0.05
"""Reads alone, or writes alone, may be so much worse in the median, or if not in the mean."""

DRAWS = 200
"""Of as many requests as there are, each drawn anew from them."""

CHANCE = 0.05
"""Share of these draws in which a profile that counts as no worse may be worse."""

DEMERIT_WEIGHT = 0.3
"""How much the distribution counts beside single requests, where profiles are compared."""


def judged(simulated_ms: Floats, measured_ms: Floats, rotation_ms: float) -> dict[str, float]:
    """The figures of single requests and the demerit."""
    simulated, measured = np.ascontiguousarray(simulated_ms), np.ascontiguousarray(measured_ms)
    figures = error_figures(simulated, measured)
    off = np.abs(simulated - measured)
    return {
        "demerit_ms": figures["demerit_ms"],
        "rmse_ms": figures["rmse_ms"],
        "median_abs_error_ms": figures["median_abs_error_ms"],
        "p95_abs_error_ms": figures["p95_abs_error_ms"],
        "within_0.1_ms": float(np.mean(off <= 0.1)),
        "within_0.25_ms": float(np.mean(off <= 0.25)),
        "within_0.5_ms": float(np.mean(off <= 0.5)),
        "within_1_ms": float(np.mean(off <= 1.0)),
        "slipped_revolution": float(np.mean(np.abs(off / rotation_ms - 1) < SLIP_REACH)),
    }


@dataclass(frozen=True)
class Part:
    """Some requests of a trace, on which profiles are compared.

    Attributes:
        reading: the trace.
        rows: from the first request to the one behind the last.
    """

    reading: Reading
    rows: slice

    @property
    def timing(self) -> str:
        """Closed where the trace says how long its host waited; else at the times it tells."""
        think = self.reading.requests.columns()["think_ms"][1:]
        return "closed" if np.isfinite(think).all() else "issue"

    @property
    def measured_ms(self) -> Floats:
        """Their service times; not a number where the trace does not know."""
        return np.asarray(self.reading.requests.columns()["service_ms"][self.rows])

    @property
    def write(self) -> Flags:
        """Which are writes."""
        return np.asarray(self.reading.requests.columns()["operation"][self.rows] == 1)

    def simulated(self, profile: Profile) -> dict[str, Any]:
        """A row for each of them: all before them are simulated too."""
        end = len(self.reading.requests) if self.rows.stop is None else int(self.rows.stop)
        requests = self.reading.requests.part(0, end)
        rows = requests.replay(profile, timing=self.timing, track_phase=self.timing == "issue")
        return {name: column[self.rows] for name, column in rows.items()}

    def figures(self, profile: Profile) -> dict[str, float]:
        """The figures under a profile."""
        return self._figures(np.asarray(self.simulated(profile)["service_ms"]))

    def _figures(self, simulated_ms: Floats) -> dict[str, float]:
        known = np.isfinite(self.measured_ms)
        rotation_ms = self.reading.period.rotation_ms
        return judged(simulated_ms[known], self.measured_ms[known], rotation_ms)

    def served(self, profile: Profile) -> Floats:
        """The time of every request up to the end of these, under a profile."""
        whole = Part(self.reading, slice(0, self.rows.stop))
        return np.asarray(whole.simulated(profile)["service_ms"], dtype=np.float64)

    def best(self, start: Profile, candidates: list[Profile]) -> int | None:
        """The last of some profiles that is nowhere worse than the start, and nearer in all.

        Or one before it that is surely nearer, and nowhere worse than that; None where there is
        none.
        """
        times = self.served(start)
        least, chosen = self.cost(times), None
        runs = [self.served(profile) for profile in candidates]
        for number in reversed(range(len(runs))):
            if self.cost(runs[number]) >= least or not self.is_no_worse(runs[number], times):
                continue
            if chosen is None or self.is_surely_better(runs[number], runs[chosen]):
                chosen = number
        return chosen

    def is_surely_better(self, simulated_ms: Floats, other_ms: Floats) -> bool:
        """Whether some times are nowhere worse than others, and nearer by more than chance."""
        if not self._is_here_no_worse(simulated_ms[self.rows], other_ms[self.rows]):
            return False
        return is_sure_gain(self._gain(simulated_ms, other_ms))

    def is_surely_nearer(self, simulated_ms: Floats, other_ms: Floats) -> bool:
        """Whether single requests are nearer by more than chance, and all in all they are, too."""
        nearer = self.cost(simulated_ms) < self.cost(other_ms)
        return nearer and is_sure_gain(self._gain(simulated_ms, other_ms))

    def _gain(self, simulated_ms: Floats, other_ms: Floats) -> Floats:
        """How much nearer each request is under some times than under others."""
        gain = self._off(other_ms) - self._off(simulated_ms)
        return np.asarray(gain[np.isfinite(gain)])

    def _off(self, times_ms: Floats) -> Floats:
        """How far each request is off, half a turn at most."""
        off = np.abs(times_ms[self.rows] - self.measured_ms)
        return np.asarray(np.minimum(off, self.reading.period.rotation_ms / 2), dtype=np.float64)

    def cost(self, times_ms: Floats) -> float:
        """The mean error, half a turn at most each, and a part of the demerit."""
        single = float(np.nanmean(self._off(times_ms)))
        return single + DEMERIT_WEIGHT * self._figures(times_ms[self.rows])["demerit_ms"]

    def near_share(self, times_ms: Floats) -> float:
        """How many requests are within a quarter of a millisecond."""
        return self._figures(times_ms[self.rows])["within_0.25_ms"]

    def is_no_worse(self, times_ms: Floats, start_ms: Floats) -> bool:
        """Whether a profile is no worse than the start, as surely as the requests can tell.

        On these requests demerit, median, and the medians of reads and writes are no worse; and of
        all up to their end, drawn anew, the demerit hardly ever is. Nor is the median, or it is
        not surely worse while single requests surely are nearer: where half of them are near and
        half far a median says little. What was fitted on is on the profile's side: one that is
        worse there is worse.
        """
        if not self._is_here_no_worse(times_ms[self.rows], start_ms[self.rows]):
            return False
        median, demerit = self._worse(times_ms, start_ms)
        most = 1 - CHANCE if self.is_surely_better(times_ms, start_ms) else CHANCE
        return median <= most and demerit <= CHANCE

    def is_nearer_in_all(self, times_ms: Floats, other_ms: Floats) -> bool:
        """Whether the distribution of some times is nearer than that of others, in most draws."""
        return self._worse(times_ms, other_ms)[1] < 0.5

    def _worse(self, times_ms: Floats, other_ms: Floats) -> tuple[float, float]:
        """In which share of the draws median and demerit of some times are above those of others.

        Of all requests up to the end of these.
        """
        whole = Part(self.reading, slice(0, self.rows.stop)).measured_ms
        known = np.isfinite(whole)
        own_ms, other_ms, real_ms = times_ms[known], other_ms[known], whole[known]
        times = [_Sorted(ms) for ms in (own_ms, other_ms, real_ms)]
        off = [_Sorted(np.abs(ms - real_ms)) for ms in (own_ms, other_ms)]
        rng, count = np.random.default_rng(0), len(real_ms)
        median, demerit = 0, 0
        for _ in range(DRAWS):
            often = np.bincount(rng.integers(0, count, count), minlength=count)
            near, far = (one.drawn(often) for one in off)
            median += _middle(near) > _middle(far)
            own, other, real = (one.drawn(often) for one in times)
            demerit += bool(np.sum((own - real) ** 2) > np.sum((other - real) ** 2))
        return median / DRAWS, demerit / DRAWS

    def _is_here_no_worse(self, simulated_ms: Floats, start_ms: Floats) -> bool:
        own, other = self._figures(simulated_ms), self._figures(start_ms)
        names = ("demerit_ms", "median_abs_error_ms")
        if any(own[name] > NOT_WORSE * other[name] for name in names):
            return False
        for some in (self.write, ~self.write):
            some = some & np.isfinite(self.measured_ms)
            if some.sum() < LEAST_ALIKE:
                continue
            own_ms, other_ms = (
                np.abs(times[some] - self.measured_ms[some]) for times in (simulated_ms, start_ms)
            )
            most_ms = NOT_WORSE * float(np.median(other_ms)) + NO_MATTER_MS
            if np.median(own_ms) > most_ms and own_ms.mean() > other_ms.mean():
                return False
        return True


class _Sorted:
    """Some values in order, of which each may be drawn any number of times.

    What is drawn is then in order, too, and is not sorted for each draw.
    """

    def __init__(self, values: Floats) -> None:
        self._order = np.argsort(values)
        self._values = values[self._order]

    def drawn(self, often: Whole) -> Floats:
        """The values as often as each is drawn, in order."""
        return np.repeat(self._values, often[self._order])


def _middle(values: Floats) -> float:
    """The median of values in order."""
    half = len(values) // 2
    return float(values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2)
