"""The progress of a measurement, from that of its runs."""

from collections.abc import Callable

from platterlab.answers import PlannedProbe
from platterlab.measure.samples import Run

Progress = Callable[[str, float, str], None]
"""Called with what is measured, the share that is done, and a rate in words."""


class Meter:
    """Turns the progress of runs into that of the whole."""

    def __init__(self, progress: Progress, expected_s: float, done: list[Run]) -> None:
        self._progress = progress
        self._expected_s = expected_s
        self._done_s = sum(run.drive_time_s for run in done)
        self._probe = ""
        self._planned_s = 0.0
        self._mapped: float | None = None

    def begin(self, shown: PlannedProbe) -> None:
        """A plan is about to be carried out."""
        self._probe = shown["probe"]
        self._planned_s = shown["drive_time_s"]
        self._show(0.0, 0, 0.0)

    def mapped(self, sectors: tuple[int, int] | None) -> None:
        """Takes the sectors done, and all, where they say more than the time."""
        if sectors is not None:
            self._mapped = sectors[0] / max(sectors[1], 1)

    def end(self, run: Run) -> None:
        """It was carried out."""
        self._done_s += run.drive_time_s
        self._show(0.0, 0, 0.0)

    def __call__(self, done: int, requests: int, drive_time_ms: float) -> None:
        """Shows how many requests are done."""
        share = done / requests if requests else 1.0
        self._show(share, done, drive_time_ms / 1e3)

    def _show(self, share: float, done: int, seconds: float) -> None:
        now_s = self._done_s + seconds
        total_s = max(self._expected_s, now_s + (1.0 - share) * self._planned_s, 1e-9)
        rate = f"{done / seconds:.0f} requests/s" if seconds > 0 else ""
        done_share = now_s / total_s if self._mapped is None else self._mapped
        self._progress(self._probe, min(done_share, 0.99), rate)
