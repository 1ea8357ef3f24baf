"""`platterlab archive`: bundles of measured drives, kept and compared."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from platterlab.cli.console import emit, plain_table, stdout
from platterlab.cli.values import AsJson

if TYPE_CHECKING:
    from platterlab.measure.archive import Added, Archive, Model

app = typer.Typer(help="Keep, check, compare and publish what was measured.", no_args_is_help=True)

Folder = Annotated[
    Path | None,
    typer.Option("--archive", metavar="FOLDER", help="The archive; by default that of the user."),
]


def _archive(folder: Path | None) -> "Archive":
    from platterlab.measure.archive import Archive, default_folder

    return Archive(folder or default_folder())


@app.command("add")
def add(
    bundle: Annotated[Path, typer.Argument(help="The folder that `characterize` left.")],
    archive: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Check a bundle against its checksums and copy it into the archive.

    What says whose drive or machine it was (serial numbers, host names, the folders of files) is
    left out of the copy. Says whether the same drive or model was measured before.
    """
    added = _archive(archive).add(bundle)
    if as_json:
        emit(added.to_json())
        return
    entry, console = added.entry, stdout()
    console.print(f"{entry.id}: {entry.bundle.folder}", markup=False, soft_wrap=True)
    for one in added.left_out:
        console.print(f"left out: {one}", markup=False, soft_wrap=True)
    for said in _before(added):
        console.print(said, markup=False, soft_wrap=True)


@app.command("list")
def list_bundles(archive: Folder = None, as_json: AsJson = False) -> None:
    """List the bundles of the archive by model, with how many drives were measured how often."""
    from platterlab.measure.archive import models

    entries, bad = _archive(archive).entries()
    grouped = models(entries)
    if as_json:
        emit(
            {
                "bundles": [
                    {**entry.to_json(), "duplicates": entry.same_drive(entries)}
                    for entry in entries
                ],
                "models": [one.to_json() for one in grouped],
                "bad": [one.to_json() for one in bad],
            }
        )
        return
    table = plain_table(
        "model, bundle", "drive", "status", "GB", "rotation, ms", "SPT", "surfaces", words=3
    )
    for one in grouped:
        table.add_row(f"[bold]{escape(one.title)}[/]", *_counted(one))
        for entry in one.entries:
            table.add_row(
                f"  {entry.id}",
                (entry.serial_hash or "–")[:8],
                entry.status,
                f"{entry.capacity_bytes / 1e9:,.2f}",
                _number(entry.rotation_ms),
                _number(entry.sectors_per_track),
                _number(entry.surfaces),
            )
    stdout().print(table)
    for one_bad in bad:
        stdout().print(f"bad: {one_bad.problem}", markup=False, soft_wrap=True)


@app.command("compare")
def compare_bundles(
    first: Annotated[str, typer.Argument(help="A bundle: the beginning of its id, or a folder.")],
    second: Annotated[str, typer.Argument(help="The other bundle.")],
    archive: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Show the values of two bundles side by side."""
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


@app.command("check")
def check(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FOLDER]...",
            help="Bundles, archives or both; by default the archive of the user.",
        ),
    ] = None,
    archive: Folder = None,
    values: Annotated[
        bool | None,
        typer.Option(
            "--values/--no-values",
            help="Read every value off the samples again, some seconds a bundle. By default of "
            "bundles that are named, and not of a whole archive.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check whether bundles, or whole archives, can be given to others.

    Files and checksums, the samples and the id, the values against the samples, what says whose
    drive or machine it was, stray files; and which drive was measured before. The exit code is 1
    where anything is wrong.
    """
    from platterlab.cli.archive_check import run

    return run(folders or [], _archive(archive), values, as_json)


@app.command("publish")
def publish(
    site: Annotated[Path, typer.Argument(metavar="FOLDER", help="The site; empty, or one before.")],
    archive: Folder = None,
    reports: Annotated[
        bool,
        typer.Option("--reports/--no-reports", help="Copy the report of each bundle, 1 to 2 MB."),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Make a site of the archive: an index to search and a page with charts for each model.

    It is static and needs no network, and the same archive makes the same bytes.
    """
    from platterlab.extras import need

    need("charts", "tables")
    from platterlab.cli.console import meter
    from platterlab.report.archive.site import publish as written

    with meter("pages") as progress:
        done = written(_archive(archive), site, reports=reports, progress=progress)
    if as_json:
        emit(done.to_json())
        return
    stdout().print(f"{done.index}: {done.said}", markup=False, soft_wrap=True)
    for bad in done.bad:
        stdout().print(f"left out, bad: {bad.problem}", markup=False, soft_wrap=True)


def _before(added: "Added") -> list[str]:
    """What was measured before."""
    if added.same_drive:
        return [f"the same drive was measured before: {', '.join(added.same_drive)}"]
    said = []
    if added.entry.serial_hash is None:
        said.append("no serial number: whether this drive was measured before cannot be recognised")
    if added.same_model:
        said.append(f"the same model was measured before: {', '.join(added.same_model)}")
    return said


def _counted(model: "Model") -> tuple[str, str]:
    """The number of distinct drives, and how often they were measured."""
    drives = f"{model.drives:,} drive{'' if model.drives == 1 else 's'}" if model.drives else "–"
    return drives, f"{len(model.entries):,} measured"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}"
