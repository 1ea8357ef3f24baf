"""`platterlab study`: runs a paper's experiment again."""

from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from platterlab import data as measured_data
from platterlab import output, studies
from platterlab._core import InputError
from platterlab.cli.console import emit, fail, meter, plain_table, short, stdout
from platterlab.cli.values import AsJson, Seed
from platterlab.documents import Json
from platterlab.studies import Outcome, Request, Row, Study
from platterlab.studies.constants import Verdicts, vary
from platterlab.studies.seeds import steady_share, under
from platterlab.sweeps.engine import answers
from platterlab.sweeps.local import WorkersKilledError
from platterlab.sweeps.work import Call

_UNITS = {"mib_s": "MiB/s"}
_COLOURS = {"reproduced": "green", "not reproduced": "bold red", "no figure published": "dim"}
_SHORT = {"no figure published": "no figure"}
_LEAST_LABEL = 16
"""Characters that a label has in the narrowest table."""


def study(
    name: Annotated[str, typer.Argument(help="A study, or `list` for all of them.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for the figures; made if missing.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Folder of measured traces: PLATTERLAB_DATA, else a source tree's ../shared/data.",
        ),
    ] = None,
    seed: Seed = 0,
    sensitivity: Annotated[
        bool,
        typer.Option("--sensitivity", help="Run over the ranges of what the paper does not print."),
    ] = False,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=1_000,
            help="Run under this number of seeds, from --seed on: which verdicts depend on it.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=4096, help="Processes at a time for --seeds; all processors'."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler for --seeds; or `local`."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Run a published experiment and print paper, ours, tolerance and verdict.

    Exit code 1: a row is off, and the study does not say beforehand why.
    """
    if name == "list":
        _list(as_json)
        return 0
    for option, value in (("--workers", workers), ("--dask", dask)):
        if value is not None and seeds is None:
            raise InputError(f"{option} is for a study under many seeds: write --seeds, too")
    chosen = studies.find(name)
    traces = data or measured_data.folder()
    if out is not None:
        output.declare_folder("--out", out, [traces])
        out.mkdir(parents=True, exist_ok=True)
    with meter(chosen.name) as show:

        def progress(what: str, share: float) -> None:
            show.rename(what)
            show(share)

        request = Request(out=out, data=traces, seed=seed, progress=progress)
        if sensitivity:
            return _sensitivity(chosen, request, as_json)
        if seeds is not None:
            engine = {"workers": workers, "dask": dask}
            return _under_seeds(chosen, request, range(seed, seed + seeds), engine, as_json)
        outcome = chosen.run(request)
    if as_json:
        emit(chosen.to_json(outcome, request))
    else:
        _show(chosen, outcome, stdout())
    return 0 if outcome.holds else 1


def _sensitivity(chosen: Study, request: Request, as_json: bool) -> int:
    """Which verdicts flip with another value of what the paper does not print."""
    if not chosen.constants:
        raise InputError(f"{chosen.name} has no constants that its paper does not print")

    def verdicts(constants: dict[str, float]) -> Verdicts:
        outcome = chosen.run(replace(request, out=None, constants=constants))
        return {row.id: (row.verdict, row.ours) for row in outcome.rows}

    variations = list(vary(chosen.constants, verdicts))
    if as_json:
        told = [{**asdict(one), "constant": one.constant.name} for one in variations]
        registered = [asdict(constant) for constant in chosen.constants]
        emit(
            {
                "study": chosen.name,
                "constants": registered,
                "variations": told,
                "manifest": chosen.manifest(request),
            }
        )
        return 0
    console = stdout()
    for one in variations:
        constant = one.constant
        console.print(
            f"[bold]{constant.name} = {one.value:g}[/] in place of {constant.value:g}: "
            f"{len(one.flips)} of {one.rows} verdicts flip"
        )
        for flip in one.flips:
            console.print(f"  {flip.row}: {flip.before} ({short(flip.ours_before)}) to "
                          f"{flip.after} ({short(flip.ours_after)})", markup=False)  # fmt: skip
    return 0


def _under_seeds(chosen: Study, request: Request, seeds: range, engine: Json, as_json: bool) -> int:
    """Which verdicts depend on the seed."""
    data = None if request.data is None else str(request.data.absolute())
    calls = [Call("study", {"study": chosen.name, "seed": seed, "data": data}) for seed in seeds]
    try:
        told = under(
            answers(calls, **engine, progress=lambda share: request.progress(chosen.name, share))
        )
    except WorkersKilledError as error:
        fail(str(error))
        return 1
    share = steady_share(told)
    if as_json:
        emit(
            {
                "study": chosen.name,
                "seeds": list(seeds),
                "steady_share": share,
                "rows": [one.to_json() for one in told],
                "manifest": chosen.manifest(request),
            }
        )
        return 0
    console = stdout()
    for one in told:
        if not one.is_steady:
            said = ", ".join(f"{count} {verdict}" for verdict, count in one.verdicts.items())
            console.print(f"{one.row}: {said} ({short(one.least)} to {short(one.most)})",
                          markup=False)  # fmt: skip
    console.print(f"{len(seeds)} seeds: {100 * share:.1f} % of {len(told)} rows have one verdict")
    return 0


def _list(as_json: bool) -> None:
    known = [(name, *studies.TITLES[name]) for name in studies.names()]
    if as_json:
        listing = [
            {"name": name, "title": title, "source": source} for name, title, source in known
        ]
        emit({"studies": listing})
        return
    table = plain_table("study", "what it shows", "source", words=3)
    for one in known:
        table.add_row(*one)
    stdout().print(table)


def _show(chosen: Study, outcome: Outcome, console: Console) -> None:
    console.print(f"[bold]{chosen.title}[/]\n{chosen.source}\n")
    cells = [_cells(row) for row in outcome.rows]
    headings = ("paper", "ours", "held to", "verdict")
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    label = max(_LEAST_LABEL, console.width - sum(widths) - 2 * len(widths))
    told = sorted(zip(outcome.rows, cells, strict=True), key=lambda one: one[0].is_appendix)
    for number, (heading, rows) in enumerate(groupby(told, lambda one: _heading(one[0]))):
        if heading:
            console.print(f"[bold]{escape(heading)}[/]")
        table = plain_table("", *headings, words=1)
        table.show_header = number == 0
        for column, width in zip(table.columns, (label, *widths), strict=True):
            column.width = width
        for row, texts in rows:
            colour = _COLOURS.get(row.verdict, "default")
            table.add_row(_label(row), *texts[:-1], f"[{colour}]{texts[-1]}[/]")
        console.print(table)
    for note in outcome.notes:
        console.print(f"\n{note}", markup=False)
    for figure in outcome.figures:
        console.print(f"figure: {figure}", markup=False)
    console.print(f"\n{_summary(outcome)}", markup=False)


def _heading(row: Row) -> str:
    """The row's group; what is compared with nothing comes after all else."""
    return f"Appendix: {row.group}" if row.is_appendix else row.group


def _label(row: Row) -> str:
    """What the row is, and its unit."""
    unit = _UNITS.get(row.unit, row.unit)
    return escape(f"{row.what}, {unit}" if unit else row.what)


def _cells(row: Row) -> tuple[str, str, str, str]:
    """The paper's figure, ours, what ours is held to, and the verdict."""
    paper = "–" if row.paper is None else short(row.paper)
    return paper, short(row.ours), _held_to(row), _SHORT.get(row.verdict, row.verdict)


def _held_to(row: Row) -> str:
    """What ours has to be: `± 3.00` of the paper's, `15.0 ± 3.00`, `≤ 1.50`."""
    if row.reference is None:
        return ""
    if row.bound == "about":
        middle = "" if row.target is None else f"{short(row.reference)} "
        return f"{middle}± {short(row.allowed)}"
    sign, word = (1, "≤") if row.bound == "at-most" else (-1, "≥")
    return f"{word} {short(row.reference + sign * row.allowed)}"


def _summary(outcome: Outcome) -> str:
    counts = ", ".join(f"{count} {word}" for word, count in outcome.verdicts.items())
    if outcome.holds:
        return f"holds: {counts}"
    off = ", ".join(row.id for row in outcome.unexplained)
    return f"off, for no reason known beforehand: {off}\n{counts}"
