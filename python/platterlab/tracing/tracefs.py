"""The kernel's tracing file system: an instance of its own for every capture, removed after it."""

import contextlib
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from platterlab._core import InputError
from platterlab.tracing import leftovers
from platterlab.tracing.events import OPTIONAL

_PLACE = Path("/sys/kernel/tracing")
_MEMORY = Path("/dev/shm")  # noqa: S108
_LOST = re.compile(r"^(?:overrun|commit overrun|dropped events): (\d+)$", re.MULTILINE)


@contextlib.contextmanager
def mounted() -> Iterator[Path]:
    """The mounted tracefs; what was mounted for it is unmounted after it."""
    if os.geteuid() != 0:
        raise InputError("capture needs root: it writes to the kernel's tracing files")
    mine = not (_PLACE / "instances").is_dir()
    if mine:
        command = ["mount", "-t", "tracefs", "nodev", str(_PLACE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode != 0:
            raise InputError(f"{_PLACE}: tracefs cannot be mounted: {done.stderr.strip()}")
    try:
        yield _PLACE
    finally:
        if mine:
            subprocess.run(["umount", str(_PLACE)], check=False, capture_output=True)  # noqa: S603, S607


@contextlib.contextmanager
def cleaned_up(place: Path) -> Iterator[None]:
    """Removes what killed captures left before, and what this one leaves, even if it is killed."""
    clean(place)
    with leftovers.watched(place, _scratch_places()):
        yield


def clean(place: Path) -> tuple[list[str], list[str]]:
    """Removes what captures that were killed have left; says what went and what did not."""
    gone: list[str] = []
    stay: list[str] = []
    for folder in leftovers.all_of_the_dead(place, _scratch_places()):
        (gone if leftovers.remove(folder) else stay).append(str(folder))
    return gone, stay


class Instance:
    """One tracing instance: its own events, filters and ring buffers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._events: list[str] = []

    @classmethod
    @contextlib.contextmanager
    def made(cls, place: Path, name: str, buffer_kib: int) -> Iterator["Instance"]:
        """A new instance with `buffer_kib` of buffer per CPU that stops when it is full."""
        folder = place / "instances" / f"{leftovers.own_mark()}{name}"
        folder.mkdir()
        instance = cls(folder)
        try:
            instance.write("tracing_on", "0")
            instance.write("trace_clock", "mono")
            instance.write("options/overwrite", "0")
            instance.write("buffer_size_kb", str(buffer_kib))
            yield instance
        finally:
            instance.remove()

    def write(self, name: str, text: str) -> None:
        """Writes one of the instance's files."""
        (self._folder / name).write_text(text)

    def record(self, events: dict[str, str | None], device: int) -> None:
        """Switches events on; a filter names the field that must be `device`."""
        for event, field in events.items():
            folder = self._folder / "events" / event
            if not folder.is_dir():
                if event.startswith(OPTIONAL):
                    continue
                raise InputError(f"this kernel has no event {event}; capture cannot work on it")
            if field is not None:
                try:
                    (folder / "filter").write_text(f"{field} == {device}")
                except OSError as error:
                    raise InputError(
                        f"this kernel's event {event} cannot be filtered by {field} "
                        f"({error.strerror}); capture cannot work on it"
                    ) from error
            (folder / "enable").write_text("1")
            self._events.append(event)

    def follow(self, pid: int) -> None:
        """Records events of this process and of what it forks, and of nothing else."""
        self.write("options/event-fork", "1")
        self.write("set_event_pid", str(pid))

    def lost(self) -> int:
        """Events that did not fit into the buffers."""
        stats = (self._folder / "per_cpu").glob("cpu*/stats")
        return sum(int(count) for file in stats for count in _LOST.findall(file.read_text()))

    def formats(self, target: Path) -> None:
        """Copies the format of every recorded event to `target`."""
        target.mkdir(exist_ok=True)
        for event in self._events:
            text = (self._folder / "events" / event / "format").read_text()
            (target / event.replace("/", ".")).write_text(text)

    def pages(self, target: Path, name: str, page_bytes: int, *, running: bool = False) -> int:
        """Adds what the ring buffers hold to `target`, a file per CPU; says how many bytes.

        What was read is no longer in the buffers, so that a capture may read them while it is
        `running`: reading makes events of its own, so that it then ends with a page that is not
        full.
        """
        total = 0
        for folder in sorted((self._folder / "per_cpu").glob("cpu*")):
            source = os.open(folder / "trace_pipe_raw", os.O_RDONLY | os.O_NONBLOCK)
            try:
                with (target / f"{name}.{folder.name}").open("ab") as out:
                    for page in _read_all(source, page_bytes):
                        out.write(page.ljust(page_bytes, b"\0"))
                        total += page_bytes
                        if running and _commit(page) < page_bytes // 2:
                            break
            finally:
                os.close(source)
        return total

    def remove(self) -> None:
        """Stops it and gives its memory back."""
        leftovers.remove(self._folder)


def _read_all(source: int, page_bytes: int) -> Iterator[bytes]:
    while True:
        try:
            page = os.read(source, page_bytes)
        except OSError as error:
            if error.errno == errno.EAGAIN:
                return
            raise
        if not page:
            return
        yield page


def _commit(page: bytes) -> int:
    """Bytes of events in a page: behind its time stamp, with flags in the upper half."""
    return int.from_bytes(page[8:12], sys.byteorder) & 0x00FF_FFFF


def page_bytes(place: Path) -> int:
    """Bytes of a page of the ring buffers: the header's and the data's."""
    text = (place / "events/header_page").read_text()
    found = re.search(r"\bdata;\s*offset:(\d+);\s*size:(\d+)", text)
    if found is None:
        raise InputError(f"{place}/events/header_page: says nothing of the data's size")
    return int(found[1]) + int(found[2])


@contextlib.contextmanager
def scratch(needed: int) -> Iterator[Path]:
    """A folder for the raw trace: in memory if there is room, so that the disk stays quiet."""
    roomy = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > 2 * needed
    with tempfile.TemporaryDirectory(
        "", leftovers.own_mark(), _MEMORY if roomy else None
    ) as folder:
        yield Path(folder)


def _scratch_places() -> list[Path]:
    """Where raw traces may lie."""
    return [_MEMORY, Path(tempfile.gettempdir())]
