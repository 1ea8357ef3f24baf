"""Tables in and out: whatever speaks Arrow's PyCapsule interface, or is a mapping of columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from platterlab._core import InputError
from platterlab.extras import need

if TYPE_CHECKING:
    import pyarrow as pa


class ArrowTable(Protocol):
    """A table of polars, pandas, DuckDB, pyarrow, ...: what has Arrow's stream of batches."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream, as a capsule."""
        ...


Table = ArrowTable | Mapping[str, ArrayLike]
"""Columns by name."""


def columns_of(table: Table) -> dict[str, NDArray[Any]]:
    """The columns of a table, as arrays.

    Raises:
        InputError: it is not a table.
    """
    if isinstance(table, Mapping):
        return {name: np.asarray(column) for name, column in table.items()}
    arrow = in_memory(table)
    return {name: arrow.column(name).to_numpy() for name in arrow.column_names}


def whole_numbers(column: ArrayLike, name: str) -> NDArray[np.uint64]:
    """A column of whole numbers from 0.

    Raises:
        InputError: it has others.
    """
    numbers = np.asarray(column)
    if len(numbers) and not np.issubdtype(numbers.dtype, np.integer):
        raise InputError(f"{name}: {numbers.dtype}; these are whole numbers")
    if len(numbers) and numbers.min() < 0:
        raise InputError(f"{name}: {numbers.min()}; it must be 0 or more")
    return numbers.astype(np.uint64)


def in_memory(table: ArrowTable) -> pa.Table:
    """A table of any of these programs as pyarrow's, its numbers not copied.

    Raises:
        InputError: it is not a table.
    """
    if not hasattr(table, "__arrow_c_stream__"):
        raise InputError(
            f"{type(table).__name__} is not a table: take a mapping of columns, or what polars, "
            "pandas, DuckDB or pyarrow give"
        )
    need("tables")
    import pyarrow as pa

    return pa.table(table)


def in_one(chunks: list[pa.Table], empty: pa.Schema) -> pa.Table:
    """The rows of some tables of one schema, none of them copied."""
    import pyarrow as pa

    return pa.concat_tables(chunks) if chunks else empty.empty_table()
