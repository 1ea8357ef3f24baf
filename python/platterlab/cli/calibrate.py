"""`platterlab calibrate`: fits a profile to a trace with measured times."""

from pathlib import Path
from typing import Annotated, Any

import typer

from platterlab import library, manifest, output
from platterlab.cli.values import (
    AsJson,
    Columns,
    For,
    From,
    Seed,
    TraceFormat,
    TraceOptions,
    device_of,
    device_word,
    trace_settings,
)


def calibrate(
    trace: Annotated[
        Path, typer.Option("--trace", "-t", help="A trace with measured service times.")
    ],
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="A drive of the library, or a .toml file.")
    ],
    trace_format: TraceFormat = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PROFILE", help="File to write the better profile to.")
    ] = None,
    rough: Annotated[
        bool, typer.Option("--rough", help="The profile is no more than a data sheet.")
    ] = False,
    share: Annotated[
        float, typer.Option(min=0.05, max=1.0, help="Fit on this first part, judge on the rest.")
    ] = 0.5,
    device: Annotated[
        Any,
        typer.Option(
            parser=device_word,
            metavar="DEVICE",
            help="Device of the trace: its number, as 259:0, or its name.",
        ),
    ] = 0,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keeps the work, and continues what is there."),
    ] = None,
    seed: Seed = 0,
    columns: Columns = None,
    begin: From = None,
    length: For = None,
    trace_options: TraceOptions = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Draws what was found as one page.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fit a drive profile to a trace: to its first part, judged on the rest."""
    from platterlab.calibration.job import Job
    from platterlab.cli import calibrated

    output.declare({"--out": out, "--report": report}, [trace, library.file_of(profile)])
    if resume is not None:
        output.declare_folder("--resume", resume, [trace])
    options = trace_settings(trace_options, columns, **{"from": begin, "for": length})
    since = manifest.states([trace, library.file_of(profile)])
    job = Job(
        trace=trace,
        profile=library.load(profile),
        trace_format=trace_format,
        options=options,
        device=device_of(device, trace, trace_format, options),
        share=share,
        rough=rough,
        resume=resume,
        seed=seed,
    )
    calibrated.run(job, profile, since, out=out, report=report, as_json=as_json)
