"""The report of a simulated system: what limits it, how long requests take, and each device."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from platterlab import __version__
from platterlab.answers import (
    ClassFigures,
    DeviceReport,
    DistributionSummary,
    JobReport,
    Report,
    StreamFigures,
    TimesReport,
)
from platterlab.intervals import is_interval, mean_of
from platterlab.report import page, system_charts
from platterlab.report.limits import name_of, parts, sentence

Names = dict[str, Sequence[str]]


def build_system(
    report: Report,
    target: Path,
    *,
    title: str,
    about: str = "",
    totals: JobReport | None = None,
    across: Any = None,
    names: Names | None = None,
    made_by: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
) -> int:
    """Draws the figures of a run as one HTML file that needs no network; gives its size in bytes.

    Args:
        report: the figures of a run, as the simulator gives them.
        target: the file to write.
        title: the system's name.
        about: a line about the runs that the figures are of.
        totals: of all runs, where there are several: how many requests were offered, served and
            refused, and `runs`.
        across: the figures over several runs, each number a mean with its interval; charts are then
            of `report`, one of the runs.
        names: of `devices`, `buses`, `streams` and `volumes`, in their order.
        made_by: what it takes to get the same again, as keys and values.
        notes: what a reader must know before the figures, such as that the run was broken off.

    Raises:
        InputError: the target's folder does not exist.
    """
    told = Told(report, across or report, totals if across else None)
    return page.write(target, title, _body(told, (title, about), names or {}, made_by, notes))


def conservation(of: Report | JobReport, lost: int) -> str:
    """Where every request that came has gone; nothing is left out."""
    terms = [f"{of['served']:,} served", f"{of['refused']:,} refused"]
    for requests, name in ((lost, "lost"), (of["in_flight"], "under way at the end")):
        if requests:
            terms.append(f"{requests:,} {name}")
    return f"{of['offered']:,} offered = {' + '.join(terms)}"


@dataclass(frozen=True)
class Told:
    """The contents of a page."""

    charted: Report
    """The figures of the run that charts are of."""
    figures: Report
    """The figures of tables: of that run, or over all."""
    totals: JobReport | None
    """The sums over all runs, where there are several."""

    @property
    def of(self) -> str:
        """The run that charts are of, where that is to be stated."""
        if self.totals is None:
            return ""
        return f" Of one of {len(self.totals['runs'])} runs, the first."


def _body(
    told: Told,
    title: tuple[str, str],
    names: Names,
    made_by: Sequence[tuple[str, str]],
    notes: Sequence[str],
) -> Iterable[str]:
    report, figures = told.charted, told.figures
    about = f"{title[1]} {_conserved(told)}.".strip()
    yield page.header(title[0], about, _figures(told))
    yield page.notices("Before you use these figures", notes)
    found = parts(report, names)
    if found and report["elapsed_ms"] > 0:
        elapsed_ms, bin_ms = report["elapsed_ms"], report["over_time"]["bin_ms"]
        spec = system_charts.utilisation(found, bin_ms, elapsed_ms)
        yield page.chart("What limits this system?", sentence(found) + told.of, spec)
        yield page.chart(
            "How long it takes",
            "The share of requests and commands that took at most this time." + told.of,
            system_charts.distributions(
                {
                    "response of requests": report["histograms"]["response"],
                    "queue of commands": report["histograms"]["queue"],
                    "service of commands": report["histograms"]["service"],
                },
                report["histograms"]["from_ms"],
            ),
        )
        groups = _groups(report, names)
        if len(groups) > 1:
            yield page.chart(
                "Who waits how long",
                "The share of the requests of each stream and class that took at most this time."
                + told.of,
                system_charts.distributions(
                    {name: group["histograms"]["response"] for name, group in groups.items()},
                    report["histograms"]["from_ms"],
                ),
            )
        yield page.chart(
            "Queues over time",
            "Means over bins of equal width; the devices with the most waiting for them." + told.of,
            system_charts.queues(report, names),
        )
        yield page.chart(
            "Where the time goes",
            "The mean of each part of a command's time, from the driver to the end." + told.of,
            system_charts.breakdown(report),
        )
    yield _times(figures)
    yield _streams(figures, names)
    if len(figures["volumes"]) > 1 and any(one["response_ms"] for one in figures["volumes"]):
        yield _volumes(figures, names)
    yield _devices(figures, names)
    yield _device_times(figures, names)
    if figures["buses"]:
        yield _buses(figures, names)
    made = [[key, value] for key, value in (*made_by, ("report by", f"Platterlab {__version__}"))]
    yield page.table("Made by", "What it takes to get the same again.", [], made, "made")


def _conserved(told: Told) -> str:
    """Where every request of all runs has gone."""
    if told.totals is None:
        return conservation(told.charted, told.charted["lost"])
    lost = sum(run["report"]["lost"] for run in told.totals["runs"])
    return conservation(told.totals, lost)


def _figures(told: Told) -> list[tuple[str, str]]:
    report = told.figures
    served = told.charted["served"] if told.totals is None else told.totals["served"]
    figures = [("requests served", f"{served:,}")]
    response = report["response_ms"]
    if response:
        figures.append(("mean response", f"{_said(response['mean_ms'], 2)} ms"))
        figures.append(("95th percentile", f"{_said(response['p95_ms'], 2)} ms"))
    if mean_of(report["elapsed_ms"]) > 0:
        if told.totals is None:
            rate = 1e3 * report["served"] / report["elapsed_ms"]
            figures.append(("requests/s", f"{rate:,.1f}"))
        figures.append(("MiB/s", _said(report["commands"]["throughput_mib_s"], 2)))
    return figures


def _said(value: Any, digits: int, by: float = 1.0) -> str:
    """A figure times `by`, with its interval where it is of several runs."""
    if value is None:
        return "–"
    told = f"{by * mean_of(value):,.{digits}f}"
    if is_interval(value) and value["half_width_95"] is not None:
        return f"{told} ± {by * value['half_width_95']:,.{digits}f}"
    return told


def _times(report: Report) -> str:
    commands, mechanics = report["commands"], report["mechanics"]
    rows = [("response of requests", report["response_ms"])]
    rows += [
        ("queue of commands", commands["queue"]),
        ("service of commands", commands["service"]),
        ("– seek", mechanics["seek_ms"]),
        ("– rotation", mechanics["rotation_ms"]),
        ("– transfer", mechanics["transfer_ms"]),
    ]
    keys = ("mean_ms", "sd_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms")
    cells = [
        [name, _said(times["count"], 0), *(_said(times.get(key), 3) for key in keys)]
        for name, times in rows
        if times
    ]
    headings = ["", "count", "mean", "sd", "median", "95 %", "99 %", "longest"]
    return page.table("Times", "In milliseconds, without the warm-up.", headings, cells)


def _groups(report: Report, names: Names) -> dict[str, StreamFigures | ClassFigures]:
    """Streams, where there are several, and classes, by name."""
    streams = report["streams"] if len(report["streams"]) > 1 else []
    groups = {name_of(names, "streams", index): one for index, one in enumerate(streams)}
    return groups | {one["name"]: one for one in report["classes"]}


def _streams(report: Report, names: Names) -> str:
    groups = _groups(report, names)
    if not groups:
        return ""
    rows = []
    for name, one in groups.items():
        response = one["response_ms"]
        rows.append(
            [
                name,
                _said(response["count"] if response else 0, 0),
                *_mean_and_most(response, instead="0.00", most="p99_ms"),
                *_mean_and_most(one["queue_ms"], instead="0.00")[:2],
                *_mean_and_most(one["service_ms"], instead="0.00")[:2],
                *_moves(one),
            ]
        )
    headings = [
        "", "requests", "response", "95 %", "99 %", "queue", "95 %", "service", "95 %", *_MOVES,
    ]  # fmt: skip
    about = (
        "In milliseconds, without the warm-up: the response of requests; the queue, the service "
        "and the mechanics of their commands, means unless a percentile is named."
    )
    return page.table("Streams and classes", about, headings, rows, "dense")


_MOVES = ("seek", "rotation", "transfer", "cylinders")


def _moves(one: StreamFigures | ClassFigures | DeviceReport) -> list[str]:
    return [
        _ms(one["mean_seek_ms"]),
        _ms(one["mean_rotation_ms"]),
        _ms(one["mean_transfer_ms"]),
        _said(one["mean_seek_distance_cylinders"], 0),
    ]


def _devices(report: Report, names: Names) -> str:
    rows = [
        [
            name_of(names, "devices", index),
            _said(one["served"], 0),
            _said(one["utilisation"], 1, by=100),
            _said(one["mean_queue_length"], 2),
            _said(one["longest_queue"], 0),
            _pct(mean_of(one["continued"]), mean_of(one["served"])),
            _pct(mean_of(one["interrupted"]), mean_of(one["served"])),
            _said(one["idle"]["count"], 0),
            _said(one["idle"]["mean_ms"], 1),
            _said(one["idle"]["p95_ms"], 1),
            _said(one["idle"]["max_ms"], 1),
        ]
        for index, one in enumerate(report["devices"])
    ]
    headings = [
        "", "commands", "busy, %", "queue", "longest", "in sequence, %", "broken, %", "idle",
        "mean, ms", "95 %", "longest",
    ]  # fmt: skip
    about = (
        "Over the whole run. In sequence: commands that begin where the last one ended; broken: "
        "where one of the seven before ended, so that another stream came between. Idle: how often "
        "there was nothing to do, and for how long."
    )
    return page.table("Devices", about, headings, rows, "dense")


def _device_times(report: Report, names: Names) -> str:
    queued = any(one["own_queue"] is not None for one in report["devices"])
    rows = []
    for index, one in enumerate(report["devices"]):
        cells = [
            cell
            for times in (one["response"], one["queue"], one["service"])
            for cell in _mean_and_most(times, most="p99_ms")
        ]
        if queued:
            cells += _mean_and_most(one["own_queue"])[:2]
        rows.append([name_of(names, "devices", index), *cells, *_moves(one)])
    headings = [
        "", "response", "95 %", "99 %", "queue", "95 %", "99 %", "service", "95 %", "99 %",
        *(("own queue", "95 %") if queued else ()), *_MOVES,
    ]  # fmt: skip
    about = "Of commands over the whole run, in milliseconds; percentiles are exact to 3 %."
    if queued:
        about += " Own queue: what of the queue's time is in the drive, of those that waited in it."
    return page.table("Times at the devices", about, headings, rows, "dense")


def _buses(report: Report, names: Names) -> str:
    rows = [
        [
            name_of(names, "buses", index),
            _said(one["utilisation"], 1, by=100),
            _said(one["waited"], 0),
            *_mean_and_most(one["wait_ms"]),
            *_mean_and_most(one["idle_ms"]),
        ]
        for index, one in enumerate(report["buses"])
    ]
    headings = [
        "", "taken, %", "transfers that waited", "wait, ms", "95 %", "longest", "idle, ms", "95 %",
        "longest",
    ]  # fmt: skip
    about = (
        "Over the whole run. Wait: of all transfers, those that had the bus at once included; "
        "idle: each time that nobody held it. A dash where transfers share the bus, and none waits."
    )
    return page.table("Buses", about, headings, rows, "dense")


def _volumes(report: Report, names: Names) -> str:
    rows = [
        [
            name_of(names, "volumes", index),
            _said(times["count"], 0),
            *(_ms(times[key]) for key in ("mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms")),
        ]
        for index, times in ((at, one["response_ms"]) for at, one in enumerate(report["volumes"]))
        if times is not None
    ]
    headings = ["", "requests", "response", "50 %", "95 %", "99 %", "longest"]
    about = "Requests of the volumes that are several drives, after the warm-up, in milliseconds."
    return page.table("Arrays", about, headings, rows)


def _mean_and_most(
    times: DistributionSummary | TimesReport | None,
    *,
    most: Literal["max_ms", "p99_ms"] = "max_ms",
    instead: str = "–",
) -> list[str]:
    if times is None:
        return [instead] * 3
    return [_ms(times["mean_ms"]), _ms(times["p95_ms"]), _ms(times[most])]


def _ms(value: Any) -> str:
    """Fewer digits where they would say nothing."""
    mean = mean_of(value)
    return _said(value, 2 if mean < 100 else 1 if mean < 1_000 else 0)


def _pct(count: float, total: float) -> str:
    return f"{100 * count / total:.1f}" if total else "–"
