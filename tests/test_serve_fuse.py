"""The drive as a file: `platterlab serve --fuse`, and the loop device made of it."""

import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from platterlab._core import InputError
from platterlab.loop_device import attached
from platterlab.serve_control import ask
from serving import BYTES, serving
from serving_loop import awaited, looped, needs, own_fuse, run

BLOCK = 4096
GONE = "Input/output error|not connected|aborted"


def test_what_is_written_to_the_file_is_read_there_and_by_clients(tmp_path: Path):
    data = os.urandom(3 << 20)
    with own_fuse(tmp_path) as (server, disk), server.client() as client:
        assert disk.stat().st_size == BYTES
        assert [one.name for one in disk.parent.iterdir()] == ["disk"]
        with disk.open("r+b", buffering=0) as file:
            assert os.pwrite(file.fileno(), data, 5 * BLOCK) == len(data)
            os.fsync(file.fileno())
            assert os.pread(file.fileno(), len(data), 5 * BLOCK) == data
            # Any bytes are read and written, in the sectors that they are in.
            assert os.pread(file.fileno(), 1000, 5 * BLOCK + 77) == data[77:1077]
            os.pwrite(file.fileno(), b"x" * 1000, BLOCK + 77)
            assert os.pread(file.fileno(), BLOCK, BLOCK + 70) == bytes(7) + b"x" * 1000 + bytes(
                3089
            )
            assert os.pread(file.fileno(), 100, BYTES - 30) == bytes(30)
            assert os.pread(file.fileno(), 100, BYTES) == b""
        assert client.read(5 * BLOCK, BLOCK) == data[:BLOCK]
        client.write(0, b"client!!" * 512)
        with disk.open("rb") as file:
            assert file.read(BLOCK) == b"client!!" * 512
        report = server.end()
    assert report["flushes"] == 1
    assert report["errors"] == 0
    assert report["written_bytes"] >= len(data) + BLOCK + 1536


def test_it_is_emptied_by_holes_and_neither_grows_nor_shrinks(tmp_path: Path):
    with own_fuse(tmp_path) as (server, disk):
        disk.write_bytes(b"x" * 8 * BLOCK)
        run("fallocate", "--punch-hole", "--offset", BLOCK, "--length", BLOCK, disk)
        run(
            "fallocate",
            "--zero-range",
            "--keep-size",
            "--offset",
            3 * BLOCK,
            "--length",
            BLOCK,
            disk,
        )
        with disk.open("rb") as file:
            read = file.read(8 * BLOCK)
        full, empty = b"x" * BLOCK, bytes(BLOCK)
        assert read == full + empty + full + empty + full * 4
        with pytest.raises(PermissionError):
            os.truncate(disk, BLOCK)
        for act in (lambda: (disk.parent / "other").write_text("x"), disk.unlink):
            with pytest.raises(OSError, match="not implemented"):
                act()
        report = server.end()
    assert (report["trims"], report["writes"]) == (1, 2)
    assert not disk.exists(), "the folder is as it was"


def test_many_processes_use_it_at_once(tmp_path: Path):
    writer = (
        "import os, sys; fd = os.open(sys.argv[1], os.O_RDWR | os.O_DIRECT); import mmap;"
        "page = mmap.mmap(-1, 4096); number = int(sys.argv[2]);\n"
        "for at in range(100):\n"
        "    page[:] = bytes([number]) * 4096\n"
        "    os.pwrite(fd, page, (at * 8 + number) * 4096)\n"
    )
    with own_fuse(tmp_path, "--depth", 8) as (server, disk):
        words = ["python3", "-c", writer, str(disk)]
        all_of_them = [subprocess.Popen([*words, str(number)]) for number in range(8)]
        assert [one.wait(60) for one in all_of_them] == [0] * 8
        with disk.open("rb") as file:
            read = file.read(800 * BLOCK)
        assert read == b"".join(bytes([at % 8]) * BLOCK for at in range(800))
        assert server.end()["writes"] == 800


def test_what_the_drive_answers_is_never_early_in_real_time(tmp_path: Path):
    with own_fuse(tmp_path, "--rows", tmp_path / "rows.csv", speed="1") as (server, disk):
        with disk.open("rb", buffering=0) as file:
            for place in range(20):
                os.pread(file.fileno(), BLOCK, place * 60 << 20)
        report = server.end()
    # A third of a stroke and half a turn each time; the model's own sum is in the rows.
    assert report["reads"] == 20
    assert report["served_ms"] > 20 * report["median_service_us"] / 1e3 * 0.5
    assert report["verdict"] in ("trusted", "degraded")


def test_a_power_cut_fails_what_waits(tmp_path: Path):
    control = tmp_path / "control"
    with own_fuse(tmp_path, "--control", control) as (server, disk):
        file = os.open(disk, os.O_RDWR)
        os.pwrite(file, bytes(BLOCK), 0)
        ask(control, "pause")
        with ThreadPoolExecutor(1) as one:
            waits = one.submit(os.pread, file, BLOCK, 0)
            while not ask(control, "stats")["in_flight"]:
                assert not waits.done()
            ask(control, "power-cut")
            with pytest.raises(OSError, match=GONE):
                waits.result(30)
        server.process.wait(30)
        for act in (lambda: os.pread(file, BLOCK, 0), lambda: os.close(file)):
            with pytest.raises(OSError, match=GONE):
                act()
        assert server.end()["power_cut"]["unanswered"] == 1


HOLDS = (
    "--set", 'cache.write_report="buffer"',
    "--set", 'cache.write_back.capacity="128k"',
    "--set", "cache.write_back.extents=16",
    "--set", "cache.write_back.idle_ms=5000",
)  # fmt: skip
"""A drive that holds what is written until it has had nothing to do for long."""


@pytest.mark.parametrize(("flags", "lost"), [(0, 8), (os.O_DSYNC, 0), (os.O_SYNC, 0)])
def test_a_write_that_is_to_last_is_forced_to_the_media(tmp_path: Path, flags: int, lost: int):
    store, control = tmp_path / "store", tmp_path / "control"
    more = ("--control", control, "--size", "1M", *HOLDS)
    with own_fuse(tmp_path, *more, store=store) as (server, disk):
        file = os.open(disk, os.O_WRONLY | flags)
        for number in range(8):
            os.pwrite(file, bytes([1 + number]) * BLOCK, number * BLOCK)
        ask(control, "power-cut")
        server.process.wait(30)
        with suppress(OSError):
            os.close(file)
        assert server.end()["power_cut"]["lost_bytes"] == lost * BLOCK
    data = store.read_bytes()
    there = [data[at * BLOCK : (at + 1) * BLOCK] == bytes([1 + at]) * BLOCK for at in range(8)]
    assert there.count(False) == lost


def test_a_part_of_a_sector_is_written_where_the_drive_can_read_the_rest(tmp_path: Path):
    faults, control = tmp_path / "faults.toml", tmp_path / "control"
    faults.write_text('[[fault]]\nkind = "unreadable"\nlba = 1000\nsectors = 2\n')
    with own_fuse(tmp_path, "--control", control) as (server, disk):
        file = os.open(disk, os.O_RDWR)
        os.pwrite(file, b"old." * 512, 999 * 512)
        ask(control, "faults", (str(faults), faults.read_text()))
        for offset, length in ((1000 * 512 + 100, 2), (999 * 512, 513), (1001 * 512 + 1, 800)):
            with pytest.raises(OSError, match="Input/output error"):
                os.pwrite(file, b"x" * length, offset)
        with pytest.raises(OSError, match="Input/output error"):
            os.pread(file, 512, 1000 * 512)
        reads = ask(control, "stats")["reads"]
        # What is beside it on both sides can be read; all of what cannot is written over.
        os.pwrite(file, b"y" * 1026, 1000 * 512 - 1)
        assert ask(control, "stats")["reads"] == reads + 2
        assert os.pread(file, 2048, 999 * 512) == (
            (b"old." * 128)[:-1] + b"y" * 1026 + (b"old." * 128)[1:]
        )
        os.close(file)
        assert server.end()["errors"] == 4


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Path]:
    """Where a drive's file is to be; what a test that fails leaves there would end later runs."""
    yield tmp_path / "fuse"
    subprocess.run(["umount", "--lazy", tmp_path / "fuse"], capture_output=True, check=False)


def test_what_a_dead_server_left_is_taken_over(tmp_path: Path, mount: Path):
    store = tmp_path / "store"
    with own_fuse(tmp_path, store=store) as (server, disk):
        disk.write_bytes(b"kept" * 1024)
        server.process.kill()
        server.process.wait()
        server.report = {"killed": True}
    with pytest.raises(OSError, match="not connected"):
        list(mount.iterdir())
    server.path.unlink()
    with serving(tmp_path, "--fuse", mount, store=store):
        awaited(disk)
        with disk.open("rb") as file:
            assert file.read(4096) == b"kept" * 1024


def test_a_loop_device_of_it_holds_a_file_system(tmp_path: Path):
    needs("mkfs.ext4", "e2fsck")
    place = tmp_path / "mounted"
    place.mkdir()
    with own_fuse(tmp_path) as (server, disk):
        with looped(disk) as device:
            run("mkfs.ext4", "-q", device)
            run("mount", device, place)
            try:
                (place / "file").write_bytes(b"kept" * 10_000)
            finally:
                run("umount", place)
            run("e2fsck", "-fn", device)
            run("mount", device, place)
            try:
                assert (place / "file").read_bytes() == b"kept" * 10_000
            finally:
                run("umount", place)
        assert server.end()["errors"] == 0


def test_it_is_a_loop_device_by_itself(tmp_path: Path):
    if os.geteuid() != 0 or not Path("/dev/loop-control").exists():
        pytest.skip("needs root and loop devices")
    with own_fuse(tmp_path, "--loop") as (server, disk):
        device = loop_of(disk)
        device.write_bytes(b"kept" * 1024)
        assert disk.read_bytes()[:4096] == b"kept" * 1024
        report = server.end()
        assert f"and {device}" in server.said
        assert report["errors"] == 0
        assert not (Path("/sys/block") / device.name / "loop").exists()


def test_where_there_is_no_loop_device_to_be_had_it_is_said(tmp_path: Path):
    with (
        pytest.raises(InputError, match="no loop device can be had: No such file"),
        attached(tmp_path / "gone"),
    ):
        pass


def loop_of(file: Path) -> Path:
    """The loop device of a file, once there is one."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for backing in Path("/sys/block").glob("loop*/loop/backing_file"):
            with suppress(OSError):
                if backing.read_text().strip() == str(file):
                    return Path("/dev") / backing.parts[3]
        time.sleep(0.02)
    raise AssertionError("there is no loop device of it")
