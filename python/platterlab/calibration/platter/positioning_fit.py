"""The unknowns of positioning, fitted to the edges of the intervals in which requests were ready.

The sum of smooth penalties on both sides of each interval is made as small as can be, first with a
wide and then with an ever narrower transition. Each counts up to a cap: the few requests that
slip a turn must not bend the curve.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import optimize

from platterlab._core import edge_penalties, smooth_later
from platterlab.calibration.trace.observed import Flags, Floats, Whole

WIDTHS_MS = (1.0, 0.4, 0.15, 0.08)
"""Of the transition at the edge, one after the other."""

ROUGHLY: Mapping[str, float] = {"maxiter": 400}
"""How long to search for what is compared with other fits."""

TO_THE_END: Mapping[str, float] = {
    "maxiter": 6_000, "maxfun": 9_000, "maxcor": 40, "ftol": 1e-15, "gtol": 1e-6,
}  # fmt: skip
"""How long for what is kept: as many steps are remembered as there are unknowns, or the search
creeps along valleys of overhead and arm, which only sums are known of."""

SMOOTH = 0.25
"""Of a width: over so much passes what comes later, arm or data, into the other."""

ALIKE_COST = 0.5
"""Fits that differ by less in what is left are alike: less than a request."""

BENDS = 2.0
"""Weight of how the seek curve bends, in the root of the distance."""

STIFF = 0.001
"""Weight of how differently a stiff one bends, over all of its length."""

LAW = 5
"""Numbers of a law that a stiff curve follows."""

LONGEST_OVERHEAD_MS = 8.0
"""A controller that takes longer over a command is none that was ever built."""

MOST_AFTER_WRITE_MS = 3.0
"""Nor one that a write before makes so much slower or quicker: that is a write still under way."""

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
        answer_ms: what the buffer's answers cost, beside their data; None where it has none.
        stiff: whether the seek curve is smooth throughout, or bends where requests say so.
    """

    arm: Floats
    data: tuple[Floats, Floats] | None
    held: Flags
    waited_ms: Floats
    rotation_ms: float
    knots: Whole
    usable: Flags
    sector_ms: float
    answer_ms: float | None = None
    stiff: bool = False

    @cached_property
    def smoothness(self) -> Floats:
        """What the points of the seek curve may not be, as rows whose squares are penalties.

        The curve is smooth in the root of the distance: it bends little or, where it is stiff, as
        much at any distance, as the laws do by which arms are driven.
        """
        roots = np.sqrt(self.knots.astype(np.float64))
        steps = np.diff(roots)[:, None]
        bends = np.diff(np.diff(np.eye(len(roots)), axis=0) / steps, axis=0)
        if not self.stiff:
            return np.asarray(np.sqrt(BENDS) * bends)
        bends /= (steps[:-1] + steps[1:]) / 2 / (roots[-1] - roots[0]) ** 2
        return np.asarray(np.sqrt(STIFF) * np.diff(bends, axis=0))

    @property
    def curve(self) -> slice:
        """Where the seek curve is among the unknowns."""
        return slice(SEEKS, SEEKS + len(self.knots))

    def bounds(self) -> tuple[Floats, Floats]:
        """Between what each unknown lies: what a drive can be.

        No overhead, rise of the seek curve or time of data is below nothing, no controller takes
        longer over a command than `LONGEST_OVERHEAD_MS`, or `MOST_AFTER_WRITE_MS` more or less
        after a write, and no switch takes half a turn.
        """
        low, high = np.full(len(self.usable), -np.inf), np.full(len(self.usable), np.inf)
        low[0], high[0] = 0.0, LONGEST_OVERHEAD_MS
        high[[NAMES.index(name) for name in ("head_read", "head_write")]] = self.rotation_ms / 2
        after = [NAMES.index(name) for name in ("read_after_write", "write_after_write")]
        low[after], high[after] = -MOST_AFTER_WRITE_MS, MOST_AFTER_WRITE_MS
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
        return smooth_later(arm, data, width_ms)

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


def fit(
    model: Model,
    start: Floats,
    widths: tuple[float, ...] = WIDTHS_MS,
    options: Mapping[str, float] = ROUGHLY,
) -> tuple[Floats, float]:
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
        cost = _Cost(model, width, free)
        result = optimize.minimize(
            cost.total, found, jac=cost.slope, method="L-BFGS-B",
            bounds=optimize.Bounds(low, high), options=dict(options),
        )  # fmt: skip
        found, left = result.x, float(result.fun)
    found[seeks] = np.cumsum(found[seeks])
    return np.asarray(found), left


def settled(model: Model, found: Floats) -> Floats:
    """The same where nothing is left to gain.

    A search that stops on its way ends elsewhere where sums are added up in another order, as
    other processors do it, and a request that is ready within that of its sector turns by it.
    """
    return fit(model, found, WIDTHS_MS[-1:], TO_THE_END)[0]


def stiffened(model: Model, found: Floats) -> tuple[Floats, Model]:
    """The same with a stiff seek curve, if requests do not say more of its points.

    Each number of a curve that is free has to spare what a number is worth (Akaike's criterion).
    """
    stiff = replace(model, stiff=True)
    if len(stiff.smoothness) == 0:
        return found, model
    other, _ = fit(stiff, found, WIDTHS_MS[1:])
    more = misfit(other, stiff, WIDTHS_MS[-1])[0] - misfit(found, model, WIDTHS_MS[-1])[0]
    return (other, stiff) if more < len(model.knots) - LAW else (found, model)


class _Cost:
    """The penalties of a model; their slope is asked for where they just were."""

    def __init__(self, model: Model, width: float, free: Flags) -> None:
        self._model, self._width, self._free = model, width, free
        self._at, self._slope = np.full(0, np.nan), np.full(0, np.nan)

    def total(self, unknowns: Floats) -> float:
        """The penalties."""
        total, self._slope = _cost(unknowns, self._model, self._width, self._free)
        self._at = unknowns.copy()
        return total

    def slope(self, unknowns: Floats) -> Floats:
        """How they grow with each unknown."""
        if not np.array_equal(unknowns, self._at):
            self.total(unknowns)
        return self._slope


def _cost(unknowns: Floats, model: Model, width: float, free: Flags) -> tuple[float, Floats]:
    """The penalties, and their slope."""
    seeks = model.curve
    values = unknowns.copy()
    values[seeks] = unknowns[seeks].cumsum()
    total, slope = misfit(values, model, width)
    bend = model.smoothness @ values[seeks]
    total += float(bend @ bend)
    slope[seeks] += 2.0 * model.smoothness.T @ bend
    small = values[1 : len(NAMES)]
    slope[1 : len(NAMES)] += 0.02 * small
    total += 0.01 * float(small @ small)
    if model.data is not None:
        off = values[len(NAMES) + 1] - model.sector_ms
        slope[len(NAMES) + 1] += 2 * off / SECTOR_ERROR_MS**2
        total += (off / SECTOR_ERROR_MS) ** 2
    # Each rise moves all that comes after it.
    slope[seeks] = slope[seeks][::-1].cumsum()[::-1]
    return total, np.where(free, slope, 0.0)


def misfit(values: Floats, model: Model, width: float) -> tuple[float, Floats]:
    """The penalties of the requests alone, and their slope."""
    ready, by_data = model.ready(values, SMOOTH * width)
    late, early, slope = edge_penalties(
        ready, model.waited_ms, model.held, model.rotation_ms, width
    )
    return float(late.sum()) + float(early.sum()), model.slope(by_data, slope)
