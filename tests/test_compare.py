"""Comparisons of rows, traces and experiments: their intervals, pairs, groups and conditions."""

import json
import os
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

from platterlab._core import InputError
from platterlab.comparing import sides
from platterlab.comparing.conditions import condition
from platterlab.comparing.statistics import against

EXPERIMENT = """
replications = 10
[[drive]]
name = "d"
profile = "hp-c2200a"
[host]
scheduler = { kind = "KIND" }
[[workload]]
kind = "open"
requests = 300
interval_ms = { kind = "exponential", mean = 24.0 }
"""


@pytest.fixture
def schedulers(tmp_path):
    """Two experiments that differ in nothing but the scheduler."""
    paths = []
    for kind in ("fcfs", "sptf"):
        path = tmp_path / f"{kind}.toml"
        path.write_text(EXPERIMENT.replace("KIND", kind))
        paths.append(path)
    return paths


def _rows(path, times, lba=None, operation=None, **more):
    count = len(times)
    lba = np.arange(count) if lba is None else lba
    operation = ["read" if row % 3 else "write" for row in range(count)]
    columns = {
        "response_ms": times, "lba": lba, "sectors": np.full(count, 8), "operation": operation,
        **more,
    }  # fmt: skip
    pq.write_table(pa.table(columns), path)
    return path


def test_two_schedulers_agree_with_a_paired_t_test_by_hand(run, schedulers):
    found = run("compare", *schedulers, "--json").json()
    group = found["against"][0]["groups"]["all"]
    assert group["paired"]
    for figure, key in (("mean", "mean_ms"), ("p95", "p95_ms")):
        values = []
        for path in schedulers:
            runs = run("simulate", path, "--json").json()["runs"]
            values.append(np.array([one["report"]["response_ms"][key] for one in runs]))
        by_hand = stats.ttest_rel(values[1], values[0])
        low, high = by_hand.confidence_interval(0.95)
        change = group["figures"][figure]["change"]
        assert change["ms"] == pytest.approx((values[1] - values[0]).mean(), rel=1e-12)
        assert (change["low_ms"], change["high_ms"]) == pytest.approx((low, high), rel=1e-9)
    # SPTF is the faster, and ten runs with the same seeds are enough to be sure.
    assert group["figures"]["mean"]["change"]["high_ms"] < 0


MIRROR = """
drive = [
    { name = "a", profile = "hp-c2200a" },
    { name = "b", profile = "hp-c2200a" },
]
volume = [{ name = "v", drives = ["a", "b"], layout = { kind = "mirror", copies = 2 } }]
workload = [
    { kind = "open", requests = 400, pattern.read_share = 0.6, interval_ms = INTERVAL },
]
"""


def test_experiments_have_groups_by_operation_and_by_device(run, tmp_path):
    paths, by_hand = [], []
    for interval_ms in (40, 25):
        path, rows, commands = (
            tmp_path / f"{interval_ms}.{kind}" for kind in ("toml", "r.parquet", "c.parquet")
        )
        path.write_text(
            MIRROR.replace("INTERVAL", f'{{ kind = "exponential", mean = {interval_ms} }}')
        )
        run("simulate", path, "--requests", rows, "--per-request", commands)
        paths.append(path)
        requests, commands = pq.read_table(rows), pq.read_table(commands)
        means = {"all": np.mean(requests["response_ms"])}
        for name, word in (("reads", "read"), ("writes", "write")):
            of_word = requests.filter(pa.compute.equal(requests["operation"], word))
            means[name] = np.mean(of_word["response_ms"])
        for device in (0, 1):
            of_device = commands.filter(pa.compute.equal(commands["device"], device))
            means[f"device {device}"] = np.mean(of_device["response_ms"])
        by_hand.append(means)
    groups = run("compare", *paths, "--json").json()["against"][0]["groups"]
    assert set(groups) == set(by_hand[0])
    for name, group in groups.items():
        found = group["figures"]["mean"]
        for side, means in zip((found["base"], found["other"]), by_hand, strict=True):
            assert side["ms"] == pytest.approx(means[name], rel=1e-9), name
    # Percentiles of devices are kept in steps of 3 %, which is not a basis for a comparison.
    assert set(groups["device 0"]["figures"]) == {"mean", "max"}
    assert "p99" in groups["writes"]["figures"]
    assert run("compare", *paths, "--fail-if", "mean of writes > +0 %").code == 1
    refused = run("compare", *paths, "--fail-if", "p99 of device 1 > 5 ms")
    assert refused.code == 2
    assert "device 1 has no p99; it has mean, max" in refused.err
    assert "device 1: mean" in run("compare", *paths).out


def test_conditions_decide_the_exit_code(run, schedulers):
    fcfs, sptf = schedulers
    worse = run("compare", sptf, fcfs, "--fail-if", "mean > +5 %")
    assert worse.code == 1
    assert "failed: mean > +5 %: it is" in worse.out
    better = run("compare", fcfs, sptf, "--fail-if", "mean > +5 %", "--fail-if", "p99 > 100000 ms")
    assert better.code == 0
    told = run("compare", sptf, fcfs, "--fail-if", "mean>1ms", "--json")
    assert told.code == 1
    (failed,) = json.loads(told.out)["failed"]
    assert (failed["condition"], failed["unit"]) == ("mean>1ms", "ms")


@pytest.mark.parametrize("text", ["p99", "p98 > 1 ms", "p99 > x", "mean > 5", "p99 == 1 ms", ""])
def test_what_is_no_condition_is_explained(run, tmp_path, text):
    refused = run("compare", tmp_path / "a.parquet", tmp_path / "b.parquet", "--fail-if", text)
    assert refused.code == 2
    assert "--fail-if" in refused.err


def test_a_condition_is_of_the_change_where_it_has_a_sign_or_is_in_percent():
    assert condition("p99 > 20 ms").change is False
    assert condition("p99 > +20 ms").change is True
    assert condition("median < -5%").bound == -5
    assert condition("p99.9 of class critical > 3 ms").group == "class critical"


def test_intervals_hold_what_they_say():
    """Of 60 pairs of samples of the same law some 95 % of intervals hold 0."""
    from platterlab.comparing.sides import Rows

    chance = np.random.default_rng(7)
    held = dict.fromkeys(("mean", "p95"), 0)
    for _ in range(60):
        first, second = (
            Rows("x", {"response": chance.exponential(10.0, 2500)}, {}) for _ in range(2)
        )
        figures = against(first, second, "response")["all"].figures
        for name in held:
            held[name] += not figures[name].is_sure
    # Binomial: fewer than 51 of 60 at 95 % each has a chance below 0.2 %.
    assert min(held.values()) >= 51


def test_requests_that_match_are_paired_and_make_the_interval_narrower(run, tmp_path):
    chance = np.random.default_rng(1)
    times = chance.exponential(10.0, 4000)
    base = _rows(tmp_path / "a.parquet", times)
    same = _rows(tmp_path / "b.parquet", times + 0.1)
    other = _rows(tmp_path / "c.parquet", times + 0.1, lba=np.arange(4000) + 1)
    found = run("compare", base, same, other, "--json").json()["against"]
    paired, loose = (one["groups"]["all"] for one in found)
    assert (paired["paired"], loose["paired"]) == (True, False)

    def width(group):
        change = group["figures"]["mean"]["change"]
        return change["high_ms"] - change["low_ms"]

    assert paired["figures"]["mean"]["change"]["ms"] == pytest.approx(0.1)
    assert width(paired) < 1e-9 < width(loose)
    assert set(found[0]["groups"]) == {"all", "reads", "writes"}


def test_ks_is_that_of_scipy_and_groups_are_apart(run, tmp_path):
    chance = np.random.default_rng(2)
    first, second = chance.exponential(10.0, 900), chance.exponential(12.0, 700)
    paths = [
        _rows(tmp_path / f"{name}.parquet", times, device=np.arange(len(times)) % 2)
        for name, times in (("a", first), ("b", second))
    ]
    group = run("compare", *paths, "--json").json()["against"][0]["groups"]
    assert group["all"]["ks"] == pytest.approx(stats.ks_2samp(first, second).statistic)
    assert {"device 0", "device 1"} <= set(group)
    mean = group["device 1"]["figures"]["mean"]
    assert mean["other"]["ms"] == pytest.approx(second[1::2].mean())


def test_a_traces_own_times_compare_with_simulated_rows(run, tmp_path):
    load = tmp_path / "measured.load"
    lines = [f"{i * 0.05} ; {i * 640} ; 8 ; R ; 0.0 ; 0.0{10 + i % 9}" for i in range(200)]
    load.write_text("start ; sector; length ; op ; a ; b\n" + "\n".join(lines) + "\n")
    rows = tmp_path / "rows.parquet"
    assert run("simulate", "-p", "hp-c2200a", "-t", load, "--per-request", rows).code == 0
    found = run("compare", load, rows, "--json").json()
    assert found["of"] == "response"
    group = found["against"][0]["groups"]["all"]
    assert (group["base_count"], group["other_count"]) == (200, 200)
    bare = tmp_path / "bare.csv"
    bare.write_text("0,1,512,R,0.000000\n0,1,512,R,0.500000\n")
    refused = run("compare", bare, rows)
    assert refused.code == 2
    assert "without measured times" in refused.err


def test_sides_that_do_not_compare_are_refused(run, schedulers, tmp_path):
    rows = _rows(tmp_path / "a.parquet", np.ones(50))
    for line, said in [
        ([schedulers[0], rows], "--requests"),
        ([rows, rows, "--of", "service"], "has no service times"),
        ([rows, rows, "--of", "colour"], "none of response, service, queue"),
        ([rows, tmp_path / "no.parquet"], "there is no such file"),
        ([rows, rows, "--fail-if", "p99 of class x > 1 ms"], "has no class x"),
        ([rows, "--fail-if", "p99 > 1 ms"], "needs two files"),
    ]:
        refused = run("compare", *line)
        assert refused.code == 2, line
        assert said in " ".join(refused.err.split())


def test_a_condition_of_what_was_nothing_is_refused():
    from platterlab.comparing.sides import Rows

    nothing = Rows("a", {"queue": np.zeros(100)}, {})
    groups = against(nothing, nothing, "queue")
    with pytest.raises(InputError, match="is 0 ms"):
        condition("mean > +5 %").holds(groups, "a")


def test_json_is_json(run, tmp_path):
    rows = _rows(tmp_path / "a.parquet", np.ones(5))
    found = json.loads(run("compare", rows, rows, "--json").out)
    assert found["against"][0]["groups"]["all"]["figures"]["mean"]["change"]["low_ms"] is None


def test_a_report_of_several_has_them_side_by_side(run, tmp_path):
    chance = np.random.default_rng(3)
    paths = [
        _rows(tmp_path / f"{name}.parquet", chance.exponential(mean, 500))
        for name, mean in (("before", 10.0), ("after", 12.0), ("later", 9.0))
    ]
    page = tmp_path / "all.html"
    assert run("report", *paths, "--out", page, "--json").json()["requests"] == 1500
    text = page.read_text()
    for word in ("after.parquet against before.parquet", "Side by side", "The tail", "reads: p99"):
        assert word in text
    experiment = tmp_path / "x.toml"
    experiment.write_text(EXPERIMENT.replace("KIND", "fcfs"))
    refused = run("report", paths[0], experiment, "--out", tmp_path / "no.html")
    assert (refused.code, "--requests" in refused.err) == (2, True)


def test_one_request_on_each_side_is_compared(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("measured_ms,service_ms,operation\n1,2,read\n")
    ran = run("compare", path, path, "--json")
    assert (ran.code, ran.err) == (0, "")
    told = json.loads(ran.out, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    assert told["against"][0]["groups"]["all"]["ks_p"] == 1


@pytest.mark.parametrize("command", [["compare"], ["report", "-o", "page.html"]])
def test_what_is_no_regular_file_is_named_with_what_to_do(run, tmp_path, command):
    rows = _rows(tmp_path / "rows.parquet", np.ones(50))
    pipe, folder = tmp_path / "pipe.csv", tmp_path / "folder.csv"
    os.mkfifo(pipe)
    folder.mkdir()
    device = tmp_path / "device.csv"
    device.symlink_to("/dev/zero")
    for path, said in [(pipe, "COMMAND > FILE"), (folder, "a folder;"), (device, "a device;")]:
        refused = run(*command, rows, path)
        assert refused.code == 2
        assert f"{path}: is not a regular file but a" in refused.err
        assert said in refused.err


def test_rows_of_no_request_are_said_to_be_none(run, tmp_path):
    rows = _rows(tmp_path / "rows.parquet", np.ones(50))
    none = _rows(tmp_path / "none.parquet", np.ones(0))
    refused = run("compare", rows, none)
    assert refused.code == 2
    assert "none.parquet: holds no requests" in refused.err


def test_an_interrupted_side_is_no_comparison(run, schedulers, monkeypatch):
    report = {"runs": [{"interrupted": True}]}
    broken_off = SimpleNamespace(complete=False, report=report)
    monkeypatch.setattr(sides.systems, "run", lambda *_, **__: broken_off)
    ran = run("compare", *schedulers)
    assert (ran.code, ran.out, ran.err) == (130, "", "platterlab: interrupted\n")
