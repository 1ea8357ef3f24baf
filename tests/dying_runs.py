"""Runs of `platterlab characterize --write` that die, and what is done afterwards."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import COMMAND, command
from scratch_devices import MIB, Loop, scratch


@pytest.fixture(autouse=True)
def journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of journals."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "platterlab" / "journals"


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Loop]:
    if os.geteuid() != 0 or shutil.which("losetup") is None:
        pytest.skip("loop devices need root and losetup")
    device = Loop(scratch(tmp_path / "image", 64 * MIB))
    yield device
    device.close()


def begin(path: str, region: str, out: Path) -> subprocess.Popen[bytes]:
    """A run that writes."""
    line = [
        COMMAND, "characterize", path, "--write", "--i-will-lose-data", path, "--region", region,
        "--quick", "--out", out,
    ]  # fmt: skip
    return subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)


def killed(
    path: str,
    region: str,
    out: Path,
    journals: Path,
    after_s: float,
    meanwhile: Callable[[], object] = bool,
) -> Path | None:
    """Kills a run that writes so long after its journal came to be; the journal, if it is left."""
    shutil.rmtree(out, ignore_errors=True)
    with begin(path, region, out) as process:
        deadline = time.monotonic() + 60
        while not list(journals.glob("*.journal")) and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.0005)
        meanwhile()
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[1].decode()
    assert "Traceback" not in said
    return next(journals.glob("*.journal"), None)


def content(path: str | Path) -> bytes:
    subprocess.run(["sync", str(path)], check=True)
    return Path(path).read_bytes()


def repair(path: object, *more: object):
    return command("characterize", path, "--repair", *more)
