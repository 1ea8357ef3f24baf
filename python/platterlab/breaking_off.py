"""Ctrl-C while jobs are at work: what there is is kept, and nothing is waited for too long."""

import time
from collections.abc import Iterable
from types import TracebackType

from platterlab._core import Job

_PATIENCE_S = 1.0
"""How long a stopped job may take. It checks between events, and one event of a process may touch
memory page by page for minutes, which is not waited for."""


class BreakOff:
    """Stands around each step of waiting for jobs.

    The first Ctrl-C stops them, and the step after it continues to wait. Jobs that then run for too
    long are given up with `KeyboardInterrupt`; they end when they next look up.
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = jobs
        self._given_up_at = float("inf")

    @property
    def is_wanted(self) -> bool:
        """Whether Ctrl-C was heard."""
        return self._given_up_at < float("inf")

    def __enter__(self) -> None:
        if time.monotonic() > self._given_up_at:
            raise KeyboardInterrupt

    def __exit__(
        self, kind: type[BaseException] | None, _error: object, _at: TracebackType | None
    ) -> bool:
        if kind is None or not issubclass(kind, KeyboardInterrupt):
            return False
        self._given_up_at = min(self._given_up_at, time.monotonic() + _PATIENCE_S)
        for job in self._jobs:
            job.stop()
        return True
