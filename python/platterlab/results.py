"""Per-request results: their columns, and how they are written, in constant memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from platterlab._core import RowsFile, row_columns, row_labels
from platterlab.output import SCHEMA_VERSION, replacing
from platterlab.wrong_file import in_file

if TYPE_CHECKING:
    # Each takes a tenth of a second to load, and a command that writes no table goes without.
    import pyarrow as pa
    from numpy.typing import NDArray

CHUNK_ROWS = 1 << 16
"""Requests in memory at once."""

Rows: TypeAlias = "Mapping[str, NDArray[Any]]"
"""The columns of a chunk of requests, as `Replay.next` gives them."""

Columns: TypeAlias = tuple[tuple[str, str, str, str], ...]
"""Name, type, unit and description of each column."""

COMMANDS, REQUESTS = (tuple(columns) for columns in row_columns())
"""A row for each request that a drive serves; and one for each request that a system serves, which
may take several drives."""


def schema(
    columns: Columns = COMMANDS,
    *,
    labels: str = "dictionary",
    manifest: Mapping[str, Any] | None = None,
) -> pa.Schema:
    """The columns with their units, in order.

    Args:
        columns: `COMMANDS` or `REQUESTS`.
        labels: `dictionary` or `string` for the columns of words.
        manifest: what made the file; stored as JSON under the key `platterlab`.
    """
    import pyarrow as pa

    words = pa.dictionary(pa.uint8(), pa.string()) if labels == "dictionary" else pa.string()
    fields = [
        pa.field(
            name, words if kind == "labels" else kind, metadata={"unit": unit, "description": about}
        )
        for name, kind, unit, about in columns
    ]
    return pa.schema(fields, metadata=_metadata(manifest or {}))


def _metadata(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Metadata of a file apart from its rows."""
    text = json.dumps(manifest, sort_keys=True)
    return {"platterlab": text, "schema_version": str(SCHEMA_VERSION)}


def table(rows: Rows, columns: pa.Schema) -> pa.Table:
    """A chunk of requests as an Arrow table."""
    import numpy as np
    import pyarrow as pa

    labels = row_labels()
    arrays = []
    for field in columns:
        values = rows[field.name]
        if field.name in labels:
            words = pa.DictionaryArray.from_arrays(pa.array(values), pa.array(labels[field.name]))
            arrays.append(words.cast(field.type))
        elif field.name in ("request", "stream"):
            own = values == np.iinfo(values.dtype).max
            arrays.append(pa.array(values, field.type, mask=own))
        else:
            # Only a time that the trace does not record is not a number.
            arrays.append(pa.array(values, field.type, from_pandas=field.name == "measured_ms"))
    return pa.Table.from_arrays(arrays, schema=columns)


def suffix_of(path: Path, what: str = "per-request results are") -> str:
    """`.parquet` or `.csv`, of `what` a message calls it.

    Raises:
        InputError: the name ends in neither.
    """
    if path.suffix not in (".parquet", ".csv"):
        raise in_file(path, f"{what} .parquet or .csv")
    return path.suffix


@contextmanager
def writing(
    path: Path, made_by: Callable[[], Mapping[str, Any]], *, requests: bool = False
) -> Iterator[RowsFile]:
    """A file of commands, or of requests; `path` appears when the block ends well.

    Args:
        path: where.
        made_by: the manifest, which is asked for when all rows are there.
        requests: whether its rows are those of requests.

    Raises:
        InputError: the name ends in neither .parquet nor .csv, or its folder does not exist.
    """
    suffix = suffix_of(path)
    with replacing(path) as partial:
        file = RowsFile(partial, suffix[1:], requests=requests)
        yield file
        file.finish(_metadata(made_by()))
