"""`platterlab task`: Ganger and Patt's four tasks as process flows."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from platterlab import _core, output
from platterlab.cli.console import count, emit, plain_table, short, stdout
from platterlab.cli.facts import show_facts
from platterlab.cli.values import LARGEST_SEED, AsJson

app = typer.Typer(help="Published tasks of a computer, as process flows.", no_args_is_help=True)


@app.command()
def write(
    name: Annotated[str, typer.Argument(metavar="TASK", help="A task's name, from `task list`.")],
    flow: Annotated[Path, typer.Argument(metavar="RUN.flow", help="The process flow to write.")],
    seed: Annotated[
        int, typer.Option(min=0, max=LARGEST_SEED, help="Seed of the files' places and sizes.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Write a task as a process flow, for `simulate` and `trace info`.

    It says what its process computes, reads, writes and waits for; requests and interrupts are for
    the model to make of it. Made from Ganger and Patt 1998, Table 3 and section 5.3.2.
    """
    output.declare({"RUN.flow": flow})
    with output.replacing(flow) as partial:
        _core.task_write(name, partial, seed=seed)
    facts = {"task": name, "flow": str(flow), "seed": seed, "bytes": flow.stat().st_size}
    if as_json:
        emit(facts)
        return
    stdout().print(f"[bold]{escape(str(flow))}[/]")
    show_facts({key: facts[key] for key in ("task", "seed", "bytes")}, stdout())


@app.command("list")
def list_tasks(as_json: AsJson = False) -> None:
    """List the tasks, with what the paper measured of each (its Table 3)."""
    from dataclasses import asdict

    from platterlab.studies.ganger_patt.published import TASKS

    if as_json:
        emit({"tasks": [{"task": name, **asdict(task)} for name, task in TASKS.items()]})
        return
    table = plain_table(
        "task", "elapsed\ns", "computation\ns", "waits\ns", "\nrequests", "response\nms"
    )
    for name, task in TASKS.items():
        table.add_row(
            name,
            short(task.elapsed_s),
            short(task.computation_s),
            short(task.wait_s),
            count(task.requests),
            short(task.response_ms),
        )
    stdout().print(table)
