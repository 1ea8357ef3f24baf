"""Shows what a simulation gave, in 80 columns."""

from typing import Literal

from rich.console import Console
from rich.markup import escape

from platterlab.cli.agreement import tables
from platterlab.cli.console import POINTS, bar, count, duration, in_ms, number, plain_table
from platterlab.known import known
from platterlab.simulation import Figures, Outcome

_PARTS = {
    "overhead": "controller overhead",
    "wait": "wait for earlier work",
    "seek": "seek and settle",
    "rotation": "rotation",
    "transfer": "media transfer",
    "bus": "bus",
}
_TIMES: dict[Literal["response", "queue", "service", "service_reads", "service_writes"], str] = {
    "response": "response",
    "queue": "queue",
    "service": "service",
    "service_reads": "  of reads",
    "service_writes": "  of writes",
}


def show(outcome: Outcome, console: Console) -> None:
    """Prints a summary: what was served, how fast, where the time went, how near it is."""
    made_by, summary = outcome.manifest, outcome.summary
    console.print(
        f"[bold]{escape(made_by['drive'])}[/] serving [bold]{escape(made_by['trace'])}[/], "
        f"{made_by['timing']} timing, seed {made_by['seed']}\n"
    )
    for remark in outcome.remarks:
        console.print(f"[yellow]note:[/] {escape(remark)}")
    _requests(summary, console)
    _times(summary, console)
    _breakdown(summary, console)
    _cache(summary, console)
    if outcome.agreement:
        console.print(f"\n[bold]Against the {summary['measures']} times in the trace[/]")
        console.print(tables(outcome.agreement))


def _requests(summary: Figures, console: Console) -> None:
    refused = sum(reason["requests"] for reason in summary["refused"])
    console.print(
        f"offered [bold]{count(summary['offered'])}[/] = "
        f"served [bold]{count(summary['served'])}[/] + refused [bold]{count(refused)}[/]"
        f"   (reads {count(summary['reads'])}, writes {count(summary['writes'])})"
    )
    for reason in summary["refused"]:
        console.print(f"  refused {count(reason['requests'])}: {reason['name']}", style="yellow")
    if summary["wrapped"]:
        console.print(
            f"  wrapped {count(summary['wrapped'])}: beyond the end of the drive", style="yellow"
        )
    if summary["partial_writes"]:
        console.print(
            f"{count(summary['partial_writes'])} writes of a part of a sector: each is a read, a "
            "revolution and a write"
        )
    if summary["warm_up"]:
        console.print(f"without the first {count(summary['warm_up'])} of the served:")
    console.print(
        f"{number(summary['requests_per_s'], 1)} requests/s, "
        f"{number(summary['throughput_mib_s'])} MiB/s, "
        f"busy {number(100 * summary['utilisation'], 1)} % "
        f"of {duration(summary['duration_ms'])}\n"
    )


def _times(summary: Figures, console: Console) -> None:
    table = plain_table("times in ms", *POINTS.values())
    table.columns[0].no_wrap = True
    rows = [(name, summary[key]) for key, name in _TIMES.items()]
    for name, times in [*rows, (f"{summary['measures']} in the trace", summary["measured"])]:
        if times is not None:
            table.add_row(name, *(_ms(times[point]) for point in POINTS))
    console.print(table)


def _ms(value: float) -> str:
    """Hundredths where they can matter."""
    return in_ms(value, 2 if value < 100_000 else 0)


def _breakdown(summary: Figures, console: Console) -> None:
    """The parts of the mean service time, and the queue that makes it the response time."""
    if summary["service"] is None:
        return
    service_ms = summary["service"]["mean_ms"] or 1.0
    longest_ms = max(part["mean_ms"] for part in summary["parts_mean_ms"]) or 1.0
    table = plain_table("where the time goes", "mean ms", "share")
    table.add_column("")
    for part in summary["parts_mean_ms"]:
        mean_ms = part["mean_ms"]
        table.add_row(
            _PARTS.get(part["name"], part["name"]),
            number(mean_ms, 3),
            f"{number(100 * mean_ms / service_ms, 1)} %",
            f"[cyan]{bar(mean_ms / longest_ms)}[/]",
        )
    table.add_row("= service", number(summary["service"]["mean_ms"], 3), "100.0 %")
    table.add_row("+ queue at the host", _ms(known(summary["queue"])["mean_ms"]))
    table.add_row("= response", _ms(known(summary["response"])["mean_ms"]))
    console.print()
    console.print(table)


def _cache(summary: Figures, console: Console) -> None:
    total = sum(outcome["requests"] for outcome in summary["cache"]) or 1
    said = ", ".join(
        f"{outcome['name']} {count(outcome['requests'])} "
        f"({number(100 * outcome['requests'] / total, 1)} %)"
        for outcome in summary["cache"]
        if outcome["requests"]
    )
    console.print(f"\n[dim]drive buffer:[/] {said or 'nothing served'}")
