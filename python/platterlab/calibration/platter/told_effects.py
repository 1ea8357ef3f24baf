"""Whether requests say how long an effect of positioning takes, or leave it at an end."""

from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.positioning_fit import NAMES

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
