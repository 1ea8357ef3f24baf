"""A served drive as a block device of this machine, where it has what that takes."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from serving import Server


def needs(*programs: str) -> None:
    """Skips what this machine has no programs for."""
    if missing := [name for name in programs if shutil.which(name) is None]:
        pytest.skip(f"no {', '.join(missing)}")


def run(*words: object, **how: object) -> str:
    """What a program says that ends well."""
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=120, **how
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def on_a_loop(server: Server, folder: Path) -> Iterator[str]:
    """The served drive as a block device, by libnbd's FUSE and a loop device."""
    needs("nbdfuse", "losetup", "fusermount3")
    if os.geteuid() or not Path("/dev/fuse").exists():
        pytest.skip("needs root and /dev/fuse")
    mount = folder / "fuse"
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
        device = run("losetup", "--direct-io=on", "--find", "--show", mount / "disk").strip()
        try:
            yield device
        finally:
            run("losetup", "--detach", device)
    finally:
        subprocess.run(["fusermount3", "-u", str(mount)], check=False, capture_output=True)
        fuse.wait(timeout=30)
