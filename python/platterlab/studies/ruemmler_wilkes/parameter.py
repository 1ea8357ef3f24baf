"""Parameters that may be fitted: single values of a profile, and seek curves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from platterlab.documents import Overrides

Numbers = NDArray[np.float64]


class Unknown(Protocol):
    """Some numbers that together set some keys of a profile."""

    @property
    def start(self) -> Sequence[float]:
        """Where the search starts."""

    @property
    def bounds(self) -> Sequence[tuple[float, float]]:
        """Between what each number lies."""

    def overrides(self, numbers: Numbers) -> Overrides:
        """The keys and their values."""

    def numbers(self, overrides: Overrides) -> Sequence[float] | None:
        """The numbers that gave these overrides; None if they set none of the keys."""


@dataclass(frozen=True)
class Scalar:
    """One value of a profile.

    Attributes:
        key: dotted, as `platterlab profile show` lists it.
        first: where the search starts, in the key's unit.
        low, high: between what it lies.
    """

    key: str
    first: float
    low: float
    high: float

    @property
    def start(self) -> Sequence[float]:
        """One number."""
        return [self.first]

    @property
    def bounds(self) -> Sequence[tuple[float, float]]:
        """One pair."""
        return [(self.low, self.high)]

    def overrides(self, numbers: Numbers) -> Overrides:
        """The value itself."""
        return {self.key: float(numbers[0])}

    def numbers(self, overrides: Overrides) -> Sequence[float] | None:
        """The value, if it is set."""
        return [overrides[self.key]] if self.key in overrides else None


@dataclass(frozen=True)
class Curve:
    """A seek curve by its times at some distances, which never fall.

    The first number is the time at the first distance, each other one the rise from the one before,
    all in milliseconds: so any numbers of at least 0 make a curve.

    Attributes:
        table: `seek` or `seek_back`.
        distances_cylinders: rising.
        first_ms: times at these distances where the search starts.
        reach_ms: how far each number may go up from its start.
    """

    table: str
    distances_cylinders: tuple[int, ...]
    first_ms: tuple[float, ...]
    reach_ms: float = 4.0

    @property
    def start(self) -> Sequence[float]:
        """The first time and the rises."""
        return [float(step) for step in np.diff(self.first_ms, prepend=0.0)]

    @property
    def bounds(self) -> Sequence[tuple[float, float]]:
        """From nothing up."""
        return [(0.0, step + self.reach_ms) for step in self.start]

    def overrides(self, numbers: Numbers) -> Overrides:
        """The curve as a table of points."""
        times = np.cumsum(np.maximum(numbers, 0.0))
        points = [[d, float(t)] for d, t in zip(self.distances_cylinders, times, strict=True)]
        return {self.table: {"kind": "table", "points": points}}

    def numbers(self, overrides: Overrides) -> Sequence[float] | None:
        """The first time and the rises, if the curve is set."""
        if self.table not in overrides:
            return None
        times = [time for _, time in overrides[self.table]["points"]]
        return [float(step) for step in np.diff(times, prepend=0.0)]
