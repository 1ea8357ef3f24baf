"""Per-request results: their columns, and how they are written, in constant memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from platterlab._core import InputError, row_labels
from platterlab.output import replacing

if TYPE_CHECKING:
    # Each takes a tenth of a second to load, and a command that writes no table goes without.
    import pyarrow as pa
    from numpy.typing import NDArray

SCHEMA_VERSION = 1
CHUNK_ROWS = 1 << 16
"""Requests in memory at once, and in a row group of a Parquet file."""

Rows: TypeAlias = "Mapping[str, NDArray[Any]]"
"""The columns of a chunk of requests, as `Replay.next` gives them."""

Columns = tuple[tuple[str, str, str, str], ...]
"""Name, type, unit and description of each column."""

_MS = "ms"
COMMANDS: Columns = (
    ("arrival_ms", "double", _MS, "when the request came, from the start of the trace"),
    ("issue_ms", "double", _MS, "when the drive got it"),
    ("completion_ms", "double", _MS, "when it was done"),
    ("response_ms", "double", _MS, "from arrival to completion"),
    ("queue_ms", "double", _MS, "from arrival to issue"),
    ("service_ms", "double", _MS, "from issue to completion"),
    ("overhead_ms", "double", _MS, "the drive's controller"),
    ("wait_ms", "double", _MS, "for earlier work of the drive"),
    ("seek_ms", "double", _MS, "seek and settle"),
    ("rotation_ms", "double", _MS, "rotational latency"),
    ("transfer_ms", "double", _MS, "between the media and the drive's buffer"),
    ("bus_ms", "double", _MS, "on the bus, where nothing else goes on"),
    ("lba", "uint64", "sectors", "first sector"),
    ("sectors", "uint32", "sectors", "length"),
    ("device", "uint32", "", "as the trace or the system numbers it"),
    ("request", "uint64", "", "it is part of, from 0; null for what a system does by itself"),
    ("stream", "uint16", "", "of that request: the workload's number; null like the request"),
    ("operation", "labels", "", "read or write"),
    ("cache", "labels", "", "what the drive's buffer made of it"),
    ("cylinder", "uint32", "cylinders", "where the first sector lies"),
    ("seek_distance_cylinders", "uint32", "cylinders", "how far the arm went"),
    ("measured_ms", "double", _MS, "the service time that the trace recorded; null if none"),
)
"""A row for each request that a drive serves."""
REQUESTS: Columns = (
    ("arrival_ms", "double", _MS, "when the request came, from the start"),
    ("completion_ms", "double", _MS, "when the last of its commands was done"),
    ("response_ms", "double", _MS, "from arrival to completion"),
    ("request", "uint64", "", "its number in the order of arrival, from 0"),
    ("stream", "uint16", "", "the workload's number in the experiment, from 0"),
    ("volume", "uint32", "", "as the system numbers them"),
    ("lba", "uint64", "sectors", "first sector of the volume"),
    ("sectors", "uint32", "sectors", "length"),
    ("operation", "labels", "", "read or write"),
    ("class", "labels", "", "who waits for it"),
)
"""A row for each request that a system serves, which may take several drives."""


def schema(
    columns: Columns = COMMANDS,
    *,
    labels: str = "dictionary",
    manifest: Mapping[str, Any] | None = None,
) -> pa.Schema:
    """The columns with their units, in order.

    Args:
        columns: `COMMANDS` or `REQUESTS`.
        labels: `dictionary` (Parquet) or `string` (CSV) for the columns of words.
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
    text = json.dumps(manifest or {}, sort_keys=True)
    return pa.schema(fields, metadata={"platterlab": text, "schema_version": str(SCHEMA_VERSION)})


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


class Writer:
    """Writes chunks of requests to a Parquet or CSV file."""

    def __init__(self, sink: Any, columns: pa.Schema) -> None:
        self._sink = sink
        self._columns = columns

    def write(self, rows: Rows) -> None:
        """Appends a chunk."""
        self._sink.write_table(table(rows, self._columns))


def suffix_of(path: Path, what: str = "per-request results are") -> str:
    """`.parquet` or `.csv`, of `what` a message calls it.

    Raises:
        InputError: the name ends in neither.
    """
    if path.suffix not in (".parquet", ".csv"):
        raise InputError(f"{path}: {what} .parquet or .csv")
    return path.suffix


@contextmanager
def writing(
    path: Path, manifest: Mapping[str, Any], columns: Columns = COMMANDS
) -> Iterator[Writer]:
    """A writer of `path`, which appears when the block ends well.

    Raises:
        InputError: the name ends in neither .parquet nor .csv, or its folder does not exist.
    """
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    suffix = suffix_of(path)
    with ExitStack() as stack:
        partial = stack.enter_context(replacing(path))
        # Opened here: Arrow takes no name that is not UTF-8.
        file = stack.enter_context(partial.open("wb"))
        if suffix == ".csv":
            fields = schema(columns, labels="string")
            sink = stack.enter_context(pa.csv.CSVWriter(file, fields))
        else:
            fields = schema(columns, manifest=manifest)
            # Of numbers that hardly repeat, a dictionary is larger and slower than the numbers.
            words = [field.name for field in fields if pa.types.is_dictionary(field.type)]
            sink = stack.enter_context(
                pa.parquet.ParquetWriter(file, fields, compression="zstd", use_dictionary=words)
            )
        yield Writer(sink, fields)
