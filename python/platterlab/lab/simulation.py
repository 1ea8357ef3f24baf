"""Simulates a drive under a trace, or an experiment."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from platterlab import experiment as systems
from platterlab import manifest as manifests
from platterlab import results
from platterlab._core import InputError, Replay
from platterlab.extras import need
from platterlab.lab.arguments import in_range
from platterlab.lab.classes import ReadChoice, Replacement, Scheduler, Workload, checked
from platterlab.lab.drive import Drive
from platterlab.lab.experiment import Experiment
from platterlab.lab.progress import listener
from platterlab.lab.result import Result
from platterlab.lab.tables import in_one
from platterlab.lab.trace import Trace

if TYPE_CHECKING:
    import pyarrow as pa


@in_range
def simulate(
    what: Drive | Experiment | str | os.PathLike[str],
    trace: Trace | str | os.PathLike[str] | None = None,
    *,
    rows: bool = False,
    requests: bool = False,
    timing: str = "open",
    seed: int = 0,
    warm_up: int = 0,
    track_phase: bool = False,
    beyond: str = "stop",
    threads: int | None = None,
    scheduler: Callable[[], Scheduler] | None = None,
    replacement: Callable[[], Replacement] | None = None,
    read_choice: Callable[[], ReadChoice] | None = None,
    workload: Callable[[], Workload] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Simulates a drive that serves a trace, or an experiment.

    Ctrl-C ends an experiment early and keeps what there is; it ends a replay with
    `KeyboardInterrupt`.

    Args:
        what: a drive, with a trace; or an experiment. A word is a drive of the library or, without
            a trace, the path of an experiment's file.
        trace: what the drive serves.
        rows: whether to keep a row for each command at a drive (of an experiment, of its first
            run), about 150 bytes each.
        requests: of an experiment, whether to keep a row for each request to a volume.
        timing: of a trace: `open` (requests arrive as recorded and queue at the host), `issue`
            (each begins when it was issued) or `closed` (each begins its think time after the one
            before is done).
        seed: of every random choice of a drive; an experiment has its own.
        warm_up: of a trace, how many requests at the start the figures leave out.
        track_phase: whether the platter is kept in phase with a trace's measured completions.
        beyond: of a trace, what becomes of requests that are not on the drive: `stop`, `skip` or
            `wrap`.
        threads: of an experiment, the most runs at a time; None for one per processor.
        scheduler: of an experiment, a class of yours in place of the driver's: see `Scheduler`.
        replacement: the same in place of every cache's: see `Replacement`.
        read_choice: the same in place of every mirror's: see `ReadChoice`.
        workload: the same in place of all workloads: see `Workload`.
        progress: hears how far it is; None for a bar where a notebook shows one.

    Raises:
        InputError: drive, trace, experiment or an argument is wrong, or a class of yours did
            what it may not.
        MemoryError: an experiment would take more memory than there is.

    >>> import platterlab as pl
    >>> drive = pl.Drive("hp-97560")
    >>> trace = pl.Trace.random(drive, 1000, think_ms=5.0)
    >>> result = pl.simulate(drive, trace, timing="closed", rows=True)
    >>> result.figures.served, result.rows.num_rows
    (1000, 1000)
    """
    settings = {"timing": timing, "seed": seed, "warm_up": warm_up, "track_phase": track_phase}
    classes = checked(scheduler, replacement, read_choice, workload)
    asked = _Asked(classes, settings, rows, requests, beyond, threads)
    told = None if progress is None else lambda _what, share: progress(share)
    with listener(told) as heard:
        return _simulated(what, trace, asked, partial(heard, "simulating"))


@dataclass(frozen=True)
class _Asked:
    """What `simulate` is asked for besides a drive or an experiment."""

    classes: dict[str, Callable[[], Any]]
    settings: dict[str, Any]
    rows: bool
    requests: bool
    beyond: str
    threads: int | None


def _simulated(
    what: Drive | Experiment | str | os.PathLike[str],
    trace: Trace | str | os.PathLike[str] | None,
    asked: _Asked,
    progress: Callable[[float], None],
) -> Result:
    if asked.rows or asked.requests:
        need("tables")
    if isinstance(what, Experiment) or (trace is None and not isinstance(what, Drive)):
        if trace is not None:
            raise InputError("an experiment names its traces itself, as workloads")
        return _run(what, asked, progress)
    drive = what if isinstance(what, Drive) else Drive(what)
    if asked.classes:
        kind = next(iter(asked.classes))
        raise InputError(f"a {kind} of yours needs an experiment, which asks it")
    if trace is None:
        raise InputError(f"{drive.name} needs a trace to serve")
    if asked.requests:
        raise InputError("a drive by itself has commands alone: ask for rows")
    served = trace if isinstance(trace, Trace) else Trace(trace)
    settings = {**asked.settings, "beyond": asked.beyond}
    return _replayed(drive, served, settings, asked.rows, progress)


def _replayed(
    drive: Drive,
    trace: Trace,
    settings: dict[str, Any],
    rows: bool,
    progress: Callable[[float], None],
) -> Result:
    """Of a file, in constant memory but for the rows that are kept; or of requests in memory."""
    if trace.path is None:
        replay = Replay.of(drive.profile, trace.requests, **settings)
        made_by = manifests.of([], **_drive(drive), **settings, trace_requests=len(trace))
    else:
        since = manifests.states([trace.file])
        replay = Replay(
            drive.profile,
            trace.file,
            trace.format,
            device=trace.device,
            options=trace.options,
            **settings,
        )
        files = [("trace", str(trace.file))]
        made_by = manifests.of(files, since=since, **_drive(drive), **settings)
    # Of requests in memory there are as many rows, and they come in one piece.
    at_once = results.CHUNK_ROWS if trace.path else max(1, len(trace))
    table = None
    if rows:
        table = _all_rows(replay, at_once, made_by, progress)
    else:
        while replay.advance(at_once, progress) > 0:
            pass
    manifests.require_same(made_by)
    summary = {**replay.summary(), "wrapped": replay.wrapped}
    return Result(summary, made_by, rows=table)


def _all_rows(
    replay: Replay, at_once: int, made_by: dict[str, Any], progress: Callable[[float], None]
) -> pa.Table:
    schema, chunks = results.schema(manifest=made_by), []
    while (columns := replay.next(at_once, progress)) is not None:
        chunks.append(results.table(columns, schema))
    return in_one(chunks, schema)


def _drive(drive: Drive) -> dict[str, Any]:
    text = drive.to_toml().encode()
    return {"drive": drive.name, "profile_sha256": hashlib.sha256(text).hexdigest()}


def _run(
    what: Experiment | str | os.PathLike[str],
    asked: _Asked,
    progress: Callable[[float], None],
) -> Result:
    experiment = what if isinstance(what, Experiment) else Experiment.load(what)
    kept = _Kept(asked.rows, asked.requests)
    inner = experiment.inner
    made_by: dict[str, Any] = {"overrides": experiment.values}
    if asked.classes:
        inner = inner.with_classes(**asked.classes)
        for kind, one in asked.classes.items():
            made_by[kind] = f"{one.__module__}.{one.__qualname__}"
    outcome = systems.run(
        inner,
        made_by,
        take=kept.take if asked.rows or asked.requests else None,
        threads=asked.threads,
        progress=lambda share, _rate: progress(share),
    )
    progress(1.0)
    return Result(
        outcome.report,
        outcome.manifest,
        complete=outcome.complete,
        notes=tuple(outcome.notes),
        rows=kept.rows(),
        requests=kept.requests(),
    )


class _Kept:
    """The rows of an experiment's first run, as they come."""

    def __init__(self, rows: bool, requests: bool) -> None:
        wanted = (rows, requests)
        columns = (results.COMMANDS, results.REQUESTS)
        self._schemas = [
            results.schema(of) if wants else None for of, wants in zip(columns, wanted, strict=True)
        ]
        self._chunks: tuple[list[pa.Table], list[pa.Table]] = ([], [])

    def take(self, *parts: results.Rows) -> None:
        """The next rows, of commands and of requests."""
        for schema, chunks, part in zip(self._schemas, self._chunks, parts, strict=True):
            if schema is not None and len(part["lba"]):
                chunks.append(results.table(part, schema))

    def rows(self) -> pa.Table | None:
        """Those of commands, if they are wanted."""
        return self._table(0)

    def requests(self) -> pa.Table | None:
        """Those of requests, if they are wanted."""
        return self._table(1)

    def _table(self, index: int) -> pa.Table | None:
        schema = self._schemas[index]
        return None if schema is None else in_one(self._chunks[index], schema)
