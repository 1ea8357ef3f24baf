"""Contents of a process flow, as tables, as JSON and as a picture."""

from pathlib import Path

from rich.console import Console
from rich.markup import escape

from platterlab.answers import FlowInfo
from platterlab.cli.console import bar, count, emit, number, plain_table, short, stdout
from platterlab.cli.facts import show_facts
from platterlab.documents import Json

_NS_PER_MS = 1e6


def show_flow(flow: Path, info: FlowInfo, picture: Path | None, as_json: bool) -> None:
    """Prints what the core found in `flow` and draws its timeline to `picture`."""
    if picture is not None:
        # What draws takes longer to load than the rest to be printed.
        from platterlab.report.timeline import draw_timeline

        draw_timeline(info["timeline"], info["header"]["title"], picture)
    if as_json:
        emit({"trace": str(flow), **info})
        return
    console = stdout()
    console.print(f"[bold]{escape(str(flow))}[/]")
    show_facts(_heading(info), console)
    _show_requests(info, console)
    _show_waits(info, console)
    if picture is not None:
        console.print(f"\ntimeline: {escape(str(picture))}")


def _heading(info: FlowInfo) -> Json:
    header = info["header"]
    summary = info["summary"]
    return {
        "title": header["title"],
        "system": header["machine"]["system"],
        "cpus": header["machine"]["cpus"],
        "file_system": header["device"]["file_system"],
        "scheduler": header["device"]["scheduler"],
        "processes": info["processes"],
        "steps": sum(info["steps"].values()),
        "compute_ms": info["compute_ms"],
        "mean_outstanding": info["mean_outstanding"],
        "resident_pages": info["resident_pages"],
        "elapsed_ms": summary["elapsed_ns"] / _NS_PER_MS,
        "scheduler_cpu_ms": summary["scheduler_ns"] / _NS_PER_MS,
        "interrupt_ms": summary["interrupt_ns"] / _NS_PER_MS,
        "other_cpu_ms": summary["other_cpu_ns"] / _NS_PER_MS,
        "false_idle_ms": summary["false_idle_ns"] / _NS_PER_MS,
        "device_requests": summary["device_requests"],
        "unattributed_requests": summary["unattributed_requests"],
        "unfinished_requests": summary["unfinished_requests"],
        "cut_processes": summary["cut_processes"],
        "unplaced_pages": summary["unplaced_pages"],
    }


def _show_requests(info: FlowInfo, console: Console) -> None:
    total = max(1, info["requests"]["requests"])
    for title, kinds in (("class", info["by_class"]), ("cause", info["by_cause"])):
        table = plain_table(
            f"\n{title}", "\nrequests", "\nshare", "mean\nms", "max\nms", "waited\nms",
            "limit\nms", "met\n%",
        )  # fmt: skip
        for name, item in kinds.items():
            limited = item["with_limit"] > 0
            table.add_row(
                name.removeprefix("time_").replace("_", " "),
                count(item["requests"]),
                f"{number(100 * item['requests'] / total, 1)}%",
                short(item["response_mean_ms"]),
                short(item["response_max_ms"]),
                short(item["waited_ms"]),
                short(item["limit_mean_ms"]) if limited else "–",
                number(100 * item["limit_met_share"] if limited else None, 1),
            )
        console.print(table)


def _show_waits(info: FlowInfo, console: Console) -> None:
    table = plain_table("\nwaits", "\ncount", "total\nms", "longest\nms", "\n")
    longest = max([item["total_ms"] for item in info["pauses"].values()], default=1.0)
    for name, item in info["pauses"].items():
        table.add_row(
            name,
            count(item["count"]),
            number(item["total_ms"], 1),
            number(item["max_ms"]),
            bar(item["total_ms"] / longest),
        )
    console.print(table)
    table = plain_table("\nevents", "\ncount")
    for name, events in info["steps"].items():
        table.add_row(name.replace("_", " "), count(events))
    console.print(table)
