"""`platterlab simulate`: a storage subsystem runs an experiment, or one drive serves one trace."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from platterlab import experiment as systems
from platterlab import simulation
from platterlab._core import Experiment, InputError, is_flow
from platterlab.cli import experiment as system
from platterlab.cli import summary
from platterlab.cli.console import emit, meter, stdout
from platterlab.cli.values import settings

_Experiment = Annotated[
    Path | None,
    typer.Argument(
        metavar="[EXPERIMENT.toml | RUN.flow]",
        help="A system and its workload; or a process flow, with --profile.",
    ),
]
_Scheduler = Annotated[
    str | None, typer.Option(help="Of a flow: the driver's scheduler; fcfs without it.")
]
_Critical = Annotated[
    str | None,
    typer.Option(
        metavar="SCHEDULER", help="Of a flow: what processes wait for goes first, in this order."
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
_TraceFormat = Annotated[
    str | None, typer.Option("--format", "-f", help="Of the trace; told by its content.")
]
_Timing = Annotated[
    str | None,
    typer.Option(
        help="open (where not given): requests arrive as recorded and queue at the host. "
        "issue: each begins at its recorded issue time. "
        "closed: each begins its recorded think time after the one before.",
    ),
]
_Device = Annotated[int | None, typer.Option(min=0, help="Only this device of the trace.")]
_PerRequest = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A row per request at a drive, as .parquet or .csv."),
]
_Requests = Annotated[
    Path | None,
    typer.Option(
        "--requests",
        metavar="FILE",
        help="Of a system: a row per request to a volume, as .parquet or .csv.",
    ),
]
_Timeline = Annotated[
    Path | None,
    typer.Option(
        "--timeline",
        metavar="FILE.json",
        help="Of a system: every request and command in time, for ui.perfetto.dev.",
    ),
]
_Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.html", help="Of a system: what limits it, as a page."),
]
_Seed = Annotated[int | None, typer.Option(min=0, help="Of every random choice; the file's, or 0.")]
_Replications = Annotated[
    int | None, typer.Option(min=1, help="Of a system, each with the next seed.")
]
_Threads = Annotated[
    int | None, typer.Option(min=1, help="Replications at a time; all processors'.")
]
_WarmUp = Annotated[
    int | None, typer.Option(min=0, metavar="REQUESTS", help="Leave these out of the summary.")
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
_TraceOptions = Annotated[
    list[str] | None,
    typer.Option("--trace-option", metavar="KEY=VALUE", help="What the trace does not say."),
]
_AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]

_EXPERIMENT, _DISKSIM = "an experiment", "--disksim"
_PROFILE, _FLOW = "--profile", "a process flow"
_SYSTEMS = (_EXPERIMENT, _DISKSIM, _FLOW)
# What each option is for, and where else its meaning is to be stated.
_MEANT = {
    "--trace": ((_PROFILE, _DISKSIM), "name it in the file, as the `file` of a workload"),
    "--format": ((_PROFILE, _DISKSIM), "write `format` in the trace's workload"),
    "--timing": ((_PROFILE,), "write `timing` in the trace's workload"),
    "--device": ((_PROFILE,), "write `map` in the trace's workload"),
    "--warm-up": ((_PROFILE,), "write `stop.warm_up_requests`"),
    "--track-phase": ((_PROFILE,), "a whole system has no one platter to follow"),
    "--trace-option": ((_PROFILE,), "convert the trace first, with `platterlab trace convert`"),
    "--report": (_SYSTEMS, "`platterlab report` draws --per-request rows"),
    "--requests": (_SYSTEMS, "--per-request has a row for each"),
    "--timeline": (_SYSTEMS, "one drive serves one request after the other"),
    "--replications": (_SYSTEMS, "a trace is replayed once for each --seed"),
    "--threads": (_SYSTEMS, "a trace is replayed on one"),
    "--scheduler": ((_FLOW,), "write `host.scheduler`"),
    "--critical": ((_FLOW,), "write `host.critical`"),
    "--model": ((_FLOW,), "write `model` in the workload"),
}


def simulate(
    experiment: _Experiment = None,
    profile: _Profile = None,
    disksim: _Disksim = None,
    trace: _Trace = None,
    trace_format: _TraceFormat = None,
    timing: _Timing = None,
    device: _Device = None,
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
    trace_options: _TraceOptions = None,
    scheduler: _Scheduler = None,
    critical: _Critical = None,
    model: _Model = None,
    as_json: _AsJson = False,
) -> int:
    """Run an experiment, DiskSim's system, a process flow or a trace; say where the time went."""
    changes = settings(overrides or (), "--set")
    flow = _flow_in(experiment, profile)
    _check_meant(
        _subject(experiment, disksim, profile, flow),
        {
            "--trace": trace, "--format": trace_format, "--timing": timing, "--device": device,
            "--warm-up": warm_up, "--track-phase": track_phase or None,
            "--trace-option": trace_options, "--report": report, "--requests": requests,
            "--timeline": timeline, "--replications": replications, "--threads": threads,
            "--scheduler": scheduler, "--critical": critical, "--model": model,
        },
    )  # fmt: skip
    if flow is not None or profile is None:
        if flow is not None:
            of_flow = {"scheduler": scheduler, "critical": critical, "model": model}
            plan, manifest = _of_flow(flow, profile, of_flow, changes, (seed, replications))
        else:
            plan, manifest = _system(
                experiment, disksim, trace, trace_format, changes, (seed, replications)
            )
        files = systems.Files(commands=per_request, requests=requests, timeline=timeline)
        return system.run(
            plan, manifest, files=files, page=report, threads=threads, as_json=as_json
        )
    if trace is None:
        raise InputError("--profile needs --trace, the trace to replay")
    job = simulation.Job(
        profile=profile,
        trace=trace,
        format=trace_format,
        timing=timing or "open",
        device=device,
        seed=seed or 0,
        warm_up=warm_up or 0,
        track_phase=track_phase,
        overrides=changes,
        trace_options=settings(trace_options or (), "--trace-option"),
        per_request=per_request,
    )
    return _replay(job, as_json)


def _subject(
    experiment: Path | None, disksim: Path | None, profile: str | None, flow: Path | None
) -> str:
    """The one thing that is to be simulated.

    Raises:
        InputError: there is none, or more than one.
    """
    if flow is not None:
        return _FLOW
    subjects = {_EXPERIMENT: experiment, _DISKSIM: disksim, _PROFILE: profile}
    chosen = [subject for subject, given in subjects.items() if given is not None]
    if len(chosen) != 1:
        raise InputError("give one of EXPERIMENT.toml, --profile and --disksim")
    return chosen[0]


def _check_meant(subject: str, given: Mapping[str, object]) -> None:
    """Whether every option that is given means something.

    Raises:
        InputError: an option means nothing with `subject`, and what would be right.
    """
    for option, value in given.items():
        meant, instead = _MEANT[option]
        if value is not None and subject not in meant:
            what = " and ".join(meant)
            raise InputError(f"{option} is for {what}, and means nothing with {subject}: {instead}")


def _replay(job: simulation.Job, as_json: bool) -> int:
    """One drive serves one trace."""
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


def _flow_in(path: Path | None, profile: str | None) -> Path | None:
    """The process flow that stands where an experiment could; None where it is none."""
    if path is None:
        return None
    if profile is not None and not path.is_file():
        raise InputError(f"{path}: there is no such process flow for --profile to run")
    return path if path.is_file() and is_flow(path) else None


def _of_flow(
    flow: Path,
    profile: str | None,
    chosen: dict[str, str | None],
    changes: dict[str, Any],
    seeds: tuple[int | None, int | None],
) -> tuple[Experiment, dict[str, Any]]:
    """A process flow over a drive."""
    if profile is None:
        raise InputError("a process flow needs --profile, the drive it runs on")
    for key, value in zip(("seed", "replications"), seeds, strict=True):
        if value is not None:
            changes[key] = value
    plan = systems.of_flow(
        flow,
        profile,
        scheduler=chosen["scheduler"] or "fcfs",
        critical=chosen["critical"],
        model=chosen["model"] or "system",
        overrides=changes,
    )
    given = {name: word for name, word in chosen.items() if word is not None}
    return plan, {"flow": str(flow), "profile": profile, **given, "overrides": changes}


def _system(
    experiment: Path | None,
    disksim: Path | None,
    trace: Path | None,
    trace_format: str | None,
    changes: dict[str, Any],
    chosen: tuple[int | None, int | None],
) -> tuple[Experiment, dict[str, Any]]:
    """A whole system of either kind of file, with seed and replications as chosen."""
    seed, replications = chosen
    if disksim is not None:
        plan = systems.disksim(
            disksim,
            trace=trace,
            trace_format=trace_format,
            seed=seed,
            replications=replications or 1,
            overrides=system.overrides(changes),
        )
        return plan, {"disksim": str(disksim), "trace": str(trace), "overrides": changes}
    if experiment is None:
        raise InputError("give one of EXPERIMENT.toml, --profile and --disksim")
    if seed is not None:
        changes["seed"] = seed
    if replications is not None:
        changes["replications"] = replications
    manifest = {"experiment": str(experiment), "overrides": changes}
    return systems.load(experiment, changes), manifest
