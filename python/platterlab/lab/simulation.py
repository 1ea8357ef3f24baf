"""Simulates a drive under a trace, or an experiment."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from platterlab import experiment as systems
from platterlab import manifest as manifests
from platterlab import results
from platterlab._core import InputError, Replay
from platterlab.lab.drive import Drive
from platterlab.lab.experiment import Experiment
from platterlab.lab.result import Result
from platterlab.lab.tables import in_one
from platterlab.lab.trace import Trace

if TYPE_CHECKING:
    import pyarrow as pa

Progress = Callable[[float], None]
"""Called now and then with the share that is done, from 0 to 1."""


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
    progress: Progress = lambda _share: None,
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
        beyond: of a trace's file, what becomes of requests that are not on the drive: `stop`,
            `skip` or `wrap`.
        threads: of an experiment, at most so many runs at a time; None for one per processor.
        progress: hears how far it is.

    Raises:
        InputError: drive, trace, experiment or an argument is wrong.
        MemoryError: an experiment would take more memory than there is.

    >>> import platterlab as pl
    >>> drive = pl.Drive("hp-97560")
    >>> trace = pl.Trace.random(drive, 1000, think_ms=5.0)
    >>> result = pl.simulate(drive, trace, timing="closed", rows=True)
    >>> result.figures.served, result.rows.num_rows
    (1000, 1000)
    """
    if isinstance(what, Experiment) or (trace is None and not isinstance(what, Drive)):
        experiment = what if isinstance(what, Experiment) else Experiment.load(what)
        if trace is not None:
            raise InputError("an experiment names its traces itself, as workloads")
        return _run(experiment, rows, requests, threads, progress)
    drive = what if isinstance(what, Drive) else Drive(what)
    if trace is None:
        raise InputError(f"{drive.name} needs a trace to serve")
    if requests:
        raise InputError("a drive by itself has commands alone: ask for rows")
    served = trace if isinstance(trace, Trace) else Trace(trace)
    settings = {
        "timing": timing, "seed": seed, "warm_up": warm_up, "track_phase": track_phase,
    }  # fmt: skip
    if served.path is None:
        return _served(drive, served, settings, rows)
    return _replayed(drive, served, {**settings, "beyond": beyond}, rows, progress)


def _served(drive: Drive, trace: Trace, settings: dict[str, Any], rows: bool) -> Result:
    """Of requests in memory."""
    columns, summary = trace.requests.serve(drive.profile, **settings)
    table = results.table(columns, results.schema()) if rows else None
    made_by = manifests.of([], **_drive(drive), **settings, trace_requests=len(trace))
    return Result(summary, made_by, rows=table)


def _replayed(
    drive: Drive, trace: Trace, settings: dict[str, Any], rows: bool, progress: Progress
) -> Result:
    """Of a file, in constant memory but for the rows that are kept."""
    replay = Replay(
        drive.profile,
        trace.file,
        trace.format,
        device=trace.device,
        options=trace.options,
        **settings,
    )
    made_by = manifests.of([("trace", str(trace.file))], **_drive(drive), **settings)
    schema, chunks = results.schema(manifest=made_by), []
    while (columns := replay.next(results.CHUNK_ROWS)) is not None:
        if rows:
            chunks.append(results.table(columns, schema))
        progress(replay.progress())
    summary = {**replay.summary(), "wrapped": replay.wrapped}
    return Result(summary, made_by, rows=in_one(chunks, schema) if rows else None)


def _drive(drive: Drive) -> dict[str, Any]:
    text = drive.to_toml().encode()
    return {"drive": drive.name, "profile_sha256": hashlib.sha256(text).hexdigest()}


def _run(
    experiment: Experiment,
    rows: bool,
    requests: bool,
    threads: int | None,
    progress: Progress,
) -> Result:
    kept = _Kept(rows, requests)
    outcome = systems.run(
        experiment.inner,
        {"overrides": experiment.values},
        take=kept.take if rows or requests else None,
        threads=threads,
        progress=lambda share, _rate: progress(share),
    )
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
