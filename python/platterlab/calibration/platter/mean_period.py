"""How far the mean period of a drifting spindle may be from that over a trace.

Over a part of its way to and fro a spindle is slower or faster than in the mean, by as much all the
time, and no request tells that from another speed. So the lag of the platter is held against waves
of any period, on a line: the lines of all those that are as near say what the mean may be.
"""

import numpy as np

from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.observed import Floats

BLOCKS = 200
"""Of requests in a row, whose lags count as one."""

LEAST_BLOCKS = 6
"""With fewer a wave on a line is no more than what goes through all of them."""

SEEN = 3.0
"""A drift is seen where it is so many times its own error, peak to peak."""

SHORTEST, LONGEST, PERIODS = 0.1, 4.0, 60
"""Periods that are tried, in times the trace's length; and how many. Of longer waves a trace has no
more than a curve, on which any line lies."""

UNKNOWNS = 5
"""Of a wave on a line, with its period."""

REACH, NORMAL = 3.84, 1.96
"""Of squares, in variances, and of a value, in standard errors: by so much those are off that are
as near, in 95 % of all cases."""


def mean_period_error_ms(angles: Angles) -> float:
    """Half the 95 % interval of the mean period as a drift leaves it open; 0 where none is seen."""
    times, lags = angles.drift_ms
    if len(times) < LEAST_BLOCKS:
        return 0.0
    lags = np.unwrap(lags, period=angles.rotation_ms)
    if np.ptp(lags) < SEEN * angles.errors["drift_ms"]:
        return 0.0
    blocks = np.array_split(np.arange(len(times)), min(BLOCKS, len(times)))
    at, late = (np.array([one[rows].mean() for rows in blocks]) for one in (times, lags))
    length_ms = float(np.ptp(at))
    if length_ms <= 0.0:
        return 0.0
    periods = length_ms * np.geomspace(SHORTEST, LONGEST, PERIODS)
    tried = [_line(at / length_ms, late, 2 * np.pi * length_ms / one) for one in periods]
    left = np.array([one[2] for one in tried])
    least = left.min() * (1.0 + REACH / (max(len(at) - UNKNOWNS, 1)))
    # Between two periods that are tried there are others.
    near = np.convolve(left <= least, np.ones(3), mode="same") > 0
    slopes = [abs(tried[at][0]) + NORMAL * tried[at][1] for at in np.flatnonzero(near)]
    return max(slopes) / length_ms * angles.rotation_ms


def _line(at: Floats, late_ms: Floats, waves: float) -> tuple[float, float, float]:
    """The slope of the line under a wave, its standard error, and the squares that are left."""
    design = np.column_stack([np.ones(len(at)), at, np.sin(waves * at), np.cos(waves * at)])
    found, *_ = np.linalg.lstsq(design, late_ms, rcond=None)
    left = float(np.sum((late_ms - design @ found) ** 2))
    inverse = np.linalg.pinv(design.T @ design)
    variance = left / (max(len(at) - UNKNOWNS, 1))
    return float(found[1]), float(np.sqrt(variance * inverse[1, 1])), left
