"""`platterlab sweep`: an experiment at many points, here or on a cluster."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from platterlab import library, variations
from platterlab.cli.console import emit, fail, meter, number, plain_table, stdout
from platterlab.cli.values import AsJson, Dask, Workers
from platterlab.documents import Json
from platterlab.manifest import states
from platterlab.output import declare, declare_folder
from platterlab.sweeps import effects
from platterlab.sweeps.folder import MANIFEST, TABLE
from platterlab.sweeps.local import WorkersKilledError
from platterlab.sweeps.plan import load
from platterlab.sweeps.sweep import Swept, run, tasks_of

_SHOWN = 10
_FIGURES = (
    "mean_response_ms", "half_width_95_ms", "p95_response_ms", "p95_half_width_95_ms",
    "served_per_s", "served_half_width_95_per_s",
)  # fmt: skip


def sweep(
    plan: Annotated[
        Path, typer.Argument(metavar="SWEEP.toml", help="File of the varied keys and their ranges.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="SWEEP.sweep; what is in it is kept."),
    ] = None,
    workers: Workers = None,
    dask: Dask = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Draws what was found as one page.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Run an experiment at many points of its keys; resumed where it was interrupted.

    Each finished point is a file of its own in the folder, named by the hash of all that decides
    it: nothing is lost and nothing is run twice. The table is the same bits on one processor, on
    all, or on a cluster.
    """
    since = states([plan])
    asked, text, home = load(plan)
    folder = out if out is not None else plan.with_suffix(".sweep")
    tasks = tasks_of(asked, text, asked.experiment, home)
    named = {(what, name) for task in tasks for what, name, _ in task.inputs}
    files = [library.file_of(name) if what == "profile" else Path(name) for what, name in named]
    reads = [plan, plan.parent / asked.experiment, *files]
    written = {f"--out, {name}": folder / name for name in (TABLE, MANIFEST)}
    declare({"--report": report, **(written if folder.is_dir() else {})}, reads)
    declare_folder("--out", folder, reads)
    try:
        with meter("sweeping") as show:
            found = run(
                tasks,
                folder,
                inputs=[("sweep", str(plan))],
                since=since,
                workers=workers,
                dask=dask,
                progress=lambda share, rate: show(share, f"{rate:.1f} points/s"),
            )
    except WorkersKilledError as error:
        fail(str(error))
        return 1
    if report is not None:
        from platterlab.report import sweep as page

        page.build(found, report, title=plan.name)
    if as_json:
        emit(_json(found))
    else:
        _show(found)
    return 0 if all(row["complete"] for row in found.rows) else 1


def _json(found: Swept) -> Json:
    rows = found.rows
    return {
        "folder": str(found.folder),
        "manifest": found.made_by,
        "points": rows,
        "ran": found.ran,
        "best": effects.best(rows),
        "front": effects.front(rows),
        "main_effects": [vars(one) for one in effects.main_effects(rows, found.keys)],
    }


def _show(found: Swept) -> None:
    console, rows = stdout(), found.rows
    console.print(f"{len(rows):,} points, {found.ran:,} of them run now", highlight=False)
    console.print(f"[dim]{escape(found.runs)}; response in ms, ± 95 % confidence[/]")
    best = effects.best(rows)
    keys = [key.replace(".", ".\n") for key in found.keys]
    table = plain_table(*keys, "mean, ms", "±", "p95", "±", "a second", "±", words=len(keys),
                        title="The best, and what cannot be distinguished from it")  # fmt: skip
    for row in best[:_SHOWN]:
        words = [escape(variations.word(row[key])) for key in found.keys]
        table.add_row(*words, *(number(row[name]) for name in _FIGURES))
    console.print(table)
    if len(best) > _SHOWN:
        console.print(f"… and {len(best) - _SHOWN:,} more")
    marginal = plain_table("key", "value", "mean, ms", "points", words=2,
                           title="What each key does, over all points")  # fmt: skip
    for one in effects.main_effects(rows, found.keys):
        shown = number(one.mean_response_ms)
        marginal.add_row(escape(one.key), escape(one.value), shown, f"{one.points:,}")
    console.print(marginal)
    console.print(f"\ntable: {found.folder / 'table.parquet'}", markup=False, soft_wrap=True)
