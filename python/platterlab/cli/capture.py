"""`platterlab capture`: the process flow of a command on this Linux."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from platterlab import output
from platterlab._core import InputError
from platterlab.answers import FlowSummary
from platterlab.cli.console import emit, stderr, stdout
from platterlab.cli.facts import show_facts
from platterlab.cli.values import AsJson
from platterlab.tracing import capture as take
from platterlab.tracing import clean as take_away
from platterlab.tracing.session import Options, check_options


def capture(
    command: Annotated[list[str] | None, typer.Argument(help="The command, after `--`.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The flow to write.")] = None,
    path: Annotated[
        Path, typer.Option(help="A folder of the file system whose disk is traced.")
    ] = Path(),
    buffer: Annotated[
        int, typer.Option(metavar="MIB", help="Size of each ring buffer; two per CPU.")
    ] = 64,
    settle: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="Time to continue after the end, for late writes."),
    ] = 0.0,
    stream: Annotated[
        bool,
        typer.Option("--stream", help="Read the buffers meanwhile: for long commands."),
    ] = False,
    names: Annotated[bool, typer.Option("--names", help="Keep the names of processes.")] = False,
    clean: Annotated[
        bool, typer.Option("--clean", help="Remove what killed captures left; run nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a command on this Linux, as root, and keep what its processes did as a process flow.

    The flow holds the command and what it forks, and no names or contents. A trace that lost
    events is refused. The command's exit code is reported and does not become this one's.
    """
    if clean:
        if command or out:
            raise InputError("--clean runs no command and writes no flow: give it alone")
        _clean(as_json)
        return
    if out is None:
        raise InputError("say with --out where the flow goes")
    if not command:
        raise InputError("say what to run, after `--`: platterlab capture --out FLOW -- COMMAND")
    options = Options(path, buffer, settle, names, quiet_stdout=as_json, stream=stream)
    check_options(options, "--buffer", "--settle")
    output.declare({"--out": out})
    done = take(command, out, options)
    for sentence in doubts(done.summary):
        stderr().print(f"[bold yellow]warning:[/] {escape(sentence)}")
    if as_json:
        emit({"flow": str(out), **asdict(done)})
    else:
        stdout().print(f"[bold]{escape(str(out))}[/]")
        show_facts({"exit_code": done.exit_code, **done.summary}, stdout())


def _clean(as_json: bool) -> None:
    """Removes what captures that were killed have left, and says what."""
    removed, left = take_away()
    if as_json:
        emit({"removed": removed, "left": left})
    else:
        for path in removed:
            stdout().print(f"removed {path}", markup=False)
        if not removed and not left:
            stdout().print("nothing was left by a killed capture")
    if left:
        raise OSError(f"in use and not removed: {', '.join(left)}")


def doubts(summary: FlowSummary) -> list[str]:
    """What a flow's totals say against it."""
    longer = "--settle SECONDS records for longer"
    said = {
        "cut_processes": f"still running when the trace ended, and cut there; {longer}",
        "unfinished_requests": f"not ended when the trace was; {longer}",
        "unattributed_requests": "without a cause in the trace: others use the disk",
    }
    every: Mapping[str, Any] = summary
    named = ((key.replace("_", " "), every[key], sentence) for key, sentence in said.items())
    return [f"{name}: {count:,} {sentence}" for name, count, sentence in named if count]
