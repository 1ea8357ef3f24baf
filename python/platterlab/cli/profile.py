"""`platterlab profile`: the drive library."""

import json
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from platterlab import _core, library
from platterlab._core import InputError
from platterlab.cli.console import count, emit, number, plain_table, stdout
from platterlab.cli.facts import show_facts
from platterlab.cli.values import settings

VALUE_WIDTH = 24

app = typer.Typer(no_args_is_help=True, help="Look at the drive library and check profiles.")

_Target = Annotated[str, typer.Argument(help="A drive of the library, or a .toml file.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change the profile: seek.kind=linear."),
]


@app.command("list")
def list_drives(as_json: _Json = False) -> None:
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
def show(target: _Target, overrides: _Set = None, as_json: _Json = False) -> None:
    """Show a drive: every value, where it came from, and what follows from it."""
    drive = library.load(target, settings(overrides or (), "--set"))
    document: dict[str, Any] = json.loads(drive.to_json())
    if as_json:
        emit(document)
        return
    console = stdout()
    console.print(f"[bold]{escape(drive.name)}[/] ({drive.id})\n")
    show_facts(document["derived"], console)
    console.print()
    console.print(_values(document["values"], console.width))


def _values(values: list[dict[str, Any]], width: int) -> Table:
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
def check(targets: list[str], as_json: _Json = False) -> int:
    """Check profiles: drives of the library or .toml files."""
    problems: dict[str, str | None] = {}
    for target in targets:
        try:
            library.load(target)
            problems[target] = None
        except InputError as error:
            problems[target] = str(error)
    wrong = [problem for problem in problems.values() if problem is not None]
    if as_json:
        emit({"profiles": [{"profile": name, "error": error} for name, error in problems.items()]})
    else:
        for target, problem in problems.items():
            stdout().print(problem or f"{target}: correct", markup=False)
    return 2 if wrong else 0


@app.command()
def schema() -> None:
    """Print the JSON schema of a profile, for editors."""
    typer.echo(_core.profile_schema())
