"""Whether requests say how long an effect of positioning takes, or leave it at an end."""

import numpy as np

from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.positioning_fit import (
    ALIKE_COST,
    NAMES,
    WIDTHS_MS,
    misfit,
)
from platterlab.calibration.trace.observed import Floats

STEP_MS = 0.05
"""From one time of an effect that is tried to the next."""

STIRRED_MS = 1e-6
"""An effect that is nearer to where its search began, or to its bound, is there."""


OF_WRITES = {"write": -1.0, "settle_write": 1.0, "head_write": 1.0}
"""What a write that moves the arm shows the sum of: what the overhead has less the others may have
more."""


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
    """How far an effect may be from what was found and have requests as near.

    With all others as found, or with what goes with it in a sum that nearly all requests show: a
    head that is there long before its sector says no more of its switch than that, and writes that
    move no arm are few.
    """
    if name not in NAMES[1:]:
        return 0.0
    alone = np.zeros(len(found.full))
    alone[NAMES.index(name)] = 1.0
    ways = [alone]
    if name in OF_WRITES:
        together = np.zeros(len(found.full))
        for other, sign in OF_WRITES.items():
            at = NAMES.index(other)
            together[at] = sign if found.model.usable[at] else 0.0
        ways.append(together)
    return max(_reach_ms(found, sign * way) for way in ways for sign in (1.0, -1.0))


def _reach_ms(found: Positioning, way: Floats) -> float:
    """So far requests are as near in some direction, if all unknowns move along it."""
    some = found.model.some(np.flatnonzero(found.model.arm @ way))
    most = misfit(found.full, some, WIDTHS_MS[-1]) + ALIKE_COST
    steps = int(found.model.rotation_ms / 2 / STEP_MS)
    for step in range(1, steps + 1):
        if misfit(found.full + step * STEP_MS * way, some, WIDTHS_MS[-1]) > most:
            return (step - 1) * STEP_MS
    return steps * STEP_MS
