"""`platterlab simulate`: what it says, what it writes, and how it fails."""

import csv
import json
import math

import numpy as np
import pyarrow.parquet as pq
import pytest

from platterlab import library, results, simulation

DRIVE = "hp-c2200a"


def simulate_json(run, trace, *more):
    return run("simulate", "-p", DRIVE, "-t", trace, "--json", *more).json()


def test_every_request_is_accounted_for(run, ascii_trace):
    figures = simulate_json(run, ascii_trace)
    refused = sum(reason["requests"] for reason in figures["refused"])
    assert figures["schema_version"] == 1
    assert (figures["offered"], figures["served"], refused) == (2000, 2000, 0)
    assert figures["reads"] + figures["writes"] == figures["served"]
    assert sum(outcome["requests"] for outcome in figures["cache"]) == figures["served"]


def test_the_parts_add_up_to_the_service_time(run, ascii_trace):
    figures = simulate_json(run, ascii_trace)
    parts_ms = sum(part["mean_ms"] for part in figures["parts_mean_ms"])
    assert math.isclose(parts_ms, figures["service"]["mean_ms"], rel_tol=1e-9)
    response_ms = figures["queue"]["mean_ms"] + figures["service"]["mean_ms"]
    assert math.isclose(response_ms, figures["response"]["mean_ms"], rel_tol=1e-9)


def test_people_read_the_same_figures(run, ascii_trace):
    figures = simulate_json(run, ascii_trace)
    told = run("simulate", "-p", DRIVE, "-t", ascii_trace)
    assert told.code == 0
    assert told.err == ""
    assert "offered 2,000 = served 2,000 + refused 0" in told.out
    assert f"{figures['service']['mean_ms']:,.2f}" in told.out
    assert max(map(len, told.out.splitlines())) <= 80


def test_measured_times_give_the_demerit(run, measured_trace):
    figures = simulate_json(run, measured_trace, "--timing", "closed")
    overall = figures["agreement"]["all"]
    assert overall["measured_requests"] == 500
    assert overall["demerit_ms"] <= overall["rmse_ms"]
    assert {"reads", "writes"} <= figures["agreement"].keys()


def test_warm_up_is_left_out_of_the_figures_but_not_of_the_count(run, measured_trace):
    figures = simulate_json(run, measured_trace, "--timing", "closed", "--warm-up", 100)
    assert figures["served"] == 500
    assert figures["service"]["count"] == 400
    assert figures["agreement"]["all"]["measured_requests"] == 400


def test_rows_have_units_and_what_made_them(run, ascii_trace, tmp_path):
    target = tmp_path / "rows.parquet"
    simulate_json(run, ascii_trace, "--per-request", target, "--seed", 3)
    table = pq.read_table(target)
    assert table.num_rows == 2000
    assert table.schema.field("seek_ms").metadata[b"unit"] == b"ms"
    assert table.schema.field("lba").metadata[b"unit"] == b"sectors"
    assert table.column("measured_ms").null_count == 2000
    made_by = json.loads(table.schema.metadata[b"platterlab"])
    assert (made_by["drive"], made_by["seed"]) == ("HP C2200A", 3)
    parts_ms = sum(
        table.column(f"{part}_ms").to_numpy()
        for part in ("overhead", "wait", "seek", "rotation", "transfer", "bus")
    )
    np.testing.assert_allclose(parts_ms, table.column("service_ms").to_numpy(), rtol=1e-12)


def test_csv_holds_the_same_rows(run, measured_trace, tmp_path):
    for name in ("rows.csv", "rows.parquet"):
        more = ("--timing", "closed", "--per-request", tmp_path / name)
        simulate_json(run, measured_trace, *more)
    rows = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    with (tmp_path / "rows.csv").open() as file:
        texts = list(csv.DictReader(file))
    assert list(texts[0]) == [field.name for field in results.schema()]
    for row, text in zip(rows, texts, strict=True):
        assert (float(text["service_ms"]), text["operation"], text["cache"]) == (
            row["service_ms"],
            row["operation"],
            row["cache"],
        )


def test_the_same_seed_gives_the_same_bytes(run, ascii_trace, tmp_path):
    targets = [tmp_path / f"{name}.parquet" for name in ("one", "two")]
    for target in targets:
        simulate_json(run, ascii_trace, "--per-request", target, "--set", "spindle.latency=uniform")
    one, two = (target.read_bytes() for target in targets)
    assert one == two


def test_an_override_changes_the_drive(run, ascii_trace):
    slow = simulate_json(run, ascii_trace, "--set", "spindle.speed_rpm=2000")
    fast = simulate_json(run, ascii_trace, "--set", "spindle.speed_rpm=8000")
    assert slow["service"]["mean_ms"] > fast["service"]["mean_ms"]


def test_chunks_do_not_change_the_rows(ascii_trace, tmp_path, monkeypatch):
    rows = []
    for size in (70, 333, 100_000):
        monkeypatch.setattr(results, "CHUNK_ROWS", size)
        target = tmp_path / f"{size}.parquet"
        job = simulation.Job(profile=DRIVE, trace=ascii_trace, per_request=target)
        simulation.simulate(job)
        rows.append(pq.read_table(target).to_pydict())
    assert rows[0] == rows[1] == rows[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-p", "hp-c220a"], "did you mean hp-c2200a"),
        (["-p", "nowhere/drive.toml"], "nowhere/drive.toml"),
        (["-p", DRIVE, "--timing", "opne"], "opne"),
        (["-p", DRIVE, "--format", "disksim-asci"], "disksim-ascii"),
        (["-p", DRIVE, "--device", "9"], "device 9"),
        (["-p", DRIVE, "--set", "seek.knd=linear"], "seek.knd"),
        (["-p", DRIVE, "--set", "seek"], "key=value"),
        (["-p", DRIVE, "--set", "spindle.speed_rpm=-3"], "spindle.speed_rpm"),
        (["-p", DRIVE, "--trace-option", "gpa=after"], "gap"),
        (["-p", DRIVE, "--per-request", "rows.xls"], ".parquet or .csv"),
        (["-p", DRIVE, "--per-request", "nowhere/rows.parquet"], "nowhere"),
        (["-p", DRIVE, "--seed", "many"], "--seed"),
        (["-p", DRIVE, "--timing", "issue"], "issue time"),
    ],
)
def test_bad_input_is_one_message(run, ascii_trace, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    ran = run("simulate", "-t", ascii_trace, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("platterlab: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_bad_line_is_named_and_no_rows_are_left(run, ascii_trace, tmp_path):
    with ascii_trace.open("a") as file:
        file.write("not a request\n")
    target = tmp_path / "rows.parquet"
    target.write_bytes(b"older")
    ran = run("simulate", "-p", DRIVE, "-t", ascii_trace, "--per-request", target)
    assert ran.code == 2
    assert "line 2001" in ran.err
    assert target.read_bytes() == b"older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arrivals.trace", "rows.parquet"]


def test_the_library_loads():
    assert {"hp-97560", "hp-c2200a"} <= library.drives().keys()
    for name in library.drives():
        drive = library.load(name)
        assert drive.id == name
        assert drive.capacity_sectors > 0
