"""`platterlab simulate`: a storage subsystem runs an experiment, or one drive serves one trace."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab import experiment as systems
from platterlab import simulation
from platterlab._core import InputError
from platterlab.cli import experiment as system
from platterlab.cli import summary
from platterlab.cli.console import emit, meter, stdout
from platterlab.cli.values import settings


def simulate(
    experiment: Annotated[
        Path | None, typer.Argument(metavar="[EXPERIMENT.toml]", help="A system and its workload.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", "-p", help="A drive of the library, or a .toml file."),
    ] = None,
    disksim: Annotated[
        Path | None,
        typer.Option(metavar="FILE.parv", help="DiskSim's parameters of a whole system."),
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", "-t", help="The trace to replay.")
    ] = None,
    trace_format: Annotated[
        str | None, typer.Option("--format", "-f", help="Of the trace; told by its content.")
    ] = None,
    timing: Annotated[
        str,
        typer.Option(
            help="open: requests arrive as recorded and queue at the host. "
            "issue: each begins at its recorded issue time. "
            "closed: each begins its recorded think time after the one before.",
        ),
    ] = "open",
    device: Annotated[
        int | None, typer.Option(min=0, help="Only this device of the trace.")
    ] = None,
    per_request: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A row per request, as .parquet or .csv."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of every random choice; the file's, or 0.")
    ] = None,
    replications: Annotated[
        int | None, typer.Option(min=1, help="Of a system, each with the next seed.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Replications at a time; all processors'.")
    ] = None,
    warm_up: Annotated[
        int, typer.Option(min=0, metavar="REQUESTS", help="Leave these out of the summary.")
    ] = 0,
    track_phase: Annotated[
        bool,
        typer.Option(
            "--track-phase", help="Keep the platter in phase with the completions in the trace."
        ),
    ] = False,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a value of the file: seek.kind=linear, host.scheduler.kind=sptf.",
        ),
    ] = None,
    trace_options: Annotated[
        list[str] | None,
        typer.Option("--trace-option", metavar="KEY=VALUE", help="What the trace does not say."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Run an experiment, DiskSim's system, or a trace on a drive; say where the time went."""
    changes = settings(overrides or (), "--set")
    if sum(given is not None for given in (experiment, profile, disksim)) != 1:
        raise InputError("give one of EXPERIMENT.toml, --profile and --disksim")
    if profile is None:
        if experiment is not None:
            if trace is not None:
                raise InputError("an experiment names its traces itself; leave --trace out")
            if seed is not None:
                changes["seed"] = seed
            if replications is not None:
                changes["replications"] = replications
            plan = systems.load(experiment, changes)
            manifest = {"experiment": str(experiment), "overrides": changes}
        elif disksim is not None:
            plan = systems.disksim(
                disksim,
                trace=trace,
                trace_format=trace_format,
                seed=seed,
                replications=replications or 1,
                overrides=system.overrides(changes),
            )
            manifest = {"disksim": str(disksim), "trace": str(trace), "overrides": changes}
        return system.run(plan, manifest, per_request=per_request, threads=threads, as_json=as_json)
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
