"""Where the arm is when a request comes, and how long it is at earlier work from then on.

It is where the last request left it, unless the drive has written since what it had reported, or
has read ahead. Once the model says what the drive does meanwhile, a run of it tells.
"""

from dataclasses import dataclass

import numpy as np

from platterlab._core import Profile, row_labels
from platterlab.calibration.platter.under_way import BUSY_TURNS
from platterlab.calibration.trace.observed import Flags, Floats, Whole
from platterlab.calibration.trace.reading import Reading

AHEAD_SECTORS = 1024
"""So far read-ahead may have moved the arm from where the last request left it: half a megabyte."""

LEAST_BUSY_MS = 1e-3
"""An arm that is free so soon was free all the time."""

_MISS = row_labels()["cache"].index("miss")


@dataclass(frozen=True)
class Arm:
    """The arm, by request.

    Attributes:
        moved: cylinders to the request's first one, signed as far as that is known.
        same_surface: whether the head is on the request's surface.
        known: whether the place is known at all.
        stays: whether it surely is where the last request left it.
        held: whether the arm may have been at earlier work when the request came.
        busy_ms: for how long it was, counted from the issue, if that outlasts the overhead; else 0.
    """

    moved: Whole
    same_surface: Flags
    known: Flags
    stays: Flags
    held: Flags
    busy_ms: Floats


def behind_last(reading: Reading, rotation_ms: float) -> Arm:
    """The arm where each request before has left it.

    One that writes what it has reported may be anywhere, and one that reads ahead a little farther
    than where it was left.
    """
    seen = reading.seen
    moved, behind = seen.seek_cylinders, reading.written_behind
    ahead = 1 + AHEAD_SECTORS / (seen.surfaces * seen.first.per_track)
    reads_on: Flags = (reading.hits is not None) & ~seen.after_write
    return Arm(
        moved=moved,
        same_surface=seen.same_surface,
        known=np.ones(len(seen), dtype=bool),
        stays=~behind & (~reads_on | (np.abs(moved) > ahead)),
        held=behind & (seen.gap_ms < BUSY_TURNS * rotation_ms),
        busy_ms=np.zeros(len(seen)),
    )


def as_served(profile: Profile, reading: Reading, rotation_ms: float) -> Arm:
    """The arm as a run of the model has it, whose requests come and end when the trace says.

    Of what the model's buffer answered it says nothing.
    """
    seen, left = reading.seen, behind_last(reading, rotation_ms)
    rows = seen.requests.replay(profile, timing="issue", track_phase=True)
    distance = rows["seek_distance_cylinders"].astype(np.int64)
    alike = distance == np.abs(left.moved)
    served = (rows["cache"] == _MISS) & np.isfinite(rows["service_ms"])
    busy = served & (rows["wait_ms"] > LEAST_BUSY_MS) & ~seen.write
    return Arm(
        moved=np.where(alike, left.moved, distance),
        same_surface=left.same_surface,
        # Which surface is under a head that came back to this cylinder nothing tells.
        known=np.asarray(served & (alike | (distance > 0))),
        stays=np.asarray(served & alike & ~busy),
        held=np.zeros(len(seen), dtype=bool),
        busy_ms=np.where(busy, rows["overhead_ms"] + rows["wait_ms"], 0.0),
    )
