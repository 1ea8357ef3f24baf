"""The angles on which a zone's requests agree best: the peak of a transform, zone by zone."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from platterlab.calibration.platter.followed import LEAST_IN_ZONE, LEAST_STRENGTH
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.observed import Floats, Observed, Whole
from platterlab.calibration.trace.peaks import HEAD_CELLS, Peak, Sums

WITHIN_CELLS = 64
"""Of the transform along the cylinders of a sparing range, at most."""


def by_zone(seen: Observed, rows: Whole, start: Angles, late: Floats) -> tuple[Angles, Floats]:
    """Each zone's angles by its peak, and how well its requests agree on them.

    Args:
        seen: the trace.
        rows: of requests that waited for the platter.
        start: the rest of the angles.
        late: what each of these is late by without skew; not a number where that does not count.
    """
    places, found = seen.first, np.zeros((5, seen.zones))
    zones, counts = places.zone[rows], np.isfinite(late)
    for zone in range(seen.zones):
        here = counts & (zones == zone)
        if here.sum() < LEAST_IN_ZONE:
            continue
        peak, group = _peak(
            np.exp(2j * np.pi * late[here]), places.head[rows[here]], places.step[rows[here]],
            int(start.group_steps[zone]),
        )  # fmt: skip
        found[:, zone] = (peak.phase_turns, peak.head_turns, peak.step_turns, group, peak.strength)
    strength = found[4]
    known = strength > LEAST_STRENGTH
    first = replace(
        start, offset=found[0], head=found[1], step=found[2], group=found[3], known=known
    )
    return first, strength


def sums_of(late: NDArray[np.complex128], heads: Whole, steps: Whole, cells_each: int = 4) -> Sums:
    """The sums whose peak are the best angles of a zone, with so many cells to a step."""
    cells = max(256, 1 << int(np.ceil(np.log2(cells_each * (int(steps.max()) + 1)))))
    # Passes are many, cylinders have few heads.
    turning = max(HEAD_CELLS, 1 << int(np.ceil(np.log2(cells_each * (int(heads.max()) + 1)))))
    head_cells = turning if heads.max() >= HEAD_CELLS else HEAD_CELLS
    return Sums(late, heads, steps, cells, head_cells)


def _peak(
    late: NDArray[np.complex128], heads: Whole, steps: Whole, group_steps: int
) -> tuple[Peak, float]:
    """The best angles of a zone, and that of a sparing range."""
    if group_steps == 0:
        return sums_of(late, heads, steps).peak(), 0.0
    groups = steps // group_steps
    cells = max(64, 1 << int(np.ceil(np.log2(4 * (int(groups.max()) + 1)))))
    within_cells = min(WITHIN_CELLS, 1 << int(np.ceil(np.log2(4 * group_steps))))
    grid = np.zeros((HEAD_CELLS, within_cells, cells), dtype=np.complex128)
    np.add.at(grid, (heads % HEAD_CELLS, steps % group_steps, groups % cells), late)
    spectrum = np.fft.fftn(grid) / len(late)
    head, step, group = np.unravel_index(int(np.abs(spectrum).argmax()), spectrum.shape)
    best = spectrum[head, step, group]
    phase = float(np.angle(best) / (2 * np.pi))
    peak = Peak(float(abs(best)), head / HEAD_CELLS, step / within_cells, phase)
    return peak, float(group / cells)
