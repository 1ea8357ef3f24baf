"""Sides of a comparison: rows of requests or commands, a trace's times, an experiment's runs."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from platterlab import documents
from platterlab import experiment as systems
from platterlab._core import Experiment, InputError, Requests, trace_detect, trace_info
from platterlab.answers import Replication, Report
from platterlab.comparing.times import TIMES
from platterlab.documents import Json
from platterlab.wrong_file import in_file

if TYPE_CHECKING:
    from platterlab.results_file import ResultsFile

Times = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Times of single requests, in the order of their arrival."""

    name: str
    times_ms: dict[str, Times]
    """By the words of `TIMES`, as far as they are known."""
    groups: dict[str, NDArray[np.bool_]]
    """Which requests are in each group: reads, writes, of a device, of a class."""
    identity: tuple[NDArray[Any], ...] = ()
    """Identity of a request: address, length, operation, device."""
    devices: tuple[str, ...] = ()
    """Names of devices 0, 1, ..., which a trace that has names numbers as they come."""

    def as_numbered_by(self, devices: tuple[str, ...]) -> "Rows":
        """The same with its devices called by their names, and numbered as in `devices`."""
        codes = np.array([devices.index(name) for name in self.devices], dtype=np.uint64)
        groups = dict(self.groups)
        for number, name in enumerate(self.devices):
            if (rows := groups.pop(f"device {number}", None)) is not None:
                groups[f"device {name}"] = rows
        lba, sectors, numbers, *rest = self.identity
        return replace(self, groups=groups, identity=(lba, sectors, codes[numbers], *rest))

    def in_order(self, arrival_ms: Times) -> "Rows":
        """The same in the order of arrival, whoever was done first.

        Of several that come at once the address decides, so that both sides of a comparison have
        the same request at the same place.
        """
        if (np.diff(arrival_ms) > 0).all():
            return self
        order = np.lexsort((*reversed(self.identity), arrival_ms))
        return replace(
            self,
            times_ms={word: times[order] for word, times in self.times_ms.items()},
            groups={name: rows[order] for name, rows in self.groups.items()},
            identity=tuple(one[order] for one in self.identity),
        )

    def pairs_with(self, other: "Rows") -> bool:
        """Whether both have times of the same requests in the same order."""
        return (
            bool(self.identity)
            and len(self.identity) == len(other.identity)
            and all(
                np.array_equal(mine, theirs)
                for mine, theirs in zip(self.identity, other.identity, strict=True)
            )
        )


@dataclass(frozen=True)
class Runs:
    """Figures of an experiment's replications."""

    name: str
    seeds: list[int]
    figures: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """By group and figure, in the order of the seeds."""


Side = Rows | Runs


def side(path: Path, *, columns: str | None = None, threads: int | None = None) -> Side:
    """Reads or runs what `path` names, by what is in it.

    Args:
        path: results as .parquet or .csv, an experiment as .toml, or a trace.
        columns: which columns of a trace are what, where it is a table.
        threads: the most replications at a time.

    Raises:
        InputError: it is none of these, or has no times.
    """
    documents.require_file(path)
    if path.suffix == ".toml":
        return of_experiment(systems.load(path), str(path), threads)
    if columns is None and is_results(path):
        from platterlab.results_file import ResultsFile

        return of_results(ResultsFile(path), str(path))
    return of_trace(path, {} if columns is None else {"columns": columns})


def is_results(path: Path) -> bool:
    """Whether a file has per-request results, rather than being a trace of another format.

    Of a CSV the line of names says so. Many traces have none, or have a column of the same name.
    """
    if path.suffix != ".csv":
        return path.suffix == ".parquet"
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        names = next(csv.reader([file.readline(LONGEST_HEADING)]), [])
    if set(TIMES.values()).isdisjoint(names):
        return False
    try:
        return trace_detect(path) == "rows"
    except InputError:
        return True


LONGEST_HEADING = 1 << 16
"""No line of names is longer."""


def of_results(rows: "ResultsFile", name: str) -> Rows:
    """Times of rows, of a file or in memory.

    Raises:
        InputError: they have no times, or hold what cannot be.
    """
    there = {word: column for word, column in TIMES.items() if column in rows.columns}
    if not there:
        raise in_file(name, f"has none of {', '.join(TIMES.values())}")
    times = {word: rows.numbers(column, unknown=True) for word, column in there.items()}
    if not any(map(len, times.values())):
        raise in_file(name, "holds no requests")
    groups: dict[str, NDArray[np.bool_]] = {}
    if "operation" in rows.columns:
        write = rows.is_write()
        groups |= {"reads": ~write, "writes": write}
    for column, word in (("device", "device"), ("volume", "volume"), ("stream", "stream")):
        if column in rows.columns:
            groups |= _by_number(word, rows.numbers(column, unknown=True))
    if "class" in rows.columns:
        words = rows.words("class")
        groups |= {f"class {word}": words == word for word in sorted(set(words) - {None})}
    told = [name for name in ("lba", "sectors", "device", "volume") if name in rows.columns]
    identity: tuple[NDArray[Any], ...] = tuple(rows.numbers(name) for name in told)
    if "reads" in groups and "lba" in told:
        identity = (*identity, groups["writes"])
    found = Rows(name, times, _told_apart(groups), identity if "lba" in told else ())
    return (
        found.in_order(rows.numbers("arrival_ms", unknown=True))
        if "arrival_ms" in rows.columns
        else found
    )


def _by_number(word: str, numbers: Times) -> dict[str, NDArray[np.bool_]]:
    known = np.unique(numbers[~np.isnan(numbers)])
    if not 1 < len(known) <= MOST_GROUPS:
        return {}
    return {f"{word} {number:.0f}": numbers == number for number in known}


MOST_GROUPS = 64
"""Devices, volumes or streams that are distinguished."""


def _told_apart(groups: dict[str, NDArray[np.bool_]]) -> dict[str, NDArray[np.bool_]]:
    """Those that are neither empty nor everything."""
    return {name: rows for name, rows in groups.items() if rows.any() and not rows.all()}


def of_trace(
    path: Path,
    options: Json,
    *,
    trace_format: str | None = None,
    device: int | None = None,
) -> Rows:
    """The times that a trace's file records, of one of its devices or of all.

    Raises:
        InputError: it is not a trace, or has no measured times.
    """
    facts = trace_info(path, trace_format, options)
    if facts["service_ms"] is None:
        raise in_file(
            path,
            f"is a trace of {facts['format']} without measured times: nothing to compare; "
            "simulate it with --per-request, and compare the rows",
        )
    numbers = [one["device"] for one in facts["devices"] if device in (None, one["device"])]
    parts = [
        Requests.load(path, trace_format, device=number, options=options).columns()
        for number in numbers
    ]
    devices = np.repeat(np.array(numbers, dtype=np.uint64), [len(part["lba"]) for part in parts])
    named = {one["device"]: one["name"] for one in facts["devices"] if one["name"]}
    # A device that only flushes has a number and no request.
    names = tuple(named.get(number, "") for number in range(max(named, default=-1) + 1))
    measures = facts["measures"]
    return of_columns(parts, devices, str(path), names=names, responses=measures == "response")


def of_columns(
    parts: Sequence[Mapping[str, NDArray[Any]]],
    devices: NDArray[np.uint64],
    name: str,
    *,
    names: tuple[str, ...] = (),
    responses: bool = False,
) -> Rows:
    """The same of columns, some for each device.

    Args:
        parts: columns of `Requests`.
        devices: of each request, which.
        name: what messages call it.
        names: of devices, by number; "" of those without.
        responses: whether measured times are from arrival, not from issue.
    """
    whole = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    queued, service = whole["queued_ms"], whole["service_ms"]
    if responses:
        times = {"response": service}
    else:
        times = {"service": service}
        if not np.isnan(queued).all():
            times |= {"queue": queued, "response": queued + service}
    write = whole["operation"] == 1
    groups = {"reads": ~write, "writes": write, **_by_number("device", devices.astype(np.float64))}
    identity = (whole["lba"], whole["sectors"], devices, write)
    found = Rows(name, times, _told_apart(groups), identity, names)
    return found.in_order(whole["arrival_ms"])


FIGURES = {
    "mean": "mean_ms", "p50": "p50_ms", "p90": "p90_ms", "p95": "p95_ms", "p99": "p99_ms",
    "p999": "p999_ms", "max": "max_ms",
}  # fmt: skip
"""What is compared, and its key in a report."""


def of_experiment(experiment: Experiment, name: str, threads: int | None) -> Runs:
    """Runs an experiment, and takes the figures of its replications.

    Raises:
        InputError: a run of it does not come to its end.
    """
    outcome = systems.run(experiment, {"experiment": name}, threads=threads)
    if any(run["interrupted"] for run in outcome.report["runs"]):
        # What has run until then is not of the same length on both sides.
        raise KeyboardInterrupt
    if not outcome.complete:
        raise in_file(name, "a run of it did not come to its end; simulate it and see why")
    return of_runs(outcome.report["runs"], name)


def of_runs(runs: Sequence[Replication], name: str) -> Runs:
    """The figures of the replications of an experiment that has run."""
    figures: dict[str, dict[str, list[float]]] = {}
    for run in runs:
        for group, times in _groups_of(run["report"]):
            of_group = figures.setdefault(group, {})
            for figure, key in FIGURES.items():
                if key in times:
                    of_group.setdefault(figure, []).append(float(times[key]))
    # A group that one of the runs lacks has no figure in all of them.
    whole = {
        group: of_group for group, of_group in figures.items() if len(of_group["mean"]) == len(runs)
    }
    return Runs(name, [run["seed"] for run in runs], whole)


_OF_DEVICES: tuple[Literal["count", "mean_ms", "max_ms"], ...] = ("count", "mean_ms", "max_ms")
"""What is exact of a device's times: its percentiles are in steps of 3 %."""


def _groups_of(report: Report) -> list[tuple[str, Mapping[str, Any]]]:
    """Times of a run by what they are of: `all`, `reads`, `volume 0`, ...

    Of requests, but of a device those of its commands. What has none or all of them is left out.
    """
    parts = [
        *((one["name"], one) for one in report["operations"]),
        *((f"stream {number}", one) for number, one in enumerate(report["streams"])),
        *((f"volume {number}", one) for number, one in enumerate(report["volumes"])),
        *((f"class {one['name']}", one) for one in report["classes"]),
    ]
    whole = report["response_ms"]
    if not whole or not whole["count"]:
        return []
    found: list[tuple[str, Mapping[str, Any]]] = [("all", whole)]
    for name, one in parts:
        times = one["response_ms"]
        if times and times["count"] < whole["count"]:
            found.append((name, times))
    devices = enumerate(report["devices"] if 1 < len(report["devices"]) <= MOST_GROUPS else ())
    for number, device in devices:
        of_device = device["response"]
        found.append((f"device {number}", {key: of_device[key] for key in _OF_DEVICES}))
    return found
