"""How many tracks follow each other by one skew before another one comes: whatever the order.

From head to head of a cylinder, or from cylinder to cylinder along a pass, all tracks are turned by
the same angle, and where the next cylinder or pass begins by another one. So requests of one zone,
numbered by their tracks in the order of addresses, agree on two angles where they are cut into runs
of the drive's length, and hardly where they are not.
"""

from dataclasses import dataclass, replace

import numpy as np

from platterlab._core import unit_numbers
from platterlab.calibration.buffer.read_completion import AtShare
from platterlab.calibration.platter.regression import phases, wrapped
from platterlab.calibration.platter.skews import bare_angles
from platterlab.calibration.platter.zone_peaks import sums_of
from platterlab.calibration.trace.observed import Flags, Floats, Whole
from platterlab.calibration.trace.peaks import Peak
from platterlab.calibration.trace.reading import Reading

LONGEST = 200
"""Tracks of a run that are tried, at most."""

WINDOW = 4_096
"""Tracks in a row that are looked at, at most: a transform over more takes long."""

LEAST_REQUESTS = 60
"""Of a zone, on so many tracks, without which there is no telling."""

LIKELY = 40
"""Lengths of runs that are looked at closely."""

NEAR_TURNS = 0.02
"""Requests so near to what their zone's are agree on it."""

AGREED, CLEARLY = 0.3, 1.4
"""Of the requests, so many agree on the drive's runs, and so many times as many as on others."""

CLIMBS, RIDGE = 8, 1e-3
"""Rounds of the regression, and the weight of what requests do not tell."""


@dataclass(frozen=True)
class Runs:
    """How well requests of a zone agree when their tracks are cut into runs.

    Attributes:
        late: what each is late by without any skew, in turns.
        track: on which each is, in the order of addresses.
        sectors: of each.
    """

    late: Floats
    track: Whole
    sectors: Whole

    def cut(self, tracks: int) -> tuple[Whole, Whole]:
        """On which run of so many tracks each is, from the first one with any, and where on it."""
        run, step = np.divmod(self.track, tracks)
        return run - run.min(), step

    def peak(self, tracks: int) -> Peak:
        """The angles for runs of so many tracks on which they agree best."""
        return sums_of(unit_numbers(2 * np.pi * self.late), *self.cut(tracks)).peak()

    def near(self, tracks: int) -> float:
        """The share of them that agree, whatever a sector takes over the bus."""
        peak = self.peak(tracks)
        known = np.array([peak.phase_turns, peak.head_turns, peak.step_turns, 0.0])
        ones = np.ones(len(self.late))
        columns = np.stack([ones, *self.cut(tracks), self.sectors], axis=1)
        for number in range(CLIMBS):
            off = wrapped(self.late - columns @ known)
            scale = max(0.25 / (1 << number), NEAR_TURNS)
            weight = np.clip(1 - (off / scale) ** 2, 0.0, None) ** 2
            normal = (columns.T * weight) @ columns + RIDGE * np.eye(len(known))
            known = known + np.linalg.solve(normal, columns.T @ (weight * off))
        off = wrapped(self.late - columns @ known)
        return float(np.mean(np.abs(off) < NEAR_TURNS))


def run_length(reading: Reading, stated: int, least: float = AGREED) -> int | None:
    """Tracks of a run, where requests surely agree on another number than the profile's.

    Args:
        reading: the trace.
        stated: tracks of a run as the profile has it.
        least: of the requests, that have to.
    """
    best, found = least, stated
    for share in (0.0, 1.0):
        runs = _of_zone(reading, share)
        if len(runs.late) < LEAST_REQUESTS:
            return None
        strengths = {tracks: runs.peak(tracks).strength for tracks in range(2, LONGEST + 1)}
        likely = sorted(strengths, key=lambda tracks: -strengths[tracks])[:LIKELY]
        near = {tracks: runs.near(tracks) for tracks in {stated, *likely}}
        most, other = sorted(near, key=lambda tracks: -near[tracks])[:2]
        if near[most] > max(best, CLEARLY * near[other]):
            best, found = near[most], most
    return None if found == stated else found


def _of_zone(reading: Reading, share: float) -> Runs:
    """The reads of the zone that has most, on the bus once a share of them has passed.

    Or the writes, where there are more.
    """
    seen, waiting = reading.seen, reading.waiting(with_writes=True)
    rows = waiting.which
    sector_ms = reading.hits.sector_ms if reading.hits else 0.0
    bare = bare_angles(
        seen, reading.period.rotation_ms, np.zeros(seen.zones, dtype=np.int64), sector_ms
    )
    late = phases(seen, waiting, replace(bare, reads=AtShare(share)))
    zone, write = seen.first.zone[rows], seen.write[rows]
    here = zone == np.bincount(zone, minlength=1).argmax()
    here &= write == (2 * np.sum(write[here]) > np.sum(here))
    rows, late = rows[here], late[here]
    some = _among(seen.first.track[rows])
    return Runs(late[some], seen.first.track[rows[some]], seen.sectors[rows[some]])


def _among(track: Whole) -> Flags:
    """Which of them are where so many tracks in a row have most."""
    ordered = np.sort(track)
    counts = np.searchsorted(ordered, ordered + WINDOW) - np.arange(len(ordered))
    first = ordered[np.argmax(counts)] if len(ordered) else 0
    return np.asarray((track >= first) & (track < first + WINDOW))
