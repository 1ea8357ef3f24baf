"""What every command writes: declared before it runs, never over an input, whole or not at all."""

import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, command
from platterlab import InputError, library, output, results

DRIVE = "hp-c2200a"
DISKSIM = ROOT / "crates/disksim/tests/files"
EXPERIMENT = """\
[[drive]]
profile = "drive.toml"

[[workload]]
kind = "trace"
file = "in.csv"
"""
DISKSIM_SYSTEM = """\
disksim_iodriver DRIVER { type = 1, Constant access time = 0.0, Use queueing in subsystem = 1,
  Scheduler = disksim_ioqueue { Scheduling policy = 3, Cylinder mapping strategy = 1,
    Scheduling timeout scheme = 0, Scheduling priority scheme = 0 } }
disksim_bus BUS { type = 2, Arbitration type = 1, Arbitration time = 0.0,
  Read block transfer time = 0.0, Write block transfer time = 0.0, Print stats = 0 }
disksim_ctlr CTLR { type = 1, Bulk sector transfer time = 0.0 }
source small.diskspecs
instantiate [ driver0 ] as DRIVER
instantiate [ bus0 .. bus1 ] as BUS
instantiate [ ctlr0 ] as CTLR
instantiate [ disk0 ] as SMALL
topology disksim_iodriver driver0 [ disksim_bus bus0 [
  disksim_ctlr ctlr0 [ disksim_bus bus1 [ disksim_disk disk0 [] ] ] ] ]
"""
SWEEP = """\
experiment = "exp.toml"
[[vary]]
key = "host.scheduler.kind"
values = ["fcfs", "sptf"]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a trace, a profile, an experiment of both, and rows."""
    (tmp_path / "in.csv").write_text("".join(f"{40 * i} 0 {80 * i} 8 1\n" for i in range(50)))
    (tmp_path / "drive.toml").write_text(library.drives()[DRIVE][1])
    (tmp_path / "exp.toml").write_text(EXPERIMENT)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    return tmp_path


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


REPLAY = ["simulate", "-p", "drive.toml", "-t", "in.csv"]
OVER_INPUTS = {
    "trace": [*REPLAY, "--per-request", "in.csv"],
    "trace-by-another-way": [*REPLAY, "--per-request", "sub/../in.csv"],
    "trace-by-a-link": [*REPLAY, "--per-request", "link.csv"],
    "trace-by-a-hard-link": [*REPLAY, "--per-request", "hard.csv"],
    "trace-of-an-experiment": ["simulate", "exp.toml", "--requests", "in.csv"],
    "profile-of-an-experiment": ["simulate", "exp.toml", "--report", "drive.toml"],
    "experiment": ["simulate", "exp.toml", "--report", "exp.toml"],
    "trace-of-a-grid": ["simulate", "exp.toml", "--vary", "seed=1,2", "--table", "in.csv"],
    "profile-of-a-grid": ["simulate", "exp.toml", "--vary", "seed=1,2", "--report", "drive.toml"],
    "sweep": ["sweep", "sweep.toml", "--report", "sweep.toml"],
    "experiment-of-a-sweep": ["sweep", "sweep.toml", "--report", "exp.toml"],
    "trace-of-a-sweep": ["sweep", "sweep.toml", "--report", "in.csv"],
    "profile-of-a-sweep": ["sweep", "sweep.toml", "--report", "drive.toml"],
    "one-file-twice": ["simulate", "exp.toml", "--requests", "o.csv", "--per-request", "o.csv"],
    "one-file-twice-by-a-link": [
        "simulate", "exp.toml", "--requests", "dangling.csv", "--per-request", "o.csv",
    ],
    "results": ["report", "rows.parquet", "-o", "rows.parquet"],
    "profile-shown": ["profile", "show", "drive.toml", "--layout", "--out", "drive.png"],
    "profile-aligned": ["av", "align", "-p", "drive.toml", "--out", "drive.toml"],
    "trace-converted": ["trace", "convert", "in.csv", "in.csv", "--to", "blkreplay"],
    "trace-of-a-fit": ["calibrate", "-t", "in.csv", "-p", "drive.toml", "--out", "in.csv"],
    "profile-edited": ["profile", "edit", "drive.toml", "--set", "id=a", "--out", "t.toml"],
    "profile-exported": ["profile", "export", "small.toml", "--out", "u.diskspecs"],
    "file-that-another-draws-in": ["profile", "import", "small.diskspecs", "--out", "small.model"],
    "curve-that-a-drive-draws-in": ["profile", "import", "small.diskspecs", "--out", "small.seek"],
    "curve-of-a-system": [
        "simulate", "--disksim", "sys.parv", "-t", "in.csv", "--requests", "seek.csv",
    ],
    "page-of-a-drive-at-work": ["show", "drive.toml", "-t", "in.csv", "--out", "drive.toml"],
    "trace-that-a-drive-serves": ["show", "drive.toml", "-t", "in.csv", "--out", "in.csv"],
    "trace-drawn": ["trace", "info", "in.csv", "--picture", "in.png"],
    "rows-of-a-served-drive": ["serve", "drive.toml", "--store", "o.csv", "--rows", "o.csv"],
    "store-of-a-served-drive": ["serve", "drive.toml", "--store", "drive.toml", "--nbd", "s"],
    "store-of-faults": ["serve", DRIVE, "--store", "f.toml", "--faults", "f.toml", "--nbd", "s"],
    "table-of-a-sweep": ["sweep", "sweep.toml", "--out", "d", "--report", "d/table.parquet"],
    "one-of-several-results": ["report", "rows.parquet", "in.csv", "-o", "in.csv"],
    "profile-of-a-fit": ["calibrate", "-t", "in.csv", "-p", "drive.toml", "--out", "drive.toml"],
    "recording": ["characterize", "disk.img", "--out", "disk.img"],
}  # fmt: skip


OVER = re.compile("is the input|lies in the input|names the same file|is a file; name a folder")


@pytest.mark.parametrize("name", OVER_INPUTS)
def test_an_input_is_never_an_output(run, place, monkeypatch, name):
    monkeypatch.chdir(place)
    (place / "sub").mkdir()
    (place / "link.csv").symlink_to("in.csv")
    os.link(place / "in.csv", place / "hard.csv")
    os.link(place / "drive.toml", place / "drive.png")
    os.link(place / "drive.toml", place / "t.toml")
    os.link(place / "in.csv", place / "in.png")
    for path in DISKSIM.glob("small.*"):
        shutil.copy(path, place)
    os.link(place / "small.seek", place / "seek.csv")
    (place / "f.toml").write_text('[[fault]]\nkind = "unreadable"\nlba = 7\nsectors = 8\n')
    (place / "d" / "points").mkdir(parents=True)
    (place / "disk.img").write_bytes(bytes(512 * 512))
    (place / "sys.parv").write_text(DISKSIM_SYSTEM)
    assert run("profile", "import", "small.diskspecs", "--out", "small.toml").code == 0
    os.link(place / "small.toml", place / "u.seek")
    (place / "dangling.csv").symlink_to("o.csv")
    assert run(*REPLAY, "--per-request", "rows.parquet").code == 0
    before = kept(place)
    ran = run(*OVER_INPUTS[name])
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert OVER.search(ran.err), ran.err
    assert kept(place) == before


TARGETS = ["pipe.csv", "sub.csv", "gone/rows.csv", f"{'n' * 250}.csv", "", ".", "..", "/"]


@pytest.mark.parametrize("target", TARGETS)
def test_an_output_is_a_regular_file_in_a_folder(run, place, monkeypatch, target):
    monkeypatch.chdir(place)
    os.mkfifo(place / "pipe.csv")
    (place / "sub.csv").mkdir()
    before = sorted(place.iterdir())
    ran = run(*REPLAY, "--per-request", target)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert target[:20] in ran.err
    assert sorted(place.iterdir()) == before


def test_an_output_does_not_lie_in_an_input(tmp_path):
    folder = tmp_path / "bundle"
    folder.mkdir()
    with pytest.raises(InputError, match="lies in the input"):
        output.declare({"--out": folder / "page.html"}, [folder])
    with pytest.raises(InputError, match="lies in the input"):
        output.declare_folder("--archive", folder / "archive", [folder])


IN_A_FILE = {
    "bundle": ["characterize", "mock", "--quick", "--out", "in.csv/x/y"],
    "sweep": ["sweep", "sweep.toml", "--out", "in.csv/x"],
    "study": ["study", "queueing", "--out", "in.csv/x"],
    "archive": ["archive", "add", ".", "--archive", "in.csv/x"],
    "pages": ["man", "--out", "in.csv/x"],
}


@pytest.mark.parametrize("name", IN_A_FILE)
def test_no_folder_is_made_in_a_file(run, place, monkeypatch, name):
    monkeypatch.chdir(place)
    before = kept(place)
    ran = run(*IN_A_FILE[name])
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert "in.csv" in ran.err
    assert ran.err.count("\n") == 1
    assert kept(place) == before


def test_the_root_of_all_folders_is_a_folder(run, place, monkeypatch):
    monkeypatch.chdir(place)
    ran = run("characterize", "mock", "--quick", "--out", "/")
    assert (ran.code, ran.err.count("/: exists")) == (2, 1), ran.err
    ran = run("archive", "add", "in.csv", "--archive", "/")
    assert (ran.code, ran.err.count("in.csv: is a file")) == (2, 1), ran.err


def test_an_archive_that_is_a_file_is_not_empty(run, place, monkeypatch):
    monkeypatch.chdir(place)
    for line in (["list"], ["compare", "1", "2"]):
        ran = run("archive", *line, "--archive", "in.csv")
        assert (ran.code, ran.out) == (2, "")
        assert "in.csv: is a file" in ran.err


def test_what_breaks_off_leaves_the_older_file(tmp_path):
    target = tmp_path / "page.html"
    target.write_text("older")

    def break_off() -> None:
        with output.replacing(target) as partial:
            partial.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert target.read_text() == "older"
    assert list(tmp_path.iterdir()) == [target]


@pytest.fixture
def full(tmp_path: Path):
    """A folder on a disk of 128 KiB that are all taken."""
    folder = tmp_path / "full"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a file system of a few pages is mounted, which only root may")
    with contextlib.suppress(OSError), (folder / "ballast").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(4096))
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


WRITERS = {
    "rows": [*REPLAY, "--per-request", "full/rows.csv"],
    "columns": [*REPLAY, "--per-request", "full/rows.parquet"],
    "requests": ["simulate", "exp.toml", "--requests", "full/rows.csv"],
    "timeline": ["simulate", "exp.toml", "--timeline", "full/time.json"],
    "page": ["simulate", "exp.toml", "--report", "full/page.html"],
    "report": ["report", "rows.parquet", "-o", "full/page.html"],
    "picture": ["profile", "show", DRIVE, "--layout", "--out", "full/drive.png"],
    "profile": ["av", "align", "-p", DRIVE, "--extent", "16k", "--out", "full/drive.toml"],
    "imported": ["profile", "import", "small.diskspecs", "--out", "full/drive.toml"],
    "exported": ["profile", "export", "small.toml", "--out", "full/drive.diskspecs"],
    "trace": ["trace", "convert", "long.trace", "full/copy", "--to", "disksim-ascii"],
    "bundle": ["characterize", "mock", "--quick", "--out", "full/bundle"],
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_work_that_failed(run, place, full, monkeypatch, name):
    monkeypatch.chdir(place)
    long = "".join(f"{40 * i} 0 {80 * i} 8 1\n" for i in range(5_000))
    (place / "long.trace").write_text(long)
    (place / "in.csv").write_text(long)
    assert run(*REPLAY, "--per-request", "rows.parquet").code == 0
    for path in DISKSIM.glob("small.*"):
        shutil.copy(path, place)
    assert run("profile", "import", "small.diskspecs", "--out", "small.toml").code == 0
    ran = run(*WRITERS[name])
    assert ran.code == 1, ran.err
    assert "full/" in ran.err
    assert "No space left on device" in ran.err or "samples are kept" in ran.err
    left = {path.name for path in full.iterdir()} - {"ballast", "bundle"}
    assert not {one for one in left if "partial" in one or one in WRITERS[name][-1]}


def test_an_archive_on_a_full_disk_says_which_file(run, place, full, monkeypatch):
    monkeypatch.chdir(place)
    assert run("characterize", "mock", "--quick", "--out", "bundle").code == 0
    ran = run("archive", "add", "bundle", "--archive", "full/archive")
    assert ran.code == 1, ran.err
    assert "No space left on device" in ran.err
    assert ran.err.count("\n") == 1
    assert [path.name for path in (full / "archive").iterdir()] == []


def test_streams_may_be_closed_or_narrow(place):
    shell = shutil.which("bash")
    line = 'exec "$0" "$@" 1>&-'
    program = Path(os.sys.executable).with_name("platterlab")
    closed = subprocess.run(
        [shell, "-c", line, program, "profile", "list"], capture_output=True, check=False
    )
    assert (closed.returncode, closed.stderr) == (0, b"")
    narrow = dict(os.environ, PYTHONIOENCODING="ascii", COLUMNS="80")
    for arguments in (["profile", "list"], [*REPLAY], [*REPLAY, "--json"]):
        ran = command(*arguments, cwd=place, env=narrow)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.isascii()


def test_who_stops_reading_is_no_reason_to_complain(place):
    program = Path(os.sys.executable).with_name("platterlab")
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [program, *REPLAY, "--json"], cwd=place, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (1, b"")


def test_a_full_standard_output_is_said(place):
    with Path("/dev/full").open("w") as full:
        program = Path(os.sys.executable).with_name("platterlab")
        line = [program, *REPLAY, "--json"]
        ran = subprocess.run(line, cwd=place, stdout=full, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == 1
    assert ran.stderr.decode() == "platterlab: standard output: No space left on device\n"


def test_a_name_need_not_be_utf_8(place):
    name = os.fsdecode(b"tr\xffce.csv")
    shutil.copy(place / "in.csv", place / name)
    shutil.copy(place / "drive.toml", place / os.fsdecode(b"dr\xffve.toml"))
    for arguments in (
        ["trace", "info", name],
        ["trace", "info", name, "--json"],
        ["trace", "convert", name, os.fsdecode(b"out\xff"), "--to", "disksim-ascii"],
        ["simulate", "-p", DRIVE, "-t", name, "--per-request", os.fsdecode(b"r\xff.parquet")],
    ):
        ran = command(*arguments, cwd=place)
        assert (ran.returncode, ran.stderr) == (0, ""), arguments
    assert (place / os.fsdecode(b"out\xff")).is_file()


def test_a_word_has_to_be_utf_8(run, place, monkeypatch):
    monkeypatch.chdir(place)
    ran = run("task", "write", os.fsdecode(b"compre\xff"), "run.flow")
    assert (ran.code, ran.out) == (2, "")
    assert "is not UTF-8" in ran.err
    assert not Path("run.flow").exists()


def test_every_results_file_has_its_manifest(run, place, monkeypatch):
    monkeypatch.chdir(place)
    assert run(*REPLAY, "--per-request", "rows.parquet").code == 0
    from platterlab.results_file import ResultsFile

    rows = ResultsFile(Path("rows.parquet"))
    assert rows.manifest()["trace"] == "in.csv"
    assert rows.columns == [name for name, *_ in results.COMMANDS]


@pytest.mark.parametrize("name", ["out.txt", "/dev/stdout", "/proc/self/fd/2"])
def test_the_file_of_a_stream_is_no_output(place, tmp_path, name):
    # A link as /dev/stdout is one, so that a failure takes away none that others need.
    stream = {"/dev/stdout": "/proc/self/fd/1"}.get(name, name)
    link = tmp_path / "link"
    link.symlink_to(stream if stream.startswith("/") else place / stream)
    line = ["trace", "convert", "in.csv", link, "--to", "blkreplay"]
    program = [os.sys.executable, "-m", "platterlab"]
    with (place / "out.txt").open("w") as out, (place / "err.txt").open("w") as err:
        ran = subprocess.run([*program, *line], cwd=place, stdout=out, stderr=err, check=False)
    said = (place / "err.txt").read_text()
    assert ran.returncode == 2, said
    assert "is the file of standard " in said
    assert link.is_symlink()
    assert (place / "out.txt").read_text() == ""
