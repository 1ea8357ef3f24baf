"""`platterlab simulate`: a storage subsystem runs an experiment, or one drive serves one trace."""

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
    str,
    typer.Option(
        help="open: requests arrive as recorded and queue at the host. "
        "issue: each begins at its recorded issue time. "
        "closed: each begins its recorded think time after the one before.",
    ),
]
_Device = Annotated[int | None, typer.Option(min=0, help="Only this device of the trace.")]
_PerRequest = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A row per request, as .parquet or .csv."),
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
    int, typer.Option(min=0, metavar="REQUESTS", help="Leave these out of the summary.")
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


def simulate(
    experiment: _Experiment = None,
    profile: _Profile = None,
    disksim: _Disksim = None,
    trace: _Trace = None,
    trace_format: _TraceFormat = None,
    timing: _Timing = "open",
    device: _Device = None,
    per_request: _PerRequest = None,
    report: _Report = None,
    seed: _Seed = None,
    replications: _Replications = None,
    threads: _Threads = None,
    warm_up: _WarmUp = 0,
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
    of_flow = {"scheduler": scheduler, "critical": critical, "model": model}
    flow = experiment if experiment and experiment.is_file() and is_flow(experiment) else None
    if flow is None:
        for name, given in of_flow.items():
            if given is not None:
                raise InputError(f"--{name} is for process flows; an experiment has it in its file")
    else:
        if profile is None or trace is not None:
            raise InputError("a process flow needs --profile, the drive it runs on, and no --trace")
        plan, manifest = _of_flow(flow, profile, of_flow, changes, (seed, replications))
        return system.run(
            plan,
            manifest,
            per_request=per_request,
            page=report,
            threads=threads,
            as_json=as_json,
        )
    if experiment is not None and not experiment.is_file():
        raise InputError(f"{experiment}: there is no such file")
    if sum(given is not None for given in (experiment, profile, disksim)) != 1:
        raise InputError("give one of EXPERIMENT.toml, --profile and --disksim")
    if profile is None:
        plan, manifest = _system(
            experiment, disksim, trace, trace_format, changes, (seed, replications)
        )
        return system.run(
            plan,
            manifest,
            per_request=per_request,
            page=report,
            threads=threads,
            as_json=as_json,
        )
    if report is not None:
        raise InputError("--report is for systems; `platterlab report` draws --per-request rows")
    if trace is None:
        raise InputError("--profile needs --trace, the trace to replay")
    job = simulation.Job(
        profile=profile,
        trace=trace,
        format=trace_format,
        timing=timing,
        device=device,
        seed=seed or 0,
        warm_up=warm_up,
        track_phase=track_phase,
        overrides=changes,
        trace_options=settings(trace_options or (), "--trace-option"),
        per_request=per_request,
    )
    with meter("simulating") as show:
        outcome = simulation.simulate(
            job, lambda share, rate: show(share, f"{rate / 1e6:.2f} M requests/s")
        )
    if as_json:
        emit(outcome.to_json())
    else:
        summary.show(outcome, stdout())
        if per_request is not None:
            stdout().print(f"\nper request: {per_request}", markup=False)
    return 0


def _of_flow(
    flow: Path,
    profile: str,
    chosen: dict[str, str | None],
    changes: dict[str, Any],
    seeds: tuple[int | None, int | None],
) -> tuple[Experiment, dict[str, Any]]:
    """A process flow over a drive."""
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
    if experiment is None or trace is not None:
        raise InputError("an experiment names its traces itself; leave --trace out")
    if seed is not None:
        changes["seed"] = seed
    if replications is not None:
        changes["replications"] = replications
    manifest = {"experiment": str(experiment), "overrides": changes}
    return systems.load(experiment, changes), manifest
