"""A capture that is killed leaves nothing behind: no tracing, no memory, no raw trace."""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import COMMAND, Ran
from live_disk import LiveDisk, live_disk, missing
from platterlab.tracing import leftovers

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"capture: {missing()}")

INSTANCES = Path("/sys/kernel/tracing/instances")
MEMORY = Path("/dev/shm")  # noqa: S108
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDisk]:
    with live_disk(tmp_path_factory.mktemp("disk"), mib=64) as disk:
        yield disk


def until(what: Callable[[], bool]) -> bool:
    """Waits for something; whether it came."""
    end = time.monotonic() + PATIENCE_S
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return what()


def begun(disk: LiveDisk, out: Path, *command: str) -> "subprocess.Popen[bytes]":
    """A capture in a session of its own."""
    arguments = ["capture", "--out", out, "--path", disk.mount, "--buffer", "2", "--", *command]
    return subprocess.Popen(
        [str(word) for word in (COMMAND, *arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def made_by(pid: int) -> list[Path]:
    """What a capture has in the kernel and in memory."""
    name = f"platterlab-{pid}-*"
    return [found for place in (INSTANCES, MEMORY) for found in place.glob(name)]


def recording(pid: int) -> bool:
    switches = list(INSTANCES.glob(f"platterlab-{pid}-*/tracing_on"))
    return len(switches) == 2 and all(file.read_text() == "1\n" for file in switches)


def watcher_of(pid: int) -> int:
    """The process that waits for the end of `pid`."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    script = str(leftovers.__file__).encode()
    return next(int(one) for one in children if script in Path(f"/proc/{one}/cmdline").read_bytes())


def test_what_a_killed_capture_recorded_is_taken_down(disk: LiveDisk, tmp_path: Path) -> None:
    child = begun(disk, tmp_path / "f", "sleep", "300")
    assert until(lambda: recording(child.pid))
    # The whole group, as a terminal or a job scheduler does it.
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert until(lambda: not made_by(child.pid))
    assert not (tmp_path / "f").exists()


def test_killed_at_any_moment(disk: LiveDisk, tmp_path: Path) -> None:
    dice = random.Random(9)  # noqa: S311
    for _ in range(8):
        child = begun(disk, tmp_path / "f", "sh", "-c", "for i in $(seq 300); do :; done")
        time.sleep(dice.uniform(0.2, 1.2))
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        assert until(lambda pid=child.pid: not made_by(pid))


def test_what_stayed_is_cleaned_on_demand(
    disk: LiveDisk, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    child = begun(disk, tmp_path / "f", "sleep", "300")
    assert until(lambda: recording(child.pid))
    # Somebody kills the one that watches as well.
    os.kill(watcher_of(child.pid), signal.SIGKILL)
    assert recording(child.pid), "what lives is left alone"
    assert run("capture", "--clean").code == 0
    assert recording(child.pid)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    left = sorted(str(path) for path in made_by(child.pid))
    assert len(left) == 2
    said = json.loads(run("capture", "--clean", "--json").out)
    assert set(left) <= set(said["removed"])
    assert said["left"] == []
    assert made_by(child.pid) == []


def test_names_that_are_not_a_capture_of_ours_are_left_alone(tmp_path: Path) -> None:
    alive = tmp_path / f"{leftovers.own_mark()}x"
    dead = tmp_path / "platterlab-4194305-77-x"
    another = tmp_path / "platterlab-notes"
    for folder in (alive, dead, another):
        folder.mkdir()
    link = tmp_path / "platterlab-4194306-77-x"
    link.symlink_to(another)
    assert leftovers.all_of_the_dead(tmp_path / "none", [tmp_path]) == [dead]
    # The number of a process that lives, which began at another time.
    reused = tmp_path / f"platterlab-{os.getpid()}-1-x"
    reused.mkdir()
    assert set(leftovers.all_of_the_dead(tmp_path / "none", [tmp_path])) == {dead, reused}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--clean", "--out", "f"], "--clean runs no command"),
        (["--clean", "--", "true"], "--clean runs no command"),
        (["--", "true"], "say with --out where the flow goes"),
        (["--out", "f"], "say what to run, after `--`"),
    ],
)
def test_of_words_that_do_not_fit(run: Callable[..., Ran], words: list[str], said: str) -> None:
    ran = run("capture", *words)
    assert ran.code == 2
    assert said in ran.err
