"""Devices that vanish under a run, in each of its phases: it ends, says so, and nothing is lost.

The device is a simulated drive's file, by FUSE, whose server is killed: as it is, and under a loop
device. Its data lies in a file of its own, which tells what was written and lets it come again.
"""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from conftest import COMMAND, FIGURES, sampled
from dying_runs import begin, journals, repair
from scratch_devices import MIB, Loop, scratch

__all__ = ["journals"]  # a fixture

REGION = "4k:8k"
SIZE = 32 * MIB
PROMPT_S = 20.0
"""A run whose device is gone has to be over by then."""
PHASES = (
    "it is looked at", "its region is saved", "it is first written", "it is measured",
    "its end is near", "it is repaired",
)  # fmt: skip
WAYS = ("a file", "a loop device")

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/dev/fuse").exists(), reason="needs root and FUSE"
)


@dataclass(frozen=True)
class Served:
    """A drive that is served as a file until its server is killed."""

    folder: Path
    store: Path

    @property
    def file(self) -> Path:
        return self.folder / "disk"

    @contextmanager
    def up(self) -> Iterator[subprocess.Popen[bytes]]:
        """Serves it; in the end nothing is mounted any more, whoever lives."""
        line = [COMMAND, "serve", "mock", "--store", self.store, "--fuse", self.folder,
                "--size", str(SIZE), "--speed", "max", "--no-real-time"]  # fmt: skip
        with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            try:
                deadline = time.monotonic() + 60
                while not self.file.exists():
                    assert server.poll() is None
                    assert time.monotonic() < deadline
                    time.sleep(0.01)
                yield server
            finally:
                server.kill()
                server.wait()
                subprocess.run(["umount", "-l", str(self.folder)], check=False, capture_output=True)


@pytest.fixture
def served(tmp_path: Path) -> Served:
    (tmp_path / "mounted").mkdir()
    return Served(tmp_path / "mounted", scratch(tmp_path / "store", SIZE))


@contextmanager
def target(way: str, served: Served) -> Iterator[str]:
    if way == "a file":
        yield str(served.file)
        return
    if shutil.which("losetup") is None:
        pytest.skip("no losetup")
    loop = Loop(served.file)
    try:
        yield loop.path
    finally:
        loop.close()


def opened(process: subprocess.Popen[bytes], path: str) -> None:
    """Waits until a process has the device open, or is over."""
    folder = Path(f"/proc/{process.pid}/fd")
    while process.poll() is None:
        for link in folder.iterdir():
            with contextlib.suppress(OSError):
                if str(link.readlink()) == path:
                    return
        time.sleep(0.0005)


def awaited(phase: str, process: subprocess.Popen[bytes], path: str, journals: Path) -> None:
    """Waits for the begin of a phase of a run."""
    if phase == "it is looked at":
        opened(process, path)
        return
    patterns = ["*.journal", ".*.partial"] if phase == "its region is saved" else ["*.journal"]
    while process.poll() is None and not any(list(journals.glob(one)) for one in patterns):
        time.sleep(0.0002)


AFTER = {"it is measured": 0.4, "its end is near": 0.8, "it is repaired": 0.4}
"""How much of what a run takes has passed by then, after its journal came to be."""


def lasts_s(path: str, out: Path, journals: Path) -> float:
    """From when the journal of a whole run is there until it is gone."""
    with begin(path, REGION, out) as process:
        awaited("it is first written", process, path, journals)
        begun = time.monotonic()
        while list(journals.glob("*.journal")) and process.poll() is None:
            time.sleep(0.001)
        lasted_s = time.monotonic() - begun
        said = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 0, said
    shutil.rmtree(out)
    return lasted_s


def vanish(way: str, phase: str, served: Served, folder: Path, journals: Path) -> str:
    """Has a run lose its device, and the device come again; what became of both."""
    before = served.store.read_bytes()
    with served.up() as server, target(way, served) as path:
        whole_s = lasts_s(path, folder / "out", journals)
        with begin(path, REGION, folder / "out") as process:
            awaited(phase, process, path, journals)
            time.sleep(AFTER.get(phase, 0.0) * whole_s)
            server.kill()
            gone = time.monotonic()
            said = process.communicate(timeout=60)[1].decode()
        took_s = time.monotonic() - gone
    assert took_s < PROMPT_S, f"{took_s:.1f} s"
    assert "Traceback" not in said
    assert "panicked" not in said
    # A run may have been over.
    assert process.returncode in (0, 1), (process.returncode, said)
    assert process.returncode == 0 or said.strip(), "says nothing"
    left = list(journals.glob("*.journal"))
    if phase == "it is repaired":
        repair_breaks_off(way, served)
    with served.up(), target(way, served) as path:
        if left:
            # A loop device may have come at another number.
            done = repair(path, "--i-will-lose-data", path)
            assert done.returncode == 0, done.stderr
    assert served.store.read_bytes() == before
    assert not list(journals.glob("*.journal"))
    assert not list(journals.glob(".*.partial"))
    ended = "was over" if process.returncode == 0 else "failed"
    return f"{ended} in {took_s:.1f} s, {'a journal' if left else 'nothing'} left"


def repair_breaks_off(way: str, served: Served) -> None:
    """Has a repair lose its device as well."""
    with served.up() as server, target(way, served) as path:
        line = [COMMAND, "characterize", path, "--repair", "--i-will-lose-data", path]
        with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            opened(process, path)
            server.kill()
            said = process.communicate(timeout=PROMPT_S)[1].decode()
    assert process.returncode in (0, 1), said
    assert "Traceback" not in said


SAMPLE = {("a file", "it is measured"), ("a loop device", "it is first written")}


@pytest.mark.parametrize(("way", "phase"), sampled(product(WAYS, PHASES), SAMPLE))
def test_a_device_that_vanishes(
    way: str, phase: str, served: Served, tmp_path: Path, journals: Path
) -> None:
    became = vanish(way, phase, served, tmp_path, journals)
    FIGURES.append(f"{way} that vanishes when {phase}: the run {became}")
