"""What `platterlab serve` is given that cannot be: refused with what would be right."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import nbd_client as nbd
from nbd_client import RefusedError
from serving import DRIVE, command, serving
from serving_loop import needs, run

BLOCK = 4096
ROOM = 2 << 20
"""What the full disk has room for."""


def refused(folder: Path, *arguments: object, before: tuple[str, ...] = ()) -> str:
    """What it says of bad input; it ends with exit code 2."""
    words = [*before, *command(*arguments)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, done
    return " ".join(done.stderr.split())


def test_bad_input_is_refused_with_what_would_be_right(tmp_path: Path):
    small = tmp_path / "small.img"
    small.write_bytes(bytes(4096))
    taken = tmp_path / "taken"
    taken.write_text("not a socket")
    memory = ("--store", "memory")
    for arguments, said in [
        ((DRIVE, "--store", small, "--nbd", "s"), "a store is as large as its drive"),
        ((DRIVE, *memory, "--nbd", taken), "is not a socket"),
        ((DRIVE, *memory, "--nbd", "none/s"), "there is no folder none; make it"),
        ((DRIVE, *memory, "--nbd", "none/" + "s" * 120), "at most 107 bytes, and this one 125"),
        ((DRIVE, *memory, "--nbd", taken / "s"), "is not a folder; name another place"),
        ((DRIVE, *memory, "--nbd", "/proc/s"), "there can be no socket in /proc"),
        ((DRIVE, *memory, "--nbd", "s", "--control", "none/s"), "there is no folder none"),
        ((DRIVE, *memory), "say where clients come"),
        ((DRIVE, *memory, "--nbd", "s", "--port", 0), "one of them"),
        ((DRIVE, *memory, "--port", "here"), "write a port of this machine alone"),
        ((DRIVE, *memory, "--port", "65536"), "write a port of this machine alone"),
        ((DRIVE, *memory, "--port", "192.0.2.7:0"), "--port 192.0.2.7:0"),
        ((DRIVE, *memory, "--nbd", "s", "--size", "2G"), "ask for no more"),
        ((DRIVE, *memory, "--nbd", "s", "--size", "1000"), "whole number of sectors"),
        ((DRIVE, *memory, "--nbd", "s", "--speed", "0"), "0.001"),
        ((DRIVE, *memory, "--nbd", "s", "--speed", "soon"), "write a number"),
        ((DRIVE, *memory, "--nbd", "s", "--scheduler", "sptff"), "sptf"),
        ((DRIVE, "--store", "/dev/null", "--nbd", "s"), "is a device"),
        ((DRIVE, "--store", tmp_path, "--nbd", "s"), "not a regular file"),
        (("hp-9756", *memory, "--nbd", "s"), "hp-97560"),
        ((DRIVE, *memory, "--nbd", "s" * 200), "--nbd"),
        ((DRIVE, *memory, "--fuse", tmp_path / "none"), "the drive's file cannot be mounted there"),
        ((DRIVE, *memory, "--nbd", "s", "--loop"), "is made of the file that --fuse FOLDER has"),
        ((DRIVE, *memory, "--nbd", "s", "--volume", "v"), "a drive by itself has none"),
    ]:
        assert said in refused(tmp_path, *arguments), arguments
    assert taken.read_text() == "not a socket"
    assert small.read_bytes() == bytes(4096)


def test_an_end_that_is_none_is_refused_with_its_place(tmp_path: Path):
    file = tmp_path / "endless.toml"
    file.write_text('stop = 3\n[[drive]]\nprofile = "hp-97560"\n[[workload]]\nkind = "closed"\n')
    said = refused(tmp_path, "./endless.toml", "--store", "memory", "--nbd", "s")
    assert "Traceback" not in said
    assert "endless.toml, line 1, stop" in said


def test_where_a_store_or_a_mount_is_to_be_is_a_folder(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("not a folder")
    memory = (DRIVE, "--store", "memory")
    for arguments, said in [
        ((DRIVE, "--store", "none/disk", "--nbd", "s"), "there is no folder none; make it"),
        ((DRIVE, "--store", file / "disk", "--nbd", "s"), "is not a folder; name another place"),
        ((DRIVE, "--store", "", "--nbd", "s"), "name a file, or write memory or pattern"),
        ((DRIVE, "--store", "/proc/disk", "--nbd", "s"), "there can be no file in /proc; name"),
        ((*memory, "--fuse", file, "--power-cut", "0s"), "is not a folder; name another place"),
        ((*memory, "--fuse", "none"), "there is no folder none; make it"),
        ((*memory, "--fuse", tmp_path), "it holds file, which would be hidden"),
    ]:
        assert said in refused(tmp_path, *arguments), arguments
    assert list(tmp_path.iterdir()) == [file]


def test_a_store_and_a_socket_serve_one_drive_at_a_time(tmp_path: Path):
    store = tmp_path / "disk.img"
    with serving(tmp_path, store=store):
        said = refused(tmp_path, DRIVE, "--store", store, "--nbd", "other")
        assert "is the store of another drive" in said
        said = refused(tmp_path, DRIVE, "--store", "memory", "--nbd", tmp_path / "nbd")
        assert "another server listens there" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to have somebody else's folder")
def test_who_may_not_is_told_so(tmp_path: Path):
    needs("setpriv")
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 65534, 65534)
    # Root without the right to pass over what others allow.
    weak = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
    for arguments in (
        ("--store", "memory", "--nbd", theirs / "s"),
        ("--store", theirs / "file", "--nbd", "s"),
        ("--store", "memory", "--fuse", theirs / "folder"),
    ):
        said = refused(tmp_path, DRIVE, *arguments, before=weak)
        assert "ermission" in said, said


@pytest.mark.parametrize("bytes_there", [1000, 10_000])
def test_the_advice_for_a_store_that_is_too_small_works(tmp_path: Path, bytes_there: int):
    store = tmp_path / "small.img"
    store.write_bytes(bytes(bytes_there))
    said = refused(tmp_path, DRIVE, "--store", store, "--nbd", "s")
    offered = re.search(r"--size (\d+)", said)
    if bytes_there < BLOCK:
        assert offered is None, said
    else:
        assert offered is not None, said
        with serving(tmp_path, "--size", offered[1], store=store):
            pass
    longer = re.search(r"truncate -s \d+ '[^']*'", said)
    assert longer is not None, said
    subprocess.run(shlex.split(longer[0]), check=True)
    with serving(tmp_path, store=store):
        pass


@pytest.mark.parametrize(("speed", "warned"), [("max", False), ("0.01", False), ("1000000", True)])
def test_a_drive_that_is_faster_than_the_host_is_warned_of(
    tmp_path: Path, speed: str, *, warned: bool
):
    process = subprocess.Popen(
        command(DRIVE, "--store", "memory", "--nbd", tmp_path / "nbd", "--speed", speed, "--json"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        assert process.stderr
        assert "serving" in process.stderr.readline()
        process.terminate()
        # Not `communicate`, which does not know of what was read ahead with the first line.
        said = " ".join(process.stderr.read().split())
        process.wait(60)
    assert ("the times of such requests are the host's" in said) == warned, said


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with little room."""
    if os.geteuid():
        pytest.skip("needs root, to mount a small file system")
    place = tmp_path / "small"
    place.mkdir()
    run("mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", place)
    try:
        yield place
    finally:
        run("umount", place)


def write_until_it_fails(client: nbd.Client, written: list[bytes]) -> None:
    """Adds every block that was written."""
    for number in range(2 * ROOM // BLOCK):
        data = number.to_bytes(8, "little") * (BLOCK // 8)
        client.write(number * BLOCK, data, nbd.FUA)
        written.append(data)


@pytest.mark.parametrize("cuts", [False, True])
def test_on_a_full_disk_a_write_fails_and_nothing_else_does(
    tmp_path: Path, full_disk: Path, *, cuts: bool
):
    """As a drive's write fails; with power cuts in view what the drive holds lasts in memory.

    Who started the server hears of it at the end: the client knows of no disk but the drive.
    """
    more = ("--control", tmp_path / "control") if cuts else ()
    written: list[bytes] = []
    with serving(tmp_path, *more, store=full_disk / "store") as server, server.client() as client:
        with pytest.raises(RefusedError, match=str(nbd.EIO)):
            write_until_it_fails(client, written)
        assert len(written) * BLOCK >= ROOM // 2
        for number, data in enumerate(written):
            assert client.read(number * BLOCK, BLOCK) == data
        # The sectors that failed are what they were, and others can be written over.
        assert client.read(len(written) * BLOCK, BLOCK) == bytes(BLOCK)
        client.write(0, b"again!!!" * 512, nbd.FUA)
        client.ask(nbd.TRIM, BLOCK, 4 * BLOCK)
        client.write(len(written) * BLOCK, b"now fits" * 512, nbd.FUA)
        client.ask(nbd.FLUSH)
        report = server.end(code=1)
        assert report["errors"] == 1
        assert "No space left on device" in report["store_error"]
        assert f"{full_disk / 'store'}: No space left on device" in server.said
    with serving(tmp_path, store=full_disk / "store") as server, server.client() as client:
        assert client.read(0, BLOCK) == b"again!!!" * 512
        assert client.read(len(written) * BLOCK, BLOCK) == b"now fits" * 512
        for number in range(5, len(written)):
            assert client.read(number * BLOCK, BLOCK) == written[number]


def test_rows_that_cannot_be_written_are_told_and_the_drive_is_served_on(
    tmp_path: Path, full_disk: Path
):
    rows = full_disk / "rows.csv"
    (full_disk / "filler").write_bytes(bytes(ROOM - (128 << 10)))
    with serving(tmp_path, "--rows", rows) as server, server.client() as client:
        for number in range(3000):
            client.read(number * 512, 512)
        assert server.end(code=1)["reads"] == 3000
    assert f"{rows}: No space left on device" in " ".join(server.said.split())
    assert [one.name for one in full_disk.iterdir()] == ["filler"]


def test_an_experiment_says_what_is_for_a_drive_alone(tmp_path: Path):
    path = tmp_path / "two.toml"
    path.write_text(TWO_VOLUMES)
    memory = ("--store", "memory", "--nbd", "s")
    for more, said in [
        ((), "name one of the experiment's: left, right"),
        (("--volume", "middle"), "name one of the experiment's: left, right"),
        (("--volume", "left", "--rows", "r.csv"), "--rows: is for a drive by itself"),
        (("--volume", "left", "--power-cut", "1s"), "--power-cut: is for a drive by itself"),
        (("--volume", "left", "--depth", "2"), "--depth: is for a drive by itself"),
    ]:
        assert said in refused(tmp_path, path, *memory, *more), more


TWO_VOLUMES = """
[[drive]]
name = "left"
profile = "hp-97560"
[[drive]]
name = "right"
profile = "hp-97560"
[[workload]]
kind = "closed"
population = 1
requests = 1
"""
