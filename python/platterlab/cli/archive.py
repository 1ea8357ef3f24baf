"""`platterlab archive`: bundles of measured drives, kept and compared."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from platterlab.cli.console import emit, plain_table, stdout

if TYPE_CHECKING:
    from platterlab.measure.archive import Archive

app = typer.Typer(help="Keep, list and compare what was measured.", no_args_is_help=True)

Folder = Annotated[
    Path | None,
    typer.Option("--archive", metavar="FOLDER", help="The archive; by default that of the user."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]


def _archive(folder: Path | None) -> "Archive":
    from platterlab.measure.archive import Archive, default_folder

    return Archive(folder or default_folder())


@app.command("add")
def add(
    bundle: Annotated[Path, typer.Argument(help="The folder that `characterize` left.")],
    archive: Folder = None,
    as_json: Json = False,
) -> None:
    """Check a bundle against its checksums and copy it into the archive."""
    added = _archive(archive).add(bundle)
    if as_json:
        emit({"bundle": added.id, "folder": str(added.folder)})
    else:
        stdout().print(f"{added.id}: {added.folder}", markup=False)


@app.command("list")
def list_bundles(archive: Folder = None, as_json: Json = False) -> None:
    """List the bundles of the archive."""
    entries, bad = _archive(archive).entries()
    if as_json:
        emit(
            {
                "bundles": [entry.to_json() for entry in entries],
                "bad": [one.to_json() for one in bad],
            }
        )
        return
    table = plain_table(
        "bundle", "device", "status", "GB", "rotation, ms", "SPT", "surfaces", words=3
    )
    for entry in entries:
        table.add_row(
            entry.id,
            escape(entry.device),
            entry.status,
            f"{entry.capacity_bytes / 1e9:,.2f}",
            _number(entry.rotation_ms),
            _number(entry.sectors_per_track),
            _number(entry.surfaces),
        )
    stdout().print(table)
    for one in bad:
        stdout().print(f"bad: {one.problem}", markup=False, soft_wrap=True)


@app.command("compare")
def compare_bundles(
    first: Annotated[str, typer.Argument(help="A bundle: the beginning of its id, or a folder.")],
    second: Annotated[str, typer.Argument(help="Another.")],
    archive: Folder = None,
    as_json: Json = False,
) -> None:
    """Show the values of two bundles beside each other."""
    from platterlab.measure.archive import compare

    home = _archive(archive)
    one, other = home.find(first), home.find(second)
    pairs = compare(one, other)
    if as_json:
        rows = [
            {
                "key": pair.key,
                "first": pair.first.value,
                "second": pair.second.value,
                "difference_pct": pair.difference_pct,
                "differs": pair.differs,
            }
            for pair in pairs
        ]
        emit({"first": one.id, "second": other.id, "values": rows})
        return
    table = plain_table("", one.id, other.id, "difference", "intervals", words=1)
    said = {True: "[bold]apart[/]", False: "overlap", None: "[dim]–[/]"}
    for pair in pairs:
        change = pair.difference_pct
        table.add_row(
            f"{pair.name}, {pair.unit}" if pair.unit else pair.name,
            _number(pair.first.value),
            _number(pair.second.value),
            "–" if change is None else f"{change:+.3f} %",
            said[pair.differs],
        )
    stdout().print(table)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}"
