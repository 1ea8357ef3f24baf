"""When the controller has no time for the host because the head comes to the end of a track.

Commands that end near the end of their track are late then, by as much as is left of that time.
From how near, and until when, is what leaves the smallest errors of single requests: tried coarsely
and then finely. It is used only where parts of the requests that had no say in it gain by it.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.trace.reading import Reading

REACH_TURNS = 0.1
"""No controller is busy for longer than this before the end of a track, or after it."""

STEPS = 12
"""To that reach."""

FINER = 4
"""Steps of the second search to one of the first."""


@dataclass(frozen=True)
class TrackEnds:
    """The controller's time at a track's end, in milliseconds.

    Attributes:
        read_before_ms, write_before_ms: how long before it begins, for a read's data and a write's
            report.
        after_ms: how long after it ends.
    """

    read_before_ms: float
    write_before_ms: float
    after_ms: float

    def table(self) -> dict[str, float]:
        """The same as a profile has it."""
        return {
            "read_before_ms": self.read_before_ms,
            "write_before_ms": self.write_before_ms,
            "after_ms": self.after_ms,
        }


def find_track_ends(
    profile: Profile, reading: Reading, controller: dict[str, Any]
) -> TrackEnds | None:
    """What explains the requests best; None where none is sure to be better than no such time.

    Args:
        profile: without it.
        reading: the trace.
        controller: that profile's controller, as its file states it.
    """
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)

    def best_of(ends: list[TrackEnds]) -> TrackEnds:
        tables = [{"controller": controller | {"track_end": one.table()}} for one in ends]
        return ends[tried.best(tables)]

    step_ms = REACH_TURNS * reading.period.rotation_ms / STEPS
    coarse = [number * step_ms for number in range(STEPS + 1)]
    fine = [number * step_ms / FINER for number in range(1 - FINER, FINER)]
    best = best_of([TrackEnds(read, 0.0, after) for read, after in product(coarse, coarse[1:])])
    if reading.writes_wait:
        best = best_of([replace(best, write_before_ms=at) for at in coarse])
        near = [max(best.write_before_ms + by, 0.0) for by in fine]
        best = best_of([replace(best, write_before_ms=at) for at in near])
    best = best_of([
        TrackEnds(max(best.read_before_ms + read, 0.0), best.write_before_ms, best.after_ms + after)
        for read, after in product(fine, fine)
    ])  # fmt: skip
    return best if tried.is_sure() else None
