"""`platterlab simulate`: one drive serves one trace."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab import simulation
from platterlab.cli import summary
from platterlab.cli.console import emit, meter, stdout
from platterlab.cli.values import settings


def simulate(
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="A drive of the library, or a .toml file.")
    ],
    trace: Annotated[Path, typer.Option("--trace", "-t", help="The trace to replay.")],
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
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice.")] = 0,
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
        typer.Option("--set", metavar="KEY=VALUE", help="Change the profile: seek.kind=linear."),
    ] = None,
    trace_options: Annotated[
        list[str] | None,
        typer.Option("--trace-option", metavar="KEY=VALUE", help="What the trace does not say."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Replay a trace on a drive and say where the time went."""
    job = simulation.Job(
        profile=profile,
        trace=trace,
        format=trace_format,
        timing=timing,
        device=device,
        seed=seed,
        warm_up=warm_up,
        track_phase=track_phase,
        overrides=settings(overrides or (), "--set"),
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
