"""`platterlab calibrate`: fits a profile to a trace with measured times."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from platterlab import library, manifest, output
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.outcome import TIMINGS, Findings, findings
from platterlab.calibration.pictures import pictures
from platterlab.calibration.procedure import calibrate as fit
from platterlab.calibration.profile_file import profile_text
from platterlab.cli.console import emit, meter, plain_table, stdout
from platterlab.cli.values import LARGEST_SEED, Columns, For, From, device_number, trace_settings
from platterlab.report import calibration


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
    device: Annotated[
        int,
        typer.Option(
            parser=device_number, metavar="DEVICE", help="Of the trace: its number, or as 259:0."
        ),
    ] = 0,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keeps the work, and goes on with what is there."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Of every random choice.")] = 0,
    columns: Columns = None,
    begin: From = None,
    length: For = None,
    trace_options: Annotated[
        list[str] | None,
        typer.Option("--trace-option", metavar="KEY=VALUE", help="What the trace does not say."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Draws what was found as one page.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Fit a drive profile to a trace: what the first part tells, judged on the rest."""
    output.declare({"--out": out, "--report": report}, [trace, library.file_of(profile)])
    if resume is not None:
        output.declare_folder("--resume", resume, [trace])
    job = Job(
        trace=trace,
        profile=library.load(profile),
        trace_format=trace_format,
        options=trace_settings(trace_options, columns, **{"from": begin, "for": length}),
        device=device,
        share=share,
        rough=rough,
        resume=resume,
        seed=seed,
    )
    found = _fitted(job)
    told = findings(found)
    if out is not None:
        output.write_text(out, profile_text(found, trace.name))
    if report is not None:
        title = f"{found.start.name}, calibrated to {trace.name}"
        calibration.build(report, title, told, pictures(found))
    if as_json:
        emit({**told.to_json(), "manifest": _manifest(job, profile)})
        return
    _show(told, stdout())
    for what, file in (("profile", out), ("report", report)):
        if file is not None:
            stdout().print(f"\n{what}: {file}", markup=False)


def _fitted(job: Job) -> Calibration:
    """The calibration, with a bar that says what is being done."""
    with meter("calibrating") as show:

        def progress(what: str, done: float) -> None:
            show.rename(what)
            show(done)

        return fit(job, progress)


LINES = (
    ("demerit_ms", "demerit", "{:.3f} ms", 1),
    ("median_abs_error_ms", "median |e|", "{:.3f} ms", 1),
    ("p95_abs_error_ms", "p95 |e|", "{:.2f} ms", 1),
    ("within_0.25_ms", "≤ 0.25 ms", "{:.1f} %", 100),
    ("within_0.5_ms", "≤ 0.5 ms", "{:.1f} %", 100),
    ("slipped_revolution", "a turn off", "{:.1f} %", 100),
)
"""The figures by which start and result are compared: name, words, form and factor."""


def _compare(told: Findings, console: Console) -> None:
    """Start and result on requests not fitted on, and what improved."""
    judges = "requests not fitted on" if told.fitted < told.requests else "the requests fitted on"
    table = plain_table("", "start", "result", title=f"On {judges}, {TIMINGS[told.timing]}")
    for name, words, form, factor in LINES:
        both = (form.format(factor * told.judged[which][name]) for which in ("start", "result"))
        table.add_row(words, *both)
    console.print(table)
    console.print(told.sentence, markup=False)
    for line in told.warnings:
        console.print(f"warning: {line}", markup=False)
    console.print()


def _manifest(job: Job, profile: str) -> dict[str, Any]:
    return manifest.of(
        [("profile", profile), ("trace", str(job.trace))],
        seed=job.seed,
        share=job.share,
        rough=job.rough,
        device=job.device,
        format=job.trace_format,
        trace_options=dict(job.options),
    )


def _show(told: Findings, console: Console) -> None:
    _compare(told, console)
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
        if what in ("start", "result"):
            continue
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
