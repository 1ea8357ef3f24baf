"""Bundles and results as others may have left or made them: refused, never obeyed."""

import json
import os
import random
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from bad_files import mutated
from conftest import in_soak
from platterlab import library

pytestmark = pytest.mark.usefixtures("undrawn")

SHAPES = [
    "{}",
    "[]",
    "null",
    "7",
    "",
    "{",
    '{"a": 1}',
    "[" * 100_000,
    '"x"',
    "\x00",
    '{"files": []}',
]
JSON_FILES = ("manifest.json", "environment.json", "extraction.json")


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A bundle and per-request rows that are as they should be."""
    from platterlab import cli

    place = tmp_path_factory.mktemp("sound")
    assert cli.run(["characterize", "mock", "--quick", "--out", str(place / "bundle")]) == 0
    trace = place / "t.trace"
    trace.write_text("".join(f"{40 * i} 0 {80 * i} 8 {i % 2}\n" for i in range(300)))
    for name in ("rows.parquet", "rows.csv"):
        line = ["simulate", "-p", "hp-c2200a", "-t", str(trace), "--per-request", str(place / name)]
        assert cli.run(line) == 0
    return place


@pytest.fixture
def bundle(sound, tmp_path):
    shutil.copytree(sound / "bundle", tmp_path / "bundle")
    return tmp_path / "bundle"


def changed(folder: Path, **values: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


@pytest.mark.parametrize("name", ["../x", "/x", "0123456789ab\n", "ABCDEF012345", "0" * 12, 7])
def test_an_id_is_twelve_digits_of_the_content(run, bundle, tmp_path, name):
    changed(bundle, bundle=name)
    ran = run("archive", "add", bundle, "--archive", tmp_path / "home" / "archive")
    assert ran.code == 2, ran.err
    assert not (tmp_path / "home").exists()


def test_a_bundle_has_its_samples(run, bundle, tmp_path):
    changed(bundle, files={})
    ran = run("archive", "add", bundle, "--archive", tmp_path / "archive")
    assert ran.code == 2
    assert "samples.parquet" in ran.err


def test_links_are_not_followed(run, bundle, tmp_path):
    (tmp_path / "secret").write_bytes((bundle / "report.html").read_bytes())
    (bundle / "report.html").unlink()
    (bundle / "report.html").symlink_to(tmp_path / "secret")
    ran = run("archive", "add", bundle, "--archive", tmp_path / "archive")
    assert ran.code == 2
    assert "not a regular file" in ran.err
    assert not (tmp_path / "archive").exists()


def test_only_what_the_manifest_names_is_kept(run, bundle, tmp_path):
    (bundle / "more").symlink_to("/etc/passwd")
    added = run("archive", "add", bundle, "--archive", tmp_path / "archive", "--json").json()
    assert not os.path.lexists(Path(added["folder"]) / "more")


@pytest.mark.parametrize("file", JSON_FILES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_document_of_another_shape_is_refused(run, bundle, tmp_path, file, shape):
    (bundle / file).write_text(shape)
    home = ["--archive", tmp_path / "archive"]
    for line in (
        ["archive", "add", bundle, *home],
        ["archive", "compare", bundle, bundle, *home],
        ["characterize", bundle, "--out", tmp_path / "again"],
    ):
        ran = run(*line)
        assert ran.code in (0, 2), ran.err
    assert run("archive", "add", bundle, *home).code == 2


def test_one_bad_bundle_is_listed_and_the_rest_goes_on(run, bundle, tmp_path):
    home = ["--archive", tmp_path / "archive"]
    added = run("archive", "add", bundle, *home, "--json").json()["bundle"]
    for number, shape in enumerate(SHAPES):
        bad = tmp_path / "archive" / f"{number:012}"
        shutil.copytree(bundle, bad)
        (bad / JSON_FILES[number % 3]).write_text(shape)
    listed = run("archive", "list", *home, "--json").json()
    assert [one["bundle"] for one in listed["bundles"]] == [added]
    assert len(listed["bad"]) == len(SHAPES)
    assert run("archive", "list", *home).out.count("\nbad: ") == len(SHAPES)
    assert run("archive", "compare", added, added, *home).code == 0


def table(sound: Path, **columns: pa.Array) -> pa.Table:
    rows = pa.parquet.read_table(sound / "rows.parquet")
    for name, values in columns.items():
        rows = rows.set_column(rows.column_names.index(name), name, values)
    return rows


WRONG = {
    "negative": ("service_ms", [-1.0], "row 1: service_ms is less than 0"),
    "not-a-number": ("service_ms", [float("nan")], "row 1: service_ms is not a number"),
    "negative-measured": ("measured_ms", [-1.0], "row 1: measured_ms is less than 0"),
    "infinite": ("measured_ms", [float("inf")], "row 1: measured_ms is not a number"),
    "operation": ("operation", ["erase"], "row 1: operation is 'erase'; it is read or write"),
    "no-operation": ("operation", [None], "row 1: operation is nothing"),
    "beyond-any-clock": ("service_ms", [1e308], "row 1: service_ms is more than 1e+24"),
    "list": ("service_ms", [[1.0]], "something other than numbers"),
    "list-of-words": ("operation", [["read"]], "something other than words"),
}


@pytest.mark.parametrize("name", WRONG)
def test_compare_and_report_name_the_row(run, sound, tmp_path, name):
    column, first, said = WRONG[name]
    rows = tmp_path / "rows.parquet"
    pa.parquet.write_table(table(sound, **{column: pa.array(first * 300)}), rows)
    for line in (["compare", rows], ["compare", rows, rows], ["report", rows]):
        ran = run(*line)
        if column == "measured_ms" and line == ["compare", rows, rows]:
            assert ran.code == 2
            continue
        assert (ran.code, ran.out) == (2, ""), line
        assert said in ran.err
        assert "rows.parquet" in ran.err


@pytest.mark.parametrize("stored", ["", "[", "[]", "7", "[" * 50_000, '{"trace": {}}', "{}"])
def test_a_manifest_of_another_shape_is_refused_or_drawn(run, sound, tmp_path, stored):
    rows = tmp_path / "rows.parquet"
    described = table(sound).replace_schema_metadata({"platterlab": stored})
    pa.parquet.write_table(described, rows)
    ran = run("report", rows)
    assert ran.code in (0, 2), ran.err


def test_arrivals_have_to_be_numbers(run, sound, tmp_path):
    rows = tmp_path / "rows.parquet"
    pa.parquet.write_table(table(sound, arrival_ms=pa.array([float("nan")] * 300)), rows)
    ran = run("report", rows)
    assert (ran.code, ran.out) == (2, "")
    assert "arrival_ms" in ran.err


CSV = {
    "bad-late": lambda text: text + text.splitlines()[1].replace("read", "r").replace(",", ";"),
    "long-line": lambda text: text + "x" * 5_000_000,
    "latin-1": lambda text: text.replace("read", "ré"),
    "latin-1-names": lambda text: text.replace("arrival", "é", 1),
    "empty": lambda text: text[:0],
    "only-names": lambda text: text.splitlines()[0],
    "words-late": lambda text: text + text.splitlines()[1].replace("0", "?"),
}


@pytest.mark.parametrize("name", CSV)
def test_a_bad_csv_is_refused(run, sound, tmp_path, name):
    rows = tmp_path / "rows.csv"
    rows.write_text(CSV[name]((sound / "rows.csv").read_text()), encoding="latin-1")
    for line in (["compare", rows], ["compare", rows, rows], ["report", rows]):
        ran = run(*line)
        assert (ran.code, ran.out) == (2, ""), line
        assert "rows.csv" in ran.err or "nothing to compare" in ran.err


JSON_WORDS = b'null -1 1e999 [] {} "x" 99999999999999999999 NaN'.split()


@pytest.mark.parametrize("seed", [*range(6), *in_soak(*range(6, 60))])
def test_no_mutation_is_more_than_refused(run, sound, bundle, tmp_path, seed):
    chance = random.Random(seed)  # noqa: S311
    home = ["--archive", tmp_path / "archive"]
    file = chance.choice([*JSON_FILES, "samples.parquet"])
    (bundle / file).write_bytes(mutated((bundle / file).read_bytes(), chance, JSON_WORDS))
    rows = tmp_path / chance.choice(["rows.parquet", "rows.csv"])
    rows.write_bytes(mutated((sound / rows.name).read_bytes(), chance, JSON_WORDS))
    for line in (
        ["archive", "add", bundle, *home],
        ["archive", "compare", bundle, sound / "bundle", *home],
        ["characterize", bundle, "--out", tmp_path / "again"],
        ["compare", rows],
        ["compare", rows, sound / "rows.parquet"],
    ):
        ran = run(*line)
        assert ran.code in (0, 2), (line, ran.err)
        assert ran.code == 0 or ran.err.startswith("platterlab: "), line


def test_the_library_is_named_by_its_files():
    assert library.file_of("hp-97560") is None
    assert library.file_of("./hp-97560") == Path("hp-97560")


def test_what_is_no_folder_is_said_to_be_none(run, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for named, said in [(tmp_path / "none", "there is no such folder"), (file, "is a file;")]:
        ran = run("archive", "add", named, "--archive", tmp_path / "archive")
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err
