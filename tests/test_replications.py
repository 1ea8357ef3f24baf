"""Several replications: every figure says which runs it is of, and has its interval."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

EXPERIMENT = """
replications = 4
[stop]
requests = 1_000
[[drive]]
name = "disk"
profile = "mock"
[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 30.0 }
"""
STUDENT_3 = 3.182
"""The 97.5th percentile of Student's distribution with three degrees of freedom."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "four.toml"
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


def interval_of(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), STUDENT_3 * float(np.std(values, ddof=1)) / len(values) ** 0.5


def test_every_figure_has_its_mean_and_interval_over_the_runs(run, file):
    outcome = run("simulate", file, "--json").json()
    reports = [one["report"] for one in outcome["runs"]]
    across = outcome["across_runs"]
    places = [
        (lambda report: report["response_ms"]["mean_ms"]),
        (lambda report: report["response_ms"]["p95_ms"]),
        (lambda report: report["response_ms"]["p99_ms"]),
        (lambda report: report["elapsed_ms"]),
        (lambda report: report["devices"][0]["utilisation"]),
        (lambda report: report["devices"][0]["service"]["p95_ms"]),
        (lambda report: report["commands"]["service"]["mean_ms"]),
    ]
    for place in places:
        mean, half = interval_of([place(report) for report in reports])
        found = place(across)
        assert found["count"] == 4
        assert found["mean"] == pytest.approx(mean, rel=1e-12)
        assert found["half_width_95"] == pytest.approx(half, rel=1e-9)
    whole = outcome["mean_response_ms"]
    assert across["response_ms"]["mean_ms"] == whole


def test_the_console_says_which_runs_and_how_sure(run, file):
    outcome = run("simulate", file, "--json").json()
    told = run("simulate", file)
    assert told.code == 0
    assert "means over 4 replications, seeds 0 to 3; ± 95 % confidence" in told.out
    assert max(map(len, told.out.splitlines())) <= 80
    across = outcome["across_runs"]
    for figure in (across["response_ms"]["p95_ms"], across["commands"]["queue"]["mean_ms"]):
        assert f"{figure['mean']:,.2f}" in told.out
        assert f"{figure['half_width_95']:,.2f}" in told.out
    busy = across["devices"][0]["utilisation"]
    assert f"{busy['mean']:.1%}" in told.out
    assert f"{busy['half_width_95']:.1%}" in told.out


def test_the_page_has_means_and_intervals_and_names_the_charted_run(run, file, tmp_path):
    page = tmp_path / "page.html"
    outcome = run("simulate", file, "--report", page, "--json").json()
    text = re.sub("</?small>", "", page.read_text(encoding="utf-8"))
    assert "4 replications, seeds 0 to 3: figures are means over them, ± 95 % confidence" in text
    assert "Of one of 4 runs, the first." in text
    response = outcome["across_runs"]["response_ms"]
    for key in ("mean_ms", "p95_ms", "p99_ms"):
        one = response[key]
        assert f"{one['mean']:,.3f} ± {one['half_width_95']:,.3f}" in text
    busy = outcome["across_runs"]["devices"][0]["utilisation"]
    assert f"{100 * busy['mean']:,.1f} ± {100 * busy['half_width_95']:,.1f}" in text
    assert "4,000 offered = 4,000 served" in text


def test_one_run_has_no_interval_and_says_its_seed(run, file):
    outcome = run("simulate", file, "--replications", 1, "--seed", 7, "--json").json()
    assert "across_runs" not in outcome
    told = run("simulate", file, "--replications", 1, "--seed", 7)
    assert "of the run with seed 7" in told.out


def test_a_wanted_precision_prints_the_interval_it_reached(run, tmp_path):
    path = tmp_path / "precise.toml"
    text = EXPERIMENT.replace("replications = 4\n", "")
    path.write_text(text.replace("requests = 1_000", "precision_percent = 3.0"), encoding="utf-8")
    outcome = run("simulate", path, "--json").json()
    found = outcome["runs"][0]["precision_ms"]
    assert found["half_width_95"] <= 0.03 * found["mean"]
    told = run("simulate", path).out
    said = re.search(r"mean response ([\d.,]+) ± ([\d.,]+) ms \(one run, by the means of", told)
    assert said is not None, told
    assert said.groups() == (f"{found['mean']:,.3f}", f"{found['half_width_95']:,.3f}")


def test_rows_change_nothing_of_when_a_precision_is_reached(run, tmp_path):
    path = tmp_path / "precise.toml"
    text = EXPERIMENT.replace("replications = 4\n", "")
    path.write_text(text.replace("requests = 1_000", "precision_percent = 3.0"), encoding="utf-8")
    plain = run("simulate", path, "--json").json()
    rows = run("simulate", path, "--requests", tmp_path / "rows.parquet", "--json").json()
    assert rows["runs"] == plain["runs"]
    assert plain["runs"][0]["precision_reached"]


def test_a_precision_that_is_not_reached_is_said(run, tmp_path):
    path = tmp_path / "precise.toml"
    text = EXPERIMENT.replace("replications = 4\n", "")
    stop = "precision_percent = 0.01\nrequests = 30_000"
    path.write_text(text.replace("requests = 1_000", stop), encoding="utf-8")
    ran = run("simulate", path)
    assert "(one run, by the means of" in ran.out
    assert "the precision that is wanted was not reached" in ran.out
    assert run("simulate", path, "--json").json()["runs"][0]["precision_reached"] is False


def test_every_figure_of_a_grid_and_of_a_sweep_has_its_interval(run, file, tmp_path):
    line = ("simulate", file, "--vary", "seed=1,9")
    rows = run(*line, "--json").json()["variations"]
    widths = ("half_width_95_ms", "p95_half_width_95_ms", "served_half_width_95_per_s")
    assert all(row[name] > 0 for row in rows for name in widths)
    page = tmp_path / "page.html"
    assert "4 replications, seeds 1 to 4" in run(*line, "--report", page).out
    sweep = tmp_path / "sweep.toml"
    vary = '[[vary]]\nkey = "drive[0].name"\nvalues = ["a", "b"]\n'
    sweep.write_text(f'experiment = "{file}"\nreplications = 3\nfirst_seed = 5\n{vary}')
    told = run("sweep", sweep, "--report", tmp_path / "sweep.html")
    assert "at each point 3 replications, seeds 5 to 7" in told.out
    points = run("sweep", sweep, "--json").json()["points"]
    assert all(point[name] > 0 for point in points for name in widths)
    assert "3 replications, seeds 5 to 7" in (tmp_path / "sweep.html").read_text()


def test_the_names_that_others_read_stay(run, file):
    outcome = json.loads(run("simulate", file, "--json").out)
    for one in outcome["runs"]:
        assert one["report"]["elapsed_ms"] > 0
        assert one["report"]["response_ms"]["mean_ms"] > 0
