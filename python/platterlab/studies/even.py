"""Instances that are spread evenly, and intervals of what follows from them.

Where a figure depends on one thing that is drawn for each instance, and on it far more than on all
else, drawing it evenly makes a mean steadier than chance would: an instance from each of as many
equal parts (McKay, Beckman and Conover 1979, with a lattice for two things at a time).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from platterlab.studies.row import Interval
from platterlab.studies.sample import SHARE, change_pct, jackknifed

_STEP = 9
"""Of the lattice: of 23 points none is nearer to another than 5 parts, of 92 than 9: the best."""


def draw(seed: int, count: int) -> NDArray[np.float64]:
    """Two numbers in [0, 1) for each of `count` instances, in the order of the first of them.

    Each by itself has any value equally likely; together they have one value in each of `count`
    equal parts, in either number. `count` and the lattice's step have no divisor in common.
    """
    generator = np.random.default_rng([seed, count])
    every = np.arange(count)
    parts = np.column_stack([every, (_STEP * every + generator.integers(count)) % count])
    drawn: NDArray[np.float64] = (parts + generator.random((count, 2))) / count
    return drawn


def mean_interval(values: Sequence[float]) -> Interval:
    """Where the mean lies of which these are evenly drawn, in the order of drawing."""
    sample = np.asarray(values, dtype=np.float64)
    return _interval(float(sample.mean()), sample)


def change_interval(before: Sequence[float], after: Sequence[float]) -> Interval:
    """Where the change lies, in %, of a mean: runs of one place are of the same instance.

    The ratio's variance is that of the differences from it, as instances go through both.
    """
    first, second = (np.asarray(part, dtype=np.float64) for part in (before, after))
    ratio = float(second.mean() / first.mean())
    rest = 100.0 * (second - ratio * first) / first.mean()
    return _interval(change_pct(1.0, ratio), rest)


def figure_interval(count: int, of: Callable[[Sequence[int]], float]) -> Interval:
    """Where a figure of `count` instances lies; `of` has it from those of these numbers."""
    return _interval(of(range(count)), jackknifed(count, of))


def _interval(middle: float, sample: NDArray[np.float64]) -> Interval:
    """By the differences of neighbours, in which all that changes from part to part hardly counts.

    Still rather too wide: some of it does. The degrees of freedom are von Neumann's.
    """
    count = len(sample)
    variance = float(np.square(np.diff(sample)).sum()) / (2 * (count - 1))
    freedom = 2 * (count - 1) ** 2 / (3 * count - 4)
    half = float(stats.t.ppf(0.5 + SHARE / 2, freedom) * np.sqrt(variance / count))
    return middle - half, middle + half
