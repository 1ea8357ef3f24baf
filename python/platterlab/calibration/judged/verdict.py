"""How near a profile comes to measured times: the figures, and whether one beats another."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from platterlab._core import Profile, error_figures
from platterlab.calibration.judged.cross_validation import SURE
from platterlab.calibration.trace.observed import Flags, Floats
from platterlab.calibration.trace.reading import Reading

SLIP_REACH = 0.05
"""An error this near to one turn, in turns, is a turn missed or won."""

NOT_WORSE = 1.001
"""A figure may be so many times the start's and count as no worse."""

LEAST_ALIKE = 30
"""Requests of one operation that its own median is of any use for."""

NO_MATTER_MS = 0.05
"""Reads alone, or writes alone, may be so much worse in the median."""

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


NO_CHANCE = {"cache.read_ahead_abandoned": 0.0}
"""What is most likely in place of what chance draws."""


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

    def best(self, start: Profile, candidates: list[Profile]) -> int | None:
        """The last of some profiles that is nowhere worse than the start, and nearer in all.

        Or one before it that is surely nearer, and nowhere worse than that; None where there is
        none. Nowhere worse: demerit and median no higher, reads alone and writes alone not farther
        off in the median.
        """
        times = np.asarray(self.simulated(start)["service_ms"])
        least, chosen = self.cost(times), None
        # What chance draws is right of the distribution and of no single request.
        likeliest = [profile.with_overrides(NO_CHANCE) for profile in candidates]
        runs = [np.asarray(self.simulated(profile)["service_ms"]) for profile in likeliest]
        for number in reversed(range(len(runs))):
            if self.cost(runs[number]) >= least or not self.is_no_worse(runs[number], times):
                continue
            if chosen is None or self.is_surely_better(runs[number], runs[chosen]):
                chosen = number
        return chosen

    def is_surely_better(self, simulated_ms: Floats, other_ms: Floats) -> bool:
        """Whether some times are nowhere worse than others, and nearer by more than chance."""
        if not self.is_no_worse(simulated_ms, other_ms):
            return False
        gain = self._off(other_ms) - self._off(simulated_ms)
        gain = gain[np.isfinite(gain)]
        return bool(np.mean(gain) > SURE * np.std(gain) / np.sqrt(len(gain)))

    def _off(self, simulated_ms: Floats) -> Floats:
        """How far each request is off, half a turn at most."""
        off = np.abs(simulated_ms - self.measured_ms)
        return np.asarray(np.minimum(off, self.reading.period.rotation_ms / 2), dtype=np.float64)

    def cost(self, simulated_ms: Floats) -> float:
        """The mean error, half a turn at most each, and a part of the demerit."""
        single = float(np.nanmean(self._off(simulated_ms)))
        return single + DEMERIT_WEIGHT * self._figures(simulated_ms)["demerit_ms"]

    def is_no_worse(self, simulated_ms: Floats, start_ms: Floats) -> bool:
        """Whether demerit, median, and the medians of reads and writes are no worse."""
        own, other = self._figures(simulated_ms), self._figures(start_ms)
        names = ("demerit_ms", "median_abs_error_ms")
        if any(own[name] > NOT_WORSE * other[name] for name in names):
            return False
        for some in (self.write, ~self.write):
            some = some & np.isfinite(self.measured_ms)
            if some.sum() < LEAST_ALIKE:
                continue
            off, before = (
                float(np.median(np.abs(times[some] - self.measured_ms[some])))
                for times in (simulated_ms, start_ms)
            )
            if off > NOT_WORSE * before + NO_MATTER_MS:
                return False
        return True
