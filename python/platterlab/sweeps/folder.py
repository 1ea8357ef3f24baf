"""A sweep's folder: a shard for each finished point, the table of all, and what made them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platterlab.output import replacing, write_text
from platterlab.sweeps.shard import figures_of
from platterlab.sweeps.task import Figures
from platterlab.wrong_file import in_file

if TYPE_CHECKING:
    import pyarrow as pa

POINTS, TABLE, MANIFEST = "points", "table.parquet", "manifest.json"


class Folder:
    """Where a sweep is kept. A shard appears whole or not at all, under its task's name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name in (TABLE, MANIFEST):
            if (path / name).exists() and not (path / POINTS).is_dir():
                raise in_file(
                    path, f"has a {name} and is not a sweep's; --out has to be another folder"
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
            if (figures := figures_of(table, name)) is None:
                path.unlink()
            else:
                found[name] = figures
        return found

    def keep(self, name: str, shard: bytes) -> None:
        """Writes the shard of a task."""
        with replacing(self._shard(name)) as partial:
            partial.write_bytes(shard)

    def conclude(
        self,
        rows: Sequence[Mapping[str, Any]],
        made_by: Mapping[str, Any],
        ran_now: Sequence[Mapping[str, Any]],
    ) -> pa.Table:
        """Writes the table of all points, in their order, with what made it, and the manifest."""
        import pyarrow as pa
        from pyarrow.parquet import write_table

        told = {"platterlab": json.dumps(made_by, sort_keys=True)}
        table = pa.Table.from_pylist(list(map(dict, rows))).replace_schema_metadata(told)
        with replacing(self.path / TABLE) as partial, partial.open("wb") as file:
            write_table(table, file)
        manifest = json.dumps({**made_by, "ran_now": ran_now}, indent=1, sort_keys=True)
        write_text(self.path / MANIFEST, manifest + "\n")
        return table

    def _shard(self, name: str) -> Path:
        return self.path / POINTS / f"{name}.parquet"
