"""A home that cannot be written: what needs none of it works, and what does says what to do."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import command
from scratch_devices import scratch

DRIVE = "hp-c2200a"
NEED_NO_HOME = {
    "simulate": ["simulate", "-p", DRIVE, "-t", "t.txt", "--per-request", "rows.parquet"],
    "report": ["report", "rows.parquet", "-o", "page.html"],
    "drawing": ["profile", "show", DRIVE, "--layout", "--out", "layout.png"],
    "characterize": ["characterize", DRIVE, "--quick", "--out", "bundle"],
    "list": ["archive", "list"],
    "study": ["study", "ruemmler-wilkes", "--out", "study"],
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home that nobody can write, root included."""
    folder = tmp_path / "home"
    folder.mkdir()
    mounted = os.geteuid() == 0
    if mounted:
        line = ["mount", "-t", "tmpfs", "-o", "ro,size=64k", "none", str(folder)]
        if (made := subprocess.run(line, capture_output=True, check=False)).returncode:
            pytest.skip(f"no file system may be mounted here: {made.stderr.decode().strip()}")
    else:
        folder.chmod(0o555)
    for name in list(os.environ):
        if name.startswith("XDG_") or name == "MPLCONFIGDIR":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    # The study that runs is short without data.
    monkeypatch.setenv("PLATTERLAB_DATA", str(folder))
    monkeypatch.chdir(tmp_path)
    yield folder
    if mounted:
        subprocess.run(["umount", str(folder)], check=True)
    else:
        folder.chmod(0o755)


def test_what_needs_no_home_works_without_one(home: Path, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("".join(f"{40 * i} 0 {80 * i} 8 1\n" for i in range(50)))
    for name, line in NEED_NO_HOME.items():
        ran = command(*line, timeout_s=120)
        assert (ran.returncode, "Traceback" in ran.stderr) == (0, False), (name, ran.stderr)
    assert list(home.iterdir()) == []


def test_what_keeps_something_at_home_says_where_it_could(home: Path, tmp_path: Path) -> None:
    image = scratch(tmp_path / "image")
    before = image.read_bytes()
    line = ["--write", "--i-will-lose-data", image, "--region", "4k:1k", "--quick"]
    ran = command("characterize", image, *line, "--out", tmp_path / "out")
    assert ran.returncode == 2
    assert "set XDG_STATE_HOME to a folder of yours" in " ".join(ran.stderr.split())
    assert image.read_bytes() == before
    assert command("characterize", DRIVE, "--quick", "--out", "bundle").returncode == 0
    ran = command("archive", "add", "bundle")
    assert ran.returncode in (1, 2)
    assert str(home) in "".join(ran.stderr.split())
    assert "Traceback" not in ran.stderr
