"""What `platterlab characterize` says where it may not open its subject: what forbids it."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import COMMAND, command, here
from scratch_devices import Loop, scratch
from scratch_fixtures import flat, in_memory, loop, needs_loops, state

__all__ = ["in_memory", "loop", "state"]  # fixtures

DEVICES = Path("/sys/fs/cgroup/devices")


@needs_loops
def test_a_node_on_a_file_system_without_devices(in_memory: Path, loop: Loop) -> None:
    node = in_memory / "node"
    os.mknod(node, 0o60600, Path(loop.path).stat().st_rdev)
    subprocess.run(["mount", "-o", "remount,nodev", str(in_memory)], check=True)
    ran = here("characterize", node, "--out", in_memory / "out")
    assert ran.returncode == 2
    said = flat(ran.stderr)
    assert "nodev" in said
    assert str(in_memory) in said
    assert "run as root" not in said


@needs_loops
def test_a_group_that_may_not_use_the_device(loop: Loop, tmp_path: Path) -> None:
    group = DEVICES / f"platterlab-{os.getpid()}"
    try:
        group.mkdir()
        number = Path(loop.path).stat().st_rdev
        (group / "devices.deny").write_text(f"b {os.major(number)}:{os.minor(number)} rwm")
    except OSError as error:
        pytest.skip(f"no group of devices can be made: {error}")
    try:
        ran = command(
            "characterize", loop.path, "--out", tmp_path / "out",
            preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())),
        )  # fmt: skip
    finally:
        group.rmdir()
    assert ran.returncode == 2
    said = flat(ran.stderr)
    assert "cgroup" in said
    assert "container" in said
    assert "run as root" not in said


def changed(path: Path, flag: str) -> None:
    done = subprocess.run(["chattr", flag, str(path)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"no file can be made so here: {done.stderr.decode().strip()}")


@pytest.mark.parametrize(("flag", "word"), [("i", "immutable"), ("a", "append-only")])
def test_a_file_that_may_not_change(flag: str, word: str, tmp_path: Path, state: Path) -> None:
    assert state
    if os.geteuid() != 0 or shutil.which("chattr") is None:
        pytest.skip("needs root and chattr")
    image = scratch(tmp_path / "image")
    changed(image, f"+{flag}")
    try:
        ran = command(
            "characterize", image, "--write", "--i-will-lose-data", image,
            "--region", "4k:8k", "--out", tmp_path / "out",
        )  # fmt: skip
    finally:
        changed(image, f"-{flag}")
    assert ran.returncode == 2
    said = flat(ran.stderr)
    assert word in said
    assert f"chattr -{flag}" in said
    assert "run as root" not in said


def test_a_file_on_what_is_mounted_read_only(in_memory: Path, tmp_path: Path, state: Path) -> None:
    assert state
    image = scratch(in_memory / "image")
    subprocess.run(["mount", "-o", "remount,ro", str(in_memory)], check=True)
    ran = command(
        "characterize", image, "--write", "--i-will-lose-data", image,
        "--region", "4k:8k", "--out", tmp_path / "out",
    )  # fmt: skip
    assert ran.returncode == 2
    assert f"{in_memory} is mounted read-only" in flat(ran.stderr)


@needs_loops
def test_a_device_that_is_read_only(tmp_path: Path, state: Path) -> None:
    assert state
    device = Loop(scratch(tmp_path / "image"), "--read-only")
    try:
        ran = command(
            "characterize", device.path, "--write", "--i-will-lose-data", device.path,
            "--region", "4k:8k", "--out", tmp_path / "out",
        )  # fmt: skip
        assert ran.returncode == 2
        assert "is read-only" in flat(ran.stderr)
        assert here("characterize", device.path, "--out", tmp_path / "out").returncode == 0
    finally:
        device.close()


def test_a_process_that_is_root_without_its_powers(tmp_path: Path, state: Path) -> None:
    """In a container of few capabilities root may not read what is another's."""
    assert state
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv")
    image = scratch(tmp_path / "image")
    os.chown(image, 65534, 65534)
    image.chmod(0o600)
    less = "-dac_override,-dac_read_search"
    line = ["setpriv", f"--bounding-set={less}", f"--inh-caps={less}", str(COMMAND)]
    ran = subprocess.run(
        [*line, "characterize", str(image), "--out", str(tmp_path / "out")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 2, ran.stderr
    said = flat(ran.stderr)
    assert "CAP_DAC_OVERRIDE" in said
    assert "run as root" not in said


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def test_a_folder_that_may_not_be_looked_into(run, tmp_path: Path, state: Path) -> None:
    assert state
    if os.geteuid() != 0:
        pytest.skip("needs root")
    image = scratch(tmp_path / "image")
    assert run("characterize", image, "--out", tmp_path / "of-root").code == 0
    tmp_path.chmod(0o700)
    with as_nobody():
        ran = run("characterize", image, "--out", "/tmp/of-nobody")  # noqa: S108
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert "permission denied" in flat(ran.err)
