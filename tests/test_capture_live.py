"""Captures of real commands on a real file system. Skipped where this is not possible."""

import json
import os
import random
import resource
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conftest import COMMAND, Ran
from live_disk import LiveDisk, forget_cache, live_disk, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"live capture: {missing()}")

INSTANCES = Path("/sys/kernel/tracing/instances")


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDisk]:
    with live_disk(tmp_path_factory.mktemp("disk")) as disk:
        yield disk


@dataclass(frozen=True)
class Task:
    """A command, what it needs, and the class most of its requests are of."""

    prepare: Callable[[Path], object]
    command: str
    mostly: tuple[str, ...]


def text(mount: Path) -> None:
    dice = random.Random(1)  # noqa: S311
    words = [dice.randbytes(6).hex() for _ in range(4096)]
    with (mount / "text").open("w") as file:
        for _ in range(120):
            file.write(" ".join(dice.choices(words, k=8_000)))


def packed(mount: Path) -> None:
    text(mount)
    subprocess.run(["gzip", "-1", "-f", "text"], cwd=mount, check=True)


def tree(mount: Path) -> None:
    dice = random.Random(2)  # noqa: S311
    for index in range(200):
        folder = mount / "tree" / str(index % 20)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / str(index)).write_bytes(dice.randbytes(dice.randrange(1_000, 60_000)))


DATABASE = """
import os
log = os.open("log", os.O_WRONLY | os.O_CREAT)
data = os.open("data", os.O_RDWR | os.O_CREAT)
for index in range(100):
    os.pwrite(log, b"x" * 600, index * 600)
    os.fsync(log)
    if index % 10 == 9:
        os.pwrite(data, b"y" * 4096, (index * 7919 % 500) * 4096)
        os.fdatasync(data)
"""

TASKS = {
    "compress": Task(text, "gzip -1 -k -f text", ("time_limited", "time_noncritical")),
    "uncompress": Task(packed, "gzip -d -k -f text.gz", ("time_limited", "time_noncritical")),
    "copytree": Task(tree, "cp -r tree copy", ("time_critical",)),
    "database": Task(lambda _: None, f"python3 -c {shlex.quote(DATABASE)}", ("time_critical",)),
}


def traced(task: Task, disk: LiveDisk, out: Path) -> tuple[dict[str, Any], float, float]:
    """Captures a task; gives what the command said, its wall time and its CPU time in s."""
    forget_cache()
    words = ["sh", "-c", f"cd {shlex.quote(str(disk.mount))} && {task.command}"]
    arguments = ["--out", out, "--path", disk.mount, "--settle", "1", "--json", "--", *words]
    done = subprocess.run(
        [str(word) for word in (COMMAND, "capture", *arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["exit_code"] == 0, done.stderr
    summary = said["summary"]
    return summary, summary["elapsed_ns"] / 1e9, summary["scheduler_ns"] / 1e9


def untraced(task: Task, disk: LiveDisk) -> tuple[float, float]:
    """Wall time and CPU time of the same without tracing, in s."""
    forget_cache()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(["sh", "-c", task.command], cwd=disk.mount, check=True, capture_output=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def stolen_ns() -> int:
    """What a host has taken of this machine's processors so far, in whole ticks of each."""
    with Path("/proc/stat").open() as file:
        ticks = sum(int(line.split()[8]) for line in file if line[:3] == "cpu" and line[3] != " ")
    return ticks * 10**9 // os.sysconf("SC_CLK_TCK")


@pytest.mark.live
@pytest.mark.parametrize("name", TASKS)
def test_every_request_is_explained(
    name: str, disk: LiveDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    task = TASKS[name]
    for entry in disk.mount.iterdir():
        subprocess.run(["rm", "-rf", str(entry)], check=True)
    task.prepare(disk.mount)
    start_ns = stolen_ns()
    plain = untraced(task, disk)
    subprocess.run(["rm", "-rf", str(disk.mount / "copy")], check=True)
    summary, wall, cpu = traced(task, disk, tmp_path / "run.flow")
    taken_ns = stolen_ns() - start_ns
    info = run("trace", "info", tmp_path / "run.flow", "--json").json()

    assert summary["unattributed_requests"] == 0
    assert summary["unfinished_requests"] == 0
    assert summary["cut_processes"] == 0
    counted = info["requests"]["requests"] + summary["empty_flushes"]
    assert counted == summary["device_requests"], info["by_cause"]
    computed = summary["compute_ns"] + summary["interrupt_ns"]
    # The scheduler leaves out what a host takes away, which no event tells of; it is counted in
    # ticks, and up to one of each processor may not be counted yet.
    unseen_ns = taken_ns + os.cpu_count() * 10**9 // os.sysconf("SC_CLK_TCK") if taken_ns else 0
    assert computed >= 0.99 * summary["scheduler_ns"]
    assert computed <= 1.01 * summary["scheduler_ns"] + unseen_ns
    mix = {key: item["requests"] / info["requests"]["requests"] for key, item in
           info["by_class"].items()}  # fmt: skip
    assert sum(mix.get(key, 0.0) for key in task.mostly) > 0.5, mix

    shares = ", ".join(f"{key} {100 * share:.1f} %" for key, share in mix.items())
    speed = "throttled" if disk.throttled else "not throttled"
    print(f"\n{name} ({speed}): {summary['device_requests']} requests: {shares}")
    print(
        f"  computation {computed / 1e6:.1f} ms, scheduler {summary['scheduler_ns'] / 1e6:.1f} ms; "
        f"traced {wall:.2f} s ({cpu:.3f} s CPU), untraced {plain[0]:.2f} s ({plain[1]:.3f} s CPU)"
    )


def test_a_trace_that_lost_events_is_refused(
    disk: LiveDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    busy = "for i in $(seq 4000); do read x < /proc/self/stat; done"
    out = tmp_path / "run.flow"
    ran = run(
        "capture", "--out", out, "--path", disk.mount, "--buffer", "1", "--", "sh", "-c", busy
    )
    assert ran.code == 2
    assert "events were lost" in ran.err
    assert "--buffer 4" in ran.err
    assert not out.exists()


@pytest.mark.live
def test_a_long_command_needs_no_larger_buffers_where_they_are_read_meanwhile(
    disk: LiveDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    reads = "for j in $(seq 200); do read x < /proc/self/stat; done"
    calm = f"for i in $(seq 40); do {reads}; sleep 0.1; done"
    out = tmp_path / "run.flow"
    words = ["--path", disk.mount, "--buffer", "8", "--json", "--", "sh", "-c", calm]
    without = run("capture", "--out", out, *words)
    assert without.code == 2
    assert "events were lost" in without.err
    assert "or --stream" in without.err
    done = run("capture", "--out", out, "--stream", *words)
    assert done.code == 0, done.err
    told = done.json()
    assert told["exit_code"] == 0
    assert told["raw_bytes"] > 8 << 20
    info = run("trace", "info", out, "--json").json()
    assert info["summary"]["elapsed_ns"] > 4e9


def test_a_process_that_outlives_its_command_is_cut_and_told(
    disk: LiveDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    out = tmp_path / "run.flow"
    ran = run("capture", "--out", out, "--path", disk.mount, "--", "sh", "-c", "sleep 10 &")
    assert ran.code == 0, ran.err
    assert "cut processes: 1" in ran.err
    assert run("trace", "info", out, "--json").json()["summary"]["cut_processes"] == 1


def test_names_stay_out_unless_asked_for(
    disk: LiveDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    for names in (False, True):
        out = tmp_path / "run.flow"
        options = ["--names"] if names else []
        ran = run("capture", "--out", out, "--path", disk.mount, *options, "--", "sleep", "0.01")
        assert ran.code == 0, ran.err
        body = subprocess.run(["gzip", "-dc", str(out)], check=True, capture_output=True).stdout
        assert (b"sleep" in body) == names


def test_a_command_that_is_not_there(
    disk: LiveDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    ran = run("capture", "--out", tmp_path / "f", "--path", disk.mount, "--", "no-such-command")
    assert ran.code == 2
    assert "no-such-command: No such file or directory" in ran.err


def test_an_interruption_leaves_nothing_behind(disk: LiveDisk, tmp_path: Path) -> None:
    arguments = ["--out", tmp_path / "f", "--path", disk.mount, "--", "sleep", "60"]
    with subprocess.Popen(
        [str(word) for word in (COMMAND, "capture", *arguments)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        mine = f"platterlab-{child.pid}-"
        deadline = time.monotonic() + 20
        while not any(INSTANCES.glob(f"{mine}*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        try:
            child.communicate(timeout=20)
        finally:
            child.kill()
    assert child.returncode == 130
    assert not any(INSTANCES.glob(f"{mine}*"))
    assert not (tmp_path / "f").exists()
