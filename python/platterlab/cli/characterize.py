"""`platterlab characterize`: measures a drive and leaves profile, report and samples."""

from pathlib import Path
from typing import Annotated

import typer

from platterlab._core import InputError
from platterlab.cli.values import LARGEST_SEED, AsJson

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
Resume = Annotated[bool, typer.Option("--resume", help="Continue with what is in the folder.")]
Write = Annotated[
    bool,
    typer.Option(
        "--write", help="Probes write, as they do on simulated drives unless said otherwise."
    ),
]
ReadOnly = Annotated[
    bool,
    typer.Option(
        "--read-only", help="Probes only read, as they do on others unless said otherwise."
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
    bool,
    typer.Option(
        "--quick",
        help="The start of the drive only: turn and first track; of the rest what is likeliest.",
    ),
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
Noise = Annotated[str, typer.Option(help="Noise of a simulated drive's host: typical or off.")]
Seed = Annotated[
    int, typer.Option(min=0, max=LARGEST_SEED, help="Seed of a simulated drive's noise.")
]


def characterize(
    name: TargetName,
    out: Out = None,
    resume: Resume = False,
    write: Write = False,
    read_only: ReadOnly = False,
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
    as_json: AsJson = False,
) -> int:
    """Measure a drive from outside: geometry, zones, times, seeks, each with its interval.

    Leaves samples, a profile that simulates and a report. A device on which no rotation is found,
    such as a loop device, is measured, reported as `unsupported` and left without a profile: the
    exit code is 0, as the answer is an answer.

    With --write only what was read is written, and only in --region. What a run that died left is
    reported at the next start and written back by --repair alone. Nothing else is ever put back.
    """
    from platterlab.cli import characterized

    if write and read_only:
        raise InputError("--write and --read-only exclude each other: leave one out")
    target = characterized.Target(
        name=name,
        write=write if write or read_only else None,
        confirmation=confirmation or None,
        region=characterized.parse_region(region) if region else None,
        noise=noise,
        seed=seed,
        quick=quick,
        tracks=tracks,
        time=time,
        even_if_open=even_if_open,
    )
    characterized.check(target, repair=repair)
    if repair:
        if write or read_only or region or dry_run or quick or tracks or resume or out:
            raise InputError("--repair measures nothing: leave the other options out")
        return characterized.show_repair(target, as_json)
    return characterized.run(target, out, resume=resume, dry_run=dry_run, as_json=as_json)
