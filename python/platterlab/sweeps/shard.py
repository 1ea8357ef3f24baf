"""A shard: the file of one finished point, and what made it.

Whoever runs a point makes it, so that the sweep, which waits for all, only writes it down.
"""

from __future__ import annotations

import base64
import io
import json
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from platterlab import documents
from platterlab._core import InputError
from platterlab.documents import Json
from platterlab.sweeps.task import FIGURES, Figures, Task

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class _Made:
    """What made a shard."""

    task: Task


def answer(task: Task, figures: Figures) -> str:
    """Figures and their shard as JSON: what an engine brings from where a point ran."""
    shard = base64.b64encode(_encoded(task, figures)).decode()
    return json.dumps({"figures": figures, "shard": shard})


def told(text: str) -> tuple[Figures, bytes]:
    """The figures of an answer, and the shard's bytes."""
    found: Json = json.loads(text)
    return found["figures"], base64.b64decode(found["shard"])


def figures_of(table: pa.Table, name: str) -> Figures | None:
    """The figures of a shard, if it is what was kept for the task of that name."""
    import pyarrow as pa

    if table.num_rows != 1 or not table.schema.equals(pa.schema(list(FIGURES))):
        return None
    try:
        stored = (table.schema.metadata or {}).get(b"platterlab", b"{}")
        task = documents.decoded(stored, _Made, "a shard").task
    except InputError:
        return None
    row: Figures = table.to_pylist()[0]
    numbers = [value for value in row.values() if value is not None]
    if task.name != name or row["complete"] is None or not all(map(_is_told, numbers)):
        return None
    most = max(task.replications, task.most_replications)
    if not task.replications <= (row["replications"] or 0) <= most:
        return None
    # Where no request was served, none of these is known.
    known = {row[one] is None for one in ("mean_response_ms", "p95_response_ms", "served_per_s")}
    return row if len(known) == 1 else None


def _encoded(task: Task, figures: Figures) -> bytes:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    made = {"task": json.loads(task.to_text()), "host": os.uname().nodename}
    table = pa.Table.from_pylist([figures], schema=pa.schema(list(FIGURES)))
    file = io.BytesIO()
    write_table(table.replace_schema_metadata({"platterlab": json.dumps(made)}), file)
    return file.getvalue()


def _is_told(value: float) -> bool:
    return math.isfinite(value) and value >= 0
