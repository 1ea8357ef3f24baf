"""Listed passes: how far each is turned from track to track, and where it begins.

Nothing says how one pass over a group of cylinders lies to another, so that first only requests of
the same pass are compared: they agree on its turn from track to track. With that taken off, the
passes of a zone agree on the turn from group to group, and what is left of each is its first angle.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from platterlab.calibration.platter.regression import Angles, phases
from platterlab.calibration.trace.observed import Observed, Whole
from platterlab.calibration.trace.rotation_period import Waiting

CELLS = 4096
"""Of a turn, in which turns from track to track and from group to group are looked for."""

BEHIND = 4
"""Each request is compared with so many that come next along its pass."""

ROUNDS = 2
"""First by the zone of most requests, then by all."""

_Units = NDArray[np.complex128]


def with_legs(seen: Observed, waiting: Waiting, start: Angles, least: float) -> Angles:
    """The angles of all passes and zones, roughly.

    Args:
        seen: the trace, on a layout of listed passes.
        waiting: requests on one track that waited for the platter.
        start: without any angles.
        least: strength of a zone's peak, below which it is chance.
    """
    rows, places = waiting.which, seen.first
    zone, head, step, leg = (
        column[rows] for column in (places.zone, places.head, places.step, places.leg)
    )
    late: _Units = np.exp(2j * np.pi * phases(seen, waiting, start))
    write = seen.write[rows]
    if write.mean() > 0.5:
        write = ~write
    # Reads and writes are complete at unlike angles: those of the one kind begin.
    late = np.where(write, 0.0, late)
    along = np.array([
        _slope(late[some], zone[some], head[some], step[some])
        for some in (leg == number for number in range(len(start.leg)))
    ])  # fmt: skip
    late = late * np.exp(-2j * np.pi * along[leg] * step)
    counts = np.bincount(zone[~write], minlength=seen.zones)
    first = np.zeros(len(along))
    offset, turn = np.zeros(seen.zones), np.zeros(seen.zones)
    known = np.arange(seen.zones) == int(counts.argmax())
    here = known[zone]
    turn[known] = _turn(late[here], head[here], leg[here], len(along))
    for _ in range(ROUNDS):
        used = late * known[zone] * np.exp(-2j * np.pi * (offset[zone] + turn[zone] * head))
        sums = np.array([used[leg == number].sum() for number in range(len(along))])
        first = np.angle(sums) / (2 * np.pi)
        rest = late * np.exp(-2j * np.pi * first[leg])
        for number in range(seen.zones):
            here = zone == number
            # All passes by now agree: they are one.
            turn[number] = _turn(rest[here], head[here], 0 * leg[here], 1)
            mean = np.sum(rest[here] * np.exp(-2j * np.pi * turn[number] * head[here]))
            offset[number] = np.angle(mean) / (2 * np.pi)
            known[number] = abs(mean) > least * max(int(counts[number]), 1)
    return replace(start, offset=offset, head=turn, known=known, leg=first, along=along)


def _slope(late: _Units, zone: Whole, group: Whole, step: Whole) -> float:
    """The turn from track to track of one pass, on which requests near each other agree."""
    order = np.lexsort((step, group, zone))
    late, zone, group, step = late[order], zone[order], group[order], step[order]
    grid = np.zeros(CELLS, dtype=np.complex128)
    for behind in range(1, min(BEHIND + 1, len(order))):
        alike = (zone[behind:] == zone[:-behind]) & (group[behind:] == group[:-behind])
        between = late[behind:] * np.conj(late[:-behind])
        np.add.at(grid, (step[behind:] - step[:-behind])[alike] % CELLS, between[alike])
    return float(np.abs(np.fft.fft(grid)).argmax()) / CELLS


def _turn(late: _Units, group: Whole, leg: Whole, legs: int) -> float:
    """The turn from group to group on which the requests of each pass agree best."""
    grid = np.zeros((legs, CELLS), dtype=np.complex128)
    np.add.at(grid, (leg, group % CELLS), late)
    return float(np.abs(np.fft.fft(grid, axis=1)).sum(axis=0).argmax()) / CELLS
