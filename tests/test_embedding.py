"""A disk in another simulator: C, SimPy, Rust, Python and the command line give one picosecond.

`examples/embed` and `crates/experiment/examples` are built and run as their users would.
"""

import csv
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import platterlab as pl
from conftest import ROOT

DRIVE = "hp-97560"
EMBED = ROOT / "examples" / "embed"
REQUESTS = 400


def told(*command: object, **environment: str) -> str:
    """What a command prints; it has to succeed."""
    words = [os.fspath(word) if isinstance(word, Path) else str(word) for word in command]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def completions(printed: str) -> dict[int, int]:
    """By number, from lines `number completion_ps`."""
    found = dict(tuple(map(int, line.split())) for line in printed.splitlines())
    assert len(found) == len(printed.splitlines()), "no request is told twice"
    return found


@pytest.fixture(scope="module")
def requests() -> list[tuple[int, int, int, str]]:
    """Arrival in microseconds, first sector, sectors and way; some come together.

    The first comes at 0, where a trace begins whatever its first time is.
    """
    dice, at_us, made = random.Random(7), 0, []  # noqa: S311
    for _ in range(REQUESTS):
        made.append((at_us, dice.randrange(2_600_000), dice.randrange(1, 65), dice.choice("RRW")))
        at_us += dice.choice((0, 0, 500, 9_000, 40_000))
    return made


@pytest.fixture(scope="module")
def listed(requests, tmp_path_factory) -> Path:
    """The same as a file."""
    path = tmp_path_factory.mktemp("embedding") / "requests.txt"
    path.write_text("".join(" ".join(map(str, one)) + "\n" for one in requests))
    return path


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    """Where the C library is installed."""
    prefix = tmp_path_factory.mktemp("c")
    told("make", "install-c", f"PREFIX={prefix}", "C_PROFILE=checked")
    return prefix


@pytest.fixture(scope="module", params=["shared", "static"])
def in_c(request, library) -> list[object]:
    """The C example, linked either way."""
    flags = {"PKG_CONFIG_PATH": str(library / "lib" / "pkgconfig")}
    program = library / f"replay-{request.param}"
    asked = ["pkg-config", "--cflags", "--libs", "platterlab"]
    if request.param == "static":
        asked.insert(1, "--static")
    words = told(*asked, **flags).split()
    if request.param == "shared":
        words.append(f"-Wl,-rpath,{library / 'lib'}")
    else:
        words = [str(library / "lib/libplatterlab.a") if w == "-lplatterlab" else w for w in words]
    told("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", EMBED / "replay.c",
         "-o", program, *words)  # fmt: skip
    return [program]


def by_python(what: pl.Experiment | str, requests, **options: str) -> dict[int, int]:
    """By number."""
    disk, found = pl.Stepper(what, **options), {}
    for at_us, lba, sectors, way in requests:
        operation = "read" if way == "R" else "write"
        disk.submit(lba, sectors, operation, at_ps=at_us * 1_000_000)
    while (at_ps := disk.next_event_ps) is not None:
        found |= {done.number: done.completion_ps for done in disk.advance(at_ps)}
    assert disk.in_flight == 0
    return found


@pytest.fixture(scope="module", params=["fcfs", "sptf"])
def known(request, requests, tmp_path_factory) -> tuple[str, dict[int, int]]:
    """A scheduler and what the command line says of it: the rows' milliseconds are exact."""
    folder = tmp_path_factory.mktemp("known")
    lines = (
        f"{at_us / 1e3:.3f} 0 {lba} {sectors} {int(way == 'R')}\n"
        for at_us, lba, sectors, way in requests
    )
    (folder / "requests.trace").write_text("".join(lines))
    (folder / "one.toml").write_text(
        f'[host.scheduler]\nkind = "{request.param}"\n[[drive]]\nprofile = "{DRIVE}"\n'
        '[[workload]]\nkind = "trace"\nfile = "requests.trace"\nformat = "disksim-ascii"\n'
    )
    command = [Path(sys.executable).parent / "platterlab", "simulate", folder / "one.toml"]
    told(*command, "--per-request", folder / "rows.csv")
    with (folder / "rows.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == REQUESTS
    found = {int(row["request"]): round(float(row["completion_ms"]) * 1e9) for row in rows}
    return request.param, found


def test_python_says_what_the_command_line_says(known, requests):
    scheduler, found = known
    assert by_python(DRIVE, requests, scheduler=scheduler) == found


def test_c_says_what_the_command_line_says(known, in_c, listed):
    scheduler, found = known
    assert completions(told(*in_c, DRIVE, scheduler, listed)) == found


def test_rust_says_what_the_command_line_says(known, listed):
    scheduler, found = known
    # Of the workspace: by itself it would have what it stands on built with other features.
    told("cargo", "build", "--quiet", "--locked", "--profile", "checked", "--workspace",
         "--example", "event_simulator")  # fmt: skip
    program = ROOT / "target" / "checked" / "examples" / "event_simulator"
    assert completions(told(program, DRIVE, scheduler, listed)) == found


def test_simpy_says_what_the_command_line_says(known, listed):
    scheduler, found = known
    printed = told(sys.executable, EMBED / "simpy_disk.py", DRIVE, scheduler, listed)
    assert completions(printed) == found


def test_a_whole_system_in_c_is_the_simulation_of_it(in_c, listed, requests, tmp_path):
    # Its sectors have 512 bytes, which are those of a trace.
    text = pl.Experiment.examples()["raid5-sptf"].replace("hp-c2200a", DRIVE)
    (tmp_path / "raid5.toml").write_text(text)
    found = completions(told(*in_c, "--system", tmp_path / "raid5.toml", listed))
    assert len(found) == REQUESTS
    assert by_python(pl.Experiment.of_toml(text), requests) == found
    lines = (
        f"{at / 1e3:.3f} 0 {lba} {size} {int(way == 'R')}\n" for at, lba, size, way in requests
    )
    (tmp_path / "list.trace").write_text("".join(lines))
    workload = [{"kind": "trace", "file": str(tmp_path / "list.trace"), "format": "disksim-ascii"}]
    parts = {**pl.Experiment.of_toml(text).tables, "workload": workload, "stop": {}}
    rows = pl.simulate(pl.Experiment(**parts), requests=True).requests
    ms = zip(rows["request"].to_pylist(), rows["completion_ms"].to_pylist(), strict=True)
    assert {number: round(at * 1e9) for number, at in ms} == found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hp-9756", "fcfs"), "hp-97560"),
        ((DRIVE, "sptff"), "sptf"),
        (("--system", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_c_is_told_what_is_wrong(in_c, listed, words, said):
    done = subprocess.run([*in_c, *words, listed], capture_output=True, text=True)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_c_is_told_of_a_request_beyond_the_drive(in_c, tmp_path):
    (tmp_path / "list").write_text("0 4000000000 8 R\n")
    done = subprocess.run([*in_c, DRIVE, "fcfs", tmp_path / "list"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "8 sectors from 4000000000 on do not lie on a volume of" in done.stderr


def test_the_header_is_c_plus_plus_too(library, tmp_path):
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler")
    source = tmp_path / "one.cc"
    source.write_text("#include <platterlab.h>\nint main() { platterlab_free(nullptr); }\n")
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{library / 'include'}"]
    told("c++", *flags, "-fsyntax-only", source)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda disk: disk.submit(1 << 60, 8), "do not lie on a volume"),
        (lambda disk: disk.submit(0, 0), "at least one sector"),
        (lambda disk: disk.submit(0, 8, "erase"), "'erase' is none of read, write"),
        (lambda disk: disk.submit(0, 8, at_ps=-1), "not a whole number of picoseconds"),
        (lambda disk: disk.submit(0, 8, at_ps=4), "4 ps is past: the system has come to 5 ps"),
        (lambda disk: disk.submit(0, 8, volume=1), "there is no volume 1"),
        (lambda disk: disk.advance(4), "is past"),
        (lambda disk: disk.advance(5.5), "not a whole number of picoseconds"),
        (lambda disk: disk.estimate_ps(1 << 60, 8), "do not lie on a volume"),
    ],
)
def test_python_is_told_what_is_wrong_and_nothing_is_changed(call, said):
    disk = pl.Stepper("mock")
    disk.advance(5)
    with pytest.raises(pl.InputError, match=said):
        call(disk)
    assert (disk.now_ps, disk.in_flight, disk.next_event_ps) == (5, 0, None)


def test_a_copy_goes_its_own_way():
    disk = pl.Stepper("mock")
    told_ps = disk.estimate_ps(500_000, 8)
    twin = disk.copy()
    twin.submit(500_000, 8)
    assert [done.completion_ps for done in twin.advance(10**12)] == [told_ps]
    assert (disk.now_ps, disk.report()["offered"], twin.report()["served"]) == (0, 0, 1)


def test_a_replication_that_is_not_there_is_told():
    system = pl.Experiment.of_toml(pl.Experiment.examples()["mm1"])
    with pytest.raises(pl.InputError, match="is none of the experiment's"):
        pl.Stepper(system, replication=99)
