"""`platterlab show`: a page on which a simulated drive moves."""

from pathlib import Path
from typing import Annotated, Any

import typer

from platterlab import manifest, output
from platterlab._core import InputError
from platterlab.cli.console import emit, meter, number, plain_table, stdout
from platterlab.cli.values import AsJson, Columns, TraceFormat
from platterlab.documents import Json
from platterlab.wrong_file import in_file

_MOST = 5_000

_Ostep = Annotated[
    str | None,
    typer.Option(
        metavar="ARGUMENTS",
        help="In place of a drive and a trace: the disk of OSTEP's homework, with the "
        "homework's arguments; the answers are printed.",
    ),
]


def show(
    drive: Annotated[
        str | None, typer.Argument(metavar="DRIVE", help="A drive of the library, or a .toml file.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", "-t", help="The trace that it serves.")
    ] = None,
    trace_format: TraceFormat = None,
    columns: Columns = None,
    scheduler: Annotated[
        str | None, typer.Option(help="The driver's scheduler; fcfs where it is not given.")
    ] = None,
    requests: Annotated[
        int | None,
        typer.Option(
            min=1, max=_MOST, help="Requests of the trace, from its first; 200 if not given."
        ),
    ] = None,
    beyond: Annotated[
        str | None,
        typer.Option(
            metavar="stop|skip|wrap",
            help="Requests beyond the end of the drive: stop at the first (where not given), leave "
            "them out, or begin again at 0.",
        ),
    ] = None,
    ostep: _Ostep = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.html", help="The page to write.")
    ] = Path("show.html"),
    as_json: AsJson = False,
) -> None:
    """Play a simulation as an animated platter, on one page that needs no network.

    Arm, head, rotation, queue, the request under way and where its time goes, from the
    simulation's own rows.
    """
    from platterlab import library
    from platterlab.show import page

    output.declare({"--out": out}, [trace, library.file_of(drive) if drive else None])
    if ostep is not None:
        given = {"DRIVE": drive, "--trace": trace, "--format": trace_format, "--columns": columns,
                 "--scheduler": scheduler, "--requests": requests, "--beyond": beyond}  # fmt: skip
        for name, value in given.items():
            if value is not None:
                raise InputError(f"{name}: --ostep says all of it; leave one of the two out")
        scene, answers = _homework(ostep)
    elif drive is None or trace is None:
        raise InputError("give a drive and its --trace, or --ostep with the homework's arguments")
    else:
        words = {"format": trace_format, "columns": columns, "scheduler": scheduler or "fcfs",
                 "beyond": beyond}  # fmt: skip
        scene, answers = _served(drive, trace, words, requests or 200), []
    size_bytes = page.write(out, scene)
    if as_json:
        shown = len(scene["requests"])
        made_by = scene["made_by"]
        emit({"page": str(out), "bytes": size_bytes, "requests": shown, "answers": answers,
              "manifest": made_by})  # fmt: skip
        return
    if answers:
        _print(answers)
    stdout().print(f"{out}", markup=False)


def _served(drive: str, trace: Path, words: dict[str, str | None], requests: int) -> Json:
    """The scene of a drive that serves the first requests of a trace."""
    from platterlab import experiment as systems
    from platterlab import library
    from platterlab.show.scene import joined, scene

    profile = library.load(drive)
    scheduler = str(words["scheduler"])
    plan = systems.of_trace(
        trace,
        drive,
        scheduler=scheduler,
        trace_format=words["format"],
        columns=words["columns"],
        overrides={"stop.requests": requests},
    )
    if words["beyond"] is not None:
        plan = plan.with_beyond(words["beyond"])
    chunks: list[Any] = []
    with meter("simulating"):
        outcome = systems.run(
            plan,
            {"scheduler": scheduler, "first_requests": requests},
            take=lambda commands, _requests: chunks.append(dict(commands)),
        )
    rows = joined(chunks) if chunks else {}
    if not len(rows.get("lba", ())):
        raise in_file(trace, f"has no request that {drive} could serve")
    about = f"serving the first {len(rows['lba']):,} requests of {trace.name}"
    told = {"scheduler": scheduler, "about": about, "unit": "ms", "units": "milliseconds"}
    told_more = {"digits": 3, "at_ms": None, "made_by": outcome.manifest}
    return scene(profile, rows, {**told, **told_more})


def _homework(text: str) -> tuple[Json, list[Json]]:
    """The scene of the homework's disk, and its answers."""
    from platterlab.show import ostep
    from platterlab.show.scene import scene

    asked = ostep.parse(text)
    rows = asked.rows()
    told = {
        "scheduler": asked.policy,
        "about": f"The disk of the book OSTEP's homework: {text.strip()}",
        "made_by": manifest.of((), arguments=text.strip()),
        "unit": "units",
        "units": "units of time",
        "digits": 0 if asked.whole else 2,
        "at_ms": None,
        "rotation_ms": float(ostep.TURN / asked.rotation_speed),
    }
    keys = {"seek": "seek_ms", "rotate": "rotation_ms", "transfer": "transfer_ms"}
    answers = [
        {
            "sector": int(sector),
            **{name: round(float(rows[key][index]), 6) for name, key in keys.items()},
            "total": round(float(rows["service_ms"][index]), 6),
        }
        for index, sector in enumerate(rows["lba"])
    ]
    return scene(asked.profile(), rows, told), answers


def _print(answers: list[Json]) -> None:
    names = ("seek", "rotate", "transfer", "total")
    table = plain_table("sector", *names)
    for one in answers:
        table.add_row(str(one["sector"]), *(number(one[name]) for name in names))
    table.add_row("all", *(number(sum(one[name] for one in answers)) for name in names))
    stdout().print(table)
