"""Lists of drives: calibrated on any engine to the same bits, kept, gone on with, refused."""

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import platterlab as pl
from test_public_api import COLUMNS

SPEEDS_RPM = {"one": 4003, "other": 3998}


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """Rows of two drives that turn at speeds of their own, and the list."""
    folder = tmp_path / "measured"
    folder.mkdir()
    for name, speed_rpm in SPEEDS_RPM.items():
        true = pl.Drive("hp-97560", {"spindle.speed_rpm": speed_rpm})
        asked = pl.Trace.random(true, 600, think_ms=20.0)
        rows = pl.simulate(true, asked, timing="closed", rows=True).rows
        pq.write_table(pa.table(rows), folder / f"{name}.parquet")
    lines = (f'[[drive]]\nprofile = "hp-97560"\ntrace = "{name}.parquet"\n' for name in SPEEDS_RPM)
    (folder / "drives.toml").write_text("".join(lines))
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_each_is_calibrated_once_and_alike_on_every_engine(run, measured, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    plan = measured / "drives.toml"
    first = run("calibrations", plan, "--out", here, "--workers", 1, "--json").json()
    assert (first["ran"], [row["name"] for row in first["drives"]]) == (2, list(SPEEDS_RPM))
    for name, speed_rpm in SPEEDS_RPM.items():
        found = pl.Drive(here / f"{name}.toml").rotation_ms
        assert found == pytest.approx(60e3 / speed_rpm, rel=1e-6)
    # As by `calibrate` itself.
    alone = run("calibrate", "-p", "hp-97560", "-t", measured / "one.parquet", "--out",
                tmp_path / "alone.toml", "--json").json()  # fmt: skip
    assert (tmp_path / "alone.toml").read_text() == (here / "one.toml").read_text()
    told = first["drives"][0]
    assert {"judged", "verdict", "warnings", "values"} < told.keys()
    for key in told.keys() - {"name", "manifest"}:
        assert told[key] == alone[key], key
    kept = files(here)
    # One that is gone is calibrated again, and nothing else is.
    (here / "other.json").unlink()
    again = run("calibrations", plan, "--out", here, "--json").json()
    assert (again["ran"], files(here)) == (1, kept)
    shutil.copytree(here, there)
    (there / "one.json").unlink()
    run("calibrations", plan, "--out", there, "--dask", "local", "--workers", 2)
    assert files(there) == kept
    shown = run("calibrations", plan, "--out", here)
    assert "2 drives, 0 of them now" in " ".join(shown.out.split())
    # One whose trace became another is calibrated anew.
    (measured / "one.parquet").write_bytes((measured / "other.parquet").read_bytes())
    assert run("calibrations", plan, "--out", here, "--workers", 1, "--json").json()["ran"] == 1
    assert pl.Drive(here / "one.toml").rotation_ms == pl.Drive(here / "other.toml").rotation_ms


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "drive"),
        ("drive = 3", "drive"),
        ('[[drive]]\nprofile = "hp-97560"\ntrace = "b.trace"\nspeed = 3', "speed"),
        ('[[drive]]\nprofile = "hp-97560"\ntrace = "gone.trace"', "gone.trace"),
        ('[[drive]]\nprofile = "hp-9756"\ntrace = "b.trace"', "hp-9756"),
        ('[[drive]]\nprofile = "hp-97560"\ntrace = "b.trace"\nshare = 2', "share = 2"),
        (2 * '[[drive]]\nprofile = "hp-97560"\ntrace = "b.trace"\n', "`b`"),
        ('[[drive]]\nprofile = "hp-97560"\ntrace = "b.trace"\nname = "../b"', "../b"),
        ("[[drive", "no TOML"),
    ],
)
def test_what_is_no_list_is_refused_before_anything_is_written(run, tmp_path, text, said):
    (tmp_path / "b.trace").write_text("0.0 0 0 8 1\n")
    (tmp_path / "list.toml").write_text(text)
    ran = run("calibrations", tmp_path / "list.toml")
    assert ran.code == 2
    assert said in ran.err
    assert "list.toml" in ran.err
    assert not (tmp_path / "list.calibrated").exists()


def test_a_trace_without_times_is_named_with_its_drive(run, tmp_path):
    pq.write_table(pa.table(COLUMNS), tmp_path / "c.parquet")
    (tmp_path / "list.toml").write_text('drive = [{ profile = "hp-97560", trace = "c.parquet" }]')
    ran = run("calibrations", tmp_path / "list.toml", "--workers", 1)
    assert ran.code == 2
    assert "c.parquet" in ran.err
