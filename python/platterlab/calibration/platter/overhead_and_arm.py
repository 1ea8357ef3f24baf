"""What of the time of a seek is the command's overhead: requests that move nothing tell.

What the overhead has less, the head switch and the arm may have more, and every request that moves
something is as late as before. Only requests on the track of the one before tell the two apart.
Where they are few, their intervals leave room, and a search ends wherever it came from.
"""

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.platter.positioning_fit import (
    ALIKE_COST,
    NAMES,
    WIDTHS_MS,
    Model,
    misfit,
)
from platterlab.calibration.trace.observed import Floats, Whole

STEP_MS = 0.02
"""Between two overheads that are tried."""

ON_TRACK = ("none", "track", "whole-track", "on-arrival")
"""Read-ahead that leaves the arm where the last read ended."""

HEADS = [NAMES.index(name) for name in ("head_read", "head_write")]


def told_apart(model: Model, found: Floats) -> Floats:
    """The unknowns with the overhead that requests on the same track explain best.

    The one found stands if no other does better, and it leaves no head switch a time below nothing.
    Of others that they do not tell apart it is the one next to what answers of the buffer cost.

    Args:
        model: what was fitted. Beyond the seek curve it may have overheads of some requests, which
            stay where they are.
        found: the unknowns.
    """
    less, moved = _less(model, found)
    if len(moved) == 0 or model.data is not None:
        return found
    tried, costs, own = _tried(model, found)
    least = costs.min(initial=np.inf)
    if least > own + ALIKE_COST:
        return found
    alike = tried[costs < least + ALIKE_COST]
    heads = found[HEADS][model.usable[HEADS]].min(initial=np.inf)
    possible = alike[alike <= found[0] + heads]
    if own < least + ALIKE_COST and (heads >= 0.0 or not len(possible)):
        return found
    alike = possible if len(possible) else alike
    likely = found[0] if model.answer_ms is None else model.answer_ms
    overhead = alike[np.argmin(np.abs(alike - likely))]
    return np.asarray(found + (found[0] - overhead) * less)


def arm_stays(profile: Profile) -> bool:
    """Whether the arm is where the last request left it.

    Read-ahead may take it to other tracks, and writes behind to anywhere.
    """
    cache = profile.stated().get("cache", {})
    on = cache.get("read_ahead_least", 0) or cache.get("read_ahead_next_track", False)
    reads_on = cache.get("read_ahead", "none") not in ON_TRACK or bool(on)
    return not reads_on and cache.get("write_report", "media") == "media"


def told_between_ms(model: Model, found: Floats, *, stays: bool) -> tuple[float, float]:
    """The least and the most overhead that requests bear out as well as what was found.

    With every other the head switch and the arm have the rest: only the sum is seen.

    Args:
        model: what was fitted.
        found: the unknowns.
        stays: as `arm_stays` has it.
    """
    own_ms = float(found[0])
    if model.data is not None:
        # Writes that wait for their data say when it began to come.
        return own_ms, own_ms
    if not stays or not len(_less(model, found)[1]):
        return 0.0, own_ms + max(float(found[model.curve][0]), 0.0)
    tried, costs, own = _tried(model, found)
    alike = tried[costs < own + ALIKE_COST]
    return float(min(own_ms, *alike)), float(max(own_ms, *alike))


def _less(model: Model, found: Floats) -> tuple[Floats, Whole]:
    """The unknowns with a millisecond of overhead less, and the requests that are earlier by it."""
    less = np.zeros(len(found))
    less[0] = -1.0
    less[HEADS] = np.where(model.usable[HEADS], 1.0, 0.0)
    less[model.curve] = 1.0
    less[model.curve.stop :] = 1.0
    return less, np.flatnonzero(model.arm @ less)


def _tried(model: Model, found: Floats) -> tuple[Floats, Floats, float]:
    """Overheads, what each costs, and what the one found does: of requests that move nothing."""
    less, moved = _less(model, found)
    some = model.some(moved)
    most = model.bounds()[1][0]
    tried = np.arange(0.0, min(most, found[0] + found[model.curve][0]), STEP_MS)
    costs = [misfit(found + (found[0] - one) * less, some, WIDTHS_MS[-1]) for one in tried]
    return tried, np.asarray(costs), misfit(found, some, WIDTHS_MS[-1])
