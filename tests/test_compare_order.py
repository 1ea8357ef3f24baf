"""Pairs of requests, whatever order the two sides have them in."""

import pyarrow as pa
import pyarrow.parquet as pq

from platterlab.comparing.sides import side
from platterlab.comparing.statistics import against


def _written(path, rows):
    names = ("arrival_ms", "response_ms", "lba", "sectors", "device", "operation")
    pq.write_table(pa.table(dict(zip(names, zip(*rows, strict=True), strict=True))), path)
    return side(path)


def test_rows_in_the_order_of_completion_are_paired(tmp_path):
    came = [(float(at // 2), 5.0, 800 * at, 8, 0, "read") for at in range(400)]
    base = _written(tmp_path / "base.parquet", came)
    # The last to come of each four is done first, and two come at once.
    done = [came[at // 4 * 4 + 3 - at % 4] for at in range(400)]
    later = [(at, 6.0 if lba else 9.0, lba, *rest) for at, _, lba, *rest in done]
    other = _written(tmp_path / "other.parquet", later)
    group = against(base, other, "response")["all"]
    assert group.paired
    change = group.figures["mean"].change
    assert 1.0 <= change.low_ms <= change.high_ms < 1.05, "each is 1 ms later, but for one"
    missing = _written(tmp_path / "missing.parquet", later[1:])
    assert not against(base, missing, "response")["all"].paired


def test_two_schedulers_of_one_trace_are_paired(run, tmp_path):
    trace = tmp_path / "burst.ascii"
    trace.write_text(
        "".join(f"{at // 8 * 400} 0 {at * 7919 % 9000 * 64} 8 1\n" for at in range(80))
    )
    rows = []
    for scheduler in ("fcfs", "sptf"):
        rows.append(tmp_path / f"{scheduler}.parquet")
        line = ("simulate", "-p", "hp-c2200a", "-t", trace, "--scheduler", scheduler)
        assert run(*line, "--per-request", rows[-1]).code == 0
    told = run("compare", *rows, "--json").json()["against"][0]["groups"]["all"]
    assert told["paired"]
    assert told["figures"]["mean"]["change"]["high_ms"] < 0, "the quicker, surely"
