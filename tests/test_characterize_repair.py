"""Runs of `platterlab characterize --write` that die: nothing that anyone wrote is ever undone."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import COMMAND, command
from scratch_devices import MIB, Loop, scratch

KILLS, SAMPLE = 500, 12
SECTOR = 512


@pytest.fixture(autouse=True)
def journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of journals."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "platterlab" / "journals"


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Loop]:
    if os.geteuid() != 0 or shutil.which("losetup") is None:
        pytest.skip("loop devices need root and losetup")
    device = Loop(scratch(tmp_path / "image", 64 * MIB))
    yield device
    device.close()


def begin(path: str, region: str, out: Path) -> subprocess.Popen[bytes]:
    """A run that writes."""
    line = [
        COMMAND, "characterize", path, "--write", "--i-will-lose-data", path, "--region", region,
        "--quick", "--out", out,
    ]  # fmt: skip
    return subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)


def killed(
    path: str,
    region: str,
    out: Path,
    journals: Path,
    after_s: float,
    meanwhile: Callable[[], object] = bool,
) -> Path | None:
    """Kills a run that writes so long after its journal came to be; the journal, if it is left."""
    shutil.rmtree(out, ignore_errors=True)
    with begin(path, region, out) as process:
        deadline = time.monotonic() + 60
        while not list(journals.glob("*.journal")) and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.0005)
        meanwhile()
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[1].decode()
    assert "Traceback" not in said
    return next(journals.glob("*.journal"), None)


def lasts_s(path: str, region: str, out: Path, journals: Path) -> float:
    """From when the journal of a run is there until it is gone, if nobody kills it."""
    shutil.rmtree(out, ignore_errors=True)
    with begin(path, region, out) as process:
        while not list(journals.glob("*.journal")) and process.poll() is None:
            time.sleep(0.0005)
        begun = time.monotonic()
        while list(journals.glob("*.journal")) and process.poll() is None:
            time.sleep(0.0005)
        return time.monotonic() - begun


def content(path: str | Path) -> bytes:
    subprocess.run(["sync", str(path)], check=True)
    return Path(path).read_bytes()


def repair(path: object, *more: object):
    return command("characterize", path, "--repair", *more)


@pytest.mark.parametrize("kind", ["device", "file"])
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
    said = command("characterize", other, "--quick", "--out", tmp_path / "other", "--json")
    assert said.returncode == 0, said.stderr
    assert f"platterlab characterize {path} --repair" in " ".join(json.loads(said.stdout)["notes"])
    own = command("characterize", path, "--quick", "--out", tmp_path / "own", "--json")
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
        ran = command("characterize", target, "--quick", "--out", tmp_path / f"{mode}-{owner}")
        assert ran.returncode == 0, ran.stderr
        assert ("belongs to user" if owner else "other users may write") in ran.stderr.replace(
            "\n", " "
        )
        assert repair(target).returncode == 0
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
    assert "no regular file" in ran.stderr.replace("\n", " ")
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


def foreign(path: str, random_: random.Random) -> dict[int, bytes]:
    """Sectors that somebody else writes, in a few places."""
    written = {}
    with Path(path).open("r+b", buffering=0) as device:
        for _ in range(random_.randrange(1, 4)):
            sector = random_.choice(
                [random_.randrange(4096, 20480), random_.randrange(2048, 65536)]
            )
            written[sector] = random_.randbytes(SECTOR)
            device.seek(sector * SECTOR)
            device.write(written[sector])
        os.fsync(device.fileno())
    return written


def kills(loop: Loop, folder: Path, journals: Path, count: int, seed: int) -> None:
    """Kills runs at random moments, has others write in between, repairs; compares every byte."""
    random_ = random.Random(seed)  # noqa: S311
    whole_s = lasts_s(loop.path, "4k:16k", folder, journals)
    expected = bytearray(content(loop.path))
    died = 0

    def others_write() -> None:
        for sector, written in foreign(loop.path, random_).items():
            expected[sector * SECTOR : (sector + 1) * SECTOR] = written

    for number in range(count):
        when = random_.choice(["never", "after", "meanwhile"])
        meanwhile = others_write if when == "meanwhile" else bool
        after_s = random_.uniform(0, 0.6 * whole_s)
        journal = killed(loop.path, "4k:16k", folder, journals, after_s, meanwhile)
        died += journal is not None or when == "meanwhile"
        if when == "after":
            others_write()
        ran = repair(loop.path, "--json")
        assert content(loop.path) == expected, f"seed {seed}, kill {number}: {ran.stdout}"
        left = list(journals.glob("*.journal"))
        assert bool(left) == (ran.returncode == 1), ran.stdout + ran.stderr
        for kept in left:
            kept.unlink()
    assert died > count * 0.8, "most were killed, or stopped, while they ran"


def test_no_byte_is_lost_over_some_kills(loop, tmp_path, journals):
    kills(loop, tmp_path / "out", journals, SAMPLE, seed=1)


@pytest.mark.soak
def test_no_byte_is_lost_over_many_kills(loop, tmp_path, journals):
    kills(loop, tmp_path / "out", journals, KILLS, seed=time.time_ns())


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
        read = command("characterize", image, "--quick", "--out", tmp_path / "read")
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
