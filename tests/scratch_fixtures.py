"""Scratch devices as fixtures, and what holds where they can be had."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scratch_devices import Loop, in_memory_file_system, scratch

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
    with in_memory_file_system(tmp_path / "memory", "64m") as folder:
        yield folder


@pytest.fixture
def loop(tmp_path: Path, state: Path) -> Iterator[Loop]:
    if os.geteuid() != 0 or shutil.which("losetup") is None:
        pytest.skip("loop devices need root and losetup")
    assert state
    device = Loop(scratch(tmp_path / "image"))
    yield device
    device.close()
