"""The likeliest sequence of shifts of requests along their tracks.

It begins with none and never falls but where the next set of spares begins, with none again, and is
found by dynamic programming (Viterbi).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from platterlab._core import ShiftPaths
from platterlab.calibration.platter.regression import wrapped
from platterlab.calibration.platter.slipped_layout import NEAR_TURNS
from platterlab.calibration.platter.slips import followed
from platterlab.calibration.trace.observed import Flags, Floats, Whole

LEAST_NOISE_TURNS = 0.0015
"""Requests are not nearer to the lattice than this, in standard deviations."""

STRAY_SHARE = 0.05
"""Of requests that lie anywhere."""

SECTOR_COST = 0.7
"""Of each sector that a shift grows by, in units of log-likelihood."""

BINS = 512
"""Of a turn, in which the first angle of a zone is looked for."""

FINE_BINS = 1 << 13
"""Of a turn, in which lateness is told: a twelfth of the least noise."""

BEFORE_SECTORS = tuple(number / 2 for number in range(-2, 49))
"""By how many sectors the middle of a zone may have moved against its start."""

BEGINNING, BEGUN_SECTORS = 10, tuple(number / 2 for number in range(-2, 9))
"""A zone's beginning is so small a part of its requests, and may have moved by so many sectors."""

WHOLE_SECTORS = tuple(range(-6, 7))
"""By which a first angle may be off, once its part of a sector is known."""

LEAST_IN_ZONE = 30
"""Requests without which a zone says nothing of its shift."""

_Came = NDArray[np.uint32]
"""From which shift each one came."""


@dataclass(frozen=True)
class Shifted:
    """Requests in the order of their addresses, under each shift.

    Attributes:
        lba: of each.
        zone: it is in without shift.
        set: of spares that end a shift there.
        late: by how many turns it is late, shape (shifts, requests); not a number where it would
            lie on more than one track.
        bins: `bins_of` it.
        noise: of a request on the lattice, in turns.
    """

    lba: Whole
    zone: Whole
    set: Whole
    late: Floats
    bins: NDArray[np.uint32]
    noise: float

    def of_zones(self, zones: list[int], limit: int) -> "Shifted":
        """The requests of some zones, under shifts up to a limit."""
        here = np.isin(self.zone, zones)
        return replace(
            self,
            lba=self.lba[here],
            zone=self.zone[here],
            set=self.set[here],
            late=self.late[: limit + 1, here],
            bins=self.bins[: limit + 1, here],
        )

    @property
    def begins(self) -> Flags:
        """Whether a request is the first one in its set of spares."""
        return np.concatenate([[False], self.set[1:] != self.set[:-1]])


def _likely(noise: float) -> Floats:
    """The logarithm of how likely it is to be so late, as a table over two turns."""
    off = wrapped(np.arange(FINE_BINS) / FINE_BINS)
    near = np.exp(-0.5 * (off / noise) ** 2) / (noise * np.sqrt(2 * np.pi))
    turn = np.log((1 - STRAY_SHARE) * near + STRAY_SHARE)
    return np.concatenate([turn, turn])


def bins_of(late: Floats) -> NDArray[np.uint32]:
    """Where lateness is in such a table, for an angle of less than a turn to be taken off.

    Where it is not known it is beyond: as likely as anywhere.
    """
    known = np.isfinite(late)
    bins = _bins(np.where(known, late, 0.0))
    return np.where(known, bins, 2 * FINE_BINS).astype(np.uint32)


def _bins(turns: Floats) -> NDArray[np.uint32]:
    return np.asarray(np.round(turns % 1.0 * FINE_BINS) % FINE_BINS, dtype=np.uint32)


def likeliest(
    shifted: Shifted, zones: list[int], around: list[int], step_cost: float, fresh: bool
) -> tuple[float, Whole]:
    """The likeliest sequence of shifts, and its log-likelihood.

    Args:
        shifted: requests of these zones.
        zones: in the order of addresses.
        around: sectors per track, by zone.
        step_cost: of a shift that grows, in units of log-likelihood.
        fresh: whether the zones' first angles are to be found as well.
    """
    likely = _likely(max(shifted.noise, LEAST_NOISE_TURNS))
    cost: Floats = SECTOR_COST * np.arange(len(shifted.late), dtype=np.float64)
    best, traced = np.where(cost > 0, -np.inf, 0.0), list[_Came]()
    for zone in zones:
        here = shifted.zone == zone
        late, angle = shifted.late[:, here], 0.0
        bins = np.ascontiguousarray(shifted.bins[:, here].T)
        paths = ShiftPaths(bins, shifted.begins[here], likely, cost, step_cost)
        zoned = _Zone(late, best, paths)
        if fresh and late.shape[1] >= LEAST_IN_ZONE:
            angles = _angles_tried(late[int(best.argmax())], around[zone])
            angle = zoned.refined(zoned.nearest(angles), around[zone])
        some, best = zoned.traced(angle)
        traced += some
    return float(best.max()), followed(best, traced)


@dataclass(frozen=True)
class _Zone:
    """A zone's requests, and how likely each shift is before the first of them."""

    late: Floats
    best: Floats
    paths: ShiftPaths

    def nearest(self, angles: Floats) -> float:
        """The one of some first angles under which the requests are likeliest."""
        likelihoods = self.paths.likelihoods(self.best, FINE_BINS - _bins(angles))
        return float(angles[int(np.argmax(likelihoods))])

    def refined(self, angle: float, around: int) -> float:
        """The first angle by whole sectors from where most requests are under the likeliest shifts.

        A sector's part by which it is off, all of them tell; by how many whole ones, only those
        near the end of a track.
        """
        traced, best = self.traced(angle)
        shifts = followed(best, traced)
        off = wrapped(self.late[shifts, np.arange(len(shifts))] - angle)
        near = off[np.abs(off) < NEAR_TURNS]
        middle = angle + (float(np.median(near)) if len(near) else 0.0)
        return self.nearest(middle + np.asarray(WHOLE_SECTORS) / around)

    def traced(self, angle: float) -> tuple[list[_Came], Floats]:
        """From which shift each shift before a request came, and how likely each is at last."""
        (moved,) = FINE_BINS - _bins(np.array([angle]))
        best, came = self.paths.traced(self.best, int(moved))
        return list(came.reshape(-1, len(best))), best


def _angles_tried(late: Floats, around: int) -> Floats:
    """First angles of a zone that go with no shift at its start.

    By what most of it is late by, which is the shift of its middle, and most of its beginning.
    """
    begun = late[: max(len(late) // BEGINNING, LEAST_IN_ZONE)]
    found = [
        _angle(some[np.isfinite(some)]) - np.asarray(before) / around
        for some, before in ((late, BEFORE_SECTORS), (begun, BEGUN_SECTORS))
    ]
    return np.concatenate(found)


def _angle(late: Floats) -> float:
    """What most of some requests are late by, in turns."""
    if not len(late):
        return 0.0
    counts = np.bincount(np.floor((late % 1.0) * BINS).astype(np.int64) % BINS, minlength=BINS)
    near = counts + np.roll(counts, 1) + np.roll(counts, -1)
    middle = (int(np.argmax(near)) + 0.5) / BINS
    off = wrapped(late - middle)
    return middle + float(np.mean(off[np.abs(off) < NEAR_TURNS / 2]))
