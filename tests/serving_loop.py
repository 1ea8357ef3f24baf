"""A served drive as a block device of this machine, where it has what that takes."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from serving import DRIVE, Server, serving


def needs(*programs: str) -> None:
    """Skips what this machine has no programs for."""
    if missing := [name for name in programs if shutil.which(name) is None]:
        pytest.skip(f"no {', '.join(missing)}")


def run(*words: object, timeout: float = 120, **how: object) -> str:
    """What a program says that ends well."""
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=timeout, **how
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needs_fuse() -> None:
    """Skips where FUSE file systems cannot be."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        pytest.skip("needs /dev/fuse")


@contextmanager
def own_fuse(
    folder: Path, *more: object, drive: str = DRIVE, store: object = "memory", speed: str = "max"
) -> Iterator[tuple[Server, Path]]:
    """A server, and the file that its drive is."""
    needs_fuse()
    mount = folder / "fuse"
    mount.mkdir()
    with serving(folder, "--fuse", mount, *more, drive=drive, store=store, speed=speed) as server:
        yield server, awaited(mount / "disk")


def awaited(file: Path) -> Path:
    """The file, once it is there: a moment after the socket."""
    end = time.monotonic() + 20
    while not os.path.exists(file):  # noqa: PTH110 - what a dead server left is an error to a path
        assert time.monotonic() < end, "it is not mounted"
        time.sleep(0.02)
    return file


@contextmanager
def looped(file: Path) -> Iterator[str]:
    """A file as a block device."""
    needs("losetup")
    if os.geteuid():
        pytest.skip("needs root")
    device = run("losetup", "--direct-io=on", "--find", "--show", file).strip()
    try:
        yield device
    finally:
        run("losetup", "--detach", device)


@contextmanager
def on_a_loop(server: Server, folder: Path) -> Iterator[str]:
    """The served drive as a block device, by libnbd's FUSE and a loop device."""
    with on_nbdfuse(server, folder) as file, looped(file) as device:
        yield device


@contextmanager
def on_nbdfuse(server: Server, folder: Path) -> Iterator[Path]:
    """The served drive as a file, over its socket by libnbd's FUSE."""
    needs("nbdfuse", "fusermount3")
    needs_fuse()
    mount = folder / "nbdfuse"
    mount.mkdir()
    fuse = subprocess.Popen(
        ["nbdfuse", str(mount / "disk"), "--unix", str(server.path)], stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 20
        while not (mount / "disk").exists():
            if fuse.poll() is not None:
                pytest.skip("FUSE file systems cannot be mounted here")
            assert time.monotonic() < end
            time.sleep(0.05)
        yield mount / "disk"
    finally:
        subprocess.run(["fusermount3", "-u", str(mount)], check=False, capture_output=True)
        fuse.wait(timeout=30)
