"""Scratch devices as fixtures, and what holds where they can be had."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scratch_devices import Loop, scratch

needs_loops = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("losetup") is None, reason="needs root and losetup"
)


def flat(text: str) -> str:
    """A message as it is said, however it is broken into lines."""
    return " ".join(text.split())


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder of a file system that is memory."""
    if os.geteuid() != 0:
        pytest.skip("to mount needs root")
    folder = tmp_path / "memory"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=64m", "none", str(folder)]
    made = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no file system may be mounted here: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=False)


@pytest.fixture
def loop(tmp_path: Path, state: Path) -> Iterator[Loop]:
    if os.geteuid() != 0 or shutil.which("losetup") is None:
        pytest.skip("loop devices need root and losetup")
    assert state
    device = Loop(scratch(tmp_path / "image"))
    yield device
    device.close()
