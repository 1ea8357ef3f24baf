"""Choices that are tried on the whole model: the one that leaves the smallest errors.

A choice is sure where parts of the requests gain by what the other parts choose.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from platterlab._core import Profile
from platterlab.calibration.trace.observed import Observed

PARTS = 5
"""Each of them is judged by what the others chose."""

SURE = 3.0
"""Standard errors that the gain of the parts is above nothing."""

MOVED_TURNS = 0.02
"""A request whose error a choice changes by more is moved by it; fewer turns are scatter."""

MOST_NEARER = 0.75
"""Of the requests that a choice moves: nearly all of them are, but for scatter of the arm."""


def each_off_ms(
    profiles: list[Profile], seen: Observed, rotation_ms: float, follow: bool
) -> NDArray[np.float64]:
    """How far each request is from its time under each profile, a row a profile.

    More than half a turn off is a turn missed or won, and counts as that; not a number where the
    trace does not know the time.
    """
    runs = seen.requests.service_ms(profiles, timing="issue", track_phase=follow)
    off = [np.minimum(np.abs(run - seen.service_ms), rotation_ms / 2) for run in runs]
    return np.asarray(off, dtype=np.float64)


def is_sure_gain(gain: NDArray[np.float64]) -> bool:
    """Whether the mean of what each request gains is above nothing by more than chance."""
    return bool(np.mean(gain) > SURE * np.std(gain) / np.sqrt(len(gain)))


class Tried:
    """What has been tried, and how far off it left each request."""

    def __init__(self, profile: Profile, seen: Observed, rotation_ms: float) -> None:
        """A profile to do better than.

        Args:
            profile: without any of the choices.
            seen: the trace.
            rotation_ms: the period.
        """
        self._profile, self._seen, self._rotation_ms = profile, seen, rotation_ms
        self._plain = self._off([profile])[0]
        self._rows = np.zeros((0, len(seen)))

    def best(self, candidates: list[dict[str, Any]]) -> int:
        """Which of some overrides leaves the smallest errors, the first of equals."""
        return int(np.argmin(self._tried(candidates).sum(axis=1)))

    def nearest(self, candidates: list[dict[str, Any]]) -> list[int]:
        """All of some overrides, those first that leave smaller errors."""
        errors = self._tried(candidates).sum(axis=1)
        return [int(at) for at in np.argsort(errors, kind="stable")]

    def surely_best(
        self,
        candidates: list[dict[str, Any]],
        least_turns: float,
        most_nearer: float = MOST_NEARER,
    ) -> int | None:
        """The same of those that are sure; None where none is.

        Parts of the requests have to gain by what the other parts choose. Most of those whose error
        it changes by more than `least_turns`, the share of `most_nearer`, have to be nearer: the
        best may win much for many and be wrong of a few.
        """
        rows = self._tried(candidates)
        if not self.is_sure():
            return None
        for at in np.argsort(rows.sum(axis=1), kind="stable"):
            gain = self._plain - rows[at]
            if not is_sure_gain(gain):
                break
            if self._nearer_share(gain, least_turns) > most_nearer:
                return int(at)
        return None

    def is_worse(self, overrides: dict[str, Any]) -> bool:
        """Whether some overrides surely leave requests farther off."""
        return is_sure_gain(self._tried([overrides])[0] - self._plain)

    def mostly_nearer(self, candidates: list[dict[str, Any]], least_turns: float) -> int | None:
        """The best of those that bring most of the requests that they move nearer; None of none.

        For choices of which neither is likelier beforehand: how many are nearer has to be beyond
        chance, but not by how much. Arguments as in `surely_best`.
        """
        gains = self._plain - self._tried(candidates)
        for at in np.argsort(-gains.sum(axis=1), kind="stable"):
            if gains[at].sum() <= 0.0:
                break
            moved = int(np.sum(np.abs(gains[at]) > least_turns * self._rotation_ms))
            share = self._nearer_share(gains[at], least_turns)
            if share > MOST_NEARER and (2.0 * share - 1.0) * np.sqrt(moved) > SURE:
                return int(at)
        return None

    def is_sure(self) -> bool:
        """Whether what the other parts chose makes each part's requests better, in all."""
        part = np.arange(len(self._seen)) * PARTS // len(self._seen)
        gain = np.zeros(len(self._seen))
        for number in range(PARTS):
            held = part == number
            chosen = int(np.argmin(self._rows[:, ~held].sum(axis=1)))
            gain[held] = self._plain[held] - self._rows[chosen, held]
        return is_sure_gain(gain)

    def _nearer_share(self, gain: NDArray[np.float64], least_turns: float) -> float:
        """Of the requests that a choice moves by so many turns: how many are nearer; 0 of none."""
        moved = np.abs(gain) > least_turns * self._rotation_ms
        return float(np.mean(gain[moved] > 0)) if moved.any() else 0.0

    def _tried(self, candidates: list[dict[str, Any]]) -> NDArray[np.float64]:
        """How far off each of some overrides leaves each request, kept with those before."""
        rows = self._off([self._profile.with_overrides(one) for one in candidates])
        self._rows = np.concatenate([self._rows, rows])
        return rows

    def _off(self, profiles: list[Profile]) -> NDArray[np.float64]:
        return np.nan_to_num(each_off_ms(profiles, self._seen, self._rotation_ms, True), nan=0.0)
