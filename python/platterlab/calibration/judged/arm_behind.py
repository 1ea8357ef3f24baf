"""What of the time before a read is overhead and what the arm takes, where writes were reported.

A read that comes while such a write is under way has spent its overhead by the time the arm is
free, and waits for the arm's time alone. Elsewhere only the sum is seen, unless requests stay on
their track. The time for which the arm settles before those writes is told by the same reads.
"""

from itertools import product

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.judged.refined import SETTLED_TURNS
from platterlab.calibration.platter.positioning_fit import LONGEST_OVERHEAD_MS
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Overrides

LOST_TURNS = 0.25
"""A request whose error changes by more comes a turn earlier or later."""

PARTS = 64
"""Of a turn, in which time goes from the one to the other; up to a quarter of it either way."""

EVERY = 4
"""Of these steps that many are one, at first."""

COARSE = np.arange(-PARTS // 4, PARTS // 4 + 1) % EVERY == 0

SETTLINGS = 9
"""Times to settle before a write that are tried with each."""


def arm_behind(profile: Profile, reading: Reading, overrides: Overrides) -> Overrides:
    """Overhead and arm with time moved from the one to the other, where that is sure.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
    """
    if not reading.written_behind.any():
        return {}
    rotation_ms = reading.period.rotation_ms
    settle_ms = overrides["switch"]["settle_write_ms"]
    settlings: list[float] = [settle_ms]
    if not reading.writes_wait:
        # Where some wait, these tell how long it takes.
        settlings += np.linspace(0.0, SETTLED_TURNS * rotation_ms, SETTLINGS).tolist()
    least_ms = _least_overhead_ms(overrides["controller"])
    most_ms = min(overrides["seek"]["points"][0][1], LONGEST_OVERHEAD_MS)
    steps_ms = np.arange(-PARTS // 4, PARTS // 4 + 1) * rotation_ms / PARTS
    moves = (steps_ms >= -least_ms) & (steps_ms <= most_ms)
    tried = Tried(profile, reading.seen, rotation_ms)
    # Some of the steps with each settling, then those beside the best.
    coarse = list(product(steps_ms[moves & COARSE].tolist(), settlings))
    best_ms, _ = coarse[tried.best([_moved(overrides, *way) for way in coarse])]
    near = moves & (np.abs(steps_ms - best_ms) < EVERY * rotation_ms / PARTS)
    ways = [_moved(overrides, *way) for way in product(steps_ms[near].tolist(), settlings)]
    best = tried.surely_best(ways, LOST_TURNS)
    return {} if best is None else ways[best]


def _least_overhead_ms(controller: Overrides) -> float:
    """The least overhead of a request that the buffer does not answer."""
    rules = [rule["ms"] for rule in controller.get("rules", []) if not rule.get("hit")]
    times = [controller["read_ms"], controller["write_ms"], *controller["after_write"].values()]
    return float(min(times + rules))


def _moved(overrides: Overrides, ms: float, settle_ms: float) -> Overrides:
    """The same with so much of the arm's time as overhead, and so long to settle before a write."""
    controller, switch = overrides["controller"], overrides["switch"]
    found: Overrides = {
        "controller": controller
        | {name: controller[name] + ms for name in ("read_ms", "write_ms")}
        | {"after_write": {name: at + ms for name, at in controller["after_write"].items()}},
        "switch": switch
        | {"head_ms": max(switch["head_ms"] - ms, 0.0), "settle_write_ms": settle_ms},
    }
    if "rules" in controller:
        found["controller"]["rules"] = [
            rule if rule.get("hit") else rule | {"ms": rule["ms"] + ms}
            for rule in controller["rules"]
        ]
    for name in {"seek", "seek_back"} & set(overrides):
        points = [[at, max(time - ms, 0.0)] for at, time in overrides[name]["points"]]
        found[name] = overrides[name] | {"points": points}
    return found
