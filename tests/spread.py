"""The spread of repeated runs: a median and the interval that holds it, however they spread."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

FEWEST = 6
"""Below this no interval of values holds the median with 95 %."""


@dataclass(frozen=True)
class Spread:
    """The median of some values, and its interval of at least 95 %."""

    middle: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """By order statistics.

        The k-th smallest and the k-th largest of n values hold the median but for twice the chance
        that fewer than k of n lie below it.
        """
        n, k, missed = len(values), 1, 0
        assert n >= FEWEST, f"{n} values are too few for an interval"
        while (missed := missed + comb(n, k - 1)) <= 0.025 * 2**n:
            k += 1
        ordered = sorted(values)
        k = max(1, k - 1)
        return cls(median(values), ordered[k - 1], ordered[n - k], n)

    def holds(self, value: float, margin: float) -> bool:
        """Whether the interval, wider by `margin` on both sides, holds `value`."""
        return self.low - margin <= value <= self.high + margin

    @property
    def width(self) -> float:
        """From one end to the other."""
        return self.high - self.low
