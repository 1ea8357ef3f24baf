"""How long the drive needs until it can wait for the platter: overheads, head switch, seek curve.

The platter comes by once a turn. A request that was served at the time T after its issue was ready
before T and, had it been ready a turn earlier, would have been served then: so the time it needed
lies between T less one turn, and T. Many such intervals pin the time down to the noise of the
seeks, as an edge. The sum of smooth penalties on both sides finds it, first with a wide and then
with an ever narrower transition.
"""

from dataclasses import dataclass

import numpy as np
from scipy import optimize

from platterlab.calibrate.observed import Flags, Floats, Observed, Whole

WIDTHS_MS = (1.0, 0.4, 0.15, 0.08)
"""Of the transition at the edge, one after the other."""

CAP = 12.0
"""A request counts at most so many widths: the few that slip a turn must not bend the curve."""

PER_KNOT = 45
"""Requests between two points of the seek curve, roughly."""

MOST_KNOTS = 16

NAMES = (
    "read",
    "read_after_write",
    "write",
    "write_after_write",
    "head_read",
    "head_write",
    "settle_write",
    "back",
    "back_far",
)
"""What adds up to the time, beside the seek curve: a read's overhead after a read, how much more it
is after a write, how much more that of a write is after a read and after a write, the head switch,
and how much longer seeks are before a write and towards lower cylinders."""


@dataclass(frozen=True)
class Positioning:
    """Times from the issue until the head is over the track, in milliseconds.

    Attributes:
        effects: by name, as in `NAMES`; 0 where `counts` has none.
        distances: of the seek curve, in cylinders, rising.
        seek_ms: without overhead, towards higher cylinders.
        counts: by name: how many requests tell of the effect.
        slipped: share of the requests that come a turn earlier or later than this allows.
        errors_ms: of the seek curve: standard errors by resampling.
    """

    effects: dict[str, float]
    distances: Whole
    seek_ms: Floats
    counts: dict[str, int]
    slipped: tuple[float, float]
    errors_ms: Floats


def find_positioning(
    seen: Observed, which: Whole, waited_ms: Floats, rotation_ms: float, seed: int
) -> Positioning:
    """The times that explain when requests were served.

    Args:
        seen: the trace.
        which: requests that waited for the platter.
        waited_ms: from their issue until their first sector came under the head.
        rotation_ms: the period.
        seed: of the resampling.
    """
    keep = which > 0
    which, waited_ms = which[keep], waited_ms[keep]
    distance = np.abs(seen.seek_cylinders[which])
    knots = _knots(distance)
    design = _design(seen, which, knots)
    told = design != 0
    usable = told.sum(axis=0) >= 4
    start = _start(knots, waited_ms)
    full = _fit(design, waited_ms, rotation_ms, knots, start, usable)
    rng = np.random.default_rng(seed)
    draws = []
    for _ in range(8):
        rows = rng.integers(0, len(which), len(which))
        draws.append(
            _fit(design[rows], waited_ms[rows], rotation_ms, knots, full, usable, WIDTHS_MS[2:])
        )
    ready = design @ full
    slips = np.floor((waited_ms - ready) / rotation_ms)
    effects = {name: float(full[at]) for at, name in enumerate(NAMES)}
    return Positioning(
        effects=effects,
        distances=knots,
        seek_ms=full[len(NAMES) :],
        counts={name: int(told[:, at].sum()) for at, name in enumerate(NAMES)},
        slipped=(float(np.mean(slips < 0)), float(np.mean(slips > 0))),
        errors_ms=np.std(draws, axis=0)[len(NAMES) :],
    )


def _knots(distance: Whole) -> Whole:
    """Distances at which the curve bends: 1, and then about as many requests between any two."""
    far = np.sort(distance[distance > 1])
    if len(far) == 0:
        return np.array([1, 2])
    count = int(np.clip(len(far) // PER_KNOT, 2, MOST_KNOTS))
    at = np.geomspace(2, max(4, far[-1]), count)
    even = np.quantile(far, np.linspace(0, 1, count))
    rising = np.unique(np.round(np.sqrt(at * np.maximum(even, 2))).astype(np.int64))
    return np.unique(np.concatenate([[1, 2], rising, [max(3, far[-1])]]))


def _design(seen: Observed, which: Whole, knots: Whole) -> Floats:
    """What each unknown adds to each request."""
    write, after = seen.write[which], seen.after_write[which]
    moved, same = seen.seek_cylinders[which], seen.same_surface[which]
    distance = np.abs(moved)
    far = distance > 0
    switch = ~far & ~same
    root = np.sqrt(distance.astype(np.float64))
    columns: list[Flags | Floats] = [
        np.ones(len(which)),
        ~write & after,
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
    return np.column_stack([np.array(column, dtype=float) for column in columns] + [curve])


def _start(knots: Whole, waited_ms: Floats) -> Floats:
    """A tenth of the shortest waits lie near the edge."""
    base = float(np.quantile(waited_ms, 0.005))
    longest = float(np.quantile(waited_ms, 0.5))
    rise = np.sqrt(knots / knots[-1]) * longest
    return np.concatenate([[max(base, 0.05)], np.zeros(len(NAMES) - 1), rise])


def _fit(
    design: Floats,
    waited_ms: Floats,
    rotation_ms: float,
    knots: Whole,
    start: Floats,
    usable: Flags,
    widths: tuple[float, ...] = WIDTHS_MS,
) -> Floats:
    """The unknowns at the edge of the intervals."""
    roots = np.sqrt(knots.astype(float))
    first = len(NAMES)
    found = np.where(usable, start, np.where(np.arange(len(start)) < first, 0.0, start))

    def cost(values: Floats, width: float) -> tuple[float, Floats]:
        ready = design @ values
        early, early_slope = _penalty((ready - waited_ms) / width)
        late, late_slope = _penalty((waited_ms - rotation_ms - ready) / width)
        slope = design.T @ ((early_slope - late_slope) / width)
        total = early + late
        # A seek curve is smooth in the root of the distance, and does not fall.
        rise = np.diff(values[first:]) / np.diff(roots)
        bend = np.diff(rise)
        falls = np.minimum(np.diff(values[first:]), 0.0)
        total += 2.0 * float(bend @ bend) + 10.0 * float(falls @ falls)
        # Nor does a seek take less than no time.
        below = np.minimum(values[first:], 0.0)
        total += 100.0 * float(below @ below)
        slope[first:] += 200.0 * below
        turn = np.zeros(len(rise))
        turn[1:] += 4.0 * bend
        turn[:-1] -= 4.0 * bend
        turn = turn / np.diff(roots) + 20.0 * falls
        slope[first + 1 :] += turn
        slope[first:-1] -= turn
        small = values[1:first]
        slope[1:first] += 0.02 * small
        total += 0.01 * float(small @ small)
        return total, np.where(usable | (np.arange(len(slope)) >= first), slope, 0.0)

    for width in widths:
        found = optimize.minimize(
            cost, found, args=(width,), jac=True, method="L-BFGS-B", options={"maxiter": 400}
        ).x
    return np.asarray(found)


def _penalty(over: Floats) -> tuple[float, Floats]:
    """Nothing below 0, rising smoothly to a cap; the sum, and the slope of each."""
    soft = np.logaddexp(0.0, np.minimum(over, 40.0))
    inside = soft < CAP
    return float(np.minimum(soft, CAP).sum()), np.where(
        inside, 1 / (1 + np.exp(-np.clip(over, -40, 40))), 0.0
    )
