"""What each unknown of positioning adds to the time of each request, and where a search begins."""

import numpy as np

from platterlab.calibration.platter.arm_place import Arm
from platterlab.calibration.platter.positioning_fit import NAMES, SEEKS
from platterlab.calibration.trace.observed import Flags, Floats, Observed, Whole

PER_KNOT = 45
"""Requests between two points of the seek curve, roughly."""

MOST_KNOTS = 16

LEAST_TOLD = 4
"""Requests that tell of an effect."""


def knots_of(distance: Whole) -> Whole:
    """Distances at which the curve bends: 1, and then about as many requests between any two."""
    far = np.sort(distance[distance > 1])
    if len(far) == 0:
        return np.array([1, 2])
    count = int(np.clip(len(far) // PER_KNOT, 2, MOST_KNOTS))
    at = np.geomspace(2, max(4, far[-1]), count)
    even = np.quantile(far, np.linspace(0, 1, count))
    rising = np.unique(np.round(np.sqrt(at * np.maximum(even, 2))).astype(np.int64))
    return np.unique(np.concatenate([[1, 2], rising, [max(3, far[-1])]]))


def design(seen: Observed, which: Whole, arm: Arm, knots: Whole) -> Floats:
    """What each unknown adds to each request.

    One that waits for an arm that is at earlier work has spent its overhead by then.
    """
    write, after = seen.write[which], seen.after_write[which]
    moved, same = arm.moved[which], arm.same_surface[which]
    distance = np.abs(moved)
    far = distance > 0
    switch = ~far & ~same
    root = np.sqrt(distance.astype(np.float64))
    spent = arm.busy_ms[which] > 0.0
    columns: list[Flags | Floats] = [
        ~spent,
        ~write & after & ~spent,
        write,
        write & after,
        switch & ~write,
        switch & write,
        far & write,
        far & (moved < 0),
        np.asarray((moved < 0) * root / 50.0, dtype=np.float64),
    ]
    curve = np.zeros((len(which), len(knots)))
    curve[far] = np.array(
        [np.interp(root[far], np.sqrt(knots), one) for one in np.eye(len(knots))]
    ).T
    data = np.zeros((len(which), SEEKS - len(NAMES)))
    return np.column_stack([np.array(column, dtype=float) for column in columns] + [data, curve])


def is_compared(seen: Observed, which: Whole, arm: Arm, count: int) -> Flags:
    """Whether enough requests are without an unknown that are like those with it.

    Where all are writes, say, what a write takes longer is a part of what everything takes.
    """
    write, after, moved = seen.write[which], seen.after_write[which], arm.moved[which]
    without = {
        "read_after_write": ~write & ~after,
        "write": ~write,
        "write_after_write": write & ~after,
        "settle_write": ~write & (moved != 0),
        "back": moved > 0,
        "back_far": moved > 0,
    }
    compared = np.ones(count, dtype=bool)
    for name, others in without.items():
        compared[NAMES.index(name)] = others.sum() >= LEAST_TOLD
    return compared


def first_guess(knots: Whole, waited_ms: Floats) -> Floats:
    """A tenth of the shortest waits lie near the edge."""
    base = float(np.quantile(waited_ms, 0.005))
    longest = float(np.quantile(waited_ms, 0.5))
    rise = np.sqrt(knots / knots[-1]) * longest
    return np.concatenate([[max(base, 0.05)], np.zeros(SEEKS - 1), rise])
