"""Settings of a capture outside itself, and how they are undone when its process has died.

Everything a capture makes carries its mark in its name: tracing instances of the kernel, which go
on recording by themselves, and the folder of the raw trace. A process that is killed takes nothing
down, so a second one watches it: it holds the other end of a pipe, hears of the death from the
kernel, and removes what bears the mark. It imports nothing of this package, to be small and to need
no more than an interpreter: `python leftovers.py TRACEFS MARK FOLDER...`, the pipe as its input.
"""

import contextlib
import os
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

_MARK = re.compile(r"platterlab-(\d+)-(\d+)-")
_PATIENCE_S = 10.0


def mark(pid: int) -> str | None:
    """The beginning of all names of what process `pid` sets up; None if there is no such process.

    Numbers of processes are used again, so the time of the start is part of it.
    """
    try:
        text = Path("/proc", str(pid), "stat").read_text()
    except OSError:
        return None
    state, *_, start = text.rpartition(")")[2].split()[:20]
    # One that is dead and not yet fetched by its parent holds nothing any more.
    return None if state in ("Z", "X") else f"platterlab-{pid}-{start}-"


def own_mark() -> str:
    """That of this process."""
    return str(mark(os.getpid()))


def all_of_the_dead(tracefs: Path, scratch: Sequence[Path]) -> list[Path]:
    """Instances and folders of captures whose processes are gone."""
    found = []
    for place in (tracefs / "instances", *scratch):
        for folder in sorted(place.glob("platterlab-*")):
            named = _MARK.match(folder.name)
            if named and mark(int(named[1])) != named[0] and _is_ours(folder):
                found.append(folder)
    return found


def _is_ours(folder: Path) -> bool:
    """Whether it is a folder of this user: anybody can make one of any name there."""
    with contextlib.suppress(OSError):
        what = folder.lstat()
        return stat.S_ISDIR(what.st_mode) and what.st_uid == os.geteuid()
    return False


def remove(folder: Path) -> bool:
    """Removes an instance or a folder; whether it is gone."""
    if not (folder / "tracing_on").exists():
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()
    for name in ("tracing_on", "events/enable"):
        with contextlib.suppress(OSError):
            (folder / name).write_text("0")
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            # The kernel closes the files of a process one by one.
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        else:
            return True


@contextlib.contextmanager
def watched(tracefs: Path, scratch: Sequence[Path]) -> Iterator[None]:
    """While this process lives or until the end of the block, another waits for its death."""
    listening, held = os.pipe()
    words = [sys.executable, "-I", "-S", __file__, str(tracefs), own_mark(), *map(str, scratch)]
    try:
        watcher = subprocess.Popen(  # noqa: S603
            words,
            stdin=listening,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # What is sent to the capture's group or terminal does not reach it.
            start_new_session=True,
            cwd="/",
        )
    finally:
        os.close(listening)
    try:
        yield
    finally:
        os.close(held)
        watcher.wait()


def main(arguments: Sequence[str]) -> None:
    """Waits until nobody holds the other end of the pipe, and removes what bears the mark."""
    tracefs, mine, *scratch = arguments
    os.read(0, 1)
    for place in (Path(tracefs, "instances"), *map(Path, scratch)):
        for folder in filter(_is_ours, place.glob(f"{mine}*")):
            remove(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
