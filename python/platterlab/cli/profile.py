"""`platterlab profile`: the drive library."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from platterlab import _core, documents, library, output
from platterlab._core import InputError, Profile
from platterlab.answers import ProfileValueAnswer
from platterlab.cli.console import count, emit, number, plain_table, stderr, stdout
from platterlab.cli.editing import edited
from platterlab.cli.facts import show_facts
from platterlab.cli.values import AsJson, settings
from platterlab.datasheet import DataSheet, profile_text, size_bytes

VALUE_WIDTH = 24

app = typer.Typer(
    no_args_is_help=True, help="Look at the drive library; check, import and export profiles."
)

_Target = Annotated[str, typer.Argument(help="A drive of the library, or a .toml file.")]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change the profile: seek.kind=linear."),
]


@app.command("list")
def list_drives(as_json: AsJson = False) -> None:
    """List the drives of the library."""
    known = {name: library.load(name) for name in library.drives()}
    if as_json:
        listing = [
            {
                "profile": name,
                "name": drive.name,
                "capacity_sectors": drive.capacity_sectors,
                "sector_bytes": drive.sector_bytes,
            }
            for name, drive in known.items()
        ]
        emit({"profiles": listing})
        return
    table = plain_table("profile", "drive", "sectors", "GB", words=2)
    for name, drive in known.items():
        size_gb = drive.capacity_sectors * drive.sector_bytes / 1e9
        table.add_row(name, drive.name, count(drive.capacity_sectors), number(size_gb))
    stdout().print(table)


@app.command()
def show(
    target: _Target,
    overrides: _Set = None,
    layout: Annotated[
        bool, typer.Option("--layout", help="Draw where the addresses lie instead.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File of the drawing: .png, .svg or .pdf.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a drive: every value, where it came from, and what follows from it."""
    if out is not None and not layout:
        raise InputError("--out goes with --layout")
    if out is not None:
        output.figure_kind(out)
    output.declare({"--out": out}, [library.file_of(target)])
    drive = library.load(target, settings(overrides or (), "--set"))
    if layout:
        _layout(drive, out, as_json)
        return
    document = drive.facts()
    if as_json:
        emit(document)
        return
    console = stdout()
    console.print(f"[bold]{escape(drive.name)}[/] ({drive.id})\n")
    show_facts(document["derived"], console)
    console.print()
    console.print(_values(document["values"], console.width))


def _layout(drive: Profile, out: Path | None, as_json: bool) -> None:
    """Where the addresses lie: a sketch on the screen, and a picture if there is a file for it."""
    from platterlab import layout_picture

    sketch = layout_picture.sketch(drive, stdout().width)
    if out is not None:
        layout_picture.draw(drive, out)
    if as_json:
        emit(
            {
                "profile": drive.id,
                "sketch": sketch.splitlines(),
                "figure": str(out) if out else None,
            }
        )
        return
    stdout().print(
        f"{drive.name}: the first tracks in the order of their addresses\n", markup=False
    )
    stdout().print(sketch, markup=False, soft_wrap=True)
    stdout().print(
        f"\nfigure: {out}" if out else "\nwrite --out FILE.png for a picture", markup=False
    )


def _values(values: list[ProfileValueAnswer], width: int) -> Table:
    """Parameter, value, kind and source, each on one line."""
    said = [json.dumps(item["value"], ensure_ascii=False).strip('"') for item in values]
    longest = (
        max(len(item["key"]) for item in values),
        min(max(map(len, said)), VALUE_WIDTH),
        max(len(item["kind"]) for item in values),
    )
    table = plain_table("parameter", "value", "is", "from", words=4)
    for column, size in zip(table.columns, longest, strict=False):
        column.no_wrap, column.overflow, column.width = True, "ellipsis", size
    source = table.columns[3]
    source.no_wrap, source.overflow = True, "ellipsis"
    source.width = max(width - sum(longest) - 8, 10)
    for item, value in zip(values, said, strict=True):
        table.add_row(escape(item["key"]), escape(value), item["kind"], escape(item["from"]))
    return table


@app.command()
def new(
    capacity: Annotated[str, typer.Option(help="Capacity on the label: 8TB, 931GiB.")],
    rpm: Annotated[float, typer.Option(help="Of the spindle.")],
    surfaces: Annotated[int, typer.Option(help="Heads.")],
    outer_mb_s: Annotated[
        float, typer.Option("--outer-mb-s", help="Sustained at the outer edge: the largest stated.")
    ],
    inner_mb_s: Annotated[
        float | None, typer.Option("--inner-mb-s", help="Rate at the inner edge; else half of it.")
    ] = None,
    seek_average: Annotated[
        float | None, typer.Option(help="Average seek in milliseconds; else 8.5 at 7200 rpm.")
    ] = None,
    seek_full: Annotated[
        float | None, typer.Option(help="Full-stroke seek; else twice the average.")
    ] = None,
    seek_single: Annotated[
        float | None, typer.Option(help="Seek to the next cylinder; else a tenth of the average.")
    ] = None,
    cache: Annotated[str | None, typer.Option(help="Size of the buffer: 256M; else none.")] = None,
    bus_mb_s: Annotated[
        float | None,
        typer.Option(
            "--bus-mb-s",
            help="Rate of the interface; else 600, or the media's rate if that is more.",
        ),
    ] = None,
    sector_bytes: Annotated[int, typer.Option(help="512 or 4096.")] = 512,
    zones: Annotated[int, typer.Option(help="Zones to make.")] = 24,
    name: Annotated[str | None, typer.Option(help="Of the drive.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="The profile to write; else it is shown.")
    ] = None,
) -> None:
    """Make a profile from a data sheet: zones, cylinders and skews by rule, marked as assumed."""
    if out is not None and out.suffix != ".toml":
        raise InputError(f"--out {out}: the name of a profile ends in .toml")
    output.declare({"--out": out}, [])
    sheet = DataSheet(
        name=name or f"a drive of {capacity}",
        capacity_bytes=size_bytes(capacity, "--capacity"),
        speed_rpm=rpm,
        surfaces=surfaces,
        outer_mb_s=outer_mb_s,
        inner_mb_s=inner_mb_s,
        seek_average_ms=seek_average,
        seek_full_ms=seek_full,
        seek_single_ms=seek_single,
        cache_bytes=None if cache is None else size_bytes(cache, "--cache"),
        bus_mb_s=bus_mb_s,
        sector_bytes=sector_bytes,
        zones=zones,
    )
    text = profile_text(sheet)
    if out is None:
        stdout().print(text, markup=False, soft_wrap=True)
        return
    drive = Profile.parse(text, str(out))
    output.write_text(out, text)
    size_gb = drive.capacity_sectors * drive.sector_bytes / 1e9
    stdout().print(
        f"{out}: {count(drive.capacity_sectors)} sectors, {number(size_gb)} GB; what is `assumed` "
        "in it is by rule: measure or calibrate it",
        markup=False,
        soft_wrap=True,
    )


@app.command()
def check(targets: list[str], as_json: AsJson = False) -> int:
    """Check profiles: all that is wrong at once, each with its file, line and key."""
    found = {target: library.faults(target) for target in targets}
    if as_json:
        listing = [
            {"profile": name, "error": errors[0] if errors else None, "errors": errors}
            for name, errors in found.items()
        ]
        emit({"profiles": listing})
    else:
        for target, errors in found.items():
            for line in errors or [f"{target}: correct"]:
                stdout().print(line, markup=False)
    return 2 if any(found.values()) else 0


@app.command()
def edit(
    target: _Target,
    overrides: _Set = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="File of the result; else the same file."),
    ] = None,
) -> int:
    """Change a profile in your editor, or with --set; only what is correct is written."""
    own = library.file_of(target)
    goal = out or own
    if goal is None:
        raise InputError(f"{target} is a drive of the library; write --out FILE.toml for your own")
    if goal.suffix != ".toml":
        raise InputError(f"--out {goal}: the name of a profile ends in .toml")
    if out is not None:
        output.declare({"--out": out}, [own])
    changes = settings(overrides or (), "--set")
    if not changes:
        return edited(library.text_of(target), goal)
    wrong = library.faults(target, changes)
    for line in wrong:
        stderr().print(line, markup=False, highlight=False)
    if not wrong:
        output.write_text(goal, library.load(target, changes).to_toml())
        stdout().print(f"{goal}: correct", markup=False, soft_wrap=True)
    return 2 if wrong else 0


@app.command("import")
def import_drive(
    source: Annotated[Path, typer.Argument(help="A DiskSim 4 file: .parv, .diskspecs or .model.")],
    disk: Annotated[
        str | None, typer.Option(help="The drive's block or component, if there are several.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The profile to write; else it is shown.")
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=NUMBER", help="Enable caching in buffer=0."),
    ] = None,
    approximate: Annotated[
        bool, typer.Option("--approximate", help="Leave out what a profile cannot express.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Turn a drive described for DiskSim 4 into a profile."""
    changes = [
        (key, _number(key, value)) for key, value in settings(overrides or (), "--set").items()
    ]
    documents.require_file(source)
    output.declare({"--out": out}, library.disksim_files(source) or [source])
    drive, not_honoured, notes = _core.disksim_import(str(source), disk, changes, approximate)
    text = drive.to_toml()
    if out is not None:
        output.write_text(out, text)
    if as_json:
        target = None if out is None else str(out)
        found = {"profile": drive.id, "not_honoured": not_honoured, "notes": notes}
        emit({"source": str(source), "target": target, **found, "text": text})
        return
    for remark in (*not_honoured, *notes):
        stderr().print(remark, markup=False, highlight=False)
    if out is None:
        typer.echo(text, nl=False)
    else:
        stdout().print(f"[bold]{escape(str(out))}[/] ({drive.id})")


@app.command()
def export(
    target: _Target,
    out: Annotated[Path, typer.Option(help="The .diskspecs file to write.")],
    overrides: _Set = None,
    as_json: AsJson = False,
) -> None:
    """Write a drive for DiskSim 4, with its seek curve in a second file."""
    drive = library.load(target, settings(overrides or (), "--set"))
    files = {out.with_name(name): text for name, text in _core.disksim_export(drive, out.stem)}
    output.declare({f"--out, {path.name}": path for path in files}, [library.file_of(target)])
    for path, text in files.items():
        output.write_text(path, text)
    written = [str(path) for path in files]
    if as_json:
        emit({"profile": drive.id, "files": written})
    else:
        for name in written:
            stdout().print(name, markup=False)


def _number(parameter: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"--set {parameter}={value}: write a number")
    return float(value)


@app.command()
def schema() -> None:
    """Print the JSON schema of a profile, for editors."""
    typer.echo(_core.profile_schema())
