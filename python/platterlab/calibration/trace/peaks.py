"""The skews on which requests agree best: the peak of a discrete Fourier transform.

It is over head steps and cylinder steps (see `rotation_period`). Along the cylinders it is quickly
done; turning the heads is most of the work, and what it can reach at most is known before.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from platterlab.calibration.trace.observed import Whole

HEAD_CELLS = 64
"""Of the transform along head steps: as fine as a skew is looked for, in parts of a turn."""

NEARLY = 1e-5
"""Lengths and their squares may be worked out wrong by less than this share."""

SINGLE = 1e-3
"""Strengths are worked out in single precision to much less than this."""

LIKELY = 0.95
"""Of what a transform can reach: those that can reach so much of the most are worked out first."""

Singles = NDArray[np.complex64]
"""Complex numbers of single precision."""


@dataclass(frozen=True)
class Peak:
    """The best skews of some requests.

    Attributes:
        strength: length of the mean of the phases, from 0 to 1.
        head_turns, step_turns: turn at each head step and at each cylinder step.
        phase_turns: of the mean.
    """

    strength: float
    head_turns: float
    step_turns: float
    phase_turns: float


class Sums:
    """Requests' phases, summed by head and transformed along the cylinder steps."""

    def __init__(
        self,
        phases: NDArray[np.complex128],
        heads: Whole,
        steps: Whole,
        step_cells: int,
        head_cells: int = HEAD_CELLS,
    ) -> None:
        """The sums of unit numbers `phases`, with so many cells along heads and steps."""
        at = heads % head_cells
        self._count, self._cells = len(phases), (head_cells, step_cells)
        self._reach = int(np.ptp(steps)) if len(steps) else 0
        rows = int(at.max(initial=0)) + 1
        cell = at * step_cells + steps % step_cells
        grid = summed(phases, cell, rows * step_cells).reshape(rows, step_cells)
        self._by_step = scipy.fft.fft(grid, axis=1)

    @cached_property
    def _together(self) -> NDArray[np.float32]:
        """By step of cylinders: the sum that no turn of the heads is above."""
        return np.asarray(np.sqrt(squares(self._by_step)).sum(axis=0))

    def most(self) -> float:
        """What no skews are above, be they in a cell or between cells.

        At one step of cylinders all heads agree at most, however they turn; and between its cells a
        sum of so few frequencies is not much greater than in them (Ehlich and Zeller 1964).
        """
        share = (self._reach / 2 + 1) / self._cells[1]
        between = np.cos(np.pi * share) if share < 0.5 else 0.0
        most = float(self._together.max()) / max(1, self._count)
        return most / between if between > 0.0 else np.inf

    def peak(self) -> Peak:
        """The skews at which they agree best."""
        head_cells, step_cells = self._cells
        # Where heads agree most the peak is not far, and where they agree less it is not.
        likely = self._turned(np.flatnonzero(self._together >= LIKELY * self._together.max()))
        least = longest(likely) * (1 - NEARLY)
        columns = np.flatnonzero(self._together >= least)
        spectrum = self._turned(columns)
        # Numbers are divided by a real one so, too, and by a complex one of no imaginary part in
        # much more time.
        spectrum.view(np.float32)[:] *= np.float32(1) / np.float32(max(1, self._count))
        row, column = np.unravel_index(int(squares(spectrum).argmax()), spectrum.shape)
        best = spectrum[row, column]
        return Peak(
            float(abs(best)),
            float(row / head_cells),
            float(columns[column] / step_cells),
            float(np.angle(best) / (2 * np.pi)),
        )

    def _turned(self, columns: Whole) -> Singles:
        """The transform along the heads at some steps of cylinders."""
        head_cells, rows = self._cells[0], len(self._by_step)
        some = self._by_step[:, columns]
        # Few rows of the grid have anything in them, unless passes count as heads: their matrix has
        # millions of numbers, and is slower than a transform of all rows.
        if rows > HEAD_CELLS:
            return np.asarray(scipy.fft.fft(some, head_cells, axis=0))
        return np.asarray(turning(head_cells, rows) @ some)


def transform_peak(
    phases: NDArray[np.complex128],
    heads: Whole,
    steps: Whole,
    step_cells: int,
    head_cells: int = HEAD_CELLS,
) -> Peak:
    """The skews at which unit numbers `phases` agree best."""
    return Sums(phases, heads, steps, step_cells, head_cells).peak()


def summed(phases: NDArray[np.complex128], cell: Whole, cells: int) -> Singles:
    """The sum of the phases in each cell."""
    sums = np.empty(cells, dtype=np.complex64)
    sums.real, sums.imag = (np.bincount(cell, part, cells) for part in (phases.real, phases.imag))
    return sums


def squares(numbers: Singles) -> NDArray[np.float32]:
    """The squares of the lengths of complex numbers, which follow each other in memory."""
    parts = numbers.view(np.float32)
    parts = parts * parts
    return np.asarray(parts[..., ::2] + parts[..., 1::2])


def longest(numbers: Singles) -> float:
    """The length of the longest of complex numbers, which follow each other in memory.

    Its square is near the greatest of the squares, which take less time than lengths.
    """
    near = squares(numbers)
    return float(np.abs(numbers[near >= near.max() * np.float32(1 - NEARLY)]).max())


@lru_cache(maxsize=64)
def turning(cells: int, count: int) -> Singles:
    """A row for each of so many skews in a turn: what each whole number of them turns by."""
    turns = np.outer(np.arange(cells), np.arange(count)) / cells
    found = np.asarray(np.exp(-2j * np.pi * turns), dtype=np.complex64)
    found.setflags(write=False)
    return found
