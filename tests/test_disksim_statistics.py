"""Statistics of one of DiskSim's systems, part by part, against what its rows say.

A stripe and a mirror of two drives each, all on one bus, and requests of three classes: figures of
the system, its organizations, drives, buses and classes.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from conftest import ROOT
from platterlab import cli
from test_disksim_policies import write
from test_disksim_values import made_up
from test_drives_in_both_spellings import System

Rows = dict[str, np.ndarray[Any, Any]]

CLASSES = {0x2: "time-critical", 0x4: "time-limited", 0x100: "time-noncritical"}
"""Of a trace's flags, their names in the answer."""


def flag(number: int, reads: bool) -> int:
    """That of the class of a request: each second one is waited for, and reads will be."""
    if number % 2 == 1:
        return 0x2
    return 0x4 if reads else 0x100


@dataclass(frozen=True)
class Told:
    """What a run tells, and its rows."""

    report: dict[str, Any]
    requests: Rows
    commands: Rows


def two_arrays() -> tuple[System, str]:
    """A system, and its text with organizations instead of single drives."""
    apart = replace(made_up("apart", 4), depth=1)
    lines = []
    for number, line in enumerate(apart.trace.splitlines()):
        at_ms, device, lba, sectors, reads = line.split()
        flags = int(reads) | flag(number, reads == "1")
        lines.append(f"{at_ms} {int(device) % 2} {lba} {sectors} {flags:x}\n")
    system = replace(apart, trace="".join(lines))
    schemes = (("disk0, disk1", "Striped", "Noredun"), ("disk2, disk3", "Asis", "Shadowed"))
    arrays = [
        f"disksim_logorg org{index} {{ Addressing mode = Array, Distribution scheme = {spread},\n"
        f"  Redundancy scheme = {redundancy}, devices = [ {drives} ], Stripe unit = 16,\n"
        "  Synch writes for safety = 0, Number of copies = 2, Copy choice on read = 3,\n"
        "  RMW vs. reconstruct = 0.5, Parity stripe unit = 16, Parity rotation type = 1 }\n"
        for index, (drives, spread, redundancy) in enumerate(schemes)
    ]
    return system, system.parv().partition("disksim_logorg")[0] + "".join(arrays)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("arrays")
    line = write(folder, *two_arrays())
    files = [folder / "requests.parquet", folder / "commands.parquet"]
    line += ["--requests", files[0], "--per-request", files[1], "--json"]
    with pytest.MonkeyPatch.context() as patched:
        said: list[Any] = []
        patched.setattr("platterlab.cli.experiment.emit", said.append)
        assert cli.run([str(word) for word in line]) == 0
    read = [pq.read_table(file).to_pydict() for file in files]
    both = [{name: np.array(column) for name, column in rows.items()} for rows in read]
    return Told(said[0]["runs"][0]["report"], *both)


def same(figures: dict[str, Any], times_ms: np.ndarray[Any, Any]) -> None:
    """Whether they are those of the times; quantiles are only near."""
    assert figures["count"] == len(times_ms) > 0
    assert figures["mean_ms"] == pytest.approx(times_ms.mean(), rel=1e-9)
    assert figures["max_ms"] == pytest.approx(times_ms.max(), rel=1e-9)
    if "sd_ms" in figures:
        assert figures["sd_ms"] == pytest.approx(times_ms.std(ddof=1), rel=1e-6)
    for share in (50, 95, 99):
        quantile = np.quantile(times_ms, share / 100, method="inverted_cdf")
        assert figures[f"p{share}_ms"] == pytest.approx(quantile, rel=0.03, abs=1e-4)


def test_of_the_system(told: Told) -> None:
    same(told.report["response_ms"], told.requests["response_ms"])
    assert told.report["offered"] == told.report["served"] == len(told.requests["request"])
    for part in ("response", "queue", "service"):
        same(told.report["commands"][part], told.commands[f"{part}_ms"])
    for part in ("seek", "rotation", "transfer"):
        same(told.report["mechanics"][f"{part}_ms"], told.commands[f"{part}_ms"])


@pytest.mark.parametrize("volume", range(2))
def test_of_each_organization(told: Told, volume: int) -> None:
    own = told.requests["response_ms"][told.requests["volume"] == volume]
    same(told.report["volumes"][volume]["response_ms"], own)


@pytest.mark.parametrize("name", CLASSES.values())
def test_of_each_class(told: Told, name: str) -> None:
    [figures] = [one for one in told.report["classes"] if one["name"] == name]
    reads = told.requests["operation"] == "read"
    asked = zip(told.requests["request"], reads, strict=True)
    own = np.array([CLASSES[flag(number, read)] == name for number, read in asked])
    assert (own == (told.requests["class"] == name)).all()
    same(figures["response_ms"], told.requests["response_ms"][own])
    numbers = told.requests["request"][own]
    commands = np.isin(told.commands["request"], numbers)
    for part in ("queue", "service"):
        same(figures[f"{part}_ms"], told.commands[f"{part}_ms"][commands])


@pytest.mark.parametrize("device", range(4))
def test_of_each_drive(told: Told, device: int) -> None:
    figures, elapsed_ms = told.report["devices"][device], told.report["elapsed_ms"]
    rows = {
        name: column[told.commands["device"] == device] for name, column in told.commands.items()
    }
    order = np.argsort(rows["issue_ms"])
    rows = {name: column[order] for name, column in rows.items()}
    assert figures["served"] == len(order)
    for part in ("response", "queue", "service"):
        same(figures[part], rows[f"{part}_ms"])
    for part in ("seek", "rotation", "transfer"):
        assert figures[f"mean_{part}_ms"] == pytest.approx(rows[f"{part}_ms"].mean())
    moved = rows["seek_distance_cylinders"].mean()
    assert figures["mean_seek_distance_cylinders"] == pytest.approx(moved)
    # Each command begins when the one before is done: it takes one at a time.
    assert figures["utilisation"] == pytest.approx(rows["service_ms"].sum() / elapsed_ms)
    assert figures["mean_queue_length"] == pytest.approx(rows["queue_ms"].sum() / elapsed_ms)
    assert figures["longest_queue"] == longest(rows["arrival_ms"], rows["issue_ms"])
    idle_ms = rows["issue_ms"] - np.concatenate(([0.0], rows["completion_ms"][:-1]))
    same(figures["idle"], idle_ms[idle_ms > 1e-9])
    ends = rows["lba"] + rows["sectors"]
    assert figures["continued"] == (rows["lba"][1:] == ends[:-1]).sum() > 0


def longest(arrivals_ms: np.ndarray[Any, Any], begins_ms: np.ndarray[Any, Any]) -> int:
    """The most that wait at once."""
    waits = arrivals_ms < begins_ms
    changes = [(at, 1) for at in arrivals_ms[waits]] + [(at, -1) for at in begins_ms[waits]]
    return max(itertools.accumulate(change for _, change in sorted(changes)), default=0)


def test_of_each_bus(told: Told) -> None:
    # That of the drives is had by one at a time: what is not idle is taken.
    _, back = told.report["buses"]
    elapsed_ms, idle = told.report["elapsed_ms"], back["idle_ms"]
    busy_ms = back["utilisation"] * elapsed_ms
    assert busy_ms + idle["mean_ms"] * idle["count"] == pytest.approx(elapsed_ms)
    assert busy_ms >= told.commands["sectors"].sum() * 0.11
    assert 0 < back["waited"] <= back["wait_ms"]["count"]
    assert back["wait_ms"]["count"] >= told.report["commands"]["served"]


def keys() -> Iterator[tuple[str, ...]]:
    """The keys that the page of statistics names, each as its way down."""
    page = (ROOT / "docs/disksim-statistics.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\|.*\|.*\| (.*) \|$", page, flags=re.M):
        above: tuple[str, ...] = ()
        for name in re.findall(r"`([a-z_.\[\]]+)`", row):
            way = tuple(part.removesuffix("[]") for part in name.split(".") if part)
            above = (*above[:-1], *way) if name.startswith(".") else way
            yield above


def found(value: Any, way: tuple[str, ...]) -> bool:
    """Whether there is such a key; of a list, in any of its parts."""
    if isinstance(value, list):
        return any(found(part, way) for part in value)
    return not way or (
        isinstance(value, dict) and way[0] in value and found(value[way[0]], way[1:])
    )


def test_the_page_of_statistics_names_keys_that_there_are(told: Told) -> None:
    # Of a computer's processes there are none here.
    named = [way for way in keys() if way != ("hosts",)]
    assert len(named) > 25
    assert [way for way in named if not found(told.report, way)] == []
