"""What of a read's time comes after its data, and what before it, to take the bus.

Reads are later than writes by both. Where the bus sets the pace only their sum is seen; a read that
waits for its last sector anyhow has had the bus by then, and is later by what comes after its data
alone.
"""

from typing import Any

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.overrides import completed_later, is_answered_read
from platterlab.calibration.trace.reading import Reading

PARTS = 8
"""Of the time to take the bus, as so many of which it is tried how many come after the data."""


def read_ends(profile: Profile, reading: Reading, overrides: dict[str, Any]) -> dict[str, Any]:
    """As much of the time to take the bus after the data as is nearest, where that is sure.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
    """
    bus, controller = overrides["bus"], overrides["controller"]
    taking_ms = min(float(bus["reconnect_ms"]), _least_answer_ms(controller))
    if taking_ms <= 0.0 or "burst_sectors" in bus or controller.get("read_completion_ms"):
        return {}
    ways = [
        {
            "bus": bus | {"reconnect_ms": bus["reconnect_ms"] - after_ms},
            "controller": completed_later(controller, after_ms),
        }
        for after_ms in np.linspace(0.0, taking_ms, PARTS + 1)[1:].tolist()
    ]
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    best = tried.best(ways)
    return ways[best] if tried.is_sure() else {}


def _least_answer_ms(controller: dict[str, Any]) -> float:
    """What an answer to a read costs at least: no more can come after its data."""
    tables = (controller.get(name, {}) for name in ("hit", "hit_after_write"))
    costs = [table["read_ms"] for table in tables if "read_ms" in table]
    costs += [rule["ms"] for rule in controller.get("rules", []) if is_answered_read(rule)]
    return float(min(costs, default=np.inf))
