"""Figures that are of one run, or of several with their interval."""

from collections.abc import Mapping
from typing import Any


def is_interval(value: Any) -> bool:
    """Whether a figure is of several runs: a mean and its 95 % interval."""
    return isinstance(value, Mapping) and "half_width_95" in value


def mean_of(value: Any) -> float:
    """A figure of one run as it is, of several runs their mean."""
    return float(value["mean"] if is_interval(value) else value)
