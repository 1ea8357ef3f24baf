"""Whether requests say how long an effect of positioning takes, or leave it at an end."""

import numpy as np

from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.positioning_fit import (
    ALIKE_COST,
    NAMES,
    WIDTHS_MS,
    misfit,
)

STEP_MS = 0.05
"""From one time of an effect that is tried to the next."""

STIRRED_MS = 1e-6
"""An effect that is nearer to where its search began, or to its bound, is there."""


def is_open(found: Positioning, name: str) -> bool:
    """Whether an effect is left where the search for it began: no request waits for it."""
    return found.is_fitted(name) and abs(found.effects[name]) < STIRRED_MS


def is_at_end(found: Positioning, name: str) -> bool:
    """Whether an effect is as large as a drive's can be, or as small.

    That says nothing of the overhead, which the whole model moves on.
    """
    if name not in NAMES[1:]:
        return False
    ends = (side[NAMES.index(name)] for side in found.model.bounds())
    return any(abs(found.effects[name] - end) < STIRRED_MS for end in ends)


def open_ms(found: Positioning, name: str) -> float:
    """How far an effect may be from what was found and have requests as near, all others as found.

    A head that is there long before its sector says no more of its switch than that.
    """
    if name not in NAMES[1:]:
        return 0.0
    at = NAMES.index(name)
    some = found.model.some(np.flatnonzero(found.model.arm[:, at]))
    most = misfit(found.full, some, WIDTHS_MS[-1]) + ALIKE_COST
    steps = int(found.model.rotation_ms / 2 / STEP_MS)

    def reach_ms(way: float) -> float:
        values = found.full.copy()
        for step in range(1, steps + 1):
            values[at] = found.full[at] + way * step * STEP_MS
            if misfit(values, some, WIDTHS_MS[-1]) > most:
                return (step - 1) * STEP_MS
        return steps * STEP_MS

    return max(reach_ms(1.0), reach_ms(-1.0))
