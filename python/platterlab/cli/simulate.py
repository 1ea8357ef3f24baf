"""`platterlab simulate`: a storage subsystem runs an experiment, or one drive serves one trace."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from platterlab import experiment as systems
from platterlab import library, output, simulation
from platterlab._core import InputError
from platterlab.cli import experiment as system
from platterlab.cli import plans, summary
from platterlab.cli.console import emit, meter, stdout
from platterlab.cli.subjects import check_meant, subject_of
from platterlab.cli.values import (
    LARGEST_SEED,
    LARGEST_U32,
    MOST_THREADS,
    AsJson,
    Columns,
    For,
    From,
    TraceDevice,
    TraceFormat,
    TraceOptions,
    device_of,
    settings,
    trace_settings,
    varied,
)
from platterlab.results import suffix_of

_Experiment = Annotated[
    Path | None,
    typer.Argument(
        metavar="[EXPERIMENT.toml | RUN.flow]",
        help="A system and its workload; or a process flow, with --profile.",
    ),
]
_Scheduler = Annotated[
    str | None,
    typer.Option(
        help="The driver's: of a flow, or before --profile for the requests of --trace. Without "
        "it, a flow has the one that it was captured under, and a trace fcfs."
    ),
]
_Critical = Annotated[
    str | None,
    typer.Option(
        metavar="SCHEDULER",
        help="For a flow: requests that processes wait for go first, in this order.",
    ),
]
_Model = Annotated[
    str | None,
    typer.Option(
        help="Of a flow: system (its processes on a computer; the default), open or closed "
        "(the requests that were traced)."
    ),
]
_Profile = Annotated[
    str | None,
    typer.Option("--profile", "-p", help="A drive of the library, or a .toml file."),
]
_Disksim = Annotated[
    Path | None,
    typer.Option(metavar="FILE.parv", help="DiskSim's parameters of a whole system."),
]
_Trace = Annotated[Path | None, typer.Option("--trace", "-t", help="The trace to replay.")]
_Timing = Annotated[
    str | None,
    typer.Option(
        help="open (where not given): requests arrive as recorded and queue at the host. "
        "issue: each begins at its recorded issue time. "
        "closed: each begins its recorded think time after the one before.",
    ),
]
_PerRequest = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A row per request at a drive, as .parquet or .csv."),
]
_Requests = Annotated[
    Path | None,
    typer.Option(
        "--requests",
        metavar="FILE",
        help="For a system: a row per request to a volume, as .parquet or .csv.",
    ),
]
_Timeline = Annotated[
    Path | None,
    typer.Option(
        "--timeline",
        metavar="FILE.json",
        help="For a system: every request and command in time, for ui.perfetto.dev.",
    ),
]
_Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.html", help="For a system: what limits it, as a page."),
]
_Seed = Annotated[
    int | None,
    typer.Option(min=0, max=LARGEST_SEED, help="Seed of every random choice; the file's, or 0."),
]
_Replications = Annotated[
    int | None,
    typer.Option(min=1, max=LARGEST_U32, help="Replications of a system, each with the next seed."),
]
_Threads = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_THREADS, help="Replications at a time; all processors'."),
]
_WarmUp = Annotated[
    int | None,
    typer.Option(
        min=0, max=LARGEST_SEED, metavar="REQUESTS", help="Leave these out of the summary."
    ),
]
_TrackPhase = Annotated[
    bool,
    typer.Option(
        "--track-phase", help="Keep the platter in phase with the completions in the trace."
    ),
]
_Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a value of the file: seek.kind=linear, host.scheduler.kind=sptf.",
    ),
]
_Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE,VALUE",
        help="Run the experiment with each of these values, and with every combination of more "
        "than one --vary: host.scheduler.kind=fcfs,c-look,sptf.",
    ),
]
_Table = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Of --vary: a row for each point, as .parquet or .csv."),
]
_Beyond = Annotated[
    str | None,
    typer.Option(
        metavar="stop|skip|wrap",
        help="Requests of a trace beyond the end of the drive, or over it: stop at the first "
        "(where not given), leave them out, or begin again at 0; both are counted.",
    ),
]


def simulate(
    experiment: _Experiment = None,
    profile: _Profile = None,
    disksim: _Disksim = None,
    trace: _Trace = None,
    trace_format: TraceFormat = None,
    timing: _Timing = None,
    device: TraceDevice = None,
    per_request: _PerRequest = None,
    requests: _Requests = None,
    timeline: _Timeline = None,
    report: _Report = None,
    seed: _Seed = None,
    replications: _Replications = None,
    threads: _Threads = None,
    warm_up: _WarmUp = None,
    track_phase: _TrackPhase = False,
    overrides: _Overrides = None,
    vary: _Vary = None,
    table: _Table = None,
    columns: Columns = None,
    begin: From = None,
    length: For = None,
    trace_options: TraceOptions = None,
    beyond: _Beyond = None,
    scheduler: _Scheduler = None,
    critical: _Critical = None,
    model: _Model = None,
    as_json: AsJson = False,
) -> int:
    """Run an experiment, DiskSim's system, a process flow or a trace; say where the time went."""
    changes, flow = settings(overrides or (), "--set"), plans.flow_in(experiment, profile)
    queued = profile is not None and {experiment, disksim} == {None} and scheduler is not None
    check_meant(
        subject_of(experiment, disksim, profile, flow, queued=queued),
        {
            "--trace": trace, "--format": trace_format, "--timing": timing, "--device": device,
            "--warm-up": warm_up, "--track-phase": track_phase or None,
            "--columns": columns, "--from": begin, "--for": length,
            "--trace-option": trace_options, "--report": report,
            "--requests": requests, "--timeline": timeline, "--replications": replications,
            "--threads": threads, "--vary": vary, "--table": table,
            "--scheduler": scheduler, "--critical": critical, "--model": model, "--beyond": beyond,
        },
    )  # fmt: skip
    asked = plans.Asked(
        {"experiment": experiment, "disksim": disksim, "trace": trace}, flow, profile,
        {"scheduler": scheduler, "critical": critical, "model": model, "format": trace_format,
         "columns": columns},
        timing, (seed, replications, warm_up), beyond,
    )  # fmt: skip
    files = systems.Files(commands=per_request, requests=requests, timeline=timeline)
    how = system.How(asked.named(), files, report, threads, as_json)
    if vary or table is not None:
        return _run_grid(asked, vary, changes, table, how)
    if flow is not None or queued or profile is None:
        return system.run(*asked.plan(changes), how)
    options = trace_settings(trace_options, columns, **{"from": begin, "for": length})
    if device is not None:
        device = device_of(device, _needed(trace), trace_format, options)
    job = simulation.Job(
        profile=profile, trace=_needed(trace), format=trace_format, timing=timing or "open",
        device=device, seed=seed or 0, warm_up=warm_up or 0, track_phase=track_phase,
        beyond=beyond or "stop", overrides=changes,
        trace_options=options, per_request=per_request,
    )  # fmt: skip
    return _replay(job, as_json)


def _check_of_drive(changes: Mapping[str, Any]) -> None:
    """Refuses keys of an experiment where a drive is alone, with the option that does it there."""
    of_host = [key for key in changes if key.startswith("host.")]
    if of_host:
        raise InputError(
            f"--set {of_host[0]}: is a key of an experiment, and --profile is a drive, whose "
            "values are changed; --scheduler puts a queue of the host before it"
        )


def _run_grid(
    asked: plans.Asked,
    vary: list[str] | None,
    changes: Mapping[str, Any],
    table: Path | None,
    how: system.How,
) -> int:
    """What was asked for at each point of a grid."""
    # Other runs need not wait until this is read.
    from platterlab.cli import variations as grids

    _only_one_run(how.files)
    files = grids.Files(table, how.page)
    grid = grids.Grid(_varied(vary, changes), how.named, files, how.threads)
    return grids.run(lambda values: asked.plan({**changes, **values}), grid, as_json=how.as_json)


def _varied(pairs: list[str] | None, changes: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The values of each key that is varied. Raises InputError where there is none."""
    chosen = varied(pairs or (), "--vary")
    if not chosen:
        raise InputError("--table needs --vary, the values that it has a row for")
    for key in chosen:
        if key in changes:
            raise InputError(f"--vary {key}: --set gives it as well; leave one of them out")
    return chosen


def _only_one_run(files: systems.Files) -> None:
    """Raises InputError where an output of a single run is asked for of many."""
    for option, path in (
        ("--per-request", files.commands),
        ("--requests", files.requests),
        ("--timeline", files.timeline),
    ):
        if path is not None:
            raise InputError(f"{option} is of one run, and --vary makes several: give --table")


def _replay(job: simulation.Job, as_json: bool) -> int:
    """One drive serves one trace."""
    _check_of_drive(job.overrides)
    output.declare({"--per-request": job.per_request}, [job.trace, library.file_of(job.profile)])
    if job.per_request is not None:
        suffix_of(job.per_request)
    with meter("simulating") as show:
        outcome = simulation.simulate(
            job, lambda share, rate: show(share, f"{rate / 1e6:.2f} M requests/s")
        )
    if as_json:
        emit(outcome.to_json())
    else:
        summary.show(outcome, stdout())
        if job.per_request is not None:
            stdout().print(f"\nper request: {job.per_request}", markup=False)
    return 0


def _needed(trace: Path | None) -> Path:
    """The trace to replay. Raises InputError where there is none."""
    if trace is None:
        raise InputError("--profile needs --trace, the trace to replay")
    return trace
