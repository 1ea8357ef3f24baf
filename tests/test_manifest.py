"""What every result says of how it was made: enough to make it again."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet
import pytest

from platterlab import __version__, library, studies
from platterlab.results_file import ResultsFile
from serving import serving
from test_outputs import DISKSIM, DISKSIM_SYSTEM

EXPERIMENT = """
seed = 11
[[drive]]
profile = "own.toml"
[[drive]]
name = "other"
profile = "mock"
[[workload]]
kind = "trace"
file = "requests.load"
timing = { kind = "open", time_scale = 1.0 }
"""
QUICK = "ruemmler-wilkes"
"""The study that is shortest where there is no data."""
TRACE = "".join(f"{number * 0.02:.6f};{number * 64};8;R;0.0;0.0\n" for number in range(200))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.toml").write_text(library.drives()["mock"][1], encoding="utf-8")
    (tmp_path / "requests.load").write_text(TRACE, encoding="utf-8")
    (tmp_path / "e.toml").write_text(EXPERIMENT, encoding="utf-8")
    return tmp_path


def inputs_of(manifest: dict) -> dict[tuple[str, str], str]:
    return {(one["what"], Path(one["path"]).name): one["sha256"] for one in manifest["inputs"]}


def expected(folder: Path) -> dict[tuple[str, str], str]:
    mock = hashlib.sha256(library.drives()["mock"][1].encode()).hexdigest()
    files = [("experiment", "e.toml"), ("profile", "own.toml"), ("trace", "requests.load")]
    return {("profile", "mock"): mock} | {one: sha256(folder / one[1]) for one in files}


def test_json_parquet_and_html_of_an_experiment_name_all_it_was_made_of(run, folder):
    rows, page = folder / "rows.parquet", folder / "page.html"
    arguments = ("simulate", folder / "e.toml", "--set", "workload[0].timing.time_scale=2.0")
    done = run(*arguments, "--per-request", rows, "--report", page, "--json")
    manifest = done.json()["manifest"]
    assert (manifest["platterlab"], manifest["seed"]) == (__version__, 11)
    assert manifest["overrides"] == {"workload[0].timing.time_scale": 2.0}
    assert inputs_of(manifest) == expected(folder)
    stored = ResultsFile(rows).manifest()
    assert {key: stored[key] for key in manifest} == manifest
    text = page.read_text(encoding="utf-8")
    for digest in expected(folder).values():
        assert digest in text
    assert "<td>11</td>" in text


def test_a_change_of_one_byte_of_any_input_is_told(run, folder):
    first = run("simulate", folder / "e.toml", "--json").json()["manifest"]
    for name in ("e.toml", "own.toml"):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("#")
    with (folder / "requests.load").open("a", encoding="utf-8") as file:
        file.write("5.0;64;8;R;0.0;0.0\n")
    second = run("simulate", folder / "e.toml", "--json").json()["manifest"]
    changed = {
        what for what, digest in inputs_of(first).items() if inputs_of(second)[what] != digest
    }
    assert {name for _, name in changed} == {"e.toml", "own.toml", "requests.load"}


def test_a_replayed_trace_is_named_by_its_whole_content(run, folder):
    rows, page = folder / "rows.parquet", folder / "rows.html"
    trace = folder / "requests.load"
    done = run("simulate", "-p", "mock", "-t", trace, "--per-request", rows, "--json")
    manifest = done.json()["manifest"]
    whole = expected(folder)
    names = {("profile", "mock"), ("trace", "requests.load")}
    assert inputs_of(manifest) == {name: whole[name] for name in names}
    assert ResultsFile(rows).manifest() == manifest
    assert run("report", rows, "--out", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert all(whole[name] in text for name in names)


def test_a_manifest_makes_the_same_again(run, folder):
    first = run("simulate", folder / "e.toml", "--json").json()
    manifest = json.loads(json.dumps(first["manifest"]))
    again = run(
        "simulate", manifest["experiment"], "--seed", manifest["seed"],
        "--replications", manifest["replications"], "--json",
    ).json()  # fmt: skip
    assert again["runs"] == first["runs"]
    assert again["manifest"]["inputs"] == manifest["inputs"]


def test_a_measurement_names_its_drive_and_its_samples(run, folder):
    own, bundle = folder / "own.toml", folder / "first"
    line = ("characterize", own, "--quick", "--out", bundle, "--seed", 5, "--json")
    manifest = run(*line).json()["manifest"]
    assert (manifest["platterlab"], manifest["seed"]) == (__version__, 5)
    assert inputs_of(manifest) == {("profile", "own.toml"): sha256(own)}
    samples = bundle / "samples.parquet"
    stored = json.loads(pyarrow.parquet.read_schema(samples).metadata[b"platterlab"])
    assert stored["manifest"] == manifest
    assert sha256(own) in (bundle / "report.html").read_text(encoding="utf-8")
    again = run("characterize", bundle, "--out", folder / "again", "--json").json()["manifest"]
    assert inputs_of(again) == {("samples", "samples.parquet"): sha256(samples)}


def test_a_map_of_tracks_names_its_drive(run, folder):
    own, bundle = folder / "own.toml", folder / "map"
    line = ("characterize", own, "--tracks", "fast", "--out", bundle, "--json")
    assert inputs_of(run(*line).json()["manifest"]) == {("profile", "own.toml"): sha256(own)}
    assert sha256(own) in (bundle / "report.html").read_text(encoding="utf-8")


def test_a_study_names_its_seed_its_constants_and_all_files_it_reads(run, monkeypatch, tmp_path):
    data = tmp_path / "data"
    (data / "disksim" / "sub").mkdir(parents=True)
    (data / "hp-week").mkdir()
    (data / "disksim" / "sub" / "b.txt").write_text("two", encoding="utf-8")
    (data / "disksim" / "a.txt").write_text("one", encoding="utf-8")
    study = studies.find("disksim-validation")
    request = studies.Request(out=None, data=data, seed=3, progress=lambda _what, _share: None)
    manifest = study.manifest(request)
    listed = subprocess.run(
        ["sha256sum", "a.txt", "sub/b.txt"],
        cwd=data / "disksim", capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert manifest["seed"] == 3
    assert inputs_of(manifest) == {("data", "disksim"): hashlib.sha256(listed).hexdigest()}
    monkeypatch.setenv("PLATTERLAB_DATA", str(tmp_path / "nothing"))
    (tmp_path / "nothing").mkdir()
    outcome = run("study", QUICK, "--seed", 3, "--json").json()
    assert outcome["manifest"]["study"] == QUICK
    assert (outcome["manifest"]["seed"], outcome["manifest"]["inputs"]) == (3, [])


def test_a_study_under_several_seeds_names_the_first(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PLATTERLAB_DATA", str(tmp_path))
    answer = run("study", QUICK, "--seed", 3, "--seeds", 2, "--json").json()
    assert answer["seeds"] == [3, 4]
    assert all(sum(row["verdicts"].values()) == 2 for row in answer["rows"])
    manifest = answer["manifest"]
    assert (manifest["platterlab"], manifest["study"], manifest["seed"]) == (__version__, QUICK, 3)


def test_a_system_of_disksim_names_all_that_it_draws_in(run, folder):
    for path in DISKSIM.glob("small.*"):
        shutil.copy(path, folder)
    (folder / "sys.parv").write_text(DISKSIM_SYSTEM, encoding="utf-8")
    (folder / "few.trace").write_text("0 0 16 8 1\n50 0 32 8 1\n", encoding="utf-8")
    line = ("simulate", "--disksim", folder / "sys.parv", "-t", folder / "few.trace", "--json")
    drawn_in = ("sys.parv", "small.diskspecs", "small.model", "small.seek")
    wanted = {("disksim", name): sha256(folder / name) for name in drawn_in}
    wanted["trace", "few.trace"] = sha256(folder / "few.trace")
    assert inputs_of(run(*line).json()["manifest"]) == wanted


def test_a_system_that_was_served_names_its_drives(folder):
    (folder / "one.toml").write_text(
        '[[drive]]\nprofile = "own.toml"\n[[workload]]\nkind = "closed"\npopulation = 1\n'
        "requests = 1\n"
    )
    with serving(folder, drive=str(folder / "one.toml")) as server:
        (folder / "one.toml").write_text("what is read once may change afterwards")
        manifest = server.end()["manifest"]
    assert {name for _, name in inputs_of(manifest)} == {"one.toml", "own.toml"}


def test_a_drive_that_was_served_says_what_it_was(folder):
    faults = folder / "faults.toml"
    faults.write_text('[[fault]]\nkind = "unreadable"\nlba = 8\nsectors = 8\n', encoding="utf-8")
    own = folder / "own.toml"
    with serving(folder, "--faults", faults, "--seed", 7, drive=str(own)) as server:
        manifest = server.end()["manifest"]
    assert (manifest["platterlab"], manifest["seed"], manifest["store"]) == (
        __version__, 7, "memory",
    )  # fmt: skip
    named = {("profile", "own.toml"): sha256(own), ("faults", "faults.toml"): sha256(faults)}
    assert inputs_of(manifest) == named


@pytest.mark.parametrize("name", studies.names())
def test_a_study_reads_nothing_that_its_manifest_leaves_out(name):
    """Each mention of the folder of data in a study's code is of something that it names."""
    source = Path(studies.find(name).run.__code__.co_filename).parent
    texts = [path.read_text(encoding="utf-8") for path in source.rglob("*.py")]
    named = set(re.findall(r'"((?:disksim|hp-week|traces|smr)[\w./-]*)"', "".join(texts)))
    reads = studies.find(name).reads
    files = {one for one in named if not one.startswith("disksim-") or one == "disksim-grid"}
    uncovered = [one for one in files if not one.startswith(tuple(reads) or ("-",))]
    assert not uncovered
