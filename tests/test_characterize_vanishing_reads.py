"""Devices that vanish while they are read: one message, samples kept, and --resume goes on.

As for runs that write, the device is a simulated drive's file, by FUSE, whose server is killed.
"""

import os
import shutil
import subprocess
import time
from itertools import product
from pathlib import Path

import pytest

from conftest import COMMAND, FIGURES, command, here, sampled
from platterlab.measure import Bundle
from scratch_devices import MIB, Loop, scratch
from test_characterize_vanishing import PROMPT_S, SIZE, WAYS, Served, opened, target

PHASES = ("it is looked at", "its first run is made", "runs are kept", "its end is near")
SAMPLE = {("a loop device", "runs are kept")}

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/dev/fuse").exists(), reason="needs root and FUSE"
)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "mounted").mkdir()
    return Served(tmp_path / "mounted", scratch(tmp_path / "store", SIZE))


def begin(path: str, out: Path, *more: str) -> subprocess.Popen[bytes]:
    line = [COMMAND, "characterize", path, "--out", out, *more]
    return subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)


def runs(out: Path) -> int:
    return len(list((out / "runs").glob("[0-9]*.parquet")))


def all_runs(path: str, out: Path) -> int:
    """How many runs a whole measurement makes."""
    ran = here("characterize", path, "--out", out)
    assert ran.returncode == 0, ran.stderr
    made = len(Bundle(out).runs())
    shutil.rmtree(out)
    return made


def awaited(phase: str, process: subprocess.Popen[bytes], path: str, out: Path, all_: int) -> None:
    if phase == "it is looked at":
        opened(process, path)
        return
    if phase == "its first run is made":
        while process.poll() is None and not (out / "environment.json").exists():
            time.sleep(0.0005)
        return
    least = 1 if phase == "runs are kept" else all_ - 1
    while process.poll() is None and runs(out) < least:
        time.sleep(0.0005)


@pytest.mark.parametrize(("way", "phase"), sampled(product(WAYS, PHASES), SAMPLE))
def test_a_device_that_vanishes_while_it_is_read(
    way: str, phase: str, served: Served, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with served.up() as server, target(way, served) as path:
        all_ = all_runs(path, out) if phase == "its end is near" else 0
        with begin(path, out) as process:
            awaited(phase, process, path, out, all_)
            server.kill()
            gone = time.monotonic()
            said = process.communicate(timeout=60)[1].decode()
        took_s = time.monotonic() - gone
    assert took_s < PROMPT_S
    assert "Traceback" not in said
    assert "panicked" not in said
    if process.returncode == 0:
        FIGURES.append(f"{way} that vanishes when {phase}: the run was over")
        return
    assert process.returncode == 1, said
    assert said.count("platterlab:") == 1, said
    assert str(path) in said
    kept = runs(out)
    if kept:
        assert f"samples are kept in {out}" in said
        assert "--resume" in said
    before = {one: one.read_bytes() for one in (out / "runs").glob("[0-9]*.parquet")}
    assert len(before) == kept
    goes_on(way, served, out, path, kept)
    made = len(Bundle(out).runs())
    FIGURES.append(f"{way} that vanishes when {phase}: {kept} of {made} runs were kept")


def goes_on(way: str, served: Served, out: Path, name: str, kept: int) -> None:
    """The device is there again, and the measurement comes to its end with what was kept."""
    old = [run.columns["completed_ps"].tolist() for run in Bundle(out).runs()] if kept else []
    with served.up(), target(way, served) as path:
        ran = command("characterize", path, "--out", out, "--resume")
        assert ran.returncode == 0, (ran.stderr, name, path)
    new = [run.columns["completed_ps"].tolist() for run in Bundle(out).runs()]
    assert new[: len(old)] == old


def test_a_run_is_not_resumed_on_a_device_that_is_gone(served: Served, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with served.up() as server, target("a file", served) as path:
        with begin(path, out) as process:
            awaited("runs are kept", process, path, out, 0)
            server.kill()
            process.communicate(timeout=60)
        assert process.returncode == 1
        kept = runs(out)
        # The file system of a server that is gone is still mounted.
        ran = command("characterize", path, "--out", out, "--resume")
    assert ran.returncode == 1, ran.stderr
    assert "gone" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert runs(out) == kept


def test_nor_on_another_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("losetup") is None:
        pytest.skip("no losetup")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    out = tmp_path / "out"
    device = Loop(scratch(tmp_path / "one", 16 * MIB))
    try:
        assert here("characterize", device.path, "--out", out).returncode == 0
    finally:
        device.close()
    begun(out)
    other = Loop(scratch(tmp_path / "other", 16 * MIB))
    try:
        ran = here("characterize", other.path, "--out", out, "--resume")
    finally:
        other.close()
    assert ran.returncode == 2
    assert "was begun on another device" in " ".join(ran.stderr.split())
    assert runs(out) == 1


def begun(out: Path) -> None:
    """Makes a complete bundle one that was broken off after its first run."""
    bundle = Bundle(out)
    first = bundle.runs()[0]
    for name in ("manifest.json", "samples.parquet", "report.html", "extraction.json"):
        (out / name).unlink()
    bundle.add(0, first)


def test_a_device_of_another_name_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is plugged in again may be another /dev/sdX."""
    if shutil.which("losetup") is None:
        pytest.skip("no losetup")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    out = tmp_path / "out"
    image = scratch(tmp_path / "one", 16 * MIB)
    device = Loop(image)
    again = Loop(image)
    try:
        assert here("characterize", device.path, "--out", out).returncode == 0
        begun(out)
        ran = here("characterize", again.path, "--out", out, "--resume")
    finally:
        again.close()
        device.close()
    assert ran.returncode == 0, ran.stderr
