"""Runs a command under the kernel's tracing and makes a process flow of what it did."""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from platterlab import _core
from platterlab._core import InputError
from platterlab.answers import FlowSummary
from platterlab.documents import Json
from platterlab.output import check, replacing
from platterlab.tracing import system, tracefs
from platterlab.tracing.device import Disk
from platterlab.tracing.events import SYSTEM, TREE
from platterlab.tracing.rings import Rings
from platterlab.tracing.tracefs import Instance

_QUIET_S = 0.1
_PATIENCE_S = 30.0


@dataclass(frozen=True)
class Captured:
    """What a capture brought."""

    exit_code: int
    """Of the command; negative for the signal that ended it."""
    raw_bytes: int
    """Of the trace before it became a flow."""
    summary: FlowSummary
    """The totals of the flow."""


_LARGEST_BUFFER_MIB = 4096
_LONGEST_SETTLE_S = 86_400


@dataclass(frozen=True)
class Options:
    """How to capture."""

    path: Path
    """A folder of the file system whose disk is traced."""
    buffer_mib: int = 64
    """Of each of the two ring buffers of each CPU."""
    settle_s: float = 0.0
    """How long to continue after the command ended, for what it left dirty."""
    names: bool = False
    """Whether names of processes go into the flow."""
    quiet_stdout: bool = False
    """Whether the command's output goes to stderr."""
    stream: bool = False
    """Whether the buffers are read while the command runs, and not only at its end."""


def check_options(options: Options, buffer: str = "buffer_mib", settle: str = "settle_s") -> None:
    """Raises InputError, by the names that the caller knows, where a size or a time cannot be."""
    if not 1 <= options.buffer_mib <= _LARGEST_BUFFER_MIB:
        raise InputError(f"{buffer} {options.buffer_mib}: it has 1 to {_LARGEST_BUFFER_MIB} MiB")
    if not 0 <= options.settle_s <= _LONGEST_SETTLE_S:
        raise InputError(f"{settle} {options.settle_s}: it is from 0 to {_LONGEST_SETTLE_S:,} s")


def capture(command: Sequence[str], out: Path, options: Options) -> Captured:
    """Runs `command` and writes its flow to `out`.

    Raises InputError where the system cannot be traced, or events were lost.
    """
    if not command:
        raise InputError("a capture needs a command to run")
    check_options(options)
    disk = Disk.under(options.path)
    check(out)
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(tracefs.mounted())
        stack.enter_context(tracefs.cleaned_up(place))
        page = tracefs.page_bytes(place)
        tree, whole = (
            stack.enter_context(Instance.made(place, name, options.buffer_mib << 10))
            for name in ("tree", "system")
        )
        tree.record(TREE, disk.file_system)
        _record_system(whole, disk)
        snapshot = _snapshot(disk, command, options)
        room = options.buffer_mib * 2 * (os.cpu_count() or 1) << 20
        place_for_raw = cache(lambda: stack.enter_context(tracefs.scratch(room)))
        rings = Rings({"tree": tree, "system": whole}, place_for_raw, page)
        code = _run(command, disk, (tree, whole), snapshot, options, rings)
        lost = tree.lost() + whole.lost()
        if lost:
            raise InputError(
                f"{lost:,} events were lost: {options.buffer_mib} MiB of buffer per CPU are too "
                f"few; try --buffer {options.buffer_mib * 4}"
                + ("" if options.stream else ", or --stream")
            )
        rings.read()
        folder = place_for_raw()
        for instance in (tree, whole):
            instance.formats(folder / "formats")
        (folder / "snapshot.json").write_text(json.dumps(snapshot))
        with replacing(out) as partial:
            summary = _core.capture_convert(folder, page, partial)
    return Captured(code, rings.raw_bytes, summary)


def clean() -> tuple[list[str], list[str]]:
    """Removes what captures that were killed have left in the kernel and on the disk.

    Gives what was removed and what could not be. Raises InputError where that is not allowed.
    """
    with tracefs.mounted() as place:
        return tracefs.clean(place)


def _record_system(instance: Instance, disk: Disk) -> None:
    """Events of the disk for all its numbers; file events for the file system's number."""
    block = {event: field for event, field in SYSTEM.items() if event.startswith("block/")}
    others = {event: field for event, field in SYSTEM.items() if event not in block}
    instance.record(others, disk.file_system)
    instance.record(dict.fromkeys(block), 0)
    numbers = " || ".join(f"dev == {number}" for number in disk.devices)
    for event in block:
        instance.write(f"events/{event}/filter", numbers)


def _snapshot(disk: Disk, command: Sequence[str], options: Options) -> Json:
    title = f"{Path(command[0]).name}, captured" if options.names else "a command, captured"
    return {
        "header": system.header(disk, title),
        "architecture": os.uname().machine,
        "devices": disk.devices,
        "file_system_device": disk.file_system,
        "partition_start": disk.partition_start,
        "block_bytes": os.statvfs(options.path).f_bsize,
        "kernel_threads": system.kernel_threads(),
        "names": options.names,
    }


def _run(
    command: Sequence[str],
    disk: Disk,
    instances: tuple[Instance, Instance],
    snapshot: Json,
    options: Options,
    rings: Rings,
) -> int:
    """Traces one run of the command and adds what it found to `snapshot`."""
    tree = instances[0]
    with _held(command, options.quiet_stdout) as child:
        tree.follow(child.pid)
        _wait_until_idle(disk)
        before, cpu_before = disk.completed(), system.cpu_ns(child.pid)
        for instance in instances:
            instance.write("tracing_on", "1")
        # The child is there already: a process with a thread does not fork.
        with rings.read_meanwhile() if options.stream else contextlib.nullcontext():
            code, cpu = child.run()
            time.sleep(options.settle_s)
            _wait_until_idle(disk)
        completed = disk.completed() - before
        for instance in instances:
            instance.write("tracing_on", "0")
    snapshot["root_pid"] = child.pid
    snapshot["kernel_threads"] |= system.kernel_threads()
    snapshot["accounts"] = {
        "scheduler_ns": max(0, cpu - cpu_before),
        "device_requests": completed,
        "lost_events": 0,
    }
    return code


def _wait_until_idle(disk: Disk) -> None:
    """Until the disk has had nothing to do for a moment."""
    end = time.monotonic() + _PATIENCE_S
    quiet_since = time.monotonic()
    while time.monotonic() - quiet_since < _QUIET_S:
        if not disk.idle():
            quiet_since = time.monotonic()
        if time.monotonic() > end:
            raise InputError(
                f"{disk.name} is never idle: others use it; trace a disk that nobody else uses"
            )
        time.sleep(0.005)


class _Child:
    """A process that waits for a word before it becomes the command."""

    def __init__(self, command: Sequence[str], quiet_stdout: bool) -> None:
        gate, self._gate = os.pipe()
        self._failure, failure = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._gate)
            _become(command, gate, failure, quiet_stdout)
        os.close(gate)
        os.close(failure)
        self._ended = False

    def run(self) -> tuple[int, int]:
        """Lets it go and waits for its end; gives the exit code and its CPU time in ns."""
        os.write(self._gate, b"g")
        what = os.read(self._failure, 4096)
        _, status, usage = os.wait4(self.pid, 0)
        self._ended = True
        if what:
            raise InputError(what.decode())
        return os.waitstatus_to_exitcode(status), round((usage.ru_utime + usage.ru_stime) * 1e9)

    def end(self) -> None:
        """Nothing of it stays."""
        for end in (self._gate, self._failure):
            os.close(end)
        if not self._ended:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


def _become(command: Sequence[str], gate: int, failure: int, quiet_stdout: bool) -> None:
    """In the child: waits at the gate, then is the command."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if not os.read(gate, 1):
            os._exit(0)
        if quiet_stdout:
            os.dup2(2, 1)
        os.execvp(command[0], list(command))  # noqa: S606
    except OSError as error:
        os.write(failure, f"{command[0]}: {error.strerror}".encode())
    finally:
        os._exit(127)


@contextlib.contextmanager
def _held(command: Sequence[str], quiet_stdout: bool) -> Iterator[_Child]:
    child = _Child(command, quiet_stdout)
    try:
        yield child
    finally:
        child.end()
