"""`platterlab simulate` for whole systems: runs an experiment and shows what limits it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from platterlab import experiment as systems
from platterlab._core import Experiment, InputError
from platterlab.cli import computer
from platterlab.cli.console import bar, count, emit, meter, number, plain_table, stderr, stdout
from platterlab.experiment import Outcome
from platterlab.output import check

_POINTS = {"mean_ms": "mean", "p50_ms": "median", "p95_ms": "p95", "p99_ms": "p99", "max_ms": "max"}
_MOST_LINES = 16
_NAMED = {"devices": "drives", "buses": "buses", "streams": "streams"}


def run(
    experiment: Experiment,
    manifest: Mapping[str, Any],
    *,
    files: systems.Files,
    page: Path | None,
    threads: int | None,
    as_json: bool,
) -> int:
    """Runs it and prints what it gave; 1 if it did not come to its end."""

    def warn(text: str) -> None:
        stderr().print(f"[yellow]note:[/] {escape(text)}")

    if page is not None:
        check(page)
    for note in experiment.notes:
        warn(note)
    with meter("simulating") as show:
        outcome = systems.run(
            experiment,
            manifest,
            files=files,
            threads=threads,
            progress=lambda share, rate: show(share, f"{rate / 1e6:.2f} M requests/s"),
            warn=warn,
        )
    if page is not None:
        _draw(outcome, page)
    if as_json:
        emit(outcome.to_json())
    else:
        _show(outcome, stdout())
        written = {
            "per request at a drive": files.commands,
            "per request": files.requests,
            "timeline, for ui.perfetto.dev": files.timeline,
            "report": page,
        }
        for what, path in written.items():
            if path is not None:
                stdout().print(f"\n{what}: {path}", markup=False)
    for run in outcome.report["runs"]:
        if run["queue_full"]:
            stderr().print(
                f"[bold red]platterlab:[/] replication {run['number'] + 1} was broken off after "
                f"{count(run['report']['served'])} requests: the queue of drive "
                f"`{escape(run['queue_full'])}` was full (stop.queue_limit)"
            )
    if any(run["interrupted"] for run in outcome.report["runs"]):
        stderr().print("[yellow]interrupted:[/] what was learnt until then is shown")
    return 0 if outcome.complete else 1


def _draw(outcome: Outcome, page: Path) -> None:
    """The first replication as an HTML page."""
    # What draws takes longer to load than many a run.
    from platterlab.report import build_system

    report = outcome.report
    first = report["runs"][0]
    build_system(
        first["report"],
        page,
        title=report["name"] or "A storage subsystem",
        about=f"Replication 1 of {report['replications']}, seed {first['seed']}.",
        names={key: report[kind] for key, kind in _NAMED.items()},
        made_by=[(key, str(value)) for key, value in outcome.manifest.items()],
        notes=outcome.notes,
    )


def overrides(pairs: Mapping[str, Any]) -> list[tuple[str, str, float]]:
    """DiskSim's overrides from `component/parameter=number`.

    Raises:
        InputError: a key has no `/`, or a value is no number.
    """
    chosen = []
    for key, value in pairs.items():
        component, slash, parameter = key.partition("/")
        if not slash or not isinstance(value, int | float) or isinstance(value, bool):
            raise InputError(
                f"--set {key}={value}: write COMPONENT/PARAMETER=NUMBER, as in "
                "--set 'driver0/Scheduler:Scheduling policy=2'"
            )
        chosen.append((component.strip(), parameter.strip(), float(value)))
    return chosen


def _show(outcome: Outcome, console: Console) -> None:
    report = outcome.report
    if report["name"]:
        console.print(f"[bold]{escape(report['name'])}[/]\n")
    lost = sum(run["report"]["lost"] for run in report["runs"])
    gone = f" + lost {count(lost)}" if lost else ""
    in_flight = f" + under way {count(report['in_flight'])}" if report["in_flight"] else ""
    console.print(
        f"offered [bold]{count(report['offered'])}[/] = served [bold]{count(report['served'])}[/]"
        f" + refused [bold]{count(report['refused'])}[/]{gone}{in_flight}"
    )
    interval = report["mean_response_ms"]
    if interval is None:
        return
    width = interval["half_width_95"]
    known = "" if width is None else f" ± {number(width, 3)}"
    runs = "one run" if interval["count"] == 1 else f"{interval['count']} replications"
    console.print(f"mean response [bold]{number(interval['mean'], 3)}{known} ms[/] ({runs})\n")
    for host in report["runs"][0].get("hosts", []):
        computer.show(host, console)
    first = report["runs"][0]["report"]
    console.print(_times(first))
    groups = [(group["name"], group) for group in first["classes"]]
    if len(first["streams"]) > 1:
        groups += zip(report["streams"], first["streams"], strict=True)
    if len(groups) > 1:
        console.print(_groups(groups))
    console.print(_devices(report["drives"], first))
    if first["buses"]:
        console.print(_buses(report["buses"], first))


def _times(report: Mapping[str, Any]) -> Table:
    table = plain_table("times in ms", *_POINTS.values())
    commands, mechanics = report["commands"], report["mechanics"]
    rows = {
        "response of requests": report["response_ms"],
        "queue of commands": commands["queue"],
        "service of commands": commands["service"],
        "  seek": mechanics["seek_ms"],
        "  rotation": mechanics["rotation_ms"],
        "  transfer": mechanics["transfer_ms"],
    }
    for name, times in rows.items():
        if times is not None:
            table.add_row(name, *(number(times[key]) for key in _POINTS))
    return table


def _groups(groups: Sequence[tuple[str, Mapping[str, Any]]]) -> Table:
    """Classes and streams: who waits how long, and for what."""
    table = plain_table(
        "\n\nclasses, streams", "\n\nrequests", "\nresponse\nmean", "\n\np95", "\nqueue\nmean",
        "\nservice\nmean", "\n\nseek", "\nrota-\ntion",
    )  # fmt: skip
    for name, group in groups[:_MOST_LINES]:
        times = [group[key] for key in ("response_ms", "queue_ms", "service_ms")]
        response, queue, service = ({} if one is None else one for one in times)
        table.add_row(
            escape(name),
            count(response.get("count", 0)),
            *(number(response.get(key)) for key in ("mean_ms", "p95_ms")),
            *(number(one.get("mean_ms")) for one in (queue, service)),
            *(number(group[key]) for key in ("mean_seek_ms", "mean_rotation_ms")),
        )
    return table


def _busiest(names: list[str], figures: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    pairs = sorted(
        zip(names, figures, strict=True), key=lambda pair: pair[1]["utilisation"], reverse=True
    )
    return pairs[:_MOST_LINES]


def _devices(names: list[str], report: Mapping[str, Any]) -> Table:
    table = plain_table("\ndrives, busiest first", "\ncommands", "\nbusy", "\nqueue", "\nlongest")
    for name, device in _busiest(names, report["devices"]):
        table.add_row(
            f"{escape(name)} {bar(device['utilisation'])}",
            count(device["served"]),
            f"{device['utilisation']:.1%}",
            number(device["mean_queue_length"]),
            count(device["longest_queue"]),
        )
    return table


def _buses(names: list[str], report: Mapping[str, Any]) -> Table:
    table = plain_table("\nbuses, busiest first", "\nbusy", "\nwaited")
    for name, bus in _busiest(names, report["buses"]):
        table.add_row(
            f"{escape(name)} {bar(bus['utilisation'])}",
            f"{bus['utilisation']:.1%}",
            count(bus["waited"]),
        )
    return table
