"""Means of independent runs, and the 95 % intervals of what follows from them."""

from collections.abc import Callable, Sequence

import numpy as np
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


def share_interval(hits: int, tries: int) -> Interval:
    """Where a share lies, by Clopper and Pearson; also where there was no hit."""
    found = stats.binomtest(hits, tries).proportion_ci(SHARE, method="exact")
    return float(found.low), float(found.high)


def change_pct(before: float, after: float) -> float:
    """A change in % of what was before."""
    return 100.0 * (after / before - 1.0)


def change_interval(before: Sequence[float], after: Sequence[float]) -> Interval:
    """Where the change lies, in %, of a mean: runs of one place are of the same instance.

    The ratio's variance is that of the differences from it, as instances go through both.
    """
    first, second = (np.asarray(part, dtype=np.float64) for part in (before, after))
    ratio = float(second.mean() / first.mean())
    rest = second - ratio * first
    half = _half(float(rest.var(ddof=1)) / len(rest), len(rest) - 1) / float(first.mean())
    middle = 100.0 * (ratio - 1.0)
    return middle - 100.0 * half, middle + 100.0 * half


def jackknife_interval(count: int, of: Callable[[Sequence[int]], float]) -> Interval:
    """Where a figure of `count` instances lies; `of` has it from those of these numbers."""
    every = range(count)
    without = np.array([of([one for one in every if one != left]) for left in every])
    middle = of(every)
    half = _half((count - 1) * float(without.var()), count - 1)
    return middle - half, middle + half


def _half(variance: float, freedom: int) -> float:
    return float(stats.t.ppf(0.5 + SHARE / 2, freedom) * np.sqrt(variance))
