"""What lies in a sweep's folder and is not what the sweep wrote there: it is run again."""

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from platterlab.sweeps.task import FIGURES

EXPERIMENT = """\
[[drive]]
profile = "hp-97560"
[[workload]]
kind = "closed"
population = 4
[stop]
requests = 300
"""
SWEEP = """\
experiment = "e.toml"
[[vary]]
key = "workload[0].population"
values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
"""
FORGED = ["x", None, math.nan, math.inf, -1.0, [1.0], {"a": 1}, b"\xff", 10**18]


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    (tmp_path / "s.toml").write_text(SWEEP)
    return tmp_path / "s.toml"


def shards(plan: Path) -> list[Path]:
    return sorted((plan.with_suffix(".sweep") / "points").iterdir())


def forged(whole: pa.Table, name: str, value: Any) -> pa.Table:
    """A shard with another value, of its own type where that holds it."""
    row = whole.to_pylist()[0] | {name: value}
    try:
        return pa.Table.from_pylist([row], schema=whole.schema)
    except (pa.ArrowException, TypeError):
        return pa.Table.from_pylist([row]).replace_schema_metadata(whole.schema.metadata)


@pytest.mark.parametrize("name", [name for name, _ in FIGURES])
def test_a_shard_with_another_value_is_run_again(plan, run, tmp_path, name):
    points = run("sweep", plan, "--json").json()["points"]
    good = [pq.read_table(shard) for shard in shards(plan)]
    odd = [forged(whole, name, value) for whole, value in zip(good, FORGED, strict=False)]
    for shard, table in zip(shards(plan), odd, strict=False):
        pq.write_table(table, shard)
    again = run("sweep", plan, "--report", tmp_path / "page.html", "--json").json()
    assert again["points"] == points
    assert again["ran"] == sum(one != table for one, table in zip(good, odd, strict=False))
    assert [pq.read_table(shard) for shard in shards(plan)] == good


def test_a_shard_of_another_point_is_run_again(plan, run):
    points = run("sweep", plan, "--json").json()["points"]
    first, second, *_ = shards(plan)
    first.write_bytes(second.read_bytes())
    again = run("sweep", plan, "--json").json()
    assert (again["points"], again["ran"]) == (points, 1)


def test_a_shard_without_what_made_it_is_run_again(plan, run):
    points = run("sweep", plan, "--json").json()["points"]
    told = [None, {"platterlab": "{}"}, {"platterlab": "["}, {"platterlab": '{"task": []}'}]
    for shard, made in zip(shards(plan), told, strict=False):
        pq.write_table(pq.read_table(shard).replace_schema_metadata(made), shard)
    again = run("sweep", plan, "--json").json()
    assert (again["points"], again["ran"]) == (points, len(told))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(40) + b"PAR1"])
def test_a_shard_that_is_no_table_is_run_again(plan, run, content):
    points = run("sweep", plan, "--json").json()["points"]
    shards(plan)[0].write_bytes(content)
    again = run("sweep", plan, "--json").json()
    assert (again["points"], again["ran"]) == (points, 1)
