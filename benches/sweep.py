"""A sweep of short experiments: `python benches/sweep.py POINTS local|dask`.

Prints one JSON object: experiments a second with one process and with two, and whether the tables
are the same. A script of its own, because the processes of a sweep read the one that began it.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import platterlab as pl

KEY = "workload[0].interval_ms.mean"
REQUESTS = 50_000


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
    per_s, tables = [], set()
    for workers in (1, 2):
        start = time.perf_counter()
        tables.add(table(plan, given.engine, workers))
        per_s.append(given.points / (time.perf_counter() - start))
    one, two = per_s
    told = {
        "points": given.points,
        "per_s": {"1": one, "2": two},
        "speed_up": two / one,
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
