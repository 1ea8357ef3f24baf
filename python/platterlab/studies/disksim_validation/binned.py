"""The demerit as DiskSim's own validation computes it: from distributions in bins.

DiskSim counts service times in bins of about 1 % of their width, keeps six decimals of the
cumulated shares, and compares the two distributions at every 0.01 % (its `statdefs` and `rms`, as
their outputs show). Its published figures are of this kind, and differ from the exact ones by up to
a fifteenth.
"""

import numpy as np
from numpy.typing import NDArray

from platterlab.studies.disksim_validation.drives import Times

_BINS, _SHARES = 1750, 10_000


def binned_demerit_ms(simulated_ms: Times, measured_ms: Times) -> float:
    """The root mean square distance of two binned distributions, in ms."""
    shares = np.arange(1, _SHARES + 1) / _SHARES
    edges = _edges_ms()
    apart = _at(shares, simulated_ms, edges) - _at(shares, measured_ms, edges)
    return float(np.sqrt(np.mean(apart**2)))


def _edges_ms() -> Times:
    """The bounds of the bins: in microseconds, each 1 + 1 % above the last."""
    edges = [0]
    for _ in range(_BINS):
        edges.append(edges[-1] + 1 + edges[-1] // 100)
    return np.array(edges) / 1e3


def _at(shares: Times, times_ms: Times, edges_ms: Times) -> NDArray[np.float64]:
    """The times below which these shares lie, straight within each bin."""
    below = np.searchsorted(np.sort(times_ms), edges_ms, side="left") / len(times_ms)
    below = np.round(below, 6)
    last = int(np.argmax(below >= 1.0)) if below[-1] >= 1.0 else len(below) - 1
    return np.interp(shares, *_rising(below[: last + 1], edges_ms[: last + 1]))


def _rising(below: Times, edges_ms: Times) -> tuple[Times, Times]:
    """The bins that hold something, each from its own lower bound."""
    filled = np.flatnonzero(np.diff(below) > 0.0)
    at = np.stack((filled, filled + 1), axis=1).ravel()
    return below[at], edges_ms[at]
