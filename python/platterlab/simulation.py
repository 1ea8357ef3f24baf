"""Simulates one drive serving one trace, from profile and trace to rows and summary."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from platterlab import documents, library, trace_part
from platterlab import manifest as manifests
from platterlab._core import InputError, Profile, Replay
from platterlab.answers import Summary
from platterlab.comparison import Comparison, groups_of
from platterlab.documents import Json
from platterlab.results import CHUNK_ROWS, writing

TIMINGS = ("open", "issue", "closed")

T = TypeVar("T")

Progress = Callable[[float, float], None]
"""Called with the share of the trace that is done, and requests per second so far."""


@dataclass(frozen=True)
class Job:
    """What to simulate.

    Attributes:
        profile: a drive of the library or the path of a profile.
        trace: the trace file.
        format: its format; None to recognize it by its content.
        timing: `open` (requests arrive as recorded and queue at the host, first come first
            served), `issue` (each begins when the trace says that it was issued) or `closed`
            (each begins its recorded think time after the one before it completed).
        device: the device of the trace to keep; None for all.
        seed: of every random choice.
        warm_up: how many requests at the start to leave out of the summary.
        track_phase: whether the platter is kept in phase with the measured completions of earlier
            requests, for a drive whose speed the profile does not know exactly.
        beyond: what becomes of requests that do not lie on the drive: `stop` (the first one ends
            the run), `skip` (they are counted as refused) or `wrap` (their addresses begin again at
            0 where the drive ends, and they are counted as wrapped).
        overrides: dotted keys of the profile and the values to use instead.
        trace_options: what the trace does not say about itself.
        per_request: a .parquet or .csv file for a row per request; None for none.
    """

    profile: str
    trace: Path
    format: str | None = None
    timing: str = "open"
    device: int | None = None
    seed: int = 0
    warm_up: int = 0
    track_phase: bool = False
    beyond: str = "stop"
    overrides: Mapping[str, Any] = field(default_factory=dict)
    trace_options: Mapping[str, Any] = field(default_factory=dict)
    per_request: Path | None = None


class Figures(Summary):
    """The core's summary, and what of the trace it is of."""

    wrapped: int
    measures: str | None


@dataclass(frozen=True)
class Outcome:
    """The result of a simulation."""

    manifest: Json
    summary: Figures
    """The keys name their units."""
    agreement: dict[str, Comparison] | None
    """All, reads and writes against the trace's own times; None if it has none.

    Simulated response times are compared with a trace that recorded response times alone, service
    times against all others; the summary's `measures` says which.
    """

    @property
    def remarks(self) -> list[str]:
        """What the part of the trace that was served is not."""
        options, device = self.manifest["trace_options"], self.manifest["device"]
        return trace_part.remarks(options, of_device=device is not None)

    def to_json(self) -> Json:
        """Everything as one JSON object."""
        agreement = self.agreement or {}
        return {
            **self.summary,
            "agreement": {name: one.to_json() for name, one in agreement.items()} or None,
            "remarks": self.remarks,
            "manifest": self.manifest,
        }


def manifest(job: Job, profile: Profile, since: manifests.States | None = None) -> Json:
    """What it takes to get the same bits again."""
    return manifests.of(
        [("profile", job.profile), ("trace", str(job.trace))],
        since=since,
        drive=profile.name,
        profile=job.profile,
        overrides=dict(job.overrides),
        trace=str(job.trace),
        format=job.format,
        trace_options=dict(job.trace_options),
        timing=job.timing,
        device=job.device,
        seed=job.seed,
        warm_up=job.warm_up,
        track_phase=job.track_phase,
        beyond=job.beyond,
    )


def simulate(job: Job, progress: Progress = lambda _share, _rate: None) -> Outcome:
    """Runs a job in constant memory, however long the trace is.

    Raises:
        InputError: the profile, the trace or an argument is wrong, or a file was changed
            meanwhile. No file is left behind.
    """
    if job.timing not in TIMINGS:
        raise InputError(f"timing {job.timing!r} is none of {', '.join(TIMINGS)}")
    documents.require_file(job.trace, "trace")
    since = manifests.states([job.trace, library.file_of(job.profile)])
    profile = library.load(job.profile, job.overrides)
    # It takes the hash of the whole trace, and another processor may well be idle.
    made_by = _beside(partial(manifest, job, profile, since))
    replay = Replay(
        profile,
        job.trace,
        job.format,
        timing=job.timing,
        device=job.device,
        seed=job.seed,
        warm_up=job.warm_up,
        track_phase=job.track_phase,
        options=dict(job.trace_options),
        beyond=job.beyond,
    )
    start, done = time.perf_counter(), 0
    with ExitStack() as stack:
        step: Callable[[int], int] = replay.advance
        if job.per_request is not None:
            file = stack.enter_context(writing(job.per_request, made_by))
            step = partial(replay.write, file)
        while count := step(CHUNK_ROWS):
            done += count
            progress(replay.progress(), done / (time.perf_counter() - start))
        agreement = groups_of(replay.agreement())
        if job.track_phase and not agreement:
            raise InputError(
                f"{job.trace}: says of no request how long it took, and --track-phase keeps the "
                "platter in phase with that; leave it out"
            )
        manifests.require_same(made_by())
    measures = replay.measures if agreement else None
    summary: Figures = {**replay.summary(), "wrapped": replay.wrapped, "measures": measures}
    return Outcome(made_by(), summary, agreement)


def _beside(make: Callable[[], T]) -> Callable[[], T]:
    """Begins to `make` something on a thread of its own; what is given waits until it is there."""
    made: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            made.append(make())
        except BaseException as error:
            failed.append(error)

    # Nobody waits for it who is interrupted.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def ask() -> T:
        thread.join()
        if failed:
            raise failed[0]
        return made[0]

    return ask
