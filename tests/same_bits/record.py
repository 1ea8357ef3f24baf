"""Records what a source tree answers: studies, examples, and 10,000 requests of each library drive.

A recording is JSON: `{"study NAME": ..., "example NAME": ..., "drive NAME": ...}`. The tree is run
by its command line alone, so that any commit can be recorded.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

REQUESTS = 10_000
TRACE_SECTOR_BYTES = 512
DONE, DID_NOT_HOLD = 0, 1


@dataclass(frozen=True)
class Tree:
    """A source tree whose core is built into it."""

    root: Path
    data: Path | None
    """Measured traces; studies that need them are not recorded without."""

    def run(self, *arguments: object, codes: tuple[int, ...] = (DONE,)) -> Any:
        """Runs a command with `--json` and gives what it says; RuntimeError if it fails."""
        environment = os.environ | {"PYTHONPATH": str(self.root / "python"), "COLUMNS": "80"}
        if self.data is not None:
            environment["PLATTERLAB_DATA"] = str(self.data)
        line = [sys.executable, "-m", "platterlab", *map(str, arguments), "--json"]
        ran = subprocess.run(
            line, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode not in codes:
            raise RuntimeError(f"{' '.join(line[2:])}\nin {self.root}:\n{ran.stderr}")
        return json.loads(ran.stdout)


def record(tree: Tree, wanted: Callable[[str], bool], say: Callable[[str], None]) -> dict[str, Any]:
    """Everything of a tree whose name is wanted, the studies first as they take longest."""

    def answer(part: tuple[str, Callable[[], Any]]) -> tuple[str, Any]:
        name, ask = part
        told = ask()
        say(name)
        return name, told

    parts = [part for part in _parts(tree) if wanted(part[0])]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(sorted(pool.map(answer, parts)))


def _parts(tree: Tree) -> Iterator[tuple[str, Callable[[], Any]]]:
    for study in tree.run("study", "list")["studies"]:
        name = study["name"]
        yield f"study {name}", partial(tree.run, "study", name, codes=(DONE, DID_NOT_HOLD))
    for path in sorted((tree.root / "examples").glob("*.toml")):
        yield f"example {path.stem}", partial(tree.run, "simulate", f"examples/{path.name}")
    for drive in tree.run("profile", "list")["profiles"]:
        yield f"drive {drive['profile']}", partial(_drive, tree, drive["profile"])


def _drive(tree: Tree, name: str) -> dict[str, Any]:
    derived = tree.run("profile", "show", name)["derived"]
    with tempfile.TemporaryDirectory() as folder:
        trace, rows = Path(folder, "requests.trace"), Path(folder, "rows.parquet")
        trace.write_text("".join(_requests(derived)), encoding="ascii")
        tree.run("simulate", "-p", name, "-t", trace, "-f", "disksim-ascii", "--per-request", rows)
        table = pq.read_table(rows)
    return {"rows": table.num_rows, "columns": {c: _bits(table[c]) for c in table.column_names}}


def _requests(derived: dict[str, Any]) -> Iterator[str]:
    """Reads and writes at random places and in runs, some in a hurry, in DiskSim's ascii format."""
    draw = random.Random(0)  # noqa: S311
    sector_bytes = derived["capacity_bytes"] // derived["capacity_sectors"]
    step = max(sector_bytes // TRACE_SECTOR_BYTES, 1)
    steps = derived["capacity_bytes"] // (step * TRACE_SECTOR_BYTES)
    at, arrival_ms = 0, 0.0
    for _ in range(REQUESTS):
        length = draw.choice((1, 2, 8, 8, 16, 32, 64, 128))
        if draw.random() < 0.4 or at + length > steps:
            at = draw.randrange(steps - length)
        arrival_ms += draw.expovariate(1 / 2.0 if draw.random() < 0.5 else 1 / 40.0)
        is_read = int(draw.random() < 0.6)
        yield f"{arrival_ms:.6f} 0 {at * step} {length * step} {is_read}\n"
        at += length


def _bits(column: pa.ChunkedArray) -> str:
    """The sha256 of a column's values, missing ones marked."""
    whole = column.combine_chunks()
    if pa.types.is_dictionary(whole.type):
        whole = whole.dictionary_decode()
    if pa.types.is_string(whole.type):
        values = json.dumps(whole.to_pylist()).encode()
    else:
        filled = whole.fill_null(pa.scalar(0, whole.type).cast(whole.type))
        values = filled.to_numpy(zero_copy_only=False).tobytes()
    missing = whole.is_null().to_numpy(zero_copy_only=False).tobytes()
    return hashlib.sha256(values + missing).hexdigest()
