"""`platterlab study`: runs a paper's experiment again."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from platterlab import studies
from platterlab.cli.console import emit, meter, plain_table, short, stdout
from platterlab.studies import Outcome, Request, Row, Study

_VERDICT = {True: "[green]holds[/]", False: "[bold red]off[/]", None: "[dim]–[/]"}
_BOUND = {"about": "±", "at-most": "≤ +", "at-least": "≥ −"}


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
            envvar="PLATTERLAB_DATA",
            help="Of traces that the study needs.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of every random choice.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Run a published experiment and print paper, ours, tolerance and verdict."""
    if name == "list":
        _list(as_json)
        return 0
    chosen = studies.find(name)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    with meter(chosen.name) as show:

        def progress(what: str, share: float) -> None:
            show.rename(what)
            show(share)

        outcome = chosen.run(Request(out=out, data=data, seed=seed, progress=progress))
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
    table = plain_table("", "paper", "ours", "tolerance", "", words=1)
    for row in outcome.rows:
        table.add_row(
            row.what,
            _figure(row.paper, row.unit),
            _figure(row.ours, row.unit),
            _tolerance(row),
            _VERDICT[row.within],
        )
    console.print(table)
    for note in outcome.notes:
        console.print(f"\n{note}", markup=False)
    for figure in outcome.figures:
        console.print(f"figure: {figure}", markup=False)


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{short(value)} {'%' if unit == 'pct' else unit}".rstrip()


def _tolerance(row: Row) -> str:
    return "" if row.paper is None else f"{_BOUND[row.bound]}{_figure(row.tolerance, row.unit)}"
