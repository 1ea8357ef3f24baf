"""Standard errors of sums of unknowns, by the inverse of their normal matrix."""

import numpy as np

from platterlab.calibration.trace.observed import Floats


def slope_weights(surfaces: int) -> Floats:
    """What each surface's angle adds to their even rise, a step."""
    off = np.arange(surfaces) - (surfaces - 1) / 2
    return np.asarray(off / max(float(off @ off), 1.0), dtype=np.float64)


def spread_of(weights: Floats, inverse: Floats) -> Floats:
    """Standard deviation of each weighted sum of the unknowns, of requests that scatter by 1."""
    return np.asarray(
        np.sqrt(np.clip(np.einsum("ij,jk,ik->i", weights, inverse, weights), 0, None))
    )


def beside_line(inverse: Floats, first: int, at: Floats) -> Floats:
    """The same of some unknowns in a row, less the line through them: that is told elsewhere."""
    line = np.column_stack([np.ones(len(at)), at])
    weights = np.zeros((len(at), len(inverse)))
    weights[:, first : first + len(at)] = np.eye(len(at)) - line @ np.linalg.pinv(line)
    return spread_of(weights, inverse)
