"""Whether all zones have the skews of one, or each has its own."""

from dataclasses import replace

import numpy as np

from platterlab.calibration.platter.regression import Angles, phases, regress
from platterlab.calibration.trace.observed import Floats, Observed
from platterlab.calibration.trace.rotation_period import Waiting

SHARPEST_TURNS = 1e-6
"""Nothing is nearer the lattice than clocks tell."""


def pooled_or_free(seen: Observed, waiting: Waiting, free: Angles) -> Angles:
    """Those of zones that are free, or one head angle and one cylinder angle for all.

    Free zones have to be better by more than their number explains (Schwarz's criterion). Each is
    compared by itself: half of all requests may lie in one, and be as near under either.
    """
    pooled = regress(seen, waiting, _pool(seen, waiting, free))
    count, more = len(waiting.which), 2 * int(free.known.sum()) - 2
    zones, gain = seen.first.zone[waiting.which], 0.0
    for zone in np.unique(zones[free.known[zones]]):
        here = zones == zone
        near = (float(np.median(np.abs(one.off_turns[here]))) for one in (pooled, free))
        other, own = (max(turns, SHARPEST_TURNS) for turns in near)
        gain += int(here.sum()) * float(np.log(other / own))
    return free if gain > 0.5 * more * np.log(count) else pooled


def _pool(seen: Observed, waiting: Waiting, single: Angles) -> Angles:
    """One head angle and one cylinder angle for all zones, each of which keeps its offset.

    They are those of the zone that all agree best with.
    """
    best = min(
        (_shared(seen, waiting, single, int(zone)) for zone in np.flatnonzero(single.known)),
        key=lambda shared: float(np.median(np.abs(phases(seen, waiting, shared)))),
    )
    return replace(best, pooled=True)


def _shared(seen: Observed, waiting: Waiting, single: Angles, zone: int) -> Angles:
    """Every zone with the head and cylinder angles of one."""
    ones = np.ones(seen.zones)
    shared = replace(single, head=ones * single.head[zone], step=ones * single.step[zone])
    late = np.exp(2j * np.pi * phases(seen, waiting, shared))
    zones = seen.first.zone[waiting.which]
    sums = np.zeros(seen.zones, dtype=np.complex128)
    np.add.at(sums, zones, late)
    moved: Floats = np.angle(sums) / (2 * np.pi)
    counts = np.bincount(zones, minlength=seen.zones)
    offset = single.offset + np.where(counts > 0, moved, 0.0)
    return replace(shared, offset=offset, known=counts > 2)
