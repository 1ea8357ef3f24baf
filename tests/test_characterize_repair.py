"""Runs of `platterlab characterize --write` that die: nothing that anyone wrote is ever undone."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import command, here, in_soak
from dying_runs import begin, content, journals, killed, loop, repair
from scratch_devices import MIB, scratch

__all__ = ["journals", "loop"]  # fixtures


@pytest.mark.parametrize("after_s", [0.02, *in_soak(0.0, 0.005, 0.05)])
def test_a_kill_while_the_journal_is_saved_leaves_nothing_to_repair(tmp_path, journals, after_s):
    image = scratch(tmp_path / "image", 96 * MIB)
    before = hashlib.sha256(image.read_bytes()).digest()
    with begin(str(image), "4k:180k", tmp_path / "out") as process:
        while not list(journals.glob("*.partial")) and process.poll() is None:
            time.sleep(0.0001)
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)
        assert "Traceback" not in process.communicate()[1].decode()
    left = list(journals.iterdir())
    assert len(left) == 1, "half a journal, or a whole one if the kill came late"
    assert hashlib.sha256(image.read_bytes()).digest() == before
    # Half a journal is in nobody's way; the next run that writes removes it.
    if left[0].suffix == ".journal":
        assert repair(image).returncode == 0
    line = ["--write", "--i-will-lose-data", image, "--region", "4k:1k", "--quick"]
    ran = command("characterize", image, *line, "--out", tmp_path / "next")
    assert ran.returncode == 0, ran.stderr
    assert list(journals.iterdir()) == []
    assert hashlib.sha256(image.read_bytes()).digest() == before


@pytest.mark.parametrize("kind", ["device", *in_soak("file")])
def test_a_file_system_made_after_a_kill_is_left_alone(tmp_path, journals, loop, kind):
    path = loop.path if kind == "device" else str(scratch(tmp_path / "file", 64 * MIB))
    Path(path).write_bytes(bytes(64 * MIB))
    assert killed(path, "0:131072", tmp_path / "out", journals, 0.05)
    point = tmp_path / "mount"
    point.mkdir()
    subprocess.run(["mkfs.ext4", "-q", "-F", path], check=True)
    subprocess.run(["mount", path, str(point)], check=True)
    (point / "thesis.txt").write_text("three years of work")
    subprocess.run(["umount", str(point)], check=True)
    before = content(path)
    other = scratch(tmp_path / "other.img")
    said = here("characterize", other, "--quick", "--out", tmp_path / "other", "--json")
    assert said.returncode == 0, said.stderr
    assert f"platterlab characterize {path} --repair" in " ".join(json.loads(said.stdout)["notes"])
    own = here("characterize", path, "--quick", "--out", tmp_path / "own", "--json")
    assert own.returncode == 0, own.stderr
    assert "somebody else has written there since" in " ".join(json.loads(own.stdout)["notes"])
    refused = repair(path)
    assert refused.returncode == 1
    for words in ("somebody else has written", "Nothing was written", "from byte 12288 on"):
        assert words in refused.stderr
    assert content(path) == before
    assert len(list(journals.glob("*.journal"))) == 1
    subprocess.run(["mount", path, str(point)], check=True)
    thesis = (point / "thesis.txt").read_text()
    subprocess.run(["umount", str(point)], check=True)
    assert thesis == "three years of work"


def test_a_journal_that_somebody_else_put_there_is_not_obeyed(tmp_path, journals):
    if os.geteuid() != 0:
        pytest.skip("only root can make a file another user's")
    target = scratch(tmp_path / "target.db")
    journal = killed(str(target), "4k:16k", tmp_path / "out", journals, 0.0)
    assert journal is not None
    chosen = bytearray(journal.read_bytes())
    chosen[12288:12800] = b"evil" * 128
    journal.write_bytes(chosen)
    before = content(target)
    for mode, owner in ((0o666, 1000), (0o600, 1000), (0o666, 0)):
        os.chown(journal, owner, -1)
        journal.chmod(mode)
        ran = here("characterize", target, "--quick", "--out", tmp_path / f"{mode}-{owner}")
        assert ran.returncode == 0, ran.stderr
        assert ("belongs to user" if owner else "other users may write") in ran.stderr.replace(
            "\n", " "
        )
        repaired = repair(target)
        assert repaired.returncode == 0
        assert "no journal of it may be used" in repaired.stdout.replace("\n", " ")
        assert content(target) == before
    os.chown(journals, 1000, -1)
    ran = command(
        "characterize", target, "--write", "--i-will-lose-data", target, "--region", "4k:1k",
        "--out", tmp_path / "not",
    )  # fmt: skip
    assert ran.returncode == 2
    assert "belongs to user 1000" in ran.stderr.replace("\n", " ")
    assert content(target) == before


def test_a_pipe_among_the_journals_is_not_waited_for(tmp_path, journals):
    journals.mkdir(parents=True, mode=0o700)
    os.mkfifo(journals / "sdx-0-1.journal")
    os.mkfifo(journals / "sdx-0-2.partial")
    image = scratch(tmp_path / "image")
    ran = command("characterize", image, "--quick", "--out", tmp_path / "out", timeout_s=30)
    assert ran.returncode == 0, ran.stderr
    assert "not a regular file" in ran.stderr.replace("\n", " ")
    assert repair(image).returncode == 0


WRITER = """
import os, sys, time
path, log = sys.argv[1:]
end = time.monotonic() + 30
number = 0
while not os.path.exists(log + ".stop") and time.monotonic() < end:
    file = os.open(path, os.O_WRONLY)
    os.pwrite(file, b"%08d" % number, 30 << 20)
    os.fsync(file)
    os.close(file)
    number += 1
    open(log, "w").write(str(number - 1))
"""


def test_what_another_process_writes_meanwhile_is_kept(tmp_path, journals):
    image, log = scratch(tmp_path / "image", 64 * MIB), tmp_path / "log"
    with begin(str(image), "4k:96k", tmp_path / "out") as process:
        while not list(journals.glob("*.journal")) and process.poll() is None:
            time.sleep(0.0005)
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(image), str(log)])
        said = process.communicate()[1].decode()
    deadline = time.monotonic() + 20
    while not log.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    log.with_name("log.stop").touch()
    writer.wait()
    assert "written back" not in said
    last = b"%08d" % int(log.read_text())
    assert image.read_bytes()[30 * MIB :][:8] == last, "the last acknowledged write"
    assert list(journals.glob("*.journal")) == []


def test_who_has_it_open_keeps_it(tmp_path):
    image = scratch(tmp_path / "image")
    line = (
        "characterize", image, "--write", "--i-will-lose-data", image, "--region", "4k:4k",
        "--quick", "--out", tmp_path / "out",
    )  # fmt: skip
    with image.open("r+b"):
        ran = command(*line)
        assert ran.returncode == 2
        assert f"process {os.getpid()}" in ran.stderr
        assert "--even-if-open" in ran.stderr
        assert command(*line, "--even-if-open").returncode == 0


def test_a_home_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "ro", "none", str(home)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no file system may be mounted here")
    try:
        monkeypatch.delenv("XDG_STATE_HOME")
        monkeypatch.setenv("HOME", str(home))
        image = scratch(tmp_path / "image")
        read = here("characterize", image, "--quick", "--out", tmp_path / "read")
        assert read.returncode == 0, read.stderr
        before = hashlib.sha256(image.read_bytes()).digest()
        ran = command(
            "characterize", image, "--write", "--i-will-lose-data", image, "--region", "4k:1k",
            "--out", tmp_path / "out",
        )  # fmt: skip
    finally:
        subprocess.run(["umount", str(home)], check=True)
    assert ran.returncode == 2
    assert "Read-only file system" in ran.stderr
    assert "set XDG_STATE_HOME" in ran.stderr
    assert hashlib.sha256(image.read_bytes()).digest() == before


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--write"], "measures nothing"),
        (["--region", "0:8"], "measures nothing"),
        (["--quick"], "measures nothing"),
    ],
)
def test_repair_does_nothing_else(tmp_path, more, words):
    ran = repair(scratch(tmp_path / "image"), *more)
    assert ran.returncode == 2
    assert words in ran.stderr


def test_a_simulated_drive_has_nothing_to_repair():
    ran = repair("hp-97560")
    assert ran.returncode == 2
    assert "for real devices" in ran.stderr


def test_a_disk_without_a_serial_number_is_not_recognised(tmp_path, journals):
    """A compressed disk in memory (zram) has no serial number; only its own number is used."""
    control = Path("/sys/class/zram-control")
    if os.geteuid() != 0 or not control.is_dir():
        pytest.skip("there is no disk without a serial number to be had")
    number = (control / "hot_add").read_text().strip()
    disk = Path(f"/dev/zram{number}")
    try:
        Path(f"/sys/block/zram{number}/disksize").write_text(str(16 * MIB))
        line = ("characterize", disk, "--write", "--i-will-lose-data", disk, "--region", "1k:2k")
        plan = command(*line, "--dry-run", "--out", tmp_path / "plan")
        assert "cannot be recognised" in plan.stdout.replace("\n", " ")
        attempts = (killed(str(disk), "1k:2k", tmp_path / "o", journals, 0.0) for _ in range(20))
        journal = next(filter(None, attempts))
        # A write of one of its sectors, of 4 KiB, that a failing machine cut off.
        with journal.open("r+b") as file:
            slot = b"".join(number.to_bytes(8, "little") for number in (2**63, 1500, 1))
            file.seek(8192)
            file.write(slot + _fnv(slot).to_bytes(8, "little"))
        with disk.open("r+b", buffering=0) as device:
            device.seek(1500 * 4096)
            device.write(b"torn" * 1024)
        asked = repair(disk)
        assert asked.returncode == 2
        assert "cannot be recognised" in asked.stderr
        assert f"--repair --i-will-lose-data {disk}" in asked.stderr
        assert content(disk)[1500 * 4096 :].startswith(b"torn")
        done = repair(disk, "--i-will-lose-data", disk, "--json")
        assert done.returncode == 0, done.stderr
        (one,) = json.loads(done.stdout)["journals"]
        assert one["repaired"] == [[1500, 1]]
        assert Path(one["replaced"]).read_bytes() == b"torn" * 1024
        assert content(disk) == bytes(16 * MIB)
    finally:
        Path(f"/sys/block/zram{number}/reset").write_text("1")
        (control / "hot_remove").write_text(number)


def _fnv(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def test_a_device_that_fails_in_mid_run_can_be_had_again(loop, tmp_path, journals):
    before = content(loop.path)
    with begin(loop.path, "4k:16k", tmp_path / "out") as process:
        while not list(journals.glob("*.journal")) and process.poll() is None:
            time.sleep(0.0005)
        os.truncate(loop.image, 0)
        said = process.communicate()[1].decode().replace("\n", " ")
    (journal,) = journals.glob("*.journal")
    assert process.returncode == 1, said
    for words in ("may be damaged", str(journal), f"platterlab characterize {loop.path} --repair"):
        assert words in said
    assert repair(loop.path).returncode == 1, "it still cannot be read"
    loop.image.write_bytes(before)
    subprocess.run(["blockdev", "--flushbufs", loop.path], check=True)
    assert repair(loop.path).returncode == 0
    assert content(loop.path) == before
    assert list(journals.glob("*.journal")) == []
