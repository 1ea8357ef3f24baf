"""A sweep of short experiments: `python benches/sweep.py POINTS local|dask`.

Prints one JSON object: experiments a second with one process and with two, and whether the tables
are the same. One and two take turns, and the middle of what the turns gained counts: a machine's
own speed may change from one minute to the next. A script of its own, because the processes of a
sweep read the one that began it.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import platterlab as pl

KEY = "workload[0].interval_ms.mean"
REQUESTS = 50_000
TURNS = 3
"""Of one process and then two."""


def main() -> int:
    """Runs it and says how fast it was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("points", type=int)
    parser.add_argument("engine", choices=("local", "dask"))
    given = parser.parse_args()
    plan = {
        "experiment": "mm1",
        "design": "grid",
        "vary": [
            {"key": "stop.requests", "values": [REQUESTS]},
            {"key": KEY, "low": 13.0, "high": 40.0, "steps": given.points},
        ],
    }
    per_s: dict[int, list[float]] = {1: [], 2: []}
    tables = set()
    for workers in [1, 2] * TURNS:
        start = time.perf_counter()
        tables.add(table(plan, given.engine, workers))
        per_s[workers].append(given.points / (time.perf_counter() - start))
    gains = [two / one for one, two in zip(per_s[1], per_s[2], strict=True)]
    told = {
        "points": given.points,
        "per_s": {workers: statistics.median(found) for workers, found in per_s.items()},
        "speed_up": statistics.median(gains),
        "speed_ups": gains,
        "same": len(tables) == 1,
    }
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


def table(plan: dict[str, object], engine: str, workers: int) -> bytes:
    """The finished table's bytes."""
    with tempfile.TemporaryDirectory(prefix="sweep-") as folder:
        pl.sweep(plan, folder, workers=workers, dask="local" if engine == "dask" else None)
        return (Path(folder) / "table.parquet").read_bytes()


if __name__ == "__main__":
    sys.exit(main())
