"""Choices that are tried on the whole model: the one that leaves the smallest errors.

A choice is sure where parts of the requests gain by what the other parts choose.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Profile
from platterlab.calibrate.observed import Floats, Observed

PARTS = 5
"""Each of them is judged by what the others chose."""

SURE = 3.0
"""Standard errors that the gain of the parts is above nothing."""


class Tried:
    """What has been tried, and how far off it left each request."""

    def __init__(self, profile: Profile, seen: Observed, rotation_ms: float) -> None:
        """A profile to do better than.

        Args:
            profile: without any of the choices.
            seen: the trace.
            rotation_ms: the period; errors beyond half of it are a turn missed or won.
        """
        self._profile, self._seen, self._most_ms = profile, seen, rotation_ms / 2
        self._plain = self._off([profile])[0]
        self._rows = np.zeros((0, len(seen)))

    def best(self, candidates: list[dict[str, Any]]) -> int:
        """Which of some overrides leaves the smallest errors, the first of equals."""
        rows = self._off([self._profile.with_overrides(one) for one in candidates])
        self._rows = np.concatenate([self._rows, rows])
        return int(np.argmin(rows.sum(axis=1)))

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
        measured: Floats = self._seen.service_ms
        runs = self._seen.requests.service_ms(profiles, timing="issue", track_phase=True)
        off = [np.minimum(np.abs(run - measured), self._most_ms) for run in runs]
        return np.asarray(np.nan_to_num(off, nan=0.0))
