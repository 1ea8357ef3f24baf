"""The unknowns of positioning, fitted to the edges of the intervals in which requests were ready.

The sum of smooth penalties on both sides of each interval is made as small as can be, first with a
wide and then with an ever narrower transition.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize

from platterlab.calibration.trace.observed import Flags, Floats, Whole

WIDTHS_MS = (1.0, 0.4, 0.15, 0.08)
"""Of the transition at the edge, one after the other."""

SMOOTH = 0.25
"""Of a width: over so much passes what comes later, arm or data, into the other."""

CAP = 12.0
"""A request counts at most so many widths: the few that slip a turn must not bend the curve."""

LONGEST_OVERHEAD_MS = 8.0
"""A controller that takes longer over a command is none that was ever built."""

SECTOR_ERROR_MS = 0.01
"""How far a write's sectors may be from the time of a read's."""

NAMES = (
    "read",
    "read_after_write",
    "write",
    "write_after_write",
    "head_read",
    "head_write",
    "settle_write",
    "back",
    "back_far",
)
"""What adds up to the time, beside the seek curve: a read's overhead after a read, how much more it
is after a write, how much more that of a write is after a read and after a write, the head switch,
and how much longer seeks are before a write and towards lower cylinders."""

SEEKS = len(NAMES) + 2
"""Where the seek curve begins among the unknowns: after a write's overhead and sector time."""


@dataclass(frozen=True)
class Model:
    """What makes requests ready.

    Attributes:
        arm: what each unknown adds to the time of the arm.
        data: sectors that have to be there, and the time that may have passed since, by request;
            the latter is infinite for reads. None where data is not waited for.
        held, waited_ms, rotation_ms, knots, sector_ms: as in `find_positioning`.
        usable: which unknowns the requests tell of.
    """

    arm: Floats
    data: tuple[Floats, Floats] | None
    held: Flags
    waited_ms: Floats
    rotation_ms: float
    knots: Whole
    usable: Flags
    sector_ms: float

    @property
    def curve(self) -> slice:
        """Where the seek curve is among the unknowns."""
        return slice(SEEKS, SEEKS + len(self.knots))

    def bounds(self) -> tuple[Floats, Floats]:
        """Between what each unknown lies: what a drive can be.

        No overhead, rise of the seek curve or time of data is below nothing, no controller takes
        longer over a command than `LONGEST_OVERHEAD_MS`, and no switch half a turn.
        """
        low, high = np.full(len(self.usable), -np.inf), np.full(len(self.usable), np.inf)
        low[0], high[0] = 0.0, LONGEST_OVERHEAD_MS
        high[[NAMES.index(name) for name in ("head_read", "head_write")]] = self.rotation_ms / 2
        low[len(NAMES) : SEEKS] = 0.0
        high[len(NAMES)] = LONGEST_OVERHEAD_MS
        low[self.curve] = 0.0
        return low, high

    def ready(self, values: Floats, width_ms: float) -> tuple[Floats, Floats]:
        """When each request was ready, and how far that was its data's time rather than the arm's.

        The later of both, with a smooth transition.
        """
        arm = self.arm @ values
        if self.data is None:
            return arm, np.zeros(len(arm))
        sectors, passed_ms = self.data
        data = values[len(NAMES)] + sectors * values[len(NAMES) + 1] - passed_ms
        later = np.clip((data - arm) / width_ms, -40.0, 40.0)
        share = 1 / (1 + np.exp(-later))
        return np.maximum(arm, data) + width_ms * np.log1p(np.exp(-np.abs(later))), share

    def slope(self, by_data: Floats, each: Floats) -> Floats:
        """What a unit of each unknown adds to a cost that changes by `each` with each request."""
        slope: Floats = self.arm.T @ ((1 - by_data) * each)
        if self.data is not None:
            slope[len(NAMES)] = by_data @ each
            slope[len(NAMES) + 1] = (by_data * each) @ self.data[0]
        return slope

    def some(self, rows: Whole) -> "Model":
        """The same of some requests."""
        data = (self.data[0][rows], self.data[1][rows]) if self.data else None
        held, waited_ms = self.held[rows], self.waited_ms[rows]
        return replace(self, arm=self.arm[rows], data=data, held=held, waited_ms=waited_ms)


def fit(model: Model, start: Floats, widths: tuple[float, ...] = WIDTHS_MS) -> tuple[Floats, float]:
    """The unknowns at the edge of the intervals, and what is left of the penalties.

    The seek curve is searched as its first time and the rises from there, none below nothing.
    """
    seeks = model.curve
    free = model.usable.copy()
    free[seeks] = True
    low, high = model.bounds()
    found = np.where(free, start, 0.0)
    found[seeks] = np.diff(found[seeks], prepend=0.0)
    found, left = np.clip(found, low, high), 0.0
    for width in widths:
        result = optimize.minimize(
            _cost, found, args=(model, width, free), jac=True, method="L-BFGS-B",
            bounds=optimize.Bounds(low, high), options={"maxiter": 400},
        )  # fmt: skip
        found, left = result.x, float(result.fun)
    found[seeks] = np.cumsum(found[seeks])
    return np.asarray(found), left


def _cost(unknowns: Floats, model: Model, width: float, free: Flags) -> tuple[float, Floats]:
    """The penalties, and their slope."""
    waited_ms, rotation_ms, seeks = model.waited_ms, model.rotation_ms, model.curve
    values = unknowns.copy()
    values[seeks] = np.cumsum(unknowns[seeks])
    ready, by_data = model.ready(values, SMOOTH * width)
    early, early_slope = _penalty((ready - waited_ms) / width)
    late, late_slope = _penalty(
        np.where(model.held, -40.0, waited_ms - rotation_ms - ready) / width
    )
    slope = model.slope(by_data, (early_slope - late_slope) / width)
    total = early + late
    # A seek curve is smooth in the root of the distance.
    steps = np.diff(np.sqrt(model.knots.astype(float)))
    bend = np.diff(np.diff(values[seeks]) / steps)
    total += 2.0 * float(bend @ bend)
    turn = np.zeros(len(steps))
    turn[1:] += 4.0 * bend
    turn[:-1] -= 4.0 * bend
    turn = turn / steps
    slope[seeks][1:] += turn
    slope[seeks][:-1] -= turn
    small = values[1 : len(NAMES)]
    slope[1 : len(NAMES)] += 0.02 * small
    total += 0.01 * float(small @ small)
    if model.data is not None:
        off = values[len(NAMES) + 1] - model.sector_ms
        slope[len(NAMES) + 1] += 2 * off / SECTOR_ERROR_MS**2
        total += (off / SECTOR_ERROR_MS) ** 2
    # Each rise moves all that comes after it.
    slope[seeks] = np.cumsum(slope[seeks][::-1])[::-1]
    return total, np.where(free, slope, 0.0)


def _penalty(over: Floats) -> tuple[float, Floats]:
    """Nothing below 0, rising smoothly to a cap; the sum, and the slope of each."""
    soft = np.logaddexp(0.0, np.minimum(over, 40.0))
    inside = soft < CAP
    return float(np.minimum(soft, CAP).sum()), np.where(
        inside, 1 / (1 + np.exp(-np.clip(over, -40, 40))), 0.0
    )
