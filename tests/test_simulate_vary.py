"""`platterlab simulate --vary`: a point of a grid is the single run, whatever runs beside it."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from platterlab import variations
from platterlab.cli import run

SYSTEM = """
[stop]
requests = 400
[host.scheduler]
kind = "fcfs"
[[drive]]
name = "disk"
count = 3
profile = "hp-c2200a"
[[volume]]
name = "array"
drives = ["disk"]
layout = { kind = "raid5", unit = "64k" }
[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 15.0 }
[workload.pattern]
size_sectors = { kind = "constant", value = 16 }
"""
SCHEDULER = "host.scheduler.kind=fcfs,c-look,sptf"
UNIT = "volume.array.layout.unit=16k,64k"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM)
    return path


def told(capsys: pytest.CaptureFixture[str], *line: object) -> dict[str, Any]:
    assert run(["simulate", *map(str, line), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def without_manifest(outcome: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in outcome.items() if key not in ("manifest", "schema_version")
    }


@pytest.mark.parametrize("replications", [1, 2])
def test_each_point_is_the_single_run(
    file: Path, capsys: pytest.CaptureFixture[str], replications: int
) -> None:
    common = (file, "--replications", replications)
    grid = told(capsys, *common, "--vary", SCHEDULER, "--vary", UNIT)["variations"]
    assert len(grid) == 6
    for point in grid:
        changes = [f"--set={key}={value}" for key, value in point["values"].items()]
        single = told(capsys, *common, *changes)
        assert without_manifest(point["outcome"]) == without_manifest(single)
        assert point["mean_response_ms"] == single["mean_response_ms"]["mean"]
        assert point["outcome"]["manifest"]["overrides"].items() >= point["values"].items()


def test_each_of_24_points_is_the_single_run_to_the_last_bit(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = (file, "--set", "stop.requests=100")
    schedulers = "host.scheduler.kind=fcfs,c-look,sstf,sptf"
    units = "volume.array.layout.unit=8k,16k,32k,64k,128k,256k"
    line = (*common, "--vary", schedulers, "--vary", units, "--threads", 2)
    grid = told(capsys, *line)["variations"]
    assert len(grid) == 24
    for point in grid:
        changes = [f"--set={key}={value}" for key, value in point["values"].items()]
        single = told(capsys, *common, *changes)
        assert without_manifest(point["outcome"]) == without_manifest(single)


def test_threads_change_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = (file, "--vary", SCHEDULER, "--vary", UNIT, "--replications", 2)
    one, many = (told(capsys, *line, "--threads", count) for count in (1, 16))
    assert one == many


def test_the_table_has_a_row_for_each_point(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = [tmp_path / "grid.parquet", tmp_path / "grid.csv"]
    for table in tables:
        assert run(["simulate", str(file), "--vary", SCHEDULER, "--table", str(table)]) == 0
    said = capsys.readouterr().out
    assert "best" in said
    assert str(tables[0]) in said
    rows = pq.read_table(tables[0]).to_pylist()
    assert [row["host.scheduler.kind"] for row in rows] == ["fcfs", "c-look", "sptf"]
    least = min(row["mean_response_ms"] for row in rows)
    assert [row["dearer"] for row in rows] == [row["mean_response_ms"] / least - 1 for row in rows]
    assert set(variations.FIGURES) < set(rows[0])
    manifests = json.loads(pq.read_schema(tables[0]).metadata[b"platterlab"])
    assert len(manifests) == 3
    assert all(len(one["inputs"]) >= 1 for one in manifests)
    with tables[1].open() as text:
        read = list(csv.DictReader(text))
    assert [float(row["mean_response_ms"]) for row in read] == [
        row["mean_response_ms"] for row in rows
    ]


def test_what_a_choice_costs_is_at_the_best_of_the_others(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["simulate", str(file), "--vary", SCHEDULER, "--vary", UNIT]) == 0
    shown = capsys.readouterr().out
    assert "what a choice costs" in shown
    grid = told(capsys, file, "--vary", SCHEDULER, "--vary", UNIT)["variations"]
    fcfs = min(
        point["dearer"] for point in grid if point["values"]["host.scheduler.kind"] == "fcfs"
    )
    assert f"{fcfs:+.1%}" in shown.partition("what a choice costs")[2]


def test_the_report_has_every_point_and_the_price_of_each_choice(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "grid.html"
    line = ["simulate", str(file), "--vary", SCHEDULER, "--vary", UNIT, "--report", str(page)]
    assert run(line) == 0
    assert f"report: {page}" in capsys.readouterr().out
    text = page.read_text()
    for word in ("fcfs", "c-look", "sptf", "16k", "64k", "All points", "What a choice costs"):
        assert word in text
    tables = text.partition('<script type="module">')[0]
    assert tables.count("<tr><td data-heading") == 6 + 5, "a row for each point and each value"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--vary", "host.scheduler.kind="], "a value is missing"),
        (["--vary", "host.scheduler.kind=fcfs,fcfs"], "given twice"),
        (["--vary", "host.scheduler.kind=fcfs,sptfx"], 'did you mean "sptf"?'),
        (["--vary", "seed=1,2", "--set", "seed=3"], "leave one of them out"),
        (["--vary", "seed=1,2", "--timeline", "a.json"], "give --table"),
        (["--vary", "seed=1,2", "--table", "a.txt"], ".parquet or .csv"),
        (["--table", "a.csv"], "needs --vary"),
        (["--vary", "volume.arrray.layout.unit=1k,2k"], "volume"),
    ],
)
def test_mistakes_are_told_before_anything_runs(
    file: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run(["simulate", str(file), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_grid_is_of_a_system(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "-p", "hp-c2200a", "-t", "none.srt", "--vary", "timing=open,closed"]
    assert run(line) == 2
    assert "means nothing with --profile" in capsys.readouterr().err


def test_commas_within_brackets_stay(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    laws = '{ kind = "constant", value = 20.0 },{ kind = "exponential", mean = 16.0 }'
    sizes = f"workload[0].interval_ms={laws}"
    grid = told(capsys, file, "--vary", sizes)["variations"]
    assert [list(point["values"].values()) for point in grid] == [
        [{"kind": "constant", "value": 20.0}],
        [{"kind": "exponential", "mean": 16.0}],
    ]


def test_a_point_that_does_not_end_is_no_choice(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "grid.parquet"
    limits = ["--set", "stop.queue_limit=20", "--vary", "workload[0].interval_ms.mean=5.0,200.0"]
    assert run(["simulate", str(file), *limits, "--table", str(table)]) == 1
    assert "1 of 2 points came to their end" in capsys.readouterr().err
    overloaded, calm = pq.read_table(table).to_pylist()
    assert overloaded["mean_response_ms"] is None
    assert calm["dearer"] == 0.0
