"""`platterlab characterize`: measures a drive and leaves profile, report and samples."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from platterlab import library
from platterlab._core import InputError
from platterlab.cli.console import emit, fail, meter, plain_table, stderr, stdout
from platterlab.cli.repair import show_repair
from platterlab.cli.tracks import show_tracks
from platterlab.cli.values import LARGEST_SEED
from platterlab.measure import run as measuring
from platterlab.measure.advice import QUANTITIES, quantity
from platterlab.measure.bundle import Bundle
from platterlab.measure.outcome import Job, MeasurementError, Outcome
from platterlab.measure.target import Target, parse_region
from platterlab.output import declare_folder

_STATUS = {"ok": "[green]ok[/]", "ambiguous": "[yellow]ambiguous[/]", "unsupported": "[dim]–[/]"}


TargetName = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A drive of the library or a .toml profile (simulated), a block device or file, "
        "or the folder of a bundle (its samples are read again).",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="The bundle; TARGET.bundle if not given."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what is in the folder.")]
Write = Annotated[
    bool | None,
    typer.Option(
        "--write/--read-only",
        help="Whether probes write. Simulated drives are written, all others only read, unless "
        "said otherwise.",
    ),
]
Confirmation = Annotated[
    str,
    typer.Option(
        "--i-will-lose-data",
        metavar="PATH|SERIAL",
        help="With --write: which device it is. With --repair, where that asks for it: the same.",
    ),
]
EvenIfOpen = Annotated[
    bool,
    typer.Option(
        "--even-if-open",
        help="With --write or --repair: although another process has it open. What that writes "
        "meanwhile may be lost.",
    ),
]
Repair = Annotated[
    bool,
    typer.Option(
        "--repair",
        help="Measure nothing; after a --write run that died, write back the sectors it had in "
        "flight, if all others are as they were.",
    ),
]
Sectors = Annotated[
    str | None,
    typer.Option(metavar="START:LENGTH", help="Sectors to stay within; k, M, G are 2^n."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]
Quick = Annotated[
    bool, typer.Option("--quick", help="The start of the drive only: no zones, no seeks.")
]
Tracks = Annotated[
    str | None,
    typer.Option(
        metavar="every|fast",
        help="Map track boundaries, skews and layout instead, by reads alone; fast leaps over "
        "tracks of known length and checks each leap twice.",
    ),
]
Time = Annotated[
    str,
    typer.Option(
        metavar="3m|15m|full",
        help="Begin nothing that by its estimate would take longer in all; full is as long as the "
        "drive needs.",
    ),
]
Noise = Annotated[str, typer.Option(help="Of a simulated drive's host: typical or off.")]
Seed = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Of a simulated drive's noise.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]


def characterize(
    name: TargetName,
    out: Out = None,
    resume: Resume = False,
    write: Write = None,
    confirmation: Confirmation = "",
    even_if_open: EvenIfOpen = False,
    repair: Repair = False,
    region: Sectors = None,
    dry_run: DryRun = False,
    quick: Quick = False,
    tracks: Tracks = None,
    time: Time = "full",
    noise: Noise = "typical",
    seed: Seed = 0,
    as_json: Json = False,
) -> int:
    """Measure a drive from outside: geometry, zones, times, seeks, each with its interval.

    Leaves samples, a profile that simulates and a report. A device on which no rotation is found,
    such as a loop device, is measured, reported as `unsupported` and left without a profile: the
    exit code is 0, as the answer is an answer.

    With --write only what was read is written, and only in --region. What a run that died left is
    told at the next start and written back by --repair alone. Nothing else is ever put back.
    """
    target = Target(
        name=name,
        write=write,
        confirmation=confirmation or None,
        region=parse_region(region) if region else None,
        noise=noise,
        seed=seed,
        quick=quick,
        tracks=tracks,
        time=time,
        even_if_open=even_if_open,
    )
    _check(target, repair=repair)
    _ = target.time_s
    if repair:
        if write is not None or region or dry_run or quick or tracks or resume or out:
            raise InputError("--repair measures nothing: leave the other options out")
        return show_repair(target, as_json)
    notes = tuple(one["what"] for one in target.left_behind())
    _note(notes)
    if dry_run:
        return _dry_run(target, as_json)
    folder = out or Path(f"{target.label}.bundle")
    declare_folder(
        "--out", folder, [Path(name)] if target.kind != "simulated" else [library.file_of(name)]
    )
    job = Job(target, folder, resume, notes)
    try:
        outcome = _run(job)
    except MeasurementError as error:
        fail(str(error))
        return 1
    except KeyboardInterrupt:
        if Bundle(folder).is_begun:
            stderr().print(f"The samples so far are in {escape(str(folder))}; go on with --resume.")
        raise
    if as_json:
        emit(outcome.to_json())
    else:
        _note(outcome.notes[len(notes) :])
        _show(outcome)
    return 0


def _note(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        stderr().print(f"[bold]note:[/] {escape(sentence)}")


def _check(target: Target, *, repair: bool) -> None:
    kind = target.kind
    if kind != "device" and (target.region or target.confirmation):
        raise InputError(f"{target.name}: --region and --i-will-lose-data are for real devices")
    if target.tracks not in (None, "every", "fast"):
        raise InputError(f"--tracks {target.tracks}: write `every` or `fast`")
    if target.tracks and (target.write or target.quick):
        raise InputError("--tracks only reads, and the whole drive: leave out --write and --quick")
    if kind == "recorded" and target.tracks:
        raise InputError(f"{target.name}: is a recording; it is read again as what it is")
    if kind == "recorded" and target.write is not None:
        raise InputError(f"{target.name}: is a recording; it can be neither read nor written")
    if kind != "device" and (repair or target.even_if_open):
        raise InputError(f"{target.name}: --repair and --even-if-open are for real devices")
    if kind == "device" and target.confirmation and not (target.write or repair):
        raise InputError("--i-will-lose-data does nothing without --write")
    if target.even_if_open and not (target.write or repair):
        raise InputError("--even-if-open does nothing without --write")


def _dry_run(target: Target, as_json: bool) -> int:
    requests, seconds = measuring.estimate(target)
    if target.kind == "device" and target.writes:
        found: dict[str, Any] = {**target.dry_run()}
    else:
        how = "write" if target.writes else "read"
        found = {"steps": [f"{how} {target.name}; change nothing else"], "refusals": []}
    found["requests"], found["drive_time_s"] = requests, seconds
    if as_json:
        emit(found)
        return 2 if found["refusals"] else 0
    console = stdout()
    for step in found["steps"]:
        console.print(f"would {step}", markup=False)
    console.print(f"about {requests:,} requests in {_duration(seconds)} of drive time")
    for refusal in found["refusals"]:
        console.print(f"refused: {refusal['reason']}; {refusal['way_out']}", markup=False)
    return 2 if found["refusals"] else 0


def _run(job: Job) -> Outcome:
    expected_s = 0.0
    if job.target.kind == "device":
        requests, expected_s = measuring.estimate(job.target)
        stderr().print(
            f"An average drive takes about {_duration(expected_s)} ({requests:,} requests); "
            "Ctrl-C keeps the samples."
        )
    with meter("measuring") as show:

        def progress(what: str, share: float, rate: str) -> None:
            show.rename(what)
            show(share, rate)

        return measuring.characterize(job, progress, expected_s)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


def _show(outcome: Outcome) -> None:
    console, found = stdout(), outcome.extraction
    for sentence in outcome.warnings:
        stderr().print(f"[bold yellow]warning:[/] {escape(sentence)}")
    if outcome.mapped:
        show_tracks(outcome)
        return
    table = plain_table("", "value", "± 95 %", "", words=1)
    for key, name, _, unit, _ in QUANTITIES:
        estimate = quantity(found, key)
        value = estimate["value"]
        table.add_row(name, _value(value, unit), _width(estimate), _STATUS[estimate["status"]])
    if outcome.status != "unsupported":
        console.print(table)
    counts = [zone["sectors_per_track"]["value"] for zone in found["zones"]]
    if counts:
        listed = ", ".join("?" if count is None else f"{count:.0f}" for count in counts)
        console.print(f"zones: {len(counts)}; sectors per track {listed}")
    took = _duration(outcome.drive_time_s)
    console.print(f"{outcome.requests:,} requests, {took} of drive time: {outcome.status}")
    if outcome.profile is not None:
        console.print(f"profile: {outcome.profile}", markup=False)
    else:
        console.print("profile: none; too little was found to simulate")
    console.print(f"report:  {outcome.bundle.path('report.html')}", markup=False)


def _value(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    digits = 0 if float(value).is_integer() else 4
    return f"{value:,.{digits}f} {unit}".rstrip()


def _width(estimate: dict[str, object]) -> str:
    ci95 = estimate["ci95"]
    if not isinstance(ci95, list) or estimate["value"] is None:
        return ""
    half = (ci95[1] - ci95[0]) / 2
    return "exact" if half == 0 and float(str(estimate["value"])).is_integer() else f"{half:.4f}"
