"""Values of DiskSim's parameters that no answers are known for: each runs, or is refused by name.

Over made-up systems of the families of the study `disksim-grid`. What a value cannot matter for, it
does not change; where theory says which way it goes, it goes that way.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from platterlab import experiment
from platterlab._core import InputError
from test_drives_in_both_spellings import System
from test_same_by_other_ways import outcome

REQUESTS = 150

QUEUE = (
    "Write initiation delay = 0.0, Read initiation delay = 0.0, Sequential stream scheme = 0,"
    " Maximum concat size = 128, Overlapping request scheme = 0,"
    " Sequential stream diff maximum = 0, Scheduling timeout scheme = 0,"
    " Timeout time/weight = 600, Timeout scheduling = 3, Scheduling priority scheme = 0,"
    " Priority scheduling = 3 },"
)
CACHING = f"""disksim_ctlr CTLR {{ type = 3, Scale for delays = 0.0,
  Bulk sector transfer time = 0.0, Maximum queue length = 0, Print stats = 0,
  Scheduler = disksim_ioqueue {{ Scheduling policy = 3, Cylinder mapping strategy = 1, {QUEUE}
  Cache = disksim_cachemem {{ Cache size = 2048, SLRU segments = [ 1.0 ], Line size = 16,
    Bit granularity = 1, Lock granularity = 16, Shared read locks = 1, Max request size = 512,
    Replacement policy = 2, Allocation policy = 0, Write scheme = 2, Flush policy = 0,
    Flush period = 50.0, Flush idle delay = -1.0, Flush max line cluster = 8,
    Read prefetch type = 0, Write prefetch type = 0, Line-by-line fetches = 0, Max gather = 7 }},
  Max per-disk pending count = 1 }}"""

RUN = {
    "Scheduling policy": ("queue", [*range(1, 19), 28]),
    "Cylinder mapping strategy": ("queue", range(7)),
    "Sequential stream scheme": ("queue", range(32)),
    "Maximum concat size": ("queue", (0, 1, 16, 4096)),
    "Overlapping request scheme": ("queue", range(3)),
    "Sequential stream diff maximum": ("queue", range(3)),
    "Scheduling timeout scheme": ("queue", range(3)),
    "Scheduling priority scheme": ("queue", range(2)),
    "Use queueing in subsystem": ("queue", range(2)),
    "Arbitration type": ("bus", (1, 2)),
    "Arbitration time": ("bus", (0.0, 0.1)),
    "type": ("bus", (1, 2)),
    "Replacement policy": ("cache", range(1, 5)),
    "Allocation policy": ("cache", range(2)),
    "Write scheme": ("cache", range(1, 4)),
    "Flush policy": ("cache", range(2)),
    "Flush idle delay": ("cache", (-1.0, 0.0, 10.0)),
    "Flush max line cluster": ("cache", (0, 1, 64)),
    "Read prefetch type": ("cache", range(4)),
    "Write prefetch type": ("cache", range(4)),
    "Line-by-line fetches": ("cache", range(2)),
    "Max gather": ("cache", (0, 1, 64)),
    "Line size": ("cache", (1, 8, 64)),
    "Cache size": ("cache", (1024, 65536)),
    "Maximum queue length": ("cache", (0, 1, 2, 8)),
    "Max per-disk pending count": ("cache", (0, 1, 8)),
    "SLRU segments": ("cache", ("[ 0.5, 0.5 ]", "[ 0.1, 0.2, 0.7 ]")),
    "Parity rotation type": ("parity", range(1, 5)),
    "RMW vs. reconstruct": ("parity", (0.0, 0.25, 0.75, 1.0)),
    "Synch writes for safety": ("parity", range(2)),
    "Parity stripe unit": ("parity", (8, 16, 32, 128)),
    "Redundancy scheme": ("parity", ("Noredun", "Parity_disk", "Shadowed")),
    "Copy choice on read": ("mirror", range(1, 7)),
}
"""Of each parameter, the system whose it is and values that run."""

REFUSED = {
    "Scheduling policy": ("queue", (0, *range(19, 28), 29)),
    "Cylinder mapping strategy": ("queue", (7,)),
    "Sequential stream scheme": ("queue", (32,)),
    "Overlapping request scheme": ("queue", (3,)),
    "Scheduling timeout scheme": ("queue", (3,)),
    "Scheduling priority scheme": ("queue", (2,)),
    "Arbitration type": ("bus", (3,)),
    "Replacement policy": ("cache", (5,)),
    "Allocation policy": ("cache", (2,)),
    "Write scheme": ("cache", (4,)),
    "Flush policy": ("cache", (2,)),
    "Read prefetch type": ("cache", (4,)),
    "Parity rotation type": ("parity", (5,)),
    "Copy choice on read": ("mirror", (7,)),
    "Redundancy scheme": ("parity", ("Mirrored",)),
    "Distribution scheme": ("parity", ("Scattered",)),
}
"""Values that nothing says the meaning of: the message has the parameter, or the value."""

NO_MATTER = {
    "Cylinder mapping strategy": ("queue", (0, 6)),
    "Write initiation delay": ("queue", (0.5,)),
    "Read initiation delay": ("queue", (0.5,)),
    "Timeout scheduling": ("queue", (1, 8)),
    "Priority scheduling": ("queue", (1, 8)),
    "Print stats": ("bus", (1,)),
    "Lock granularity": ("cache", (1,)),
    "Shared read locks": ("cache", (0,)),
    "Flush period": ("cache", (10.0,)),
    "Flush max line cluster": ("cache", (64,)),
    "Number of copies": ("parity", (3,)),
    "Copy choice on read": ("parity", (1, 6)),
    "Parity rotation type": ("mirror", (4,)),
    "RMW vs. reconstruct": ("mirror", (1.0,)),
}
"""Values of what no part of the system asks for."""


def made_up(shape: str, drives: int, **others: Any) -> System:
    """Its requests come some apart and some together; a third continues the one before."""
    chance = np.random.default_rng(18)
    at_ms = np.cumsum(chance.choice((0.0, 0.5, 9.0, 40.0), REQUESTS))
    devices = drives if shape == "apart" else 1
    lines, end = [], 0
    for at in at_ms:
        lba = end if chance.random() < 1 / 3 else int(chance.integers(8_000)) * 8
        sectors = int(chance.choice((8, 16, 48)))
        end = (lba + sectors) % 60_000
        lines.append(f"{at:.6f} {chance.integers(devices)} {lba} {sectors} {chance.integers(2)}\n")
    return System(
        shape=shape, drives=drives, depth=4, policy=3, in_drive=8, bus_ms=0.05, bus_kind=1,
        arbitration="last-slot", unit=16, share=0.5, reading_on=1, fast_writes=2,
        trace="".join(lines), **others,
    )  # fmt: skip


SYSTEMS = {
    "queue": made_up("apart", 1),
    "bus": made_up("apart", 3),
    "cache": replace(made_up("apart", 2), depth=1),
    "parity": made_up("parity", 4),
    "mirror": made_up("mirror", 2),
}


def with_value(kind: str, name: str, value: object) -> str:
    """The system's text where a parameter, if it is stated often, has another value everywhere."""
    text = SYSTEMS[kind].parv()
    if kind == "cache":
        text = re.sub(r"disksim_ctlr CTLR \{.*?\}", lambda _: CACHING, text, flags=re.S)
    elif kind == "queue":
        stated = r"Scheduling timeout scheme = 0, .*?Scheduling priority scheme = 0 \},"
        text = re.sub(stated, lambda _: QUEUE, text, flags=re.S)
    if name == "type":
        return re.sub(r"(disksim_bus BACK \{ type = )\d", rf"\g<1>{value}", text)
    stated = rf"({re.escape(name)} = )(\[[^\]]*\]|[^,}}\n]*)"
    text, count = re.subn(stated, lambda found: f"{found[1]}{value} ", text)
    assert count, name
    return text


def run(folder: Path, kind: str, name: str, value: object) -> dict[str, Any]:
    """What it answers with that value."""
    system = SYSTEMS[kind]
    texts = {"diskspecs": system.disk(), "trace": system.trace}
    texts["parv"] = with_value(kind, name, value)
    for suffix, text in texts.items():
        (folder / f"made-up.{suffix}").write_text(text, encoding="ascii")
    return outcome(experiment.disksim(folder / "made-up.parv", trace=folder / "made-up.trace"))


def of(table: dict[str, Any]) -> list[Any]:
    """A case each."""
    return [
        pytest.param(kind, name, list(values), id=name) for name, (kind, values) in table.items()
    ]


@pytest.mark.parametrize(("kind", "name", "values"), of(RUN))
def test_a_documented_value_runs(tmp_path: Path, kind: str, name: str, values: list[Any]) -> None:
    for value in values:
        assert run(tmp_path, kind, name, value)["served"] == REQUESTS, value


@pytest.mark.parametrize(("kind", "name", "values"), of(REFUSED))
def test_a_value_that_means_nothing_is_refused_by_name(
    tmp_path: Path, kind: str, name: str, values: list[Any]
) -> None:
    for value in values:
        with pytest.raises(InputError, match=rf"line \d+.*`({re.escape(name)}|{value})`"):
            run(tmp_path, kind, name, value)


@pytest.mark.parametrize(("kind", "name", "values"), of(NO_MATTER))
def test_what_no_part_asks_for_changes_no_bit(
    tmp_path: Path, kind: str, name: str, values: list[Any]
) -> None:
    stated = re.search(rf"{re.escape(name)} = ([^,}}\n]*)", with_value(kind, "type", 1))
    assert stated
    as_it_is = run(tmp_path, kind, name, stated[1].strip())
    for value in values:
        assert run(tmp_path, kind, name, value) == as_it_is, value


def test_a_driver_that_does_not_queue_below_leaves_a_drive_nothing_to_choose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queues = "Use queueing in subsystem"
    told = run(tmp_path, "queue", queues, 0)
    assert told != run(tmp_path, "queue", queues, 1)
    monkeypatch.setitem(SYSTEMS, "queue", replace(SYSTEMS["queue"], depth=1))
    assert told == run(tmp_path, "queue", queues, 1)


def test_a_controller_that_forgets_still_serves_the_last_of_all(tmp_path: Path) -> None:
    # Its last two commands come together: the second is only thought of once nothing else comes.
    assert run(tmp_path, "cache", "Maximum queue length", 0)["served"] == REQUESTS
