"""Process flows and captures that are not what they should be, as a user meets them.

The flows are made here by the format's own description, byte by byte.
"""

import gzip
import json
import os
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from conftest import COMMAND, Ran, in_soak
from platterlab._core import InputError
from platterlab.cli.capture import doubts
from platterlab.tracing.tracefs import Instance

HEADER = {
    "origin": "captured",
    "title": "a test",
    "machine": {"cpus": 1, "memory_pages": 99, "page_bytes": 4096, "system": "", "clock": "mono"},
    "cache": {"read_ahead_pages": 1, "dirty_background_percent": 10, "dirty_percent": 20},
    "syncer": {"interval_ms": 5000, "expire_ms": 30000},
    "device": {"sectors": 9999, "sector_bytes": 512, "scheduler": "none",
               "max_request_sectors": 8, "file_system": "ext4"},
}  # fmt: skip
SUMMARY = dict.fromkeys(
    ("elapsed_ns", "compute_ns", "interrupt_ns", "scheduler_ns", "other_cpu_ns", "false_idle_ns",
     "interrupts", "context_switches", "trace_events", "device_requests", "empty_flushes",
     "unattributed_requests", "unfinished_requests", "cut_processes", "unplaced_pages"), 0
)  # fmt: skip
END, PROCESS, EXIT, WAIT, WAKE_UP = 0, 1, 28, 30, 31
COMPUTE_NS = 1_000

Record = tuple[int, ...]


def number(value: int) -> bytes:
    out = b""
    while value >= 1 << 7:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def flow(*records: Record, version: int = 1, header: dict[str, object] = HEADER) -> bytes:
    begun, summary = (json.dumps(part).encode() for part in (header, SUMMARY))
    at_once = number(0)
    body = b"".join(
        at_once + bytes([tag]) + b"".join(map(number, fields)) for tag, *fields in records
    )
    body += at_once + bytes([END]) + number(len(records)) + number(len(summary)) + summary
    begin = struct.pack("<HH", version, len(begun))
    return b"platflow" + begin + begun + struct.pack("<H", len(body)) + body


def process(number: int) -> Record:
    return (PROCESS, number, 0, 0)


def wait(process: int, event: int) -> Record:
    return (WAIT, process, COMPUTE_NS, event)


def wake_up(process: int, event: int) -> Record:
    return (WAKE_UP, process, COMPUTE_NS, event)


def end(process: int) -> Record:
    return (EXIT, process, COMPUTE_NS)


GOOD = flow(process(0), end(0))
EXPERIMENT = """
[[drive]]
simple = { size = "16M", access = { kind = "constant", time_ms = 5.0 } }
[[workload]]
kind = "flow"
file = "run.flow"
"""

UNREADABLE = {
    "empty": (b"", "is empty"),
    "cut": (GOOD[:-9], "the file ends within a block of records"),
    "cut-compressed": (gzip.compress(GOOD)[:-30], "is cut off or damaged"),
    "another-version": (flow(process(0), end(0), version=2), "version 2; this reads 1"),
    "never-ends": (flow(process(0)), "process 0 never ends"),
    "after-its-end": (flow(process(0), end(0), end(0)), "process 0 runs after its end"),
    "never-woken": (
        flow(process(0), wait(0, 7), end(0)), "process 0 waits for event 7, which nothing wakes",
    ),
}  # fmt: skip


def simulated(run: Callable[..., Ran], folder: Path, content: bytes, size: str = "16M") -> Ran:
    (folder / "run.flow").write_bytes(content)
    (folder / "e.toml").write_text(EXPERIMENT.replace("16M", size))
    return run("simulate", folder / "e.toml")


def test_a_flow_made_by_its_description_runs(run: Callable[..., Ran], tmp_path: Path) -> None:
    assert simulated(run, tmp_path, GOOD).code == 0
    assert simulated(run, tmp_path, gzip.compress(GOOD)).code == 0


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_flow_that_cannot_be_is_refused_with_its_place(
    name: str, run: Callable[..., Ran], tmp_path: Path
) -> None:
    content, message = UNREADABLE[name]
    for ran in (
        simulated(run, tmp_path, content),
        run("trace", "info", tmp_path / "run.flow"),
    ):
        assert ran.code == 2
        assert message in ran.err
        assert "run.flow" in ran.err
        assert len(ran.err.strip().splitlines()) == 1


MANY_PAGES = 1_000_000_000
EXTENT, RESIDENT, READ = 2, 3, 20


def of_many_pages(memory_pages: int) -> bytes:
    """A file of very many pages that were all in memory, and a read of the last one."""
    machine = HEADER["machine"] | {"memory_pages": memory_pages}
    device = HEADER["device"] | {"sectors": 8 * MANY_PAGES}
    return flow(
        process(0),
        (EXTENT, 1, 0, MANY_PAGES, 0),
        (RESIDENT, 1, 0, MANY_PAGES),
        (READ, 0, COMPUTE_NS, 1, MANY_PAGES - 1, 1),
        end(0),
        header=HEADER | {"machine": machine, "device": device},
    )


def test_very_many_pages_come_to_an_end_or_are_refused(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    small = simulated(run, tmp_path, of_many_pages(99), size="6T")
    assert small.code == 0, small.err
    # Only what memory holds was there at the start; the last page was.
    assert run("simulate", tmp_path / "e.toml", "--json").json()["offered"] == 0
    large = simulated(run, tmp_path, of_many_pages(2 * MANY_PAGES), size="6T")
    assert large.code == 1
    said = " ".join(large.err.split())
    assert "this takes about 160.0 GB of memory" in said
    assert f"{MANY_PAGES} pages of computers' memory" in said


LONG_EVENT_PAGES = 30_000_000


@pytest.mark.parametrize(
    "more", [(), *in_soak((("--vary", "seed=1,2"),), (("--requests", "rows.parquet"),))]
)
def test_an_event_that_takes_long_is_not_waited_for(more: tuple[str, ...], tmp_path: Path) -> None:
    machine = HEADER["machine"] | {"memory_pages": LONG_EVENT_PAGES}
    device = HEADER["device"] | {"sectors": 8 * LONG_EVENT_PAGES}
    resident = (RESIDENT, 1, 0, LONG_EVENT_PAGES)
    content = flow(
        process(0), (EXTENT, 1, 0, LONG_EVENT_PAGES, 0), resident, end(0),
        header=HEADER | {"machine": machine, "device": device},
    )  # fmt: skip
    (tmp_path / "run.flow").write_bytes(content)
    (tmp_path / "e.toml").write_text(EXPERIMENT.replace("16M", "6T"))
    before = sorted(tmp_path.iterdir())
    with subprocess.Popen(
        [COMMAND, "simulate", "e.toml", *more], cwd=tmp_path, stderr=subprocess.PIPE
    ) as ran:
        while ran.poll() is None and resident_bytes(ran.pid) < 400 << 20:
            time.sleep(0.01)
        ran.send_signal(signal.SIGINT)
        told = time.monotonic()
        said = ran.communicate(timeout=60)[1]
    assert time.monotonic() - told < 6
    assert (ran.returncode, said) == (130, b"platterlab: interrupted\n")
    assert sorted(tmp_path.iterdir()) == before


def resident_bytes(process_: int) -> int:
    pages = Path(f"/proc/{process_}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def test_processes_that_wait_for_each_other_are_named(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    ring: Sequence[tuple[int, int, int]] = ((0, 1, 2), (1, 2, 3), (2, 3, 1))
    steps = [
        step for at, awaited, given in ring for step in (wait(at, awaited), wake_up(at, given))
    ]
    content = flow(*map(process, range(3)), *steps, *map(end, range(3)))
    ran = simulated(run, tmp_path, content)
    assert ran.code == 2
    assert "3 processes wait for each other: process 0 waits for event 1" in ran.err


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf"])
def test_a_time_to_settle_that_is_none(
    seconds: str, run: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = run("capture", "--out", tmp_path / "f", "--settle", seconds, "--", "true")
    assert ran.code == 2
    assert "--settle" in ran.err


def test_a_kernel_without_an_event_or_its_field_is_refused(tmp_path: Path) -> None:
    instance = Instance(tmp_path)
    with pytest.raises(InputError, match="this kernel has no event sched/sched_switch"):
        instance.record({"sched/sched_switch": None}, 1)
    # Writing into a folder fails as writing a filter for an unknown field does.
    (tmp_path / "events/block/block_rq_issue/filter").mkdir(parents=True)
    with pytest.raises(InputError, match=r"event block/block_rq_issue cannot be filtered by dev"):
        instance.record({"block/block_rq_issue": "dev"}, 1)


def test_what_a_capture_left_open_is_said() -> None:
    assert doubts(SUMMARY) == []
    said = doubts({**SUMMARY, "cut_processes": 2, "unattributed_requests": 1})
    assert [sentence.split(" ", 3)[:3] for sentence in said] == [
        ["cut", "processes:", "2"],
        ["unattributed", "requests:", "1"],
    ]
