"""A sweep's folder: a shard for each finished point, the table of all, and what made them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platterlab import documents
from platterlab._core import InputError
from platterlab.output import replacing, write_text
from platterlab.sweeps.task import FIGURES, Figures, Task
from platterlab.wrong_file import in_file

if TYPE_CHECKING:
    import pyarrow as pa

POINTS, TABLE, MANIFEST = "points", "table.parquet", "manifest.json"


@dataclass(frozen=True)
class _Made:
    """What made a shard."""

    task: Task


class Folder:
    """Where a sweep is kept. A shard appears whole or not at all, under its task's name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name in (TABLE, MANIFEST):
            if (path / name).exists() and not (path / POINTS).is_dir():
                raise in_file(
                    path, f"has a {name} and is no sweep's; --out has to be another folder"
                )
        try:
            (path / POINTS).mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise in_file(path, "is a file; --out has to be a folder") from error

    def finished(self, names: Iterable[str]) -> dict[str, Figures]:
        """The figures of those tasks that have a shard.

        One that is broken, or is not what `keep` wrote for that task, counts as none.
        """
        import pyarrow as pa
        from pyarrow.parquet import read_table

        found = {}
        for name in names:
            path = self._shard(name)
            if not path.is_file():
                continue
            try:
                table = read_table(path, partitioning=None)
            except PermissionError:
                raise
            except (pa.ArrowException, OSError):
                path.unlink()
                continue
            if (figures := _figures(table, name)) is None:
                path.unlink()
            else:
                found[name] = figures
        return found

    def keep(self, name: str, figures: Figures, made: Mapping[str, Any]) -> None:
        """Writes the shard of a task, with what made it."""
        import pyarrow as pa

        table = pa.Table.from_pylist([figures], schema=pa.schema(list(FIGURES)))
        self._write(
            self._shard(name), table.replace_schema_metadata({"platterlab": json.dumps(made)})
        )

    def conclude(
        self,
        rows: Sequence[Mapping[str, Any]],
        made_by: Mapping[str, Any],
        ran_now: Sequence[Mapping[str, Any]],
    ) -> pa.Table:
        """Writes the table of all points, in their order, with what made it, and the manifest."""
        import pyarrow as pa

        told = {"platterlab": json.dumps(made_by, sort_keys=True)}
        table = pa.Table.from_pylist(list(map(dict, rows))).replace_schema_metadata(told)
        self._write(self.path / TABLE, table)
        manifest = json.dumps({**made_by, "ran_now": ran_now}, indent=1, sort_keys=True)
        write_text(self.path / MANIFEST, manifest + "\n")
        return table

    def _write(self, path: Path, table: pa.Table) -> None:
        from pyarrow.parquet import write_table

        with replacing(path) as partial, partial.open("wb") as file:
            write_table(table, file)

    def _shard(self, name: str) -> Path:
        return self.path / POINTS / f"{name}.parquet"


def _figures(table: pa.Table, name: str) -> Figures | None:
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


def _is_told(value: float) -> bool:
    return math.isfinite(value) and value >= 0
