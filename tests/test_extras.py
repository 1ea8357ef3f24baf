"""Where a library of an extra is missing, one message says which, and what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

import platterlab as pl
from platterlab import extras

CHARTS = ("altair", "vl_convert", "matplotlib")
FITS = ("scipy", "threadpoolctl")
TABLES = ("pyarrow",)
WITHOUT = (
    "import sys; sys.modules.update(dict.fromkeys({modules!r}));"
    "from platterlab import cli; sys.exit(cli.run(sys.argv[1:]))"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("extras")
    text = pl.Experiment.examples()["mm1"].replace("100_000", "5_000")
    (made / "mm1.toml").write_text(text)
    done = run((), made, "simulate", "mm1.toml", "--requests", "rows.parquet")
    assert done.returncode == 0, done.stderr
    return made


def run(without: tuple[str, ...], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = WITHOUT.format(modules=without)
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("without", "words"),
    [
        (CHARTS, ["report", "rows.parquet"]),
        (CHARTS, ["simulate", "mm1.toml", "--report", "page.html"]),
        (CHARTS, ["characterize", "mock", "--out", "mock.bundle"]),
        (CHARTS, ["profile", "show", "mock", "--layout"]),
        (FITS, ["compare", "rows.parquet", "rows.parquet"]),
        (FITS, ["calibrate", "-p", "mock", "-t", "rows.parquet"]),
        (FITS, ["study", "queueing"]),
        (TABLES, ["simulate", "mm1.toml", "--vary", "seed=1,2", "--table", "table.csv"]),
        (TABLES, ["characterize", "mock", "--out", "mock.bundle"]),
        (TABLES, ["compare", "rows.parquet", "rows.parquet"]),
        (TABLES, ["report", "rows.parquet"]),
    ],
)
def test_the_message_says_what_to_install(without, words, folder):
    before = sorted(folder.iterdir())
    done = run(without, folder, *words)
    assert done.returncode == 2
    extra = {CHARTS: "charts", FITS: "fits", TABLES: "tables"}[without]
    said = " ".join(done.stderr.split())
    assert f"which is not installed: pip install 'platterlab[{extra}]'" in said
    assert said.count("platterlab:") == 1
    assert "Traceback" not in said
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "mm1.toml", "--per-request", "again.parquet"],
        ["show", "--ostep", "-a 7,30,8", "--out", "show.html"],
        ["profile", "show", "hp-c2200a"],
        ["example", "mm1"],
        ["trace", "formats"],
        ["trace", "info", "rows.parquet"],
    ],
)
def test_what_needs_no_extra_works_without_any(words, folder):
    done = run((*CHARTS, *FITS, *TABLES, "distributed"), folder, *words)
    assert done.returncode == 0, done.stderr


def test_a_function_says_it_too(monkeypatch):
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with pytest.raises(pl.InputError, match=r"fits and intervals need .*platterlab\[fits\]"):
        pl.calibrate("mock", "no.trace")


def test_a_module_of_no_extra_is_not_explained():
    assert extras.explained(ModuleNotFoundError("no", name="nobody.knows")) is None


def test_rows_say_what_they_need_and_a_simulation_without_needs_nothing(monkeypatch):
    drive = pl.Drive("mock")
    trace = pl.Trace.random(drive, 50)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert pl.simulate(drive, trace).figures.served == 50
    with pytest.raises(pl.InputError, match=r"tables of rows need .*platterlab\[tables\]"):
        pl.simulate(drive, trace, rows=True)
