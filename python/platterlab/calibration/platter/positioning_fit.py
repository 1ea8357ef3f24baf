"""The unknowns of positioning, fitted to the edges of the intervals in which requests were ready.

The sum of smooth penalties on both sides of each interval is made as small as can be, first with a
wide and then with an ever narrower transition. Each counts up to a cap: the few requests that
slip a turn must not bend the curve.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from platterlab._core import edge_penalties, smooth_later
from platterlab.calibration.trace.observed import Flags, Floats, Whole

WIDTHS_MS = (1.0, 0.4, 0.15, 0.08)
"""Of the transition at the edge, one after the other."""

LEAST_GAIN, MOST_STEPS = 1e-9, 200
"""Of the penalties, by a step of the search: less is nothing. It ends after so many steps."""

DAMPING, LEAST_DAMPING, MOST_DAMPING, EASED = 10.0, 1e-9, 1e9, 8.0
"""Of the first step, the least, the most, and by how many times it changes from step to step. As
penalties are capped there is more than one place of the least: first steps are short, so that the
search ends at the one that it begins at."""

FLAT = 1e-12
"""A request's penalty that rises and bends by less does neither."""

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

    def moves(self, by_data: Floats, rows: Whole) -> Floats:
        """By how much a unit of each unknown makes some requests ready later."""
        moves: Floats = self.arm[rows] * (1.0 - by_data[rows, None])
        if self.data is not None:
            moves[:, len(NAMES)] = by_data[rows]
            moves[:, len(NAMES) + 1] = by_data[rows] * self.data[0][rows]
        return moves

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
        found, left = _least(model, width, found, free)
    found[seeks] = np.cumsum(found[seeks])
    return np.asarray(found), left


def stiffened(model: Model, found: Floats) -> tuple[Floats, Model]:
    """The same with a stiff seek curve, if requests do not say more of its points.

    Each number of a curve that is free has to spare what a number is worth (Akaike's criterion).
    """
    stiff = replace(model, stiff=True)
    if len(stiff.smoothness) == 0:
        return found, model
    other, _ = fit(stiff, found, WIDTHS_MS[1:])
    more = misfit(other, stiff, WIDTHS_MS[-1]) - misfit(found, model, WIDTHS_MS[-1])
    return (other, stiff) if more < len(model.knots) - LAW else (found, model)


@dataclass(frozen=True)
class _Cost:
    """The penalties under some unknowns, their slope, and by how much that changes with each."""

    unknowns: Floats
    total: float
    slope: Floats
    curvature: Floats


def _least(model: Model, width: float, start: Floats, free: Flags) -> tuple[Floats, float]:
    """The free unknowns that leave the least penalties, within bounds, and these.

    By Newton's steps, each as far as the penalties fall: damped the more, the less it gains (after
    Levenberg and Marquardt). An unknown that would leave its bounds stays there.
    """
    low, high = model.bounds()
    best, damping = _cost(start, model, width), DAMPING
    for _ in range(MOST_STEPS):
        slope, at = best.slope, best.unknowns
        stays = ((at <= low) & (slope > 0.0)) | ((at >= high) & (slope < 0.0))
        step, left = _step(best, free & ~stays, damping)
        if left < LEAST_GAIN or damping > MOST_DAMPING:
            break
        tried = _cost(np.clip(at + step, low, high), model, width)
        if tried.total < best.total:
            best, damping = tried, max(damping / EASED, LEAST_DAMPING)
        else:
            damping *= EASED
    return best.unknowns, best.total


def _step(cost: _Cost, moved: Flags, damping: float) -> tuple[Floats, float]:
    """How far Newton's method has some unknowns move, and what it would gain undamped.

    Where the penalties bend down it is as if they bent up by as much.
    """
    step, rows = np.zeros(len(moved)), np.flatnonzero(moved)
    curvature = cost.curvature[np.ix_(rows, rows)]
    scale = 1.0 / np.sqrt(np.maximum(np.abs(np.diag(curvature)), 1.0))
    bends, ways = np.linalg.eigh(scale[:, None] * curvature * scale)
    bends, along = np.abs(bends), ways.T @ (scale * cost.slope[rows])
    step[rows] = -scale * (ways @ (along / (bends + damping)))
    return step, float(along @ (along / (bends + LEAST_DAMPING)))


def _cost(unknowns: Floats, model: Model, width: float) -> _Cost:
    """The penalties of the requests, and of what unknowns are unlikely."""
    seeks, bus = model.curve, len(NAMES) + 1
    values = unknowns.copy()
    values[seeks] = unknowns[seeks].cumsum()
    total, slope, curvature = _misfit(values, model, width)
    bend = model.smoothness @ values[seeks]
    total += float(bend @ bend)
    slope[seeks] += 2.0 * model.smoothness.T @ bend
    curvature[seeks, seeks] += 2.0 * model.smoothness.T @ model.smoothness
    small = np.arange(1, len(NAMES))
    total += 0.01 * float(values[small] @ values[small])
    slope[small] += 0.02 * values[small]
    curvature[small, small] += 0.02
    if model.data is not None:
        off = (values[bus] - model.sector_ms) / SECTOR_ERROR_MS
        total += off**2
        slope[bus] += 2.0 * off / SECTOR_ERROR_MS
        curvature[bus, bus] += 2.0 / SECTOR_ERROR_MS**2
    # Each rise moves all that comes after it.
    slope[seeks] = slope[seeks][::-1].cumsum()[::-1]
    curvature[seeks] = curvature[seeks][::-1].cumsum(axis=0)[::-1]
    curvature[:, seeks] = curvature[:, seeks][:, ::-1].cumsum(axis=1)[:, ::-1]
    return _Cost(unknowns, total, slope, curvature)


def misfit(values: Floats, model: Model, width: float) -> float:
    """The penalties of the requests alone."""
    return float(charges(values, model, width).sum())


def charges(values: Floats, model: Model, width: float = WIDTHS_MS[-1]) -> Floats:
    """The penalty of each request."""
    ready, _ = model.ready(values, SMOOTH * width)
    return _charged(ready, model, width)[0]


def _misfit(values: Floats, model: Model, width: float) -> tuple[float, Floats, Floats]:
    """The same with their slope and curvature."""
    ready, by_data = model.ready(values, SMOOTH * width)
    charged, slope, bend = _charged(ready, model, width)
    told = np.flatnonzero((np.abs(slope) > FLAT) | (bend > FLAT))
    moves = model.moves(by_data, told)
    curvature = moves.T @ (moves * bend[told, None])
    if model.data is not None:
        # Between arm and data the later of both bends by itself.
        turning = slope * by_data * (1.0 - by_data) / (SMOOTH * width)
        curved = np.flatnonzero(np.abs(turning) > FLAT)
        later = model.moves(np.ones(len(ready)), curved) - model.arm[curved]
        curvature += later.T @ (later * turning[curved, None])
    return float(charged.sum()), moves.T @ slope[told], curvature


def _charged(ready: Floats, model: Model, width: float) -> tuple[Floats, Floats, Floats]:
    """The penalty of each request, its slope, and the slope's."""
    return edge_penalties(ready, model.waited_ms, model.held, model.rotation_ms, width)
