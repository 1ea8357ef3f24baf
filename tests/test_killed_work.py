"""Work that is killed and begun again ends as if nothing had happened: the same bits."""

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from conftest import COMMAND, command, in_soak
from test_calibration import measured, rough_profile, true_profile

KILLS, MANY_KILLS = 1, 3


def done(arguments: list[object]) -> tuple[str, float]:
    """What a command line prints in the end, and how long it takes in s."""
    begin = time.monotonic()
    ran = command(*arguments, timeout_s=600.0)
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout, time.monotonic() - begin


def killed(arguments: list[object], after_s: float) -> None:
    """Begins it and kills it."""
    child = subprocess.Popen(
        [str(COMMAND), *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(after_s)
    child.send_signal(signal.SIGKILL)
    child.wait()


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def job(tmp_path: Path) -> list[object]:
    """A calibration that tries many caches."""
    trace, rough = measured(tmp_path / "drive.trace", 2_000), tmp_path / "rough.toml"
    rough.write_text(rough_profile(true_profile()).to_toml())
    return ["calibrate", "-t", trace, "-p", rough, "--rough", "--seed", 3, "--json"]


@pytest.mark.parametrize("kills", [KILLS, *in_soak(MANY_KILLS)])
def test_a_calibration_that_was_killed_goes_on(
    kills: int, job: list[object], tmp_path: Path
) -> None:
    plain, broken = tmp_path / "plain.toml", tmp_path / "broken.toml"
    said, took_s = done([*job, "--out", plain, "--resume", tmp_path / "kept"])
    again = [*job, "--out", broken, "--resume", tmp_path / "kept-too"]
    dice = random.Random(19)  # noqa: S311
    for _ in range(kills):
        killed(again, dice.uniform(0.2, 0.9) * took_s)
        assert not broken.exists() or broken.read_bytes() == plain.read_bytes()
    said_again, _ = done(again)
    assert said_again == said
    assert broken.read_bytes() == plain.read_bytes()
    assert contents(tmp_path / "kept-too") == contents(tmp_path / "kept")


def test_what_was_kept_and_is_no_longer_that_is_named(job: list[object], tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    arguments = [str(COMMAND), *map(str, job), "--resume", str(kept)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        # What is kept first is what is looked at first.
        while not (files := list(kept.rglob("*.json"))) and child.poll() is None:
            time.sleep(0.02)
        child.kill()
    (file,) = files
    for body in ('{"a": ["x"]}', '{"a": [1'):
        file.write_text(body)
        ran = subprocess.run(arguments, capture_output=True, text=True)
        assert ran.returncode == 2
        assert f"platterlab: {file}: is not what a calibration keeps; remove it" in ran.stderr


@pytest.mark.soak
def test_a_study_that_was_killed_begins_again(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    study = ["study", "disksim-systems", "--json", "--out"]
    said, took_s = done([*study, whole])
    dice = random.Random(20)  # noqa: S311
    for _ in range(MANY_KILLS):
        killed([*study, broken], dice.uniform(0.2, 0.95) * took_s)
    said_again, _ = done([*study, broken])
    assert said_again.replace(str(broken), "") == said.replace(str(whole), "")
    assert contents(broken) == contents(whole)
