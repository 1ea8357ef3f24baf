"""Body of `platterlab calibrate`, with all that takes a second to load."""

from pathlib import Path

from rich.console import Console

from platterlab import manifest, output
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.outcome import TIMINGS, Findings, findings
from platterlab.calibration.procedure import calibrate as fit
from platterlab.calibration.profile_file import profile_text
from platterlab.cli.console import emit, meter, plain_table, stdout


def run(
    job: Job,
    profile: str,
    since: manifest.States,
    *,
    out: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Fits `profile`, writes what was asked for and says what was found.

    Trace and profile have to be what they were `since` the job was made.
    """
    made_by = job.made_by(profile, since)
    found = _fitted(job)
    told = findings(found)
    manifest.require_same(made_by)
    if out is not None:
        output.write_text(out, profile_text(found, job.trace.name))
    if report is not None:
        # Charts take half a second to load.
        from platterlab.calibration.pictures import pictures
        from platterlab.report import calibration

        title = f"{found.start.name}, calibrated to {job.trace.name}"
        calibration.build(report, title, told, pictures(found))
    if as_json:
        emit({**told.to_json(), "manifest": made_by})
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
    ("slipped_revolution", "a revolution off", "{:.1f} %", 100),
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


def _show(told: Findings, console: Console) -> None:
    _compare(told, console)
    table = plain_table(
        "found", "value", "± 95 %", "from requests", title="Values found in the trace"
    )
    for one in told.values:
        reach = f"{one.reach:.3g}"
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
