"""Below the help of each command stands an example, and it works; manual pages say the same."""

import contextlib
import os
import re
import shlex
import subprocess
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

import platterlab as pl
from conftest import COMMAND, command, here
from platterlab import cli
from platterlab.cli.examples import EXAMPLES

NOT_HERE = {
    "capture": "needs root",
    "serve": "runs until Ctrl-C",
    "serve-ctl": "asks something of one that is served",
    "profile import": "needs DiskSim's files",
    "profile export": "needs a drive of them",
}
"""Which are not run, and why; other tests run these commands."""

SWEEP = """\
experiment = "mm1"
design = "grid"

[[vary]]
key = "stop.requests"
values = [3000, 4000]
"""


def every() -> list[str]:
    found = []
    for name in cli.COMMANDS:
        inner = cli.command(name).commands if name in cli.GROUPS else [""]
        found += [f"{name} {one}".strip() for one in inner]
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    draw = np.random.default_rng(1)
    lines = [
        f"{at:.3f} 0 {draw.integers(600_000)} 8 {draw.integers(2)}\n"
        for at in np.cumsum(draw.exponential(40.0, 2000))
    ]
    (folder / "work.trace").write_text("".join(lines))
    (folder / "sweep.toml").write_text(SWEEP)
    drive = pl.Drive("hp-97560")
    drive.with_values({"controller.read_ms": 1.5}).save(folder / "rough.toml")
    trace = pl.Trace.random(drive, 600, think_ms=20.0, seed=4)
    rows = pl.simulate(drive, trace, timing="closed", rows=True).rows
    import pyarrow.csv

    pyarrow.csv.write_csv(rows, folder / "measured.csv")
    (folder / "drives.toml").write_text('[[drive]]\nprofile="rough.toml"\ntrace="measured.csv"\n')
    for words in (
        "example raid5-sptf | sed s/20_000/2_000/ > raid5.toml",
        "simulate raid5.toml --per-request before.parquet",
        "simulate raid5.toml --per-request after.parquet",
        "characterize mock --out other.bundle",
    ):
        assert shell(f"platterlab {words}", folder).returncode == 0
    return folder


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What is typed, in a shell where it takes one and in this process where it is one command."""
    own = {
        "PATH": f"{COMMAND.parent}:{os.environ['PATH']}", "NO_COLOR": "1",
        "XDG_DATA_HOME": str(folder / "data"),
        # An editor whose user changes nothing: nobody is there to use one.
        "VISUAL": "true",
    }  # fmt: skip
    typed = shlex.shlex(line, posix=True, punctuation_chars="|>")
    typed.whitespace_split = True
    words = list(typed)
    if not {"|", ">"} & set(words):
        with contextlib.chdir(folder), patch.dict(os.environ, own):
            return here(*words[1:])
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=folder, env=os.environ | own,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def archived(files: Path) -> None:
    """A measurement is in the archive; the examples may have brought it there before."""
    for words in ("characterize", "archive add"):
        shell(EXAMPLES[words][0], files)


def test_each_command_has_an_example_in_its_help(run):
    assert list(EXAMPLES) == every()
    for words in every():
        said = " ".join(run(*words.split(), "--help").out.split())
        for line in EXAMPLES[words]:
            assert f"Example: {line}" in said


@pytest.mark.parametrize("words", [words for words in EXAMPLES if words not in NOT_HERE])
def test_the_example_works(words, files, request):
    if words == "archive add":
        shell(EXAMPLES["characterize"][0], files)
    elif words.startswith("archive"):
        request.getfixturevalue("archived")
    for line in EXAMPLES[words]:
        done = shell(line, files)
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man")
    assert command("man", "--out", folder).returncode == 0
    return folder / "man1"


def test_every_command_has_a_manual_page(pages):
    wanted = {f"platterlab-{words.replace(' ', '-')}.1" for words in every()}
    wanted |= {"platterlab.1"} | {f"platterlab-{group}.1" for group in cli.GROUPS}
    assert {page.name for page in pages.iterdir()} == wanted
    page = (pages / "platterlab-simulate.1").read_text()
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS"):
        assert f".SH {section}\n" in page
    assert r"\-\-per\-request FILE" in page


def test_the_manual_pages_are_without_fault(pages):
    for page in sorted(pages.iterdir()):
        checked = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8", page],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        faults = [line for line in checked.stderr.splitlines() if "break line" not in line]
        assert faults == []
        assert "SYNOPSIS" in re.sub(r"\x1b\[\d*m|.\x08", "", checked.stdout)


def test_a_manual_page_of_no_command_is_told(run):
    told = run("man", "simulat")
    assert (told.code, "no command 'simulat'" in told.err) == (2, True)
    assert run("man", "simulate", "--out", "folder").code == 2


def test_no_color_is_heard():
    coloured = re.compile(r"\x1b\[[\d;]*(3[0-7]|38|9[0-7])[;m]")
    for words in (["profile", "list"], ["--help"], ["profile", "show", "no-such-drive"]):
        forced = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color"}
        forced.pop("NO_COLOR", None)
        asked = command(*words, env={**forced, "NO_COLOR": "1"})
        assert not coloured.search(asked.stdout + asked.stderr), words
    assert coloured.search(command("--help", env=forced).stdout)


@pytest.mark.parametrize("words", ["simulate -p hp-97560 -t", "trace info"])
def test_a_part_of_a_trace_by_its_short_options(words, files):
    long = "--trace-option from=10s --trace-option for=20s"
    short = "--from 10s --for 20s"
    told = [
        shell(f"platterlab {words} work.trace {options} --json", files).stdout
        for options in (long, short)
    ]
    plain = [re.sub(r'"(version|made|date|when)[^,]*,', "", text) for text in told]
    assert plain[0] == plain[1] != ""
    whole = shell(f"platterlab {words} work.trace --json", files).stdout
    assert whole != told[1]
    twice = shell(f"platterlab {words} work.trace {long} {short}", files)
    assert (twice.returncode, "say the same" in twice.stderr) == (2, True)


def test_a_part_is_converted_and_a_format_by_its_old_option(files):
    part = "platterlab trace convert work.trace part.iolog --to fio-iolog-v3"
    assert shell(f"{part} --from 10s --for 20s", files).returncode == 0
    kept = (files / "part.iolog").read_text().count("\n")
    assert shell(part, files).returncode == 0
    assert 0 < kept < (files / "part.iolog").read_text().count("\n")
    old = shell(f"{part} --from disksim-ascii", files)
    assert (old.returncode, "a format is --format" in old.stderr) == (0, True)
