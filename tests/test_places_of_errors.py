"""Where something is wrong stands in the error's attributes, whoever found it."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import platterlab as pl

READERS: dict[str, Callable[[Path, Path], Any]] = {
    "a drive": lambda path, _: pl.Drive(path),
    "an experiment": lambda path, _: pl.Experiment.load(path),
    "a run": lambda path, _: pl.simulate(path),
    "a trace": lambda path, _: pl.Trace(path).requests,
    "a served trace": lambda path, _: pl.simulate("mock", path),
    "a fitted trace": lambda path, _: pl.calibrate("mock", path),
    "a comparison": lambda path, _: pl.compare(path, path),
    "a sweep": lambda path, out: pl.sweep(path, out),
    "a measurement": lambda path, out: pl.characterize(path, out),
}


def place(work: Callable[[], Any]) -> tuple[str | None, int | None, str | None]:
    """Where the error says that something is wrong, in this process and in another."""
    with pytest.raises(pl.InputError) as raised:
        work()
    error = raised.value
    told = (error.file, error.line, error.key)
    arrived = pickle.loads(pickle.dumps(error))
    assert (arrived.file, arrived.line, arrived.key) == told
    assert told[0] is None or told[0] in str(error)
    return told


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize("kind", ["nowhere", "folder", "bytes"])
def test_a_file_that_cannot_be_read_is_named(what, kind, tmp_path):
    path = tmp_path / "it.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "bytes":
        path.write_bytes(b"\xff\xfe\x00")
    if (what, kind) == ("a measurement", "bytes"):
        path.write_bytes(b"\xff = 3")
    assert place(lambda: READERS[what](path, tmp_path / "out"))[0] == str(path)


@pytest.mark.parametrize("values", [{}, {"spindle.speed_rpm": -1}])
def test_a_file_with_other_values_has_its_own_name(values, tmp_path):
    path = tmp_path / "mine.toml"
    pl.Drive("mock").save(path)
    if values:
        assert place(lambda: pl.Drive(path, values)) == (str(path), None, "spindle.speed_rpm")
        return
    path.write_text(path.read_text().replace("surfaces = 15", "surfaces = 0"))
    line = 1 + path.read_text().splitlines().index("surfaces = 0")
    assert place(lambda: pl.Drive(path)) == (str(path), line, "geometry.surfaces")


def test_what_cannot_be_written_is_named(tmp_path):
    drive, nowhere = pl.Drive("mock"), tmp_path / "nowhere" / "it.toml"
    assert place(lambda: drive.save(nowhere))[0] == str(nowhere)
    assert place(lambda: pl.Experiment.of_toml(pl.Experiment.examples()["mm1"]).save(nowhere))[
        0
    ] == str(nowhere)
    taken = tmp_path / "taken"
    taken.write_text("")
    plan = {"experiment": "mm1", "vary": [{"key": "stop.requests", "values": [3000]}]}
    assert place(lambda: pl.sweep(plan, taken, workers=1))[0] == str(taken)


def test_rows_that_cannot_be_are_told_with_their_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("response_ms,lba\n5.0,1\n-3.0,2\n")
    assert place(lambda: pl.compare(path, path))[0] == str(path)
