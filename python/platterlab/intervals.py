"""Figures that are of one run, or of several with their interval."""

import math
from collections.abc import Mapping, Sequence
from typing import Any


def is_interval(value: Any) -> bool:
    """Whether a figure is of several runs: a mean and its 95 % interval."""
    return isinstance(value, Mapping) and "half_width_95" in value


def mean_of(value: Any) -> float:
    """A figure of one run as it is, of several runs their mean."""
    return float(value["mean"] if is_interval(value) else value)


def half_width(values: Sequence[float]) -> float | None:
    """Half of the 95 % interval of the mean of independent runs (Student's); None of one."""
    if len(values) < 2:
        return None
    from scipy.special import stdtrit

    mean = math.fsum(values) / len(values)
    squares = math.fsum((one - mean) ** 2 for one in values) / (len(values) - 1)
    return float(stdtrit(len(values) - 1, 0.975)) * math.sqrt(squares / len(values))
