"""`platterlab simulate` for whole systems: runs an experiment and shows what limits it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from platterlab import experiment as systems
from platterlab._core import Experiment, InputError
from platterlab.answers import (
    BusReport,
    ClassFigures,
    DeviceReport,
    DistributionSummary,
    JobReport,
    Replication,
    Report,
    StreamFigures,
)
from platterlab.cli import computer
from platterlab.cli.console import (
    POINTS,
    bar,
    count,
    emit,
    in_ms,
    meter,
    plain_table,
    stderr,
    stdout,
    with_ms,
)
from platterlab.experiment import Outcome
from platterlab.intervals import is_interval, mean_of
from platterlab.manifest import Inputs, States, lines
from platterlab.output import declare
from platterlab.results import suffix_of

_MOST_LINES = 16
_MEAN, _COUNT, _SHARE = "{:,.2f}".format, "{:,.0f}".format, "{:.1%}".format
_NAMED: dict[str, Literal["drives", "buses", "streams", "volumes"]] = {
    "devices": "drives",
    "buses": "buses",
    "streams": "streams",
    "volumes": "volumes",
}


@dataclass(frozen=True)
class Named:
    """The files that an experiment is of."""

    inputs: Inputs
    """Those that it was read from."""
    reads: Sequence[Path | None]
    """Those that were named to the command."""
    since: States
    """What these were before one was read."""


@dataclass(frozen=True)
class How:
    """What becomes of a run."""

    named: Named
    files: systems.Files
    page: Path | None = None
    """The report."""
    threads: int | None = None
    as_json: bool = False


def run(experiment: Experiment, manifest: Mapping[str, Any], how: How) -> int:
    """Runs it and prints what it gave; 1 if it did not come to its end."""
    page, files = how.page, how.files
    declare(
        {
            "--per-request": files.commands,
            "--requests": files.requests,
            "--timeline": files.timeline,
            "--report": page,
        },
        [*how.named.reads, *map(Path, experiment.files)],
    )
    for path in (files.commands, files.requests):
        if path is not None:
            suffix_of(path)
    if files.timeline is not None and files.timeline.suffix != ".json":
        raise InputError(f"{files.timeline}: a timeline is .json")
    with meter("simulating") as show:
        for note in experiment.notes:
            show.note(note)
        outcome = systems.run(
            experiment,
            manifest,
            inputs=how.named.inputs,
            since=how.named.since,
            files=files,
            threads=how.threads,
            progress=lambda share, rate: show(share, f"{rate / 1e6:.2f} M requests/s"),
            warn=show.note,
        )
    if page is not None:
        _draw(outcome, page)
    if how.as_json:
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
    """All replications as an HTML page, with charts of the first."""
    # What draws takes longer to load than many a run.
    from platterlab.report import build_system

    report = outcome.report
    first = report["runs"][0]
    build_system(
        first["report"],
        page,
        title=report["name"] or "A storage subsystem",
        about=_about(report),
        totals=report,
        across=report.get("across_runs"),
        names={key: report[kind] for key, kind in _NAMED.items()},
        made_by=lines(outcome.manifest),
        notes=outcome.notes,
    )


def _about(report: JobReport) -> str:
    """Which runs the page is of."""
    runs = report["runs"]
    if len(runs) == 1:
        return f"One run, seed {runs[0]['seed']}."
    return (
        f"{len(runs)} replications, seeds {runs[0]['seed']} to {runs[-1]['seed']}: figures are "
        "means over them, ± 95 % confidence; "
        f"charts are of the run with seed {runs[0]['seed']}."
    )


def overrides(pairs: Mapping[str, Any]) -> list[tuple[str, str, float | str]]:
    """DiskSim's overrides from `component/parameter=value`, a number or a word.

    Raises:
        InputError: a key has no `/`, or a value is neither number nor word.
    """
    chosen = []
    for key, value in pairs.items():
        component, slash, parameter = key.partition("/")
        if not slash or not isinstance(value, int | float | str) or isinstance(value, bool):
            raise InputError(
                f"--set {key}={value}: write COMPONENT/PARAMETER=VALUE, a number or a word, as in "
                "--set 'driver0/Scheduler:Scheduling policy=2'"
            )
        chosen.append(
            (
                component.strip(),
                parameter.strip(),
                value if isinstance(value, str) else float(value),
            )
        )
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
    if report["wrapped"]:
        console.print(
            f"wrapped {count(report['wrapped'])}: beyond the end of their volume", style="yellow"
        )
    interval = report["mean_response_ms"]
    if interval is None:
        return
    runs = report["runs"]
    if len(runs) == 1 and (own := runs[0].get("precision_ms")):
        interval = own
        of = f"one run, by the means of {interval['count']} batches"
    else:
        of = "one run" if interval["count"] == 1 else f"{interval['count']} replications"
    width = interval["half_width_95"]
    known = with_ms(interval["mean"], 3)
    if width is not None:
        sure = with_ms(width, 3)
        known = f"{known.removesuffix(' ms') if sure.endswith(' ms') else known} ± {sure}"
    console.print(f"mean response [bold]{known}[/] ({of})")
    if any(run.get("precision_reached") is False for run in runs):
        console.print("the precision that is wanted was not reached: that takes more requests",
                      style="yellow")  # fmt: skip
    _partial_writes(report, console)
    console.print()
    for host in runs[0].get("hosts", []):
        console.print(_of_first(runs))
        computer.show(host, console)
    figures: Report = report.get("across_runs") or runs[0]["report"]
    console.print(_of_all(runs))
    console.print(_times(figures))
    groups: list[tuple[str, StreamFigures | ClassFigures]] = [
        (group["name"], group) for group in figures["classes"]
    ]
    if len(figures["streams"]) > 1:
        groups += zip(report["streams"], figures["streams"], strict=True)
    if len(groups) > 1:
        console.print(_groups(groups))
    arrays = [
        (name, volume["response_ms"])
        for name, volume in zip(report["volumes"], figures["volumes"], strict=True)
    ]
    if len(arrays) > 1 and any(times for _, times in arrays):
        console.print(_arrays(arrays))
    console.print(_devices(report["drives"], figures))
    if figures["buses"]:
        console.print(_buses(report["buses"], figures))


def _partial_writes(report: JobReport, console: Console) -> None:
    partial = sum(run["report"]["commands"]["partial_writes"] for run in report["runs"])
    if partial:
        console.print(
            f"{count(partial)} writes of a part of a sector: each is a read, a revolution and a "
            "write"
        )


def _of_all(runs: Sequence[Replication]) -> str:
    """Which runs the tables are of."""
    if len(runs) == 1:
        return f"[dim]of the run with seed {runs[0]['seed']}[/]"
    return (
        f"[dim]means over {len(runs)} replications, seeds {runs[0]['seed']} to {runs[-1]['seed']};"
        " ± 95 % confidence[/]"
    )


def _of_first(runs: Sequence[Replication]) -> str:
    """Which run the computer's figures are of."""
    return f"[dim]the computer in the run with seed {runs[0]['seed']}, of {len(runs)}[/]"


Told = Callable[[float], str]
Busy = TypeVar("Busy", DeviceReport, BusReport)


def _add(table: Table, name: str, values: Sequence[Any], texts: Sequence[Told | None]) -> None:
    """A line of figures, and below it their intervals where they are of several runs.

    Args:
        table: where they go.
        name: of the line.
        values: numbers, or means with intervals.
        texts: how each is printed; None for one that is in words already.
    """
    told = [
        value if text is None else "–" if value is None else text(mean_of(value))
        for value, text in zip(values, texts, strict=True)
    ]
    table.add_row(name, *told)
    if any(is_interval(value) for value in values):
        widths = [
            text(value["half_width_95"])
            if text is not None and is_interval(value) and value["half_width_95"] is not None
            else ""
            for value, text in zip(values, texts, strict=True)
        ]
        table.add_row("[dim]  ±[/]", *(f"[dim]{width}[/]" for width in widths))


def _times(report: Report) -> Table:
    table = plain_table("times in ms", *POINTS.values())
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
            _add(table, name, [times[key] for key in POINTS], [in_ms] * len(POINTS))
    return table


def _groups(groups: Sequence[tuple[str, StreamFigures | ClassFigures]]) -> Table:
    """Classes and streams: who waits how long, and for what."""
    table = plain_table(
        "\n\nclasses, streams", "\n\nrequests", "\nresponse\nmean", "\n\np95", "\nqueue\nmean",
        "\nservice\nmean", "\n\nseek", "\nrota-\ntion",
    )  # fmt: skip
    for name, group in groups[:_MOST_LINES]:
        response, queue, service = group["response_ms"], group["queue_ms"], group["service_ms"]
        values = [
            response["count"] if response else 0,
            response["mean_ms"] if response else None,
            response["p95_ms"] if response else None,
            queue["mean_ms"] if queue else None,
            service["mean_ms"] if service else None,
            group["mean_seek_ms"],
            group["mean_rotation_ms"],
        ]
        _add(table, escape(name), values, [_COUNT, *[in_ms] * 6])
    return table


def _busiest(names: list[str], figures: list[Busy]) -> list[tuple[str, Busy]]:
    pairs = sorted(
        zip(names, figures, strict=True),
        key=lambda pair: mean_of(pair[1]["utilisation"]),
        reverse=True,
    )
    return pairs[:_MOST_LINES]


def _devices(names: list[str], report: Report) -> Table:
    table = plain_table("\ndrives, busiest first", "\ncommands", "\nbusy", "\nqueue", "\nlongest")
    for name, device in _busiest(names, report["devices"]):
        values = [device["served"], device["utilisation"]]
        values += [device["mean_queue_length"], device["longest_queue"]]
        busy = bar(mean_of(device["utilisation"]))
        texts = (_COUNT, _SHARE, _MEAN, _COUNT)
        _add(table, f"{escape(name)} {busy}", values, texts)
    return table


def _arrays(volumes: Sequence[tuple[str, DistributionSummary | None]]) -> Table:
    """Requests of the volumes that are several drives."""
    table = plain_table("\narrays, in ms", "\nrequests", *(f"\n{name}" for name in POINTS.values()))
    for name, times in volumes[:_MOST_LINES]:
        if times is not None:
            values = [times["count"], *(times[key] for key in POINTS)]
            _add(table, escape(name), values, [_COUNT, *[in_ms] * len(POINTS)])
    return table


def _buses(names: list[str], report: Report) -> Table:
    table = plain_table("\nbuses, busiest first", "\nbusy", "\nwaited", "\nwait ms", "\np95")
    for name, bus in _busiest(names, report["buses"]):
        wait = bus["wait_ms"]
        values: list[float | None] = [bus["utilisation"], bus["waited"]]
        values += [wait["mean_ms"], wait["p95_ms"]] if wait else [None, None]
        texts = (_SHARE, _COUNT, in_ms, in_ms)
        _add(table, f"{escape(name)} {bar(mean_of(values[0]))}", values, texts)
    return table
