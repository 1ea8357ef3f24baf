"""`platterlab trace`: looks into traces and writes them in other formats."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from platterlab import _core
from platterlab._core import InputError
from platterlab.cli.console import emit, stdout
from platterlab.cli.facts import show_facts
from platterlab.cli.values import settings
from platterlab.output import replacing

app = typer.Typer(no_args_is_help=True, help="Look into a trace, or write it in another format.")

_Options = Annotated[
    list[str] | None,
    typer.Option("--trace-option", metavar="KEY=VALUE", help="What the trace does not say."),
]


@app.command()
def info(
    trace: Annotated[Path, typer.Argument(help="The trace.")],
    trace_format: Annotated[
        str | None, typer.Option("--format", "-f", help="Of the trace; told by its content.")
    ] = None,
    trace_options: _Options = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Say what a trace holds: requests, devices, times, addresses, and what was skipped."""
    _require(trace)
    options = settings(trace_options or (), "--trace-option")
    facts: dict[str, Any] = json.loads(_core.trace_info(str(trace), trace_format, options))
    if as_json:
        emit({"trace": str(trace), **facts})
    else:
        stdout().print(f"[bold]{trace}[/]")
        show_facts(facts, stdout())


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="The trace to read.")],
    target: Annotated[Path, typer.Argument(help="The trace to write.")],
    source_format: Annotated[
        str | None, typer.Option("--from", help="Format of SOURCE; told by its content.")
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", help="Format of TARGET; told by its name.")
    ] = None,
    trace_options: _Options = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Write a trace in another format, and say what that format could not hold."""
    _require(source)
    options = settings(trace_options or (), "--trace-option")
    with replacing(target) as partial:
        facts: dict[str, Any] = json.loads(
            _core.trace_convert(str(source), source_format, str(partial), target_format, options)
        )
    if as_json:
        emit({"source": str(source), "target": str(target), **facts})
    else:
        stdout().print(f"[bold]{target}[/]")
        show_facts(facts, stdout())


@app.command()
def formats(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """List the formats that can be read."""
    if as_json:
        emit({"formats": _core.trace_formats()})
    else:
        for name in _core.trace_formats():
            stdout().print(name)


def _require(trace: Path) -> None:
    if not trace.is_file():
        raise InputError(f"{trace}: there is no such trace")
