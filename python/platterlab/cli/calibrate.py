"""`platterlab calibrate`: fits a profile to a trace with measured times."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from platterlab import library
from platterlab._core import InputError
from platterlab.calibrate.outcome import Findings, findings
from platterlab.calibrate.procedure import Job
from platterlab.calibrate.procedure import calibrate as fit
from platterlab.calibrate.written import profile_text
from platterlab.cli.console import emit, meter, plain_table, stdout
from platterlab.cli.values import settings
from platterlab.output import check, replacing


def calibrate(
    trace: Annotated[Path, typer.Option("--trace", "-t", help="With measured service times.")],
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="A drive of the library, or a .toml file.")
    ],
    trace_format: Annotated[
        str | None, typer.Option("--format", "-f", help="Of the trace; told by its content.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PROFILE", help="Where to write the better profile.")
    ] = None,
    rough: Annotated[
        bool, typer.Option("--rough", help="The profile is no more than a data sheet.")
    ] = False,
    share: Annotated[
        float, typer.Option(min=0.05, max=1.0, help="Fit on this first part, judge on the rest.")
    ] = 0.5,
    device: Annotated[int, typer.Option(min=0, help="Of the trace.")] = 0,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keeps the work, and goes on with what is there."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice.")] = 0,
    trace_options: Annotated[
        list[str] | None,
        typer.Option("--trace-option", metavar="KEY=VALUE", help="What the trace does not say."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Fit a drive profile to a trace: what the first part tells, judged on the rest."""
    if out is not None:
        check(out)
    if resume is not None and resume.exists() and not resume.is_dir():
        raise InputError(f"--resume {resume}: is a file; name a folder")
    job = Job(
        trace=trace,
        profile=library.load(profile),
        trace_format=trace_format,
        options=settings(trace_options or (), "--trace-option"),
        device=device,
        share=share,
        rough=rough,
        resume=resume,
        seed=seed,
    )
    with meter("calibrating") as show:

        def progress(what: str, done: float) -> None:
            show.rename(what)
            show(done)

        found = fit(job, progress)
    told = findings(found)
    if out is not None:
        with replacing(out) as partial:
            partial.write_text(profile_text(found, trace.name), encoding="utf-8")
    if as_json:
        emit(told.to_json())
    else:
        _show(told, stdout())
        if out is not None:
            stdout().print(f"\nprofile: {out}", markup=False)


def _show(told: Findings, console: Console) -> None:
    table = plain_table("found", "value", "± 95 %", "from requests", title="What the trace tells")
    for one in told.values:
        reach = f"{one.reach:.3g}" if one.reach is not None else "–"
        told_by = f"{one.requests:,}" if one.requests else "–"
        table.add_row(one.what, f"{one.value:.7g} {one.unit}".rstrip(), reach, told_by)
    console.print(table)
    for line in told.choices:
        console.print(line, markup=False)
    judges = "requests not fitted on" if told.fitted < told.requests else "the requests fitted on"
    errors = plain_table("", "demerit", "median |e|", "p95 |e|", "≤ 0.25 ms", title=f"On {judges}")
    for what, figures in told.judged.items():
        errors.add_row(
            what,
            f"{figures['demerit_ms']:.3f} ms",
            f"{figures['median_abs_error_ms']:.3f} ms",
            f"{figures['p95_abs_error_ms']:.2f} ms",
            f"{100 * figures['within_0.25_ms']:.1f} %",
        )
    console.print()
    console.print(errors)
    for line in told.undetermined:
        console.print(f"not determined: {line}", markup=False)
