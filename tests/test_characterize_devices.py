"""`platterlab characterize` on real block devices: loop devices over scratch files."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import command, here
from platterlab.measure import Bundle, samples
from scratch_devices import MIB, Loop, in_memory_file_system, scratch
from scratch_fixtures import loop, state

__all__ = ["loop", "state"]  # fixtures

JOURNALS = "platterlab/journals"
"""Within the folder of states."""

REGION = "4k:16k"
"""Sectors: 2 MiB to 10 MiB of a device of 16 MiB."""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_loop_device_has_no_rotation_and_it_is_said(loop, tmp_path):
    ran = here("characterize", loop.path, "--out", tmp_path / "out", "--json")
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout)
    assert said["status"] == "unsupported"
    assert "No rotation found" in " ".join(said["warnings"])
    assert said["profile"] is None
    assert said["requests"] > 100
    assert (tmp_path / "out" / "report.html").stat().st_size > 100_000
    assert "An average drive takes about" in ran.stderr


def test_4k_sectors_are_measured_as_such(tmp_path, state, loop):
    assert state
    native = Loop(loop.image, "--sector-size", "4096")
    try:
        ran = here("characterize", native.path, "--out", tmp_path / "out", "--json")
    finally:
        native.close()
    assert ran.returncode == 0, ran.stderr
    made_by = json.loads((tmp_path / "out" / "environment.json").read_text())
    assert made_by["device"]["logical_sector_bytes"] == 4096
    assert made_by["device"]["capacity_sectors"] == 16 * MIB // 4096


def test_an_odd_file_is_measured_as_far_as_it_goes(tmp_path, state):
    assert state
    image = scratch(tmp_path / "image")
    with image.open("ab") as file:
        file.write(b"x" * 100)
    ran = here("characterize", image, "--out", tmp_path / "out", "--json")
    assert ran.returncode == 0, ran.stderr
    assert "100 bytes are not a whole sector" in " ".join(json.loads(ran.stdout)["warnings"])


@pytest.mark.parametrize("sectors", [1, 9, 511])
def test_what_is_too_small_is_refused(tmp_path, run, sectors):
    image = tmp_path / "image"
    image.write_bytes(bytes(512 * sectors))
    ran = run("characterize", image, "--quick", "--out", tmp_path / "out")
    assert (ran.code, ran.out) == (2, "")
    assert f"has {sectors} sectors; what is measured has at least 512" in " ".join(ran.err.split())
    assert "An average drive takes" not in ran.err, "refused before it is reckoned"
    assert not (tmp_path / "out").exists()


def test_what_was_measured_of_a_device_is_not_measured_again(tmp_path, state):
    assert state
    image, out = scratch(tmp_path / "image"), tmp_path / "out"
    line = ("characterize", image, "--out", out, "--json")
    assert here(*line).returncode == 0
    bundle = Bundle(out)
    runs = bundle.runs()
    for name in ("manifest.json", "samples.parquet", "report.html", "extraction.json"):
        (out / name).unlink()
    bundle.add(0, runs[0])
    ran = here(*line, "--resume")
    assert ran.returncode == 0, ran.stderr
    kept = bundle.runs()
    # Times measured again would differ.
    assert len(kept) == len(runs)
    assert samples.fingerprint(kept[:1]) == samples.fingerprint(runs[:1])


def test_writing_leaves_every_byte(loop, state, tmp_path):
    before = digest(loop.image)
    ran = command(
        "characterize", loop.path, "--write", "--i-will-lose-data", loop.path,
        "--region", REGION, "--out", tmp_path / "out", "--json",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["notes"] == []
    (rotation, *_) = [run for run in Bundle(tmp_path / "out").runs() if run.probe == "rotation"]
    assert rotation.columns["operation"].all(), "the probe wrote"
    assert digest(loop.image) == before
    assert list((state / JOURNALS).glob("*")) == []


def test_writing_asks_for_the_right_word(loop, tmp_path):
    before = digest(loop.image)
    base = ("characterize", loop.path, "--write", "--region", REGION, "--out", tmp_path / "out")
    ran = here(*base, "--i-will-lose-data", "/dev/sda")
    assert ran.returncode == 2
    assert f"confirm with exactly `{loop.path}`" in ran.stderr
    assert not (tmp_path / "out").exists()
    assert digest(loop.image) == before


def test_a_dry_run_says_everything_and_does_nothing(loop, state, tmp_path):
    before = digest(loop.image)
    base = ("characterize", loop.path, "--write", "--region", REGION, "--dry-run", "--json")
    ran = here(*base, "--i-will-lose-data", loop.path, "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    steps = " ".join(json.loads(ran.stdout)["steps"])
    for word in ("O_EXCL", "journal", "sectors 4096 to 20479", "compare"):
        assert word in steps
    assert here(*base).returncode == 2
    assert not (tmp_path / "out").exists()
    assert not (state / JOURNALS).exists()
    assert digest(loop.image) == before


def test_who_may_not_read_is_told(run, loop, tmp_path):
    # What is imported on the way is not to be found by nobody, so go it once before.
    assert run("characterize", loop.path, "--out", tmp_path / "of-root").code == 0
    (tmp_path / "out").mkdir(mode=0o777)
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(65534)
    os.seteuid(65534)
    try:
        ran = run("characterize", loop.path, "--out", tmp_path / "out" / "of-nobody")
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)
    assert ran.code == 2
    assert "ermission" in ran.err


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system that holds next to nothing."""
    with in_memory_file_system(tmp_path / "small", "96k") as folder:
        yield folder


def test_a_full_file_system_loses_no_samples(run, small):
    out = small / "bundle"
    failed = run("characterize", "hp-97560", "--out", out)
    assert failed.code == 1
    assert "No space left on device" in failed.err
    assert "--resume" in failed.err
    kept = sum(one.requests for one in Bundle(out).runs())
    assert kept > 0
    subprocess.run(["mount", "-o", "remount,size=64m", str(small)], check=True)
    said = run("characterize", "hp-97560", "--out", out, "--resume", "--json").json()
    assert said["status"] == "complete"
    assert sum(one.requests for one in samples.read(out / "samples.parquet")) > kept


def test_a_partition_is_measured_and_said_to_be_one(run, tmp_path):
    image = scratch(tmp_path / "disk.img")
    with image.open("r+b") as disk:
        entry = bytes(8) + (2048).to_bytes(4, "little") + (20480).to_bytes(4, "little")
        disk.seek(446)
        disk.write(entry[:4] + b"\x83" + entry[5:])
        disk.seek(510)
        disk.write(b"\x55\xaa")
        for empty in (MIB, 10 * MIB):
            disk.seek(empty)
            disk.write(bytes(MIB))
    device = Loop(image, "-P")
    try:
        partition = Path(f"{device.path}p1")
        if not partition.exists() and shutil.which("partx"):
            # A kernel that reads no tables is told where the partitions are.
            subprocess.run(["partx", "--add", device.path], capture_output=True, check=False)
        if not partition.exists():
            pytest.skip("the kernel makes no partitions of loop devices here")
        said = run("characterize", partition, "--quick", "--out", tmp_path / "out", "--json").json()
        assert said["status"] == "unsupported"
        assert any("This is a partition" in warning for warning in said["warnings"])
        # What is written is what was there, and lies within it.
        before = digest(image)
        ran = command(
            "characterize", partition, "--write", "--i-will-lose-data", partition,
            "--region", "4k:8k", "--quick", "--out", tmp_path / "written",
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        assert digest(image) == before
    finally:
        if shutil.which("partx"):
            subprocess.run(["partx", "--delete", device.path], capture_output=True, check=False)
        device.close()


def test_a_device_that_fails_before_the_first_write_is_no_bad_input(loop, state, tmp_path):
    loop.image.write_bytes(b"")
    base = ("characterize", loop.path, "--write", "--i-will-lose-data", loop.path)
    for more in ((), ("--dry-run",)):
        ran = command(*base, "--region", REGION, "--out", tmp_path / "out", *more)
        assert ran.returncode == 1, ran.stderr
        assert f"{loop.path}: input/output error at sector 0" in ran.stderr.replace("\n", " ")
    assert not (tmp_path / "out").exists()
    assert not (state / JOURNALS).exists()


def test_a_journal_for_which_there_is_no_room_stops_it(loop, small, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(small))
    before = digest(loop.image)
    ran = command(
        "characterize", loop.path, "--write", "--i-will-lose-data", loop.path,
        "--region", REGION, "--out", tmp_path / "out",
    )  # fmt: skip
    assert ran.returncode == 1
    said = ran.stderr.replace("\n", " ")
    assert str(small) in said
    assert "No space left on device" in said
    assert digest(loop.image) == before
    assert not list(small.rglob("*.journal")) + list(small.rglob("*.partial"))
