"""`platterlab study`: runs a paper's experiment again."""

from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from platterlab import data as measured_data
from platterlab import output, studies
from platterlab.cli.console import emit, meter, plain_table, short, stdout
from platterlab.cli.values import LARGEST_SEED
from platterlab.studies import Outcome, Request, Row, Study

_WIDTHS = (7, 7, 13, 5)
_UNITS = {"pct": "%", "mib_s": "MiB/s"}
_VERDICT = {True: "[green]holds[/]", False: "[bold red]off[/]", None: "[dim]–[/]"}


def study(
    name: Annotated[str, typer.Argument(help="A study, or `list` for all of them.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="For the figures; made if missing.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Of measured traces: PLATTERLAB_DATA, else ../shared/data of a source tree.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Of every random choice.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Run a published experiment and print paper, ours, tolerance and verdict."""
    if name == "list":
        _list(as_json)
        return 0
    chosen = studies.find(name)
    traces = data or measured_data.folder()
    if out is not None:
        output.declare_folder("--out", out, [traces])
        out.mkdir(parents=True, exist_ok=True)
    with meter(chosen.name) as show:

        def progress(what: str, share: float) -> None:
            show.rename(what)
            show(share)

        outcome = chosen.run(Request(out=out, data=traces, seed=seed, progress=progress))
    if as_json:
        emit(chosen.to_json(outcome))
    else:
        _show(chosen, outcome, stdout())
    return 0 if outcome.holds else 1


def _list(as_json: bool) -> None:
    known = [studies.find(name) for name in studies.names()]
    if as_json:
        listing = [{"name": one.name, "title": one.title, "source": one.source} for one in known]
        emit({"studies": listing})
        return
    table = plain_table("study", "what it shows", "source", words=3)
    for one in known:
        table.add_row(one.name, one.title, one.source)
    stdout().print(table)


def _show(chosen: Study, outcome: Outcome, console: Console) -> None:
    console.print(f"[bold]{chosen.title}[/]\n{chosen.source}\n")
    widest = max(len(row.what) for row in outcome.rows)
    for number, (group, rows) in enumerate(groupby(outcome.rows, lambda row: row.group)):
        if group:
            console.print(f"[bold]{escape(group)}[/]", soft_wrap=True)
        console.print(_table(list(rows), widest, with_headings=number == 0))
    for note in outcome.notes:
        console.print(f"\n{note}", markup=False)
    for figure in outcome.figures:
        console.print(f"figure: {figure}", markup=False)


def _table(rows: list[Row], widest: int, with_headings: bool) -> Table:
    """Rows of one group, in columns as wide as those of every other group."""
    table = plain_table("", "paper", "ours", "tolerance", "", words=1)
    table.show_header = with_headings
    for column, width in zip(table.columns, (widest, *_WIDTHS), strict=True):
        column.min_width = width
    for row in rows:
        table.add_row(
            escape(row.what),
            _figure(row.paper, row.unit),
            _figure(row.ours, row.unit),
            _tolerance(row),
            _VERDICT[row.within],
        )
    return table


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{short(value)} {_UNITS.get(unit, unit)}".rstrip()


def _tolerance(row: Row) -> str:
    """What ours has to be: `15.0 ± 3.00 %`, `≤ 1.50 %`."""
    if row.reference is None:
        return ""
    if row.bound == "about":
        return f"{short(row.reference)} ± {_figure(row.tolerance, row.unit)}"
    sign, word = (1, "≤") if row.bound == "at-most" else (-1, "≥")
    return f"{word} {_figure(row.reference + sign * row.tolerance, row.unit)}"
