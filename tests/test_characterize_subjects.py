"""What `platterlab characterize` says of its subject before it measures: no disk, or a part of one.

Devices are loop devices and, where the kernel has it, zram; what needs them is skipped elsewhere.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import COMMAND, command, here
from platterlab.measure import samples
from scratch_devices import MIB, Loop, scratch
from scratch_fixtures import flat, in_memory, loop, needs_loops, state

__all__ = ["in_memory", "loop", "state"]  # fixtures

ZRAM = Path("/sys/class/zram-control")


@pytest.fixture
def zram() -> Iterator[str]:
    """A compressed disk in memory."""
    try:
        number = (ZRAM / "hot_add").read_text().strip()
    except OSError as error:
        pytest.skip(f"no zram to be had: {error}")
    try:
        Path(f"/sys/block/zram{number}/disksize").write_text(str(16 * MIB))
        yield f"/dev/zram{number}"
    finally:
        (ZRAM / "hot_remove").write_text(number)


def no_disk(name: object, out: Path, *seen: str) -> None:
    """It is said of a device that it cannot rotate and why, before anything is measured."""
    ran = here("characterize", name, "--out", out, "--json")
    assert ran.returncode == 0, ran.stderr
    first = flat(ran.stderr).split("An average drive")[0]
    for words in (str(name), "cannot rotate", *seen):
        assert words in first, ran.stderr
    said = json.loads(ran.stdout)
    assert said["status"] == "unsupported"
    warned = " ".join(said["warnings"])
    for words in ("cannot rotate", *seen):
        assert words in warned
    for advice in ("--write", "hdparm", "measure again"):
        assert advice not in warned, warned
        assert advice not in ran.stderr, ran.stderr


def test_a_file_in_memory_is_no_disk(in_memory: Path, tmp_path: Path, state: Path) -> None:
    assert state
    no_disk(scratch(in_memory / "image"), tmp_path / "out", "tmpfs")


@needs_loops
def test_a_loop_device_over_memory_is_no_disk(in_memory: Path, tmp_path: Path, state: Path) -> None:
    assert state
    device = Loop(scratch(in_memory / "image"))
    try:
        no_disk(device.path, tmp_path / "out", "tmpfs", str(in_memory / "image"))
    finally:
        device.close()


@needs_loops
def test_nor_is_a_loop_device_over_a_loop_device_over_memory(
    in_memory: Path, tmp_path: Path, state: Path
) -> None:
    assert state
    below = Loop(scratch(in_memory / "image"))
    try:
        above = Loop(Path(below.path))
        try:
            no_disk(above.path, tmp_path / "out", "tmpfs", below.path)
        finally:
            above.close()
    finally:
        below.close()


@needs_loops
def test_nor_is_a_file_system_on_one(in_memory: Path, tmp_path: Path, state: Path) -> None:
    assert state
    if shutil.which("mkfs.ext4") is None:
        pytest.skip("no mkfs.ext4")
    disk = in_memory / "disk"
    with disk.open("wb") as file:
        file.truncate(48 * MIB)
    device = Loop(disk)
    mounted = tmp_path / "mounted"
    mounted.mkdir()
    try:
        subprocess.run(["mkfs.ext4", "-q", device.path], check=True, capture_output=True)
        subprocess.run(["mount", device.path, mounted], check=True)
        no_disk(scratch(mounted / "image", 8 * MIB), tmp_path / "out", "tmpfs", device.path)
    finally:
        subprocess.run(["umount", str(mounted)], check=False)
        device.close()


def test_a_compressed_disk_in_memory_is_no_disk(zram: str, tmp_path: Path, state: Path) -> None:
    assert state
    no_disk(zram, tmp_path / "out", "zram", "queue/rotational is 0")


def test_a_dry_run_says_it_too(in_memory: Path, state: Path) -> None:
    assert state
    image = scratch(in_memory / "image")
    ran = here("characterize", image, "--dry-run", "--json")
    assert ran.returncode == 0
    assert "cannot rotate" in ran.stderr
    ran = here("characterize", image, "--write", "--region", "4k:8k", "--dry-run")
    assert "cannot rotate" in ran.stderr


@pytest.mark.live
def test_it_is_said_in_the_first_second(in_memory: Path, tmp_path: Path, state: Path) -> None:
    assert state
    image = scratch(in_memory / "image")
    line = [str(COMMAND), "characterize", str(image), "--out", str(tmp_path / "out")]
    command(*line[1:])  # what is imported is in memory now
    shutil.rmtree(tmp_path / "out")
    timed = (
        "import subprocess, sys, time\n"
        "begun = time.monotonic()\n"
        "ran = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)\n"
        "ran.stderr.readline()\n"
        "print(time.monotonic() - begun)\n"
        "ran.communicate()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", timed, *line], capture_output=True, text=True, check=True
    )
    assert float(ran.stdout) < 1.0


# Sectors.


def touched(out: Path) -> list[tuple[int, int]]:
    """First sector and length of every request."""
    runs = samples.read(out / "samples.parquet")
    return [
        (int(lba), int(sectors))
        for run in runs
        for lba, sectors in zip(run.columns["lba"], run.columns["sectors"], strict=True)
    ]


@needs_loops
def test_sectors_of_4096_bytes_are_said_and_used(tmp_path: Path, state: Path) -> None:
    assert state
    device = Loop(scratch(tmp_path / "image"), "--sector-size", "4096")
    try:
        ran = here("characterize", device.path, "--out", tmp_path / "out", "--json")
    finally:
        device.close()
    assert ran.returncode == 0, ran.stderr
    assert "4Kn" in ran.stderr
    assert "4,096 bytes" in flat(ran.stderr)
    assert all(lba + sectors <= 4096 for lba, sectors in touched(tmp_path / "out"))


# Parts and names.


def partition(device: Loop, start: int) -> Path:
    """A partition from that sector on; the test is skipped where there are none."""
    if shutil.which("partx") is None:
        pytest.skip("no partx")
    entry = bytes(4) + b"\x83" + bytes(3) + start.to_bytes(4, "little")
    table = bytes(446) + entry + (20480).to_bytes(4, "little") + bytes(48) + b"\x55\xaa"
    with Path(device.path).open("r+b") as disk:
        disk.write(table)
    subprocess.run(["partx", "--add", device.path], capture_output=True, check=False)
    path = Path(f"{device.path}p1")
    if not path.exists():
        pytest.skip("the kernel makes no partitions of loop devices here")
    return path


@needs_loops
def test_a_partition_names_its_disk_and_where_it_begins(loop: Loop, tmp_path: Path) -> None:
    part = partition(loop, 2048)
    try:
        link = tmp_path / "by-id-of-mine"
        link.symlink_to(part)
        for name in (part, link):
            ran = here("characterize", name, "--quick", "--out", tmp_path / "out", "--json")
            assert ran.returncode == 0, ran.stderr
            for said in (flat(ran.stderr), " ".join(json.loads(ran.stdout)["warnings"])):
                assert f"partition 1 of {loop.path}" in said
                assert "byte 1,048,576" in said
                assert "sector 2,048" in said
                assert (f"{link} is {part}" in said) == (name == link)
            shutil.rmtree(tmp_path / "out")
    finally:
        subprocess.run(["partx", "--delete", loop.path], capture_output=True, check=False)


@needs_loops
def test_a_name_that_is_a_link_says_to_what(loop: Loop, tmp_path: Path) -> None:
    link = tmp_path / "wwn-0x5000c500a1b2c3d4"
    link.symlink_to(loop.path)
    ran = here("characterize", link, "--quick", "--out", tmp_path / "out", "--json")
    assert ran.returncode == 0, ran.stderr
    assert f"{link} is {loop.path}" in flat(ran.stderr)
    assert json.loads((tmp_path / "out" / "environment.json").read_text())["options"][
        "target"
    ] == str(link)


def test_a_link_to_nothing_says_to_what(run, tmp_path: Path) -> None:
    link = tmp_path / "wwn-0x5000c500a1b2c3d4"
    link.symlink_to("/dev/sdzz")
    ran = run("characterize", link, "--out", tmp_path / "out")
    assert ran.code == 2
    assert f"{link}: is a link to /dev/sdzz, which is not there" in flat(ran.err)


def test_a_link_in_a_circle_is_no_traceback(run, tmp_path: Path) -> None:
    link = tmp_path / "round"
    link.symlink_to(link)
    ran = run("characterize", link, "--out", tmp_path / "out")
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert str(link) in flat(ran.err)
