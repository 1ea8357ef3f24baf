"""Runs experiments: a storage subsystem, what is asked of it, several seeds at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from platterlab import documents, memory, results
from platterlab import manifest as manifests
from platterlab._core import Experiment, InputError, Job, RowsFile, flow_scheduler, trace_info
from platterlab.answers import JobReport
from platterlab.breaking_off import BreakOff
from platterlab.documents import Json
from platterlab.output import replacing
from platterlab.wrong_file import in_file

Progress = Callable[[float, float], None]
"""Called with the share that is done, and requests per second so far."""

Take: TypeAlias = "Callable[[results.Rows, results.Rows], None]"
"""Called with the next rows of commands and of requests."""

_PATIENCE_MS = 50


@dataclass(frozen=True)
class Files:
    """What is written of the first replication as it goes."""

    commands: Path | None = None
    """A .parquet or .csv file with a row for each command at a drive."""
    requests: Path | None = None
    """A .parquet or .csv file with a row for each request to a volume."""
    timeline: Path | None = None
    """A .json file for Perfetto: every command and request in time."""


@dataclass(frozen=True)
class Outcome:
    """What an experiment gave."""

    manifest: Json
    report: JobReport
    """The core's report; the keys name their units."""
    notes: list[str]
    """What a reader should know, of an import and of what was expected."""

    @property
    def complete(self) -> bool:
        """Whether every replication came to its end."""
        runs = self.report["runs"]
        return len(runs) == self.report["replications"] and not any(
            run["interrupted"] or run["queue_full"] for run in runs
        )

    def to_json(self) -> Json:
        """Everything as one JSON object."""
        return {
            **self.report,
            "complete": self.complete,
            "notes": self.notes,
            "manifest": self.manifest,
        }


def load(path: Path, overrides: Mapping[str, Any] | None = None) -> Experiment:
    """Reads and checks an experiment file.

    Raises:
        InputError: the first thing that is wrong, with file, line and key.
    """
    documents.require_file(path)
    return Experiment.load(path, dict(overrides or {}))


_MODELLED = {
    "c-look": "c-look",
    "none": "fcfs",
    "noop": "fcfs",
    "mq-deadline": "mq-deadline",
    "deadline": "mq-deadline",
}
"""What each system's scheduler is here: a Linux's, or that of the four published tasks."""


def scheduler_of(flow: Path, chosen: str | None) -> tuple[str, str | None]:
    """The scheduler for a flow's driver, and what a reader should know of it.

    Args:
        flow: the file.
        chosen: the one that was asked for; None for the one that the flow was captured under.

    Raises:
        InputError: the flow cannot be read.
    """
    if chosen is not None:
        return chosen, None
    captured = flow_scheduler(flow)
    if captured in _MODELLED:
        return _MODELLED[captured], None
    return "fcfs", (
        f"{flow} was captured under the scheduler `{captured}`, of which there is no model; fcfs "
        "stands in for it: choose another with --scheduler"
    )


def of_trace(
    trace: Path,
    profile: str,
    *,
    scheduler: str,
    trace_format: str | None = None,
    columns: str | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Experiment:
    """The experiment of a trace's requests in a driver's queue before one drive.

    They come when they are recorded to.

    Args:
        trace: the file, of one device.
        profile: a drive of the library, or a .toml file.
        scheduler: the driver's.
        trace_format: its format; None to recognize it by its content.
        columns: which columns are what, of a table in a format of its own.
        overrides: other values at dotted keys of the experiment.

    Raises:
        InputError: the first thing that is wrong.
    """
    documents.require_file(trace, "trace")
    mapping = {} if columns is None else {"columns": columns}
    found = trace_info(str(trace), trace_format, mapping)["devices"]
    devices = [device["device"] for device in found]
    if len(devices) > 1:
        raise in_file(
            trace,
            f"has requests for {len(devices)} devices; write an experiment whose workload "
            "says with `map` where each goes",
        )
    workload: Json = {"kind": "trace", "file": str(trace.absolute()), **mapping}
    if trace_format:
        workload["format"] = trace_format
    if devices:
        workload["map"] = [{"device": devices[0], "volume": "drive"}]
    # The platter begins where it does in a replay of the same trace.
    values = _one_drive(profile, scheduler, None, {"at_index": True}) | {"workload": [workload]}
    return Experiment.draft(values, f"{trace} on {profile}", Path.cwd(), dict(overrides or {}))


def of_flow(
    flow: Path,
    profile: str,
    *,
    scheduler: str,
    critical: str | None = None,
    model: str = "system",
    overrides: Mapping[str, Any] | None = None,
) -> Experiment:
    """The experiment of a process flow over one drive behind a driver's queue.

    Args:
        flow: the file.
        profile: a drive of the library, or a .toml file.
        scheduler: the driver's.
        critical: another one for what processes wait for, which then goes before all else.
        model: what makes requests of the flow: system, open or closed.
        overrides: other values at dotted keys of the experiment.

    Raises:
        InputError: the first thing that is wrong.
    """
    workload = {"kind": "flow", "file": str(flow.absolute()), "model": {"kind": model}}
    values = _one_drive(profile, scheduler, critical, {}) | {"workload": [workload]}
    return Experiment.draft(values, f"{flow} on {profile}", Path.cwd(), dict(overrides or {}))


def _one_drive(profile: str, scheduler: str, critical: str | None, more: Mapping[str, Any]) -> Json:
    """The part of an experiment that has a drive behind a driver's queue."""
    of_file = profile.endswith(".toml") or "/" in profile
    drive = str(Path(profile).absolute()) if of_file else profile
    host = {"scheduler": {"kind": scheduler}}
    if critical is not None:
        host["critical"] = {"kind": critical}
    return {"host": host, "drive": [{"name": "drive", "profile": drive, **more}]}


def overloaded(experiment: Experiment) -> list[str]:
    """A sentence for each drive that is asked for more than it can do."""
    return [
        f"drive `{drive}` is asked for {load_:.2f} times what it can do, by an estimate "
        "without reordering: unless the scheduler makes up for it, its queue grows without end"
        for drive, load_ in experiment.saturated()
    ]


def made_by(
    experiment: Experiment,
    manifest: Mapping[str, Any],
    inputs: manifests.Inputs,
    since: manifests.States | None = None,
) -> Json:
    """What it takes to get the same bits again, for the results."""
    return {
        **manifests.of((*inputs, *experiment.inputs), since=since, **manifest),
        "seed": experiment.seed,
        "replications": experiment.replications,
    }


def run(
    experiment: Experiment,
    manifest: Mapping[str, Any],
    *,
    inputs: manifests.Inputs = (),
    since: manifests.States | None = None,
    files: Files | None = None,
    take: Take | None = None,
    threads: int | None = None,
    progress: Progress = lambda _share, _rate: None,
    warn: Callable[[str], None] = lambda _text: None,
) -> Outcome:
    """Runs every replication; Ctrl-C keeps what is there, if that comes to an end at once.

    Args:
        experiment: what to run.
        manifest: what made it, for the results.
        inputs: the files that it was read from, other than those that it names itself.
        since: what files were before it was read from them.
        files: what is written of the first replication; None for nothing.
        take: gets the rows of the first replication, where no files are written.
        threads: the most replications at a time; None for one per processor.
        progress: hears how far it is.
        warn: hears of what is expected to go wrong, before the run begins.

    Raises:
        InputError: something is wrong with a trace, or a file was changed meanwhile. No file is
            left behind.
        MemoryError: it would take more memory than there is, by an estimate. None was taken.
        KeyboardInterrupt: it was broken off within an event that takes long. No file is left.
    """
    manifest = made_by(experiment, manifest, inputs, since)
    at_a_time = threads or os.cpu_count() or 1
    memory.require([experiment.memory(at_a_time)])
    notes = [*experiment.notes, *overloaded(experiment)]
    for note in notes[len(experiment.notes) :]:
        warn(note)
    wanted = files is not None and any((files.commands, files.requests, files.timeline))
    job = experiment.start(at_a_time, wanted or take is not None)
    start = time.perf_counter()

    def show() -> None:
        share, served = job.progress()
        progress(share, served / (time.perf_counter() - start))

    breaking_off = BreakOff([job])
    with ExitStack() as stack:
        if files is not None and wanted:
            _write(experiment, job, breaking_off, stack, files, manifest, show)
        elif take is not None:
            _taken(job, breaking_off, take, show)
        while not job.done:
            with breaking_off:
                time.sleep(_PATIENCE_MS / 1e3 if job.progress()[1] else 0.001)
                show()
        # What is wrong with a trace is known only here, and then no file is to appear.
        report = job.finish()
        manifests.require_same(manifest)
    return Outcome(manifest, report, notes)


def _taken(job: Job, breaking_off: BreakOff, take: Take, show: Callable[[], None]) -> None:
    """Hands over rows as they come, until there are no more."""
    while True:
        with breaking_off:
            rows = job.rows(_PATIENCE_MS)
            if rows is None:
                return
            take(*rows)
            show()


def _write(
    experiment: Experiment,
    job: Job,
    breaking_off: BreakOff,
    stack: ExitStack,
    files: Files,
    manifest: Mapping[str, Any],
    show: Callable[[], None],
) -> None:
    """Writes rows as they come, until there are no more.

    The files appear when `stack` is closed.
    """
    named = {
        **manifest,
        "streams": experiment.streams,
        "devices": experiment.drives,
        "volumes": experiment.volumes,
    }

    def written(path: Path | None, *, requests: bool) -> RowsFile | None:
        if path is None:
            return None
        return stack.enter_context(results.writing(path, lambda: named, requests=requests))

    commands = written(files.commands, requests=False)
    requests = written(files.requests, requests=True)
    timeline = None
    if files.timeline is not None:
        timeline = experiment.timeline(stack.enter_context(replacing(files.timeline)))
    more = True
    while more:
        with breaking_off:
            more = job.write(_PATIENCE_MS, commands, requests, timeline)
            show()
    if timeline is not None:
        timeline.finish()


def disksim(
    path: Path,
    *,
    trace: Path | None = None,
    trace_format: str | None = None,
    seed: int | None = None,
    replications: int = 1,
    overrides: list[tuple[str, str, float | str]] | None = None,
) -> Experiment:
    """Reads DiskSim's parameters of a whole system.

    Raises:
        InputError: what is wrong or cannot be honoured, with its place in the file.
    """
    documents.require_file(path)
    if trace is None and trace_format is not None:
        raise InputError("--format is of --trace, which is not given")
    if trace is not None:
        documents.require_file(trace, "trace")
    named = None if trace is None else os.fspath(trace.absolute())
    return Experiment.disksim(path, named, trace_format, seed, replications, overrides or [])
