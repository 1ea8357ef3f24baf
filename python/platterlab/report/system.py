"""The report of a simulated system: what limits it, how long requests take, and each device."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from platterlab import __version__
from platterlab.report import page, system_charts
from platterlab.report.limits import name_of, parts, sentence

Names = dict[str, Sequence[str]]


def build_system(
    report: dict[str, Any],
    target: Path,
    *,
    title: str,
    about: str = "",
    names: Names | None = None,
    made_by: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
) -> int:
    """Draws the figures of a run as one HTML file that needs no network; gives its size in bytes.

    Args:
        report: the figures of a run, as the simulator gives them.
        target: the file to write.
        title: the system's name.
        about: a line about the run.
        names: of `devices`, `buses` and `streams`, in their order.
        made_by: what it takes to get the same again, as keys and values.
        notes: what a reader must know before the figures, such as that the run was broken off.

    Raises:
        InputError: the target's folder does not exist.
    """
    return page.write(target, title, _body(report, (title, about), names or {}, made_by, notes))


def conservation(report: dict[str, Any]) -> str:
    """Where every request that came has gone; nothing is left out."""
    terms = [f"{report['served']:,} served", f"{report['refused']:,} refused"]
    for key, name in (("lost", "lost"), ("in_flight", "under way at the end")):
        if report[key]:
            terms.append(f"{report[key]:,} {name}")
    return f"{report['offered']:,} offered = {' + '.join(terms)}"


def _body(
    report: dict[str, Any],
    title: tuple[str, str],
    names: Names,
    made_by: Sequence[tuple[str, str]],
    notes: Sequence[str],
) -> Iterable[str]:
    about = f"{title[1]} {conservation(report)}.".strip()
    yield page.header(title[0], about, _figures(report))
    yield page.notices("Before you use these figures", notes)
    found = parts(report, names)
    if found and report["elapsed_ms"] > 0:
        elapsed_ms, bin_ms = report["elapsed_ms"], report["over_time"]["bin_ms"]
        spec = system_charts.utilisation(found, bin_ms, elapsed_ms)
        yield page.chart("What limits this system?", sentence(found), spec)
        yield page.chart(
            "How long it takes",
            "The share of requests and commands that took at most so long.",
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
                "The share of the requests of each stream and class that took at most so long.",
                system_charts.distributions(
                    {name: group["histograms"]["response"] for name, group in groups.items()},
                    report["histograms"]["from_ms"],
                ),
            )
        yield page.chart(
            "Queues over time",
            "Means over bins of equal width; the devices with the most waiting for them.",
            system_charts.queues(report, names),
        )
        yield page.chart(
            "Where the time goes",
            "The mean of each part of a command's time, from the driver to the end.",
            system_charts.breakdown(report),
        )
    yield _times(report)
    yield _streams(report, names)
    yield _devices(report, names)
    yield _device_times(report, names)
    if report["buses"]:
        yield _buses(report, names)
    made = [[key, value] for key, value in (*made_by, ("report by", f"Platterlab {__version__}"))]
    yield page.table("Made by", "What it takes to get the same again.", [], made, "made")


def _figures(report: dict[str, Any]) -> list[tuple[str, str]]:
    figures = [("requests served", f"{report['served']:,}")]
    response = report["response_ms"]
    if response:
        figures.append(("mean response", f"{response['mean_ms']:,.2f} ms"))
        figures.append(("95th percentile", f"{response['p95_ms']:,.2f} ms"))
    if report["elapsed_ms"] > 0:
        figures.append(("requests/s", f"{1e3 * report['served'] / report['elapsed_ms']:,.1f}"))
        figures.append(("MiB/s", f"{report['commands']['throughput_mib_s']:,.2f}"))
    return figures


def _times(report: dict[str, Any]) -> str:
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
        [name, f"{times['count']:,}", *(f"{times[key]:,.3f}" for key in keys)]
        for name, times in rows
        if times
    ]
    headings = ["", "count", "mean", "sd", "median", "95 %", "99 %", "longest"]
    return page.table("Times", "In milliseconds, without the warm-up.", headings, cells)


def _groups(report: dict[str, Any], names: Names) -> dict[str, dict[str, Any]]:
    """Streams, where there are several, and classes, by name."""
    streams = report["streams"] if len(report["streams"]) > 1 else []
    groups = {name_of(names, "streams", index): one for index, one in enumerate(streams)}
    return groups | {one["name"]: one for one in report["classes"]}


def _streams(report: dict[str, Any], names: Names) -> str:
    groups = _groups(report, names)
    if not groups:
        return ""
    rows = []
    for name, one in groups.items():
        times = [one[key] or {} for key in ("response_ms", "queue_ms", "service_ms")]
        cells = [times[0].get(key, 0.0) for key in ("mean_ms", "p95_ms", "p99_ms")]
        cells += [part.get(key, 0.0) for part in times[1:] for key in ("mean_ms", "p95_ms")]
        rows.append(
            [
                name,
                f"{times[0].get('count', 0):,}",
                *(_ms(value) for value in cells),
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


def _moves(one: dict[str, Any]) -> list[str]:
    keys = ("mean_seek_ms", "mean_rotation_ms", "mean_transfer_ms")
    means = [_ms(one[key]) for key in keys]
    return [*means, f"{one['mean_seek_distance_cylinders']:,.0f}"]


def _devices(report: dict[str, Any], names: Names) -> str:
    rows = [
        [
            name_of(names, "devices", index),
            f"{one['served']:,}",
            f"{100 * one['utilisation']:.1f}",
            f"{one['mean_queue_length']:,.2f}",
            f"{one['longest_queue']:,}",
            _pct(one["continued"], one["served"]),
            _pct(one["interrupted"], one["served"]),
            f"{one['idle']['count']:,}",
            f"{one['idle']['mean_ms']:,.1f}",
            f"{one['idle']['p95_ms']:,.1f}",
            f"{one['idle']['max_ms']:,.1f}",
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


def _device_times(report: dict[str, Any], names: Names) -> str:
    rows = []
    for index, one in enumerate(report["devices"]):
        cells = [
            _ms(one[kind][key])
            for kind in ("response", "queue", "service")
            for key in ("mean_ms", "p95_ms", "p99_ms")
        ]
        rows.append([name_of(names, "devices", index), *cells, *_moves(one)])
    headings = [
        "", "response", "95 %", "99 %", "queue", "95 %", "99 %", "service", "95 %", "99 %", *_MOVES,
    ]  # fmt: skip
    about = "Of commands over the whole run, in milliseconds; percentiles are exact to 3 %."
    return page.table("Times at the devices", about, headings, rows, "dense")


def _buses(report: dict[str, Any], names: Names) -> str:
    rows = [
        [name_of(names, "buses", index), f"{100 * one['utilisation']:.1f}", f"{one['waited']:,}"]
        for index, one in enumerate(report["buses"])
    ]
    return page.table(
        "Buses", "Over the whole run.", ["", "taken, %", "transfers that waited"], rows
    )


def _ms(value: float) -> str:
    """Fewer digits where they would say nothing."""
    digits = 2 if value < 100 else 1 if value < 1_000 else 0
    return f"{value:,.{digits}f}"


def _pct(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}" if total else "–"
