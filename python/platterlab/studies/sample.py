"""Means of independent runs, and the 95 % intervals of what follows from them."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from platterlab.studies.row import Interval

SHARE = 0.95
"""Of the intervals."""


def mean_interval(values: Sequence[float]) -> Interval:
    """Where the mean lies of which these are independent samples, by Student's t."""
    sample = np.asarray(values, dtype=np.float64)
    half = _half(float(sample.var(ddof=1)) / len(sample), len(sample) - 1)
    middle = float(sample.mean())
    return middle - half, middle + half


def figure_interval(count: int, of: Callable[[Sequence[int]], float]) -> Interval:
    """Where a figure of `count` independent runs lies; `of` has it from those of these numbers."""
    middle, added = of(range(count)), jackknifed(count, of)
    half = _half(float(added.var(ddof=1)) / count, count - 1)
    return middle - half, middle + half


def jackknifed(count: int, of: Callable[[Sequence[int]], float]) -> NDArray[np.float64]:
    """What each of `count` runs adds to a figure that `of` has from those of these numbers."""
    every = range(count)
    without = np.array([of([one for one in every if one != left]) for left in every])
    found: NDArray[np.float64] = count * of(every) - (count - 1) * without
    return found


def share_interval(hits: int, tries: int) -> Interval:
    """Where a share lies, by Clopper and Pearson; also where there was no hit."""
    found = stats.binomtest(hits, tries).proportion_ci(SHARE, method="exact")
    return float(found.low), float(found.high)


def change_pct(before: float, after: float) -> float:
    """A change in % of what was before."""
    return 100.0 * (after / before - 1.0)


def _half(variance: float, freedom: int) -> float:
    return float(stats.t.ppf(0.5 + SHARE / 2, freedom) * np.sqrt(variance))
