"""The study of Ruemmler and Wilkes 1994, with the HP week and without it."""

import json
import os
from pathlib import Path

import pytest

from conftest import command
from platterlab.studies.ruemmler_wilkes.fit import Stage
from platterlab.studies.ruemmler_wilkes.found import found as fitted_values
from platterlab.studies.ruemmler_wilkes.parameter import Scalar
from platterlab.studies.ruemmler_wilkes.refit import BASE, refit
from study_rules import complaints

STUDY = "ruemmler-wilkes"
LONGEST_S = 1200.0
"""A machine that does other work too is slow; without a limit a hang would be silent."""

DRIVES = ("barracuda", "cheetah-9lp")
RUNGS = ("no-cache", "no-read-ahead", "read-ahead")
HELD = ("constant", "basic", "positioning", "rotation", "fitted-unseen")
ROW_KEYS = {"id", "what", "paper", "ours", "unit", "tolerance", "within", "verdict", "used"}
BESIDE = {"demerit_ms", "mean_ms", "rmse_ms", "median_abs_error_ms"}


@pytest.fixture(scope="session")
def told(week, tmp_path_factory):
    """What the study says with the week at hand; it takes a minute or two, and runs once."""
    out = tmp_path_factory.mktemp("study")
    ran = command(
        "study", STUDY, "--json", "--out", out, "--data", week.parents[1], timeout_s=LONGEST_S
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout
    return json.loads(ran.stdout)


def study_without_data(tmp_path, *arguments, threads="2"):
    """The study as it runs where there is no data."""
    empty = tmp_path / "empty"
    empty.mkdir(exist_ok=True)
    surroundings = os.environ | {"PLATTERLAB_DATA": str(empty), "RAYON_NUM_THREADS": threads}
    return command("study", STUDY, *arguments, env=surroundings, timeout_s=LONGEST_S)


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """What it prints without data, on two threads."""
    folder = tmp_path_factory.mktemp("generated")
    ran = study_without_data(folder, "--json")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.replace(str(folder), "FOLDER")


@pytest.mark.parametrize("name", HELD)
def test_each_rung_is_as_near_as_promised(told, name):
    (row,) = (row for row in told["rows"] if row["id"] == name)
    assert row["within"] is True, row
    assert row["unit"] == "%"
    assert row.keys() >= BESIDE, "single requests stand beside every demerit"
    assert row["demerit_ms"] == pytest.approx(row["ours"] / 100 * row["measured_mean_ms"])


@pytest.mark.parametrize("name", ["rotation", "fitted-unseen"])
def test_the_mean_is_within_a_per_cent_and_reads_and_writes_stand_apart(told, name):
    rows = {row["id"]: row for row in told["rows"]}
    assert abs(rows[f"{name}/mean_error"]["ours"]) <= 1.0
    assert rows[f"{name}/reads"]["ours"] > 0
    assert rows[f"{name}/writes"]["ours"] > 0


def test_the_json_has_the_promised_keys(told):
    assert told["study"] == STUDY
    assert all(row.keys() >= ROW_KEYS for row in told["rows"])
    assert complaints(told["rows"]) == []
    assert {row["id"] for row in told["rows"]} >= {
        "table-3/hp-c2247a",
        *(f"figure-6/{drive}/{rung}" for drive in DRIVES for rung in RUNGS),
    }
    assert len(told["figures"]) >= 4
    for figure in told["figures"]:
        assert Path(figure).read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_what_runs_freely_and_what_is_fed_back_have_verdicts_of_their_own(told):
    rows = {row["id"]: row for row in told["rows"]}
    assert rows["rotation"]["verdict"] == "fitted"
    assert rows["positioning-as-defined"]["verdict"] == "reproduced"
    for name, ours in (("rotation-free", 2.74), ("rotation-free-as-printed", 4.42)):
        assert rows[name]["ours"] == pytest.approx(ours, abs=0.01)
        assert rows[name]["verdict"] == "not reproduced"
        assert len(rows[name]["reason"]) > 20
    fitted, library = (f"{name}-unseen/within_0.5_ms" for name in ("fitted", "library"))
    assert rows[fitted]["ours"] > rows[library]["ours"] + 15


def test_the_week_is_the_paper_s_and_a_cache_lets_sequential_requests_go_at_full_speed(told):
    rows = {row["id"]: row for row in told["rows"]}
    assert rows["week/mean_ms"]["within"] is True
    assert rows["sequential/without_read_ahead"]["ours"] == pytest.approx(100.0, abs=1.0)
    for kind in ("reads", "writes"):
        assert rows[f"sequential/{kind}"]["ours"] == pytest.approx(100.0, abs=1.0)


def test_every_rung_of_a_cache_on_real_traces_is_worth_something(told):
    rows = {row["id"]: row["ours"] for row in told["rows"]}
    for drive in DRIVES:
        rungs = [rows[f"figure-6/{drive}/{rung}"] for rung in RUNGS]
        assert rungs == sorted(rungs, reverse=True)
        assert rungs[0] > 3 * rungs[1] > 9 * rungs[2]
    assert rows["table-3/hp-c2247a"] == pytest.approx(1.0, abs=0.1)


def test_the_fitted_values_cost_far_less_than_the_library_s_on_the_half_they_saw(week):
    start = refit(week, stages=(Stage([Scalar("spindle.speed_error_ppm", 0, -1, 1)], 5),))
    assert start.start_cost_ms > 1.5 * fitted_values().cost_ms


@pytest.mark.soak
def test_the_fit_finds_the_same_again(week):
    found, again = fitted_values(), refit(week)
    assert again.cost_ms == found.cost_ms
    assert {**BASE, **again.overrides} == found.overrides


def test_without_data_the_drives_are_held_against_their_own_full_model(generated):
    told = json.loads(generated)
    assert {row["id"].split("/")[0] for row in told["rows"]} == {"hp-c2200a", "hp-97560"}
    assert all("generated" in row["group"] for row in told["rows"])
    assert [row["within"] for row in told["rows"]] == [None] * len(told["rows"])
    assert any("not at hand" in note for note in told["notes"])
    assert any("not a comparison with the real drive" in note for note in told["notes"])


def test_the_table_fits_80_columns(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PLATTERLAB_DATA", str(tmp_path))
    ran = run("study", STUDY)
    assert ran.code == 0, ran.err
    assert "generated requests" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_the_same_seed_gives_the_same_json_on_one_thread_and_on_two(generated, tmp_path):
    one = study_without_data(tmp_path, "--json", threads="1")
    assert one.returncode == 0, one.stderr
    assert one.stdout.replace(str(tmp_path), "FOLDER") == generated


def test_data_that_is_not_there_is_bad_input(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PLATTERLAB_DATA", str(tmp_path / "gone"))
    ran = run("study", STUDY)
    assert ran.code == 2
    assert "PLATTERLAB_DATA" in ran.err
    assert "gone" in ran.err
