"""Sweeps: the points of each design, what is kept, and that every engine gives the same bits."""

import hashlib
import json
import math
import os
import signal
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import platterlab as pl
from conftest import COMMAND
from platterlab.sweeps.effects import best, front, main_effects
from platterlab.sweeps.folder import Folder
from platterlab.sweeps.plan import of_tables, points
from platterlab.sweeps.sweep import tasks_of
from platterlab.sweeps.task import Task
from sweeping import TWO, of_plan, plan, wait_for

__all__ = ["plan"]  # a fixture


def of(**more: object) -> list[dict[str, object]]:
    """The points of a plan over two ranges."""
    vary = [{"key": "a", "low": 1.0, "high": 100.0, "scale": "log"},
            {"key": "b", "values": ["x", "y", "z"]}]  # fmt: skip
    made, _, _ = of_tables({"experiment": "mm1", "vary": vary, **more}, "it", Path())
    return points(made)


def test_a_grid_is_every_combination():
    found = of()
    assert len(found) == 15
    assert [round(one["a"], 3) for one in found[::3]] == [1.0, 3.162, 10.0, 31.623, 100.0]
    assert [one["b"] for one in found[:3]] == ["x", "y", "z"]


@pytest.mark.parametrize("design", ["random", "latin-hypercube", "sobol"])
def test_a_drawn_design_fills_the_ranges_and_is_the_same_for_a_seed(design):
    found = of(design=design, points=60)
    assert len(found) == 60
    assert found == of(design=design, points=60)
    assert found != of(design=design, points=60, seed=1)
    assert all(1.0 <= one["a"] <= 100.0 for one in found)
    # In the logarithm as many below as above the middle, and all words.
    below = sum(one["a"] < 10.0 for one in found)
    slack = {"random": 15, "latin-hypercube": 0, "sobol": 2}[design]
    assert abs(below - 30) <= slack
    assert {one["b"] for one in found} == {"x", "y", "z"}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"vary": []}, "varies nothing"),
        ({"vary": [{"key": "a"}]}, "give either values, or low and high"),
        ({"vary": [{"key": "a", "low": 1.0}]}, "needs low and high"),
        ({"vary": [{"key": "a", "low": 2.0, "high": 1.0}]}, "is not a range"),
        ({"vary": [{"key": "a", "low": 0.0, "high": 1.0, "scale": "log"}]}, "begins above 0"),
        ({"vary": [{"key": "a", "values": []}]}, "^it: vary `a`: values is empty"),
        ({"vary": [{"key": "a", "values": [1, 2**63]}]}, "vary `a`: 9223372036854775808 is a numb"),
        ({"vary": [{"key": "a", "values": [1]}], "experiment": "/"}, "is not a regular file but a"),
        ({"vary": [{"key": "a", "values": [1]}] * 2}, "varies a key twice"),
        ({"vary": [{"key": "a", "values": [1]}], "design": "spiral"}, "design"),
        ({"vary": [{"key": "a", "values": [1]}], "desing": "grid"}, "desing"),
        ({"vary": [{"key": "a", "values": [1]}], "replications": 0}, "at least 1"),
        ({"vary": [{"key": "a", "values": [1]}], "experiment": "nowhere"}, "no such experiment"),
        ({"vary": [{"key": "a", "low": 0.0, "high": 1.0, "steps": 2000000}]}, "at most 1,000,000"),
        ({"vary": [{"key": "seed", "values": [1, 2]}]}, "first_seed"),
        ({"vary": [{"key": "replications", "values": [1, 2]}]}, "which all points have"),
        ({"vary": [{"key": "a", "values": [40, 50, 40]}]}, "has 40 twice"),
        ({"vary": [{"values": [1]}]}, "the key `key` is missing"),
        ({"vary": [{"key": "a", "values": [1]}], "foo": 1}, "`foo` is not a key here"),
        ({"vary": [{"key": "a", "low": 1.2, "high": 4.0, "whole": True}]}, "have to be whole, too"),
        (
            {"vary": [{"key": "a", "values": [1]}], "precision": {"half_width_pct": math.nan}},
            "above 0",
        ),
        (
            {
                "vary": [{"key": "a", "values": [1]}],
                "replications": 4,
                "precision": {"half_width_pct": 1.0, "most_replications": 3},
            },
            "at least",
        ),
    ],
)
def test_a_bad_plan_is_told(document, said):
    with pytest.raises(pl.InputError, match=said):
        points(of_tables({"experiment": "mm1", **document}, "it", Path())[0])


@pytest.mark.parametrize("name", ["sweep.toml", "raid5.toml"])
def test_a_file_that_is_no_text_is_told(plan, run, name):
    plan.with_name(name).write_bytes(b"\xff\xfe")
    ran = run("sweep", plan)
    said = ran.err.replace("\n", " ")
    assert (ran.code, f"{name}: is not UTF-8 text (byte 0)" in said) == (2, True)


def test_the_documented_sweep_is_one(tmp_path):
    page = (Path(__file__).parent.parent / "docs" / "sweeps.md").read_text(encoding="utf-8")
    text = page.split("```toml\n")[1].split("```")[0].replace("raid5.toml", "raid5-sptf")
    (tmp_path / "sweep.toml").write_text(text)
    assert len(tasks_of(*of_plan(tmp_path / "sweep.toml"))) == 9


def test_a_wrong_key_is_told_before_anything_runs(plan, run):
    plan.write_text(TWO.replace("host.scheduler.kind", "host.scheduler.kin"))
    ran = run("sweep", plan)
    assert ran.code == 2
    assert "kin" in ran.err
    assert not plan.with_suffix(".sweep").exists()


def test_each_point_is_the_single_run(plan, run):
    told = run("sweep", plan, "--json").json()
    assert told["ran"] == 6
    for point in told["points"]:
        words = [f"--set={key}={point[key]}" for key in ("host.scheduler.kind", "stop.requests")]
        single = run("simulate", plan.parent / "raid5.toml", *words, "--seed", 0, "--json").json()
        assert point["mean_response_ms"] == single["runs"][0]["report"]["response_ms"]["mean_ms"]


def test_a_sweep_goes_on_where_it_was_and_runs_nothing_twice(plan, run):
    assert run("sweep", plan, "--json").json()["ran"] == 6
    folder = plan.with_suffix(".sweep")
    table = (folder / "table.parquet").read_bytes()
    shards = sorted((folder / "points").iterdir())
    shards[0].unlink()
    shards[1].write_bytes(b"half a file")
    assert run("sweep", plan, "--json").json()["ran"] == 2
    assert (folder / "table.parquet").read_bytes() == table
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [one["points"] for one in manifest["ran_now"]] == [2]
    assert manifest["inputs"][0]["what"] == "sweep"
    assert {one["what"] for one in manifest["of_points"]} == {"profile"}
    digests = {one["what"]: one["sha256"] for one in manifest["inputs"]}
    assert digests == {
        "sweep": hashlib.sha256(plan.read_bytes()).hexdigest(),
        "experiment": hashlib.sha256((plan.parent / "raid5.toml").read_bytes()).hexdigest(),
    }
    del manifest["ran_now"]
    schema = pq.read_schema(folder / "table.parquet")
    assert json.loads(schema.metadata[b"platterlab"]) == manifest
    page = plan.with_suffix(".html")
    assert run("sweep", plan, "--report", page, "--json").json()["manifest"] == manifest
    assert all(digest in page.read_text() for digest in digests.values())


@pytest.mark.parametrize("steps", [0, 2_000_000, 99999999999999999999])
def test_a_range_of_no_or_endless_steps_is_refused(plan, run, steps):
    plan.write_text(
        'experiment = "raid5.toml"\n[[vary]]\nkey = "workload[0].interval_ms.mean"\n'
        f"low = 1\nhigh = 2\nsteps = {steps}\n"
    )
    ran = run("sweep", plan)
    assert ran.code == 2
    assert f"{steps} steps" in ran.err


def test_a_file_that_changed_makes_another_point(plan, tmp_path):
    drive = pl.Drive("hp-97560")
    drive.save(tmp_path / "drive.toml")
    plan.with_name("raid5.toml").write_text(
        '[stop]\nrequests = 500\n[[drive]]\nprofile = "drive.toml"\n[[workload]]\nkind = "open"\n'
        'interval_ms = { kind = "exponential", mean = 50.0 }\n'
    )
    before = tasks_of(*of_plan(plan))
    drive.with_values({"spindle.speed_rpm": 3600}).save(tmp_path / "drive.toml")
    after = tasks_of(*of_plan(plan))
    assert not {task.name for task in before} & {task.name for task in after}
    with pytest.raises(pl.InputError, match="another one here"):
        before[0].run()


def test_replications_go_on_until_the_mean_is_known(plan):
    precise = TWO.replace("[[vary]]", "[precision]\nhalf_width_pct = 8.0\n\n[[vary]]", 1)
    plan.write_text(precise)
    tasks = tasks_of(*of_plan(plan))
    told = tasks[3].run()
    assert 2 < told["replications"] < 64
    assert told["half_width_95_ms"] <= 0.08 * told["mean_response_ms"]
    assert Task.of_text(tasks[3].to_text()) == tasks[3]


def test_a_killed_sweep_and_a_killed_process_lose_nothing(plan):
    plan.write_text(TWO.replace("low = 700\nhigh = 900", "low = 20000\nhigh = 40000"))
    words = [str(COMMAND), "sweep", str(plan), "--workers", "2", "--json"]
    folder = plan.with_suffix(".sweep")
    first = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: any((folder / "points").glob("*.parquet")))
    first.kill()
    first.communicate()
    kept = len(list((folder / "points").glob("*.parquet")))
    second = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: _workers(second.pid) or second.poll() is not None)
    for process in _workers(second.pid)[:1]:
        os.kill(process, signal.SIGKILL)
    out, err = second.communicate(timeout=120)
    assert second.returncode == 0, err
    assert json.loads(out)["ran"] == 6 - kept
    whole = Folder(folder).finished(task.name for task in tasks_of(*of_plan(plan)))
    assert len(whole) == 6
    assert pq.read_table(folder / "table.parquet").num_rows == 6


def _workers(parent: int) -> list[int]:
    """The processes that run points: children of the fork server, itself a child."""
    return [worker for child in _children(parent) for worker in _children(child)]


def _children(parent: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text().split()]
        except OSError:
            continue
    return found


ROWS = [
    {"key": key, "mean_response_ms": mean, "half_width_95_ms": 1.0, "served_per_s": per_s,
     "complete": complete}
    for key, mean, per_s, complete in
    [("a", 10.0, 5.0, True), ("b", 11.5, 9.0, True), ("c", 30.0, 7.0, True), ("d", 1.0, 9.0, False)]
]  # fmt: skip


def test_what_a_table_tells():
    assert [row["key"] for row in best(ROWS)] == ["a", "b"]
    assert [row["key"] for row in front(ROWS)] == ["a", "b"]
    assert [one.value for one in main_effects(ROWS, ["key"])] == ["a", "b", "c"]


def test_a_full_disk_is_told_and_the_rest_goes_on_later(plan, run, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "points/x.parquet")

    with monkeypatch.context() as patched:
        patched.setattr(Folder, "keep", full)
        ran = run("sweep", plan)
    assert ran.code == 1
    assert "points/x.parquet: No space left on device" in ran.err
    assert run("sweep", plan, "--json").json()["ran"] == 6


def test_the_page_has_the_best_the_effects_and_the_front(plan, run, tmp_path):
    page = tmp_path / "page.html"
    assert run("sweep", plan, "--report", page).code == 0
    text = page.read_text(encoding="utf-8")
    for title in ("The best points", "What each key does", "The response over two keys"):
        assert title in text


@pytest.mark.parametrize("name", ["table.parquet", "manifest.json"])
def test_what_is_in_a_folder_of_something_else_stays(plan, run, tmp_path, name):
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / name).write_text("of something else")
    ran = run("sweep", plan, "--out", folder)
    assert ran.code == 2
    assert f"has a {name} and is not a sweep's" in ran.err
    assert [path.name for path in folder.iterdir()] == [name]
    assert (folder / name).read_text() == "of something else"


def test_points_that_serve_nothing_are_told_as_such(plan, run, tmp_path):
    text = plan.read_text().replace("low = 700", "low = 0")
    plan.write_text(text.replace("stop.requests", "stop.warm_up_requests"))
    for _ in range(2):
        ran = run("sweep", plan, "--report", tmp_path / "page.html")
        assert ran.code in (0, 1), ran.err
        assert "Traceback" not in ran.err


def test_what_is_served_a_second_is_of_the_whole_run(plan, run):
    """As `--vary` has it: the requests of the warm-up were served as well."""
    text = plan.read_text().replace("stop.requests", "stop.warm_up_requests")
    plan.write_text(text.replace("low = 700", "low = 0").replace("high = 900", "high = 500"))
    rates = {row["served_per_s"] for row in run("sweep", plan, "--json").json()["points"]}
    assert len(rates) == 2, "one for each scheduler"
