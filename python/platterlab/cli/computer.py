"""Report on the computer of a process flow, for `platterlab simulate`."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from platterlab.cli.console import count, in_ms, number, plain_table, with_ms

_TIMES = {
    "process_ms": "computing for processes",
    "other_ms": "interrupts, switches, daemons",
    "false_idle_ms": "idle, a process waits for storage",
    "idle_ms": "idle otherwise",
}


def show(host: Mapping[str, Any], console: Console) -> None:
    """Prints the figures of a computer."""
    elapsed = host["task_elapsed_ms"]
    if elapsed is not None:
        console.print(f"task done after [bold]{with_ms(elapsed)}[/]")
    console.print(
        f"{count(host['waits'])} waits for storage, {with_ms(host['wait_ms'])}; "
        f"{count(host['context_switches'])} context switches, {count(host['events'])} events"
    )
    limits = host["limits"]
    if limits is not None:
        console.print(
            f"{limits['met_share']:.1%} of {count(limits['needed'])} time limits met, "
            f"{number(limits['mean_limit_ms'])} ms in the mean"
        )
    if host["cut_processes"]:
        console.print(f"{count(host['cut_processes'])} processes continue after the flow's end")
    console.print(_times(host))
    console.print(_classes(host))


def _times(host: Mapping[str, Any]) -> Table:
    times = host["task_times"] or host["times"]
    table = plain_table("processors until then", "ms")
    for key, name in _TIMES.items():
        table.add_row(name, in_ms(times[key]))
    return table


def _classes(host: Mapping[str, Any]) -> Table:
    table = plain_table("\nrequests", "\ncount", "\nmean response, ms")
    for part in host["classes"]:
        response = part["response_ms"]
        table.add_row(
            part["class"],
            count(part["requests"]),
            "–" if response is None else in_ms(response["mean_ms"]),
        )
    for cause, requests in host["causes"]:
        table.add_row(f"  {cause.replace('_', ' ')}", count(requests), "")
    return table
