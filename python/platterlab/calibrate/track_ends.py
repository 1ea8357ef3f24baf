"""When the controller has no time for the host because the head comes to the end of a track.

Commands that end near the end of their track are late then, by as much as is left of that time.
From how near, and until when, is what leaves the smallest errors of single requests: tried coarsely
and then finely. It is used only where parts of the requests that had no say in it gain by it.
"""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Profile
from platterlab.calibrate.observed import Floats, Observed
from platterlab.calibrate.reading import Reading

REACH_TURNS = 0.1
"""No controller is busy for longer than this before the end of a track, or after it."""

STEPS = 12
"""To that reach."""

FINER = 4
"""Steps of the second search to one of the first."""

PARTS = 5
"""Each of them is judged by what the others chose."""

SURE = 3.0
"""Standard errors that the gain of the parts is above nothing."""


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
    tried = _Tried(profile, reading.seen, controller, reading.period.rotation_ms / 2)
    step_ms = REACH_TURNS * reading.period.rotation_ms / STEPS
    coarse = [number * step_ms for number in range(STEPS + 1)]
    best = tried.best([TrackEnds(read, 0.0, after) for read, after in product(coarse, coarse[1:])])
    fine = [number * step_ms / FINER for number in range(1 - FINER, FINER)]
    if reading.writes_wait:
        best = tried.best([TrackEnds(best.read_before_ms, at, best.after_ms) for at in coarse])
        near = [best.write_before_ms + by for by in fine]
        best = tried.best(
            [TrackEnds(best.read_before_ms, max(at, 0.0), best.after_ms) for at in near]
        )
    best = tried.best([
        TrackEnds(max(best.read_before_ms + read, 0.0), best.write_before_ms, best.after_ms + after)
        for read, after in product(fine, fine)
    ])  # fmt: skip
    return best if tried.is_sure() else None


class _Tried:
    """What has been tried, and how far off it left each request."""

    def __init__(
        self, profile: Profile, seen: Observed, controller: dict[str, Any], most_ms: float
    ) -> None:
        self._profile, self._seen = profile, seen
        self._controller, self._most_ms = controller, most_ms
        self._plain = self._off([profile])[0]
        self._rows = np.zeros((0, len(seen)))

    def best(self, candidates: list[TrackEnds]) -> TrackEnds:
        """The candidate that leaves least, the first of equals."""
        profiles = [
            self._profile.with_overrides(
                {"controller": self._controller | {"track_end": one.table()}}
            )
            for one in candidates
        ]
        rows = self._off(profiles)
        self._rows = np.concatenate([self._rows, rows])
        return candidates[int(np.argmin(rows.sum(axis=1)))]

    def is_sure(self) -> bool:
        """Whether what the other parts chose makes each part's requests better, in all."""
        part = np.arange(len(self._seen)) * PARTS // len(self._seen)
        gain = np.zeros(len(self._seen))
        for number in range(PARTS):
            held = part == number
            chosen = int(np.argmin(self._rows[:, ~held].sum(axis=1)))
            gain[held] = self._plain[held] - self._rows[chosen, held]
        error = float(np.std(gain)) / np.sqrt(len(gain))
        return bool(np.mean(gain) > SURE * error)

    def _off(self, profiles: list[Profile]) -> NDArray[np.float64]:
        """How far each is off; more than half a turn is a turn missed or won, and tells nothing."""
        measured: Floats = self._seen.service_ms
        runs = self._seen.requests.service_ms(profiles, timing="issue", track_phase=True)
        off = [np.minimum(np.abs(run - measured), self._most_ms) for run in runs]
        return np.asarray(np.nan_to_num(off, nan=0.0))
