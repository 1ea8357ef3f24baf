"""The likeliest sequence of shifts of requests along their tracks.

It begins with none and never falls, and is found by dynamic programming (Viterbi).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from platterlab.calibration.platter.regression import wrapped
from platterlab.calibration.platter.slipped_layout import NEAR_TURNS
from platterlab.calibration.trace.observed import Floats, Whole

LEAST_NOISE_TURNS = 0.0015
"""Requests are not nearer to the lattice than this, in standard deviations."""

STRAY_SHARE = 0.05
"""Of requests that lie anywhere."""

STEP_COST, SECTOR_COST = 4.6, 0.7
"""Of a shift that grows, and of each sector it grows by, in units of log-likelihood."""

BINS = 512
"""Of a turn, in which the first angle of a zone is looked for."""

FINE_BINS = 1 << 13
"""Of a turn, in which lateness is told: a twelfth of the least noise."""

BEFORE_SECTORS = tuple(number / 2 for number in range(-2, 49))
"""By how many sectors the middle of a zone may have moved against its start."""

LEAST_IN_ZONE = 30
"""Requests without which a zone says nothing of its shift."""


@dataclass(frozen=True)
class Shifted:
    """Requests in the order of their addresses, under each shift.

    Attributes:
        lba: of each.
        zone: it is in without shift.
        late: by how many turns it is late, shape (shifts, requests); not a number where it would
            lie on more than one track.
        noise: of a request on the lattice, in turns.
    """

    lba: Whole
    zone: Whole
    late: Floats
    noise: float

    def of_zones(self, zones: list[int], limit: int) -> "Shifted":
        """The requests of some zones, under shifts up to a limit."""
        here = np.isin(self.zone, zones)
        return replace(
            self, lba=self.lba[here], zone=self.zone[here], late=self.late[: limit + 1, here]
        )


class _Likelihood:
    """The logarithm of how likely it is to be so late, as a table over a turn.

    Where it is not known how late, as likely as anywhere.
    """

    def __init__(self, noise: float) -> None:
        off = wrapped(np.arange(FINE_BINS) / FINE_BINS)
        near = np.exp(-0.5 * (off / noise) ** 2) / (noise * np.sqrt(2 * np.pi))
        turn = np.log((1 - STRAY_SHARE) * near + STRAY_SHARE)
        self._table = np.concatenate([turn, turn, np.zeros(FINE_BINS + 1)])

    def bins(self, late: Floats) -> NDArray[np.int32]:
        """Where `late` is in the table, for angles to be taken off."""
        known = np.isfinite(late)
        bins = _bins(np.where(known, late, 0.0))
        return np.where(known, bins, 2 * FINE_BINS).astype(np.int32)

    def at(self, bins: NDArray[np.int32], angles: Floats) -> Floats:
        """Of lateness in `bins` less each of some angles, shape (angles, bins)."""
        at = bins + (FINE_BINS - _bins(angles))[:, None]
        return np.asarray(self._table[at])


def _bins(turns: Floats) -> NDArray[np.int32]:
    return np.asarray(np.round(turns % 1.0 * FINE_BINS) % FINE_BINS, dtype=np.int32)


def likeliest(
    shifted: Shifted, zones: list[int], around: list[int], fresh: bool
) -> tuple[float, Whole]:
    """The likeliest sequence of shifts, and its log-likelihood.

    Args:
        shifted: requests of these zones.
        zones: in the order of addresses.
        around: sectors per track, by zone.
        fresh: whether the zones' first angles are to be found as well.
    """
    likelihood = _Likelihood(max(shifted.noise, LEAST_NOISE_TURNS))
    shifts = len(shifted.late)
    best, traced = np.concatenate([[0.0], np.full(shifts - 1, -np.inf)]), []
    for zone in zones:
        late = shifted.late[:, shifted.zone == zone]
        bins, angle = np.ascontiguousarray(likelihood.bins(late).T), 0.0
        if fresh and late.shape[1] >= LEAST_IN_ZONE:
            angles = _angles_tried(late[int(best.argmax())], around[zone])
            tried = np.repeat(best[None, :], len(angles), axis=0)
            for request in bins:
                tried = _grown(tried) + likelihood.at(request, angles)
            angle = float(angles[int(np.argmax(tried.max(axis=1)))])
        for request in bins:
            traced.append(_came(best))
            best = _grown(best) + likelihood.at(request, np.array([angle]))[0]
    found, at = np.zeros(len(traced), dtype=np.int64), int(best.argmax())
    for number in range(len(traced) - 1, -1, -1):
        found[number] = at
        at = int(traced[number][at])
    return float(best.max()), found


def _angles_tried(late: Floats, around: int) -> Floats:
    """First angles of a zone that go with no shift at its start, by what most of it is late by.

    What most of it meets is the shift of its middle.
    """
    return _angle(late[np.isfinite(late)]) - np.asarray(BEFORE_SECTORS) / around


def _angle(late: Floats) -> float:
    """What most of some requests are late by, in turns."""
    if not len(late):
        return 0.0
    counts = np.bincount(np.floor((late % 1.0) * BINS).astype(np.int64) % BINS, minlength=BINS)
    near = counts + np.roll(counts, 1) + np.roll(counts, -1)
    middle = (int(np.argmax(near)) + 0.5) / BINS
    off = wrapped(late - middle)
    return middle + float(np.mean(off[np.abs(off) < NEAR_TURNS / 2]))


def _grown(best: Floats) -> Floats:
    """The log-likelihood of each shift before the next request; shifts are the last axis."""
    cost = SECTOR_COST * np.arange(best.shape[-1])
    jumped = np.maximum.accumulate(best + cost, axis=-1)
    jumped -= STEP_COST + cost
    return np.maximum(jumped, best, out=jumped)


def _came(best: Floats) -> Whole:
    """The shift from which each shift before the next request came."""
    cost, own = SECTOR_COST * np.arange(len(best)), np.arange(len(best))
    raised = best + cost
    highest = np.maximum.accumulate(raised)
    before = np.maximum.accumulate(np.where(raised >= highest, own, 0))
    return np.where(highest - (STEP_COST + cost) > best, before, own)
