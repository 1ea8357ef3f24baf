"""The platter's angle in the completions: rotation period, skews, and which gap is meant.

A request that waits for the platter is complete when its last sector has passed, so
`completion / period - angle` has the same fraction for all of them. The angle is that of the sector
on its track plus what the track's head step `h` and cylinder step `c` turn it by. As `h` and `c`
are whole numbers, the skews of a set of requests are the peak of a two-dimensional discrete Fourier
transform of exp(2 pi i (completion / period - sector angle)) placed at (h, c). The height of the
peak says how well the requests agree: 1 if all do, about sqrt(ln(cells) / requests) by chance.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from platterlab._core import unit_numbers
from platterlab.calibration.trace.observed import Floats, Observed, Whole
from platterlab.calibration.trace.peaks import HEAD_CELLS, Singles, squares, turning

NEAR_CELLS, CELLS_TO_A_STEP = 128, 4
"""Of the transform of pairs that are near each other: along cylinder steps at most, and for each
step or head that lies between them."""

AT_ONCE = 16
"""Periods that are tried in one go."""

NEAR_STEPS = 8
"""Cylinder steps between two requests that are compared before the skews are known."""

PAIRS = 20_000
"""At most so many pairs are compared at once."""

TELLING_TURNS = 10.0
"""Pairs nearer to each other agree under one period as under others, and do not count where many
periods are tried."""

ENOUGH_PAIRS = 3_000
"""Where many periods are tried, at most so many."""

LAGS_MS = (150.0, 500.0, 1_500.0, 5_000.0, 20_000.0, 80_000.0, 300_000.0, 1_200_000.0)
"""Pairs grow apart so that the period, known so far, never leaves a doubt of half a turn."""

LONG_LAGS_MS = (4_800_000.0, 19_200_000.0, 76_800_000.0, 307_200_000.0)
"""So far apart they are compared as long as they agree: the spindle may not keep its speed."""

ALL_LAGS_MS = (*LAGS_MS, *LONG_LAGS_MS)

LEAST_PAIRS, MANY_PAIRS, MOST_PAIRS = 30, 300, 1_000
"""With fewer there is nothing to compare; with many chance is seldom mistaken for a period; so many
tell of one that only a part of them agrees on."""

MOST_TRIED = {LEAST_PAIRS: 200, MANY_PAIRS: 1_000, MOST_PAIRS: 4_000}
"""Periods to either side of the first one that are tried, by the pairs that are asked for."""

HELD = 0.5
"""Pairs farther apart agree at least so well, as a share, as the nearest ones: else that was by
chance, or the platter was lost between."""

FARTHER, FARTHEST = 4.0, 100.0
"""Pairs farther apart by so many times than nine of ten tell the period by themselves, and of these
at first those that are not so many times as far."""

BEST = 4
"""Periods that are followed from few pairs to many."""

LEAST_STRENGTH = 0.35
"""Pairs that agree less are taken for chance, if it is not far below."""

LASTING_ABOVE = 1.25
"""So many times what chance would reach is none where as many pairs agree however far apart they
are, as those of a wrong period hardly do."""

STEADILY_ABOVE, FAR_ABOVE = 1.5, 2.0
"""Elsewhere so many times, even where most pairs do not agree."""


@dataclass(frozen=True)
class Period:
    """A rotation period.

    Attributes:
        rotation_ms: in the trace's clock.
        strength: of the agreement of pairs of requests near each other on the platter.
        chance: what pairs without any order would reach.
        lasts: whether pairs agree as well however far apart in time they are.
    """

    rotation_ms: float
    strength: float
    chance: float
    lasts: bool = False

    @property
    def above_chance(self) -> float:
        """By how much more than chance pairs agree."""
        return self.strength - self.chance

    @property
    def rank(self) -> tuple[bool, float]:
        """Of periods that are found in several ways, the greatest is the likeliest."""
        return self.lasts and self.is_locked, self.above_chance

    @property
    def is_locked(self) -> bool:
        """Whether this is more than chance."""
        if self.lasts:
            return self.strength > LASTING_ABOVE * self.chance
        above = max(LEAST_STRENGTH, STEADILY_ABOVE * self.chance)
        return self.strength > min(above, FAR_ABOVE * self.chance)


@dataclass(frozen=True)
class Waiting:
    """Requests that waited for the platter.

    Attributes:
        which: their numbers.
        end_ms: completions, less the time that the bus takes after the media.
        turns: angle of the sector at which that was, skews left out or as the profile has them.
    """

    which: Whole
    end_ms: Floats
    turns: Floats


def find_periods(
    seen: Observed,
    views: list[Waiting],
    around_ms: float,
    spread: float,
    least: int = LEAST_PAIRS,
) -> list[Period]:
    """The rotation period, from `around_ms * (1 - spread)` to `around_ms * (1 + spread)`, by view.

    Args:
        seen: the trace.
        views: requests that waited for the platter, the same ones under different angles.
        around_ms: where it is looked for.
        spread: and how far from there, as a share.
        least: pairs to begin with, one of `MOST_TRIED`. Few of them leave few periods to try, many
            leave less to chance.
    """
    if not views:
        return []
    least_ms = 0.0 if least == LEAST_PAIRS else TELLING_TURNS * around_ms
    by_lag = [_Pairs(seen, views[0].which, each) for each in _pairs(seen, views[0], least_ms)]
    return [_period(view, by_lag, around_ms, spread, least) for view in views]


def _period(
    waiting: Waiting,
    by_lag: list["_Pairs"],
    around_ms: float,
    spread: float,
    least: int,
) -> Period:
    """The rotation period by one view; `by_lag` are the pairs of its requests."""
    kept, width = [_Followed(Period(around_ms, 0.0, 1.0), 0.0)], spread
    near, lasts, held = None, True, 0
    for lag_ms, pairs in zip(ALL_LAGS_MS, by_lag, strict=True):
        if len(pairs) < (LEAST_PAIRS if near else least):
            continue
        pairs = pairs if near else pairs.few
        lags, turns = pairs.apart(waiting.end_ms), pairs.apart(waiting.turns)
        step = 0.08 * around_ms / float(np.percentile(lags, 90))
        most = MOST_TRIED[LEAST_PAIRS if near else least]
        half = int(min(most, max(4, np.ceil(width / step))))
        factors = 1 / (1 + step * np.arange(-half, half + 1))
        tried = [
            _Followed(period, one.agreed + max(period.above_chance, 0.0))
            for one in kept
            for period in _periods(pairs, lags, turns, np.asarray(one.period.rotation_ms * factors))
        ]
        # What is best of few pairs need not be what all agree on.
        best = _apart(tried, step * around_ms)
        near = near or best[0].period
        if best[0].period.above_chance < HELD * near.above_chance:
            lasts = False
            break
        if lag_ms in LONG_LAGS_MS and not best[0].period.is_locked:
            break
        kept, held = best, held + 1
        width = 2 * step
    if near is not None and lasts:
        kept = _by_far_pairs(waiting, by_lag[-1], kept, near)
    near = near or kept[0].period
    lasts = lasts and held > 1
    return Period(kept[0].period.rotation_ms, near.strength, near.chance, lasts)


def _by_far_pairs(
    waiting: Waiting, pairs: "_Pairs", kept: list["_Followed"], near: Period
) -> list["_Followed"]:
    """The same by the few pairs that are far apart in time, where nearly all are not.

    A host that goes on at one place for a few seconds makes thousands of pairs within them, which
    leave the period open by turns over the trace. What lies between its visits does not.
    """
    while True:
        reach_ms = float(np.percentile(pairs.apart(waiting.end_ms), 90))
        pairs = pairs.from_to(waiting.end_ms, FARTHER * reach_ms, FARTHEST * reach_ms)
        if len(pairs) < LEAST_PAIRS:
            return kept
        lags, turns = pairs.apart(waiting.end_ms), pairs.apart(waiting.turns)
        farther = float(np.percentile(lags, 90)) / reach_ms
        around_ms = kept[0].period.rotation_ms
        step, half = 0.08 * around_ms / (farther * reach_ms), int(np.ceil(2 * farther))
        factors = 1 / (1 + step * np.arange(-half, half + 1))
        tried = [
            _Followed(period, one.agreed + max(period.above_chance, 0.0))
            for one in kept
            for period in _periods(pairs, lags, turns, np.asarray(one.period.rotation_ms * factors))
        ]
        best = _apart(tried, step * around_ms)
        if best[0].period.above_chance < HELD * near.above_chance:
            return kept
        kept = best


@dataclass(frozen=True)
class _Followed:
    """A period, and by how much more than chance pairs have agreed on it and on what led to it."""

    period: Period
    agreed: float


def _apart(periods: list[_Followed], step_ms: float) -> list[_Followed]:
    """The best few of which no two are neighbours, the best one first."""
    kept: list[_Followed] = []
    for one in sorted(periods, key=lambda one: -one.agreed):
        at_ms = one.period.rotation_ms
        if all(abs(at_ms - other.period.rotation_ms) > 1.5 * step_ms for other in kept):
            kept.append(one)
        if len(kept) == BEST:
            break
    return kept


class _Pairs:
    """Pairs of requests that are compared, under any view: an earlier and a later one each."""

    def __init__(self, seen: Observed, which: Whole, pairs: Whole) -> None:
        """Some pairs.

        Args:
            seen: the trace.
            which: numbers of the requests that waited for the platter.
            pairs: where in these the earlier and the later ones are, shape (2, pairs).
        """
        self._seen, self._which, self._pairs = seen, which, pairs

    def __len__(self) -> int:
        return int(self._pairs.shape[1])

    @cached_property
    def few(self) -> "_Pairs":
        """Not many more of them than are enough."""
        if len(self) <= ENOUGH_PAIRS:
            return self
        return _Pairs(self._seen, self._which, self._pairs[:, :: -(-len(self) // ENOUGH_PAIRS)])

    def from_to(self, end_ms: Floats, least_ms: float, most_ms: float) -> "_Pairs":
        """Those of them that are so far apart in time."""
        first, second = self._pairs
        lag_ms = end_ms[second] - end_ms[first]
        some = (lag_ms > least_ms) & (lag_ms <= most_ms)
        return _Pairs(self._seen, self._which, self._pairs[:, some])

    @cached_property
    def near(self) -> "_Near":
        """How many heads and cylinders lie between them."""
        first, second = self._which[self._pairs]
        places = self._seen.first
        return _Near(
            places.head[second] - places.head[first], places.step[second] - places.step[first]
        )

    def apart(self, values: Floats) -> Floats:
        """By how much more the later ones have of something, side by side as cells are."""
        first, second = self._pairs[:, self.near.order]
        return np.asarray(values[second] - values[first])


def _periods(pairs: _Pairs, lag_ms: Floats, turns: Floats, candidates_ms: Floats) -> list[Period]:
    """How well pairs of requests agree under each of some periods, evenly apart in turns/ms."""
    near = pairs.near
    chance = float(np.sqrt(np.log(near.cells * len(candidates_ms)) / len(pairs)))
    strengths = near.strengths(lag_ms, turns, 1 / candidates_ms)
    return [
        Period(float(period), float(strength), chance)
        for period, strength in zip(candidates_ms, strengths, strict=True)
    ]


class _Near:
    """Pairs of requests a few heads and cylinders apart, whose transform thus has few terms.

    It is the one of `transform_peak`, many times over.
    """

    def __init__(self, heads: Whole, steps: Whole) -> None:
        self._shape = (int(np.ptp(heads)) + 1, int(np.ptp(steps)) + 1)
        at = (heads - heads.min()) * self._shape[1] + steps - steps.min()
        # Side by side, those of one cell are quickly summed.
        self.order = np.argsort(at, kind="stable")
        self._filled, self._first = np.unique(at[self.order], return_index=True)
        cells = [
            min(most, 1 << int(np.ceil(np.log2(CELLS_TO_A_STEP * each))))
            for most, each in zip((HEAD_CELLS, NEAR_CELLS), self._shape, strict=True)
        ]
        self.cells = cells[0] * cells[1]
        self._by_head, self._by_step = map(turning, cells, self._shape)

    def strengths(self, lag_ms: Floats, turns: Floats, per_ms: Floats) -> Floats:
        """How well the pairs, in `order`, agree under the best skews at even steps of speed."""
        unit = unit_numbers(2 * np.pi * (lag_ms * per_ms[0] - turns))
        share = 1 / max(1, len(per_ms) - 1)
        more = unit_numbers(2 * np.pi * lag_ms * (per_ms[-1] - per_ms[0]) * share)
        found = np.zeros(len(per_ms))
        for begin in range(0, len(per_ms), AT_ONCE):
            some = found[begin : begin + AT_ONCE]
            sums = np.zeros((len(some), *self._shape), dtype=np.complex64)
            for one in sums:
                one.ravel()[self._filled] = np.add.reduceat(unit, self._first)
                unit *= more
            # One product for all of them, of no more numbers than a cache holds.
            turned: Singles = (self._by_head @ sums).reshape(-1, self._shape[1])
            spectrum: Singles = turned @ self._by_step.T
            some[:] = squares(spectrum).reshape(len(some), -1).max(axis=1)
        return np.asarray(np.sqrt(found) / len(turns), dtype=np.float64)


def _pairs(seen: Observed, waiting: Waiting, least_ms: float) -> list[Whole]:
    """Pairs of requests in the same zone, near each other in cylinders, by how far in time at most.

    An entry for each of `LAGS_MS` and `LONG_LAGS_MS`.
    """
    zone, step = seen.first.zone[waiting.which], seen.first.near[waiting.which]
    order = np.lexsort((step, zone))
    zone, step, end_ms = zone[order], step[order], waiting.end_ms[order]
    found: list[list[Whole]] = [[np.empty((2, 0), dtype=np.int64)] for _ in ALL_LAGS_MS]
    wanted = dict.fromkeys(range(len(found)), 0)
    for apart in range(1, len(order)):
        near = np.flatnonzero(
            (zone[:-apart] == zone[apart:]) & (step[apart:] - step[:-apart] <= NEAR_STEPS)
        )
        if not len(near) or not wanted:
            break
        lag = end_ms[near + apart] - end_ms[near]
        left, right = order[near], order[near + apart]
        pairs = np.where(lag > 0, [left, right], [right, left])
        far = np.abs(lag)
        enough = far >= least_ms
        for number, count in list(wanted.items()):
            timely = np.flatnonzero(enough & (far < ALL_LAGS_MS[number]))
            if not len(timely):
                continue
            found[number].append(pairs[:, timely])
            wanted[number] = count + len(timely)
            if wanted[number] > PAIRS:
                del wanted[number]
    return [np.concatenate(one, axis=1) for one in found]
