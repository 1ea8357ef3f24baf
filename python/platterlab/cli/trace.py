"""`platterlab trace`: looks into traces and writes them in other formats."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from platterlab import _core, documents, output
from platterlab._core import InputError
from platterlab.answers import TraceInfo
from platterlab.cli.console import count, emit, number, plain_table, short, stderr, stdout
from platterlab.cli.facts import is_distribution, show_facts, with_unit
from platterlab.cli.flow import show_flow
from platterlab.cli.values import (
    AsJson,
    Columns,
    For,
    From,
    TraceDevice,
    TraceFormat,
    TraceOptions,
    device_name,
    of_device,
    trace_settings,
)
from platterlab.trace_part import remarks

app = typer.Typer(no_args_is_help=True, help="Look into a trace, or write it in another format.")


@app.command()
def info(
    trace: Annotated[Path, typer.Argument(help="The trace.")],
    trace_format: TraceFormat = None,
    columns: Columns = None,
    begin: From = None,
    length: For = None,
    device: TraceDevice = None,
    trace_options: TraceOptions = None,
    picture: Annotated[
        Path | None, typer.Option(help="The timeline of a process flow, as PNG or SVG.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a trace holds: requests, devices, times, addresses, and what was skipped.

    Of a process flow: processes, requests by cause and class, waits, time limits and CPU time.
    """
    documents.require_file(trace, "trace")
    output.declare({"--picture": picture}, [trace])
    if picture is not None:
        output.figure_kind(picture)
    asks = (columns, device, trace_format)
    if asks == (None, None, None) and (flow := _core.flow_info(trace)) is not None:
        show_flow(trace, flow, picture, as_json)
        return
    if picture is not None:
        raise InputError(f"--picture: {trace} is not a process flow")
    options = trace_settings(trace_options, columns, **{"from": begin, "for": length})
    options = of_device(options, device, trace, trace_format)
    facts = _core.trace_info(trace, trace_format, options)
    left_out = remarks(options)
    if as_json:
        emit({"trace": str(trace), **facts, "remarks": left_out})
    else:
        _show(trace, facts)
        _tell(left_out)


def _show(trace: Path, facts: TraceInfo) -> None:
    console = stdout()
    console.print(f"[bold]{escape(str(trace))}[/]")
    every: Mapping[str, Any] = facts
    spread = {key: value for key, value in every.items() if is_distribution(value)}
    apart = {*spread, "devices"}
    show_facts({key: value for key, value in every.items() if key not in apart}, console)
    table = plain_table("\ndevice", "\nrequests", "\nreads", "\nlast sector", "\nsequential")
    for device in facts["devices"]:
        table.add_row(
            escape(device["name"] or device_name(device["device"], facts["format"])),
            count(device["requests"]),
            count(device["reads"]),
            count(device["last_sector"]),
            f"{number(100 * device['sequential_share'], 1)} %",
        )
    console.print(table)
    points = ("mean", "sd", "min", "p50", "p95", "p99", "max")
    table = plain_table("", *(f"\n{point}" for point in points))
    for key, values in spread.items():
        table.add_row(with_unit(key), *(_point(values[point]) for point in points))
    console.print(table)


def _point(value: float | None) -> str:
    return "–" if value is None else short(value)


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="The trace to read.")],
    target: Annotated[Path, typer.Argument(help="The trace to write.")],
    target_format: Annotated[str, typer.Option("--to", help="Format of TARGET.")],
    source_format: Annotated[
        str | None,
        typer.Option("--format", "-f", help="Format of SOURCE; recognized by its content."),
    ] = None,
    columns: Columns = None,
    begin: From = None,
    length: For = None,
    device: TraceDevice = None,
    trace_options: TraceOptions = None,
    as_json: AsJson = False,
) -> None:
    """Write a trace in another format, and say what that format could not hold."""
    documents.require_file(source, "trace")
    output.declare({"TARGET": target}, [source])
    if begin is not None and begin in _core.trace_formats():
        stderr().print("[yellow]note:[/] --from is where a part begins; a format is --format")
        source_format, begin = begin, None
    options = trace_settings(trace_options, columns, **{"from": begin, "for": length})
    options = of_device(options, device, source, source_format)
    with output.replacing(target) as partial:
        facts = _core.trace_convert(source, source_format, partial, target, target_format, options)
    left_out = remarks(options)
    if as_json:
        emit({"source": str(source), "target": str(target), **facts, "remarks": left_out})
    else:
        stdout().print(f"[bold]{escape(str(target))}[/]")
        show_facts(facts, stdout())
        _tell(left_out)


def _tell(left_out: list[str]) -> None:
    for remark in left_out:
        stdout().print(f"[yellow]note:[/] {escape(remark)}")


@app.command()
def formats(
    as_json: AsJson = False,
) -> None:
    """List the formats that can be read: all are recognized by their content.

    Each, plain or compressed with gzip, Zstandard or xz. What their columns mean, and what they
    does not record, is in docs/reference/traces.md and in --json.
    """
    facts = _core.trace_format_facts()
    if as_json:
        emit({"formats": facts})
        return
    wide = max(len(one["name"]) for one in facts) + 2
    for one in facts:
        line = f"{one['name']:<{wide}}{one['title']}{' (also written)' if one['written'] else ''}"
        stdout().print(line, markup=False, soft_wrap=True)
