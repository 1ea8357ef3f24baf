"""Body of `platterlab characterize`.

What it takes to measure is loaded after it was said what the target is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from platterlab import library
from platterlab._core import InputError
from platterlab.cli.console import emit, fail, meter, plain_table, stderr, stdout
from platterlab.cli.repair import show_repair
from platterlab.documents import Json
from platterlab.measure.target import Target, parse_region
from platterlab.output import declare_folder

if TYPE_CHECKING:
    from platterlab.answers import Zone as ZoneFound
    from platterlab.measure.outcome import Job, Outcome

__all__ = ["Target", "check", "parse_region", "run", "show_repair"]

_COLOURS = {"ok": "green", "ambiguous": "yellow", "unsupported": "dim"}


def run(target: Target, out: Path | None, *, resume: bool, dry_run: bool, as_json: bool) -> int:
    """Measures a target that was checked, or says what would be done; the exit code."""
    notes = tuple(one["what"] for one in target.left_behind())
    _note(notes)
    try:
        seen = target.seen()
    except OSError as error:
        fail(str(error))
        return 1
    _note(seen)
    if dry_run:
        return _dry_run(target, as_json)
    return _measure(target, out, (resume, as_json), (notes, seen))


def _measure(
    target: Target,
    out: Path | None,
    how: tuple[bool, bool],
    said: tuple[tuple[str, ...], Sequence[str]],
) -> int:
    from platterlab.measure.bundle import Bundle
    from platterlab.measure.outcome import Job, MeasurementError

    (resume, as_json), (notes, seen) = how, said
    folder = out or Path(f"{target.label}.bundle")
    declare_folder(
        "--out",
        folder,
        [Path(target.name)] if target.kind != "simulated" else [library.file_of(target.name)],
    )
    job = Job(target, folder, resume, notes)
    try:
        outcome = _run(job)
    except MeasurementError as error:
        fail(str(error))
        return 1
    except KeyboardInterrupt:
        if Bundle(folder).is_begun:
            stderr().print(
                f"The samples so far are in {escape(str(folder))}; continue with --resume."
            )
        raise
    if as_json:
        emit(outcome.to_json())
    else:
        _note(outcome.notes[len(notes) :])
        _show(outcome, seen)
    return 0


def _note(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        stderr().print(f"[bold]note:[/] {escape(sentence)}")


def check(target: Target, *, repair: bool) -> None:
    """Whether the options go together.

    Raises:
        InputError: they do not.
    """
    kind = target.kind
    if kind != "device" and (target.region or target.confirmation):
        raise InputError(f"{target.name}: --region and --i-will-lose-data are for real devices")
    if target.tracks not in (None, "every", "fast"):
        raise InputError(f"--tracks {target.tracks}: write `every` or `fast`")
    if target.noise not in ("typical", "off"):
        raise InputError(f"--noise {target.noise}: write `typical` or `off`")
    if target.tracks and (target.write or target.quick):
        raise InputError("--tracks only reads, and the whole drive: leave out --write and --quick")
    if kind == "recorded":
        from platterlab.measure.bundle import Bundle

        Bundle(Path(target.name)).described()
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
    _ = target.time_s


def _dry_run(target: Target, as_json: bool) -> int:
    from platterlab.measure import run as measuring

    requests, seconds = measuring.estimate(target)
    if target.kind == "device" and target.writes:
        found: Json = {**target.dry_run()}
    else:
        how = "write" if target.writes else "read"
        simulated = target.kind == "simulated"
        where = " in the simulator; change no file" if simulated else "; change nothing else"
        step = f"{how} {target.name}{where}"
        found = {"steps": [step], "refusals": []}
    found["requests"], found["drive_time_s"] = requests, seconds
    if as_json:
        emit(found)
        return 2 if found["refusals"] else 0
    console = stdout()
    for step in found["steps"]:
        console.print(f"would {step}", markup=False)
    console.print(
        f"an average drive takes about {requests:,} requests in {_duration(seconds)} of drive "
        "time; a map of a large one takes many times as much"
    )
    for refusal in found["refusals"]:
        console.print(f"refused: {refusal['reason']}; {refusal['way_out']}", markup=False)
    return 2 if found["refusals"] else 0


def _run(job: Job) -> Outcome:
    from platterlab.measure import run as measuring

    expected_s = 0.0
    if job.target.kind == "device" and not job.target.cannot_rotate:
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


def _show(outcome: Outcome, seen: Sequence[str]) -> None:
    from platterlab.cli.tracks import show_tracks
    from platterlab.measure import figures
    from platterlab.measure.advice import QUANTITIES

    console, found = stdout(), outcome.extraction
    for sentence in outcome.warnings:
        if sentence in seen:
            continue  # it was said at the start
        stderr().print(f"[bold yellow]warning:[/] {escape(sentence)}")
    if "pieces" in found:
        show_tracks(outcome, found)
        return
    table = plain_table("", "value", "± 95 %", "", words=1)
    for key, name, _, unit, _ in QUANTITIES:
        estimate = found[key]
        value = figures.value(estimate, unit)
        if key == "sectors_per_track":
            value = figures.outermost(found)
        status, colour = figures.status(estimate), _COLOURS[estimate["status"]]
        if "," in status:
            colour = "yellow"
        elif status == "unsupported":
            status = "–"
        table.add_row(name, value, figures.width(estimate), f"[{colour}]{status}[/]")
    if scatter := found["seek_scatter_ms"]:
        value, width = figures.value(scatter, "ms"), figures.width(scatter)
        table.add_row("scatter of seeks, ±", value, width, figures.status(scatter))
    if outcome.status != "unsupported":
        console.print(table)
    if zones := found["zones"]:
        console.print(_zones_line(zones))
    took = _duration(outcome.drive_time_s)
    console.print(f"{outcome.requests:,} requests, {took} of drive time: {outcome.status}")
    if outcome.profile is not None:
        console.print(f"profile: {outcome.profile}", markup=False)
    else:
        console.print("profile: none; too little was found to simulate")
    console.print(f"report:  {outcome.bundle.path('report.html')}", markup=False)


def _zones_line(zones: Sequence[ZoneFound]) -> str:
    """How many there are, how many sectors their tracks have, and of how many that is not sure."""
    from platterlab.measure import figures

    counts = [figures.sectors_per_track(zone) for zone in zones]
    by_surface = ", surface by surface" if any("/" in count for count in counts) else ""
    pairs = [(zone["first_lba"], zone["sectors_per_track"]) for zone in zones]
    open_ones = sum(any(one["status"] != "ok" for one in pair) for pair in pairs)
    which = "all" if open_ones == len(zones) else f"{open_ones} of them"
    unsure = f" ({which} ambiguous)" if open_ones else ""
    return f"zones: {len(zones)}{unsure}; sectors per track{by_surface} {', '.join(counts)}"
