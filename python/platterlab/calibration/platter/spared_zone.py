"""A zone that may have spare sectors at the end of each track, cylinder, or few cylinders.

How well its requests agree on skews is worked out for a thousand numbers of spares.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from platterlab._core import spared_places, unit_numbers
from platterlab.calibration.platter.moved_reads import LEAST_IN_ZONE
from platterlab.calibration.platter.regression import RIDGE, wrapped
from platterlab.calibration.trace.observed import Floats, Whole
from platterlab.calibration.trace.peaks import (
    HEAD_CELLS,
    LIKELY,
    NEARLY,
    SINGLE,
    Peak,
    Singles,
    Sums,
    longest,
    squares,
    summed,
)

LEAST_MOST, SHARE_MOST = 16, 0.25
"""Spares of a cylinder: up to so many are tried, or to this share of a track."""

SPAN, TOLD = 300, 150
"""Cylinders of a zone, and requests, that tell which spares it may have."""

RANGE_CELLS = 4
"""Angles to a range that are tried, for as many ranges as a zone has."""

NEAR_TURNS = 0.06
"""A profile's skew from head to head may be off by so much."""

MOST_ON_TRACK = 8
"""Spares of a track that are tried."""

EACH_TRACK = 0
"""Instead of cylinders: each track has spares of its own."""

CLIMBS = 2
"""From the best cell of the transform to the best skews beside it."""


@dataclass(frozen=True)
class Spares:
    """So many spare sectors at the end of each so many cylinders, or of `EACH_TRACK`."""

    sectors: int
    cylinders: int = 1

    def table(self) -> dict[str, Any]:
        """As a profile has it."""
        if self.cylinders <= 1:
            kind = "track" if self.cylinders == EACH_TRACK else "cylinder"
            return {"kind": kind, "sectors": self.sectors}
        return {"kind": "cylinders", "cylinders": self.cylinders, "sectors": self.sectors}


@dataclass(frozen=True)
class Zone:
    """A zone, and the requests that may lie in it.

    Attributes:
        lba: of the requests, from the zone's first sector on, in that order.
        turns: where the platter was at each, less what came after that address.
        surfaces, per_track, cylinders: of the zone.
        skews: from head to head and from cylinder to cylinder, in turns; None where the profile
            states none.
        along: cylinders of a pass, where the order of tracks seeks first; else 0.
        known: agreements that were worked out, by cylinders of the zone, spares and cylinders that
            have them in common.
    """

    lba: Whole
    turns: Floats
    surfaces: int
    per_track: int
    cylinders: int
    skews: tuple[float, float] | None
    along: int = 0
    known: dict[tuple[int, float, int], tuple[float, float]] = field(default_factory=dict)

    def agreement(self, sectors: float, cylinders: int, least: float = 0.0) -> tuple[float, float]:
        """How well requests agree with so many spares, and what they would by chance.

        Nothing where it is surely less than `least`.
        """
        key = self.cylinders, sectors, cylinders
        if key in self.known:
            return self.known[key]
        late, head, step = self._placed(sectors, cylinders)
        if len(late) < LEAST_IN_ZONE:
            return 0.0, 1.0
        reach = self.along or self.cylinders
        cells = 1 << int(np.ceil(np.log2(2 * (reach + 1))))
        if self.along:
            heads = 1 << int(np.ceil(np.log2(4 * (int(head.max()) + 1))))
        else:
            heads = min(HEAD_CELLS, 1 << int(np.ceil(np.log2(4 * self.surfaces))))
        sums = Sums(unit_numbers(2 * np.pi * late), head, step.astype(np.int64), cells, heads)
        chance = float(np.sqrt(np.log(heads * cells) / len(late)))
        if sums.most() + SINGLE < least:
            return 0.0, chance
        steps = np.stack([np.ones(len(late)), head, step], axis=1)
        self.known[key] = _climbed(late, steps, sums.peak()), chance
        return self.known[key]

    def stated_agreement(self, spares: Spares) -> float:
        """How well requests agree with some spares and the profile's own skews."""
        off = self._off_stated(spares)
        if off is None:
            return 0.0
        # `np.mean` of so few numbers takes longer than they do, and there are many spares to try.
        return float(abs(np.add.reduce(unit_numbers(2 * np.pi * off[0])) / len(off[0])))

    def turned_agreement(self, spares: Spares) -> float:
        """The same where cylinders that have spares in common begin at an angle of their own.

        From one such range to the next it is the one at which requests agree best.
        """
        off = self._off_stated(spares)
        if off is None:
            return 0.0
        phases, at = unit_numbers(2 * np.pi * off[0]), off[1] // spares.cylinders
        cells = 1 << int(np.ceil(np.log2(RANGE_CELLS * (at.max() + 1))))
        real, imaginary = (np.bincount(at, part) for part in (phases.real, phases.imag))
        return float(np.abs(scipy.fft.fft(real + 1j * imaginary, cells)).max()) / len(phases)

    def _off_stated(self, spares: Spares) -> tuple[Floats, Whole] | None:
        """How late requests are by the profile's own skews, and their cylinders; None of few."""
        late, head, step = self._placed(spares.sectors, spares.cylinders)
        if self.skews is None or len(late) < LEAST_IN_ZONE:
            return None
        return late - head * self.skews[0] - step * self.skews[1], step.astype(np.int64)

    def near_agreement(self, spares: Spares, least: float) -> float:
        """The same with skews of which the profile's from head to head alone is about right.

        Those from cylinder to cylinder and from range to range are the ones that agree best.
        Nothing where it is surely less than `least`.
        """
        late, head, step = self._placed(spares.sectors, spares.cylinders)
        if self.skews is None or len(late) < LEAST_IN_ZONE:
            return 0.0
        phases = unit_numbers(2 * np.pi * (late - head * self.skews[0]))
        steps = step.astype(np.int64)
        shape = (self.surfaces, spares.cylinders, int(steps.max()) // spares.cylinders + 1)
        place = head, steps % spares.cylinders, steps // spares.cylinders
        at = np.ravel_multi_index(place, shape)
        grid = summed(phases, at, int(np.prod(shape))).reshape(shape[0], -1)
        turned = (_near_turning(self.surfaces) @ grid).reshape(-1, *shape[1:])
        cells = [1 << int(np.ceil(np.log2(RANGE_CELLS * each))) for each in shape[1:]]
        # At one angle from range to range the cylinders within them all agree at most.
        by_range = scipy.fft.fft(turned, cells[1])
        most = np.sqrt(squares(by_range)).sum(axis=1)
        if float(most.max()) / len(late) + SINGLE < least:
            return 0.0
        return _longest_turned(by_range.swapaxes(1, 2), most, cells[0]) / len(late)

    def _placed(self, sectors: float, cylinders: int) -> tuple[Floats, Whole, Floats]:
        """How late requests are on their tracks, and heads and cylinders, with so many spares.

        Of an order that seeks first, passes and cylinders along them.
        """
        shape = self.surfaces, self.per_track, self.cylinders
        if cylinders != EACH_TRACK and not self.along:
            return spared_places(self.lba, self.turns, shape, sectors, cylinders)
        track, sector = np.divmod(self.lba, self.per_track - int(sectors))
        count = int(np.searchsorted(track, self.surfaces * self.cylinders))
        late = np.asarray(self.turns - sector / self.per_track)[:count]
        if self.along:
            head, step = np.divmod(track[:count], self.along)
        else:
            step, head = np.divmod(track[:count], self.surfaces)
        return late, head, step.astype(np.float64)

    def begun(self) -> "Zone":
        """As much of its beginning as tells most of what all of it does."""
        full = self.surfaces * self.per_track
        span = max(SPAN, int(self.lba[min(TOLD, len(self.lba)) - 1] // full) + 1)
        return replace(self, cylinders=min(self.cylinders, span))

    @property
    def most(self) -> int:
        """Spares of a cylinder that are tried."""
        return max(LEAST_MOST, int(SHARE_MOST * self.per_track))

    def by_cylinder(self) -> list[Spares]:
        """Those of each cylinder that are tried, none among them."""
        most = 0 if self.along else self.most
        return [Spares(sectors) for sectors in range(most + 1)]

    def by_track(self) -> list[Spares]:
        """Those of each track that are tried."""
        most = min(MOST_ON_TRACK, self.per_track - 1)
        return [Spares(sectors, EACH_TRACK) for sectors in range(1, most + 1)]

    def size(self, spares: Spares) -> int:
        """Sectors with addresses."""
        if spares.cylinders == EACH_TRACK:
            return self.cylinders * self.surfaces * (self.per_track - spares.sectors)
        lost = -(-self.cylinders // spares.cylinders) * spares.sectors
        return self.cylinders * self.surfaces * self.per_track - lost


@lru_cache
def _near_turning(surfaces: int) -> Singles:
    """A row for each skew from head to head near none: what each head is turned by."""
    cell = 1 / (RANGE_CELLS * surfaces)
    reach = np.arange(-NEAR_TURNS, NEAR_TURNS + cell, cell)
    return np.exp(-2j * np.pi * np.outer(reach, np.arange(surfaces))).astype(np.complex64)


def _longest_turned(sums: Singles, most: NDArray[np.float32], cells: int) -> float:
    """The longest sum of the transforms along the last axis, which are no longer than `most` each.

    Of those that may have the longest a few are, and tell which others need not be looked at.
    """
    few = most >= LIKELY * most.max()
    found = longest(scipy.fft.fft(sums[few], cells))
    rest = (most > found * (1 - NEARLY)) & ~few
    return max(found, longest(scipy.fft.fft(sums[rest], cells))) if rest.any() else found


def _climbed(late: Floats, steps: Floats, peak: Peak) -> float:
    """How well requests agree on the best skews near a peak; `steps` has what skews go by."""
    skews = np.array([peak.phase_turns, peak.head_turns, peak.step_turns])
    for _ in range(CLIMBS):
        off = wrapped(late - steps @ skews)
        weight = np.maximum(np.cos(2 * np.pi * off), 0.0)
        normal = (steps.T * weight) @ steps + RIDGE * np.eye(len(skews))
        skews = skews + np.linalg.solve(normal, steps.T @ (weight * off))
    agreed = float(np.abs(np.mean(unit_numbers(2 * np.pi * (late - steps @ skews)))))
    return max(agreed, peak.strength)
