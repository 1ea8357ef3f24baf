"""A trace: requests with their times, from a file, from columns, or made up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from platterlab import _core, documents
from platterlab._core import InputError, Requests
from platterlab.answers import TraceInfo
from platterlab.extras import need
from platterlab.lab.arguments import in_range
from platterlab.lab.tables import Table, columns_of

if TYPE_CHECKING:
    from platterlab.lab.drive import Drive

_WORDS = {"r": 0, "read": 0, "w": 1, "write": 1}
_TIMES = ("arrival_ms", "queued_ms", "service_ms", "think_ms")
_NEEDED = ("arrival_ms", "lba", "sectors", "operation")


class Trace:
    r"""The requests of a file for one device; they are read when they are first wanted.

    Args:
        path: the file.
        trace_format: its format; None to recognize it by its content.
        device: whose requests to keep, by its number.
        options: what the trace does not say about itself.

    Raises:
        InputError: there is no such file, or (when it is read) it is not a trace.

    >>> import platterlab as pl
    >>> trace = pl.Trace.of({"arrival_ms": [0.0, 5.0], "lba": [0, 800], "sectors": [8, 8],
    ...                      "operation": ["read", "write"]})
    >>> len(trace), trace.columns["lba"].tolist()
    (2, [0, 800])
    >>> trace.requests.sector_bytes
    512
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "two.trace"
    >>> _ = path.write_text("0.0 0 0 8 1\n5.0 0 800 8 0\n")
    >>> trace = pl.Trace(path, trace_format="disksim-ascii")
    >>> trace.file == path, trace.info()["requests"]
    (True, 2)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        trace_format: str | None = None,
        device: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.path: Path | None = Path(path)
        """The file; None for requests that are in memory alone."""
        self.format = trace_format
        """Of the file; None if recognized by its content."""
        self.device = device
        """Whose requests are kept; None for all, of which there has to be one."""
        self.options = dict(options or {})
        """Facts that the file does not state itself."""
        documents.require_file(self.path, "trace")

    @classmethod
    def of(cls, table: Table, *, sector_bytes: int = 512, shown: str = "the table") -> Trace:
        """Requests of which the columns are given.

        Args:
            table: a mapping of columns, or a table of polars, pandas, DuckDB or pyarrow, its
                rows in the order of arrival or of issue, with `arrival_ms` (from the start), `lba`,
                `sectors`, `operation` (`read`, `write`, `r`, `w`, 0 or 1) and, where they are
                known, `queued_ms` (from arrival to issue), `service_ms` (from issue to completion)
                and `think_ms` (from the completion before to arrival). As of a file, the requests
                are in the order of issue then.
            sector_bytes: what `lba` and `sectors` count.
            shown: what messages call it.

        Raises:
            InputError: a column is missing or of another kind, or a row cannot be.
        """
        columns = columns_of(table)
        if missing := [name for name in _NEEDED if name not in columns]:
            raise InputError(f"{shown}: has no column {', '.join(missing)}; it needs {_NEEDED}")
        unknown = np.full(len(columns["lba"]), np.nan)
        requests = Requests.given(
            _whole(columns, "lba", np.uint64, shown),
            _whole(columns, "sectors", np.uint32, shown),
            _operations(columns["operation"], shown),
            *(_times(columns.get(name, unknown), name, shown) for name in _TIMES),
            sector_bytes=sector_bytes,
            shown=shown,
        )
        return cls._of(requests)

    @classmethod
    @in_range
    def random(
        cls,
        drive: Drive,
        requests: int,
        *,
        read_share: float = 2 / 3,
        sequential_share: float = 0.0,
        local_share: float = 0.0,
        local_distance_sectors: int = 1000,
        mean_sectors: float = 8.0,
        max_sectors: int = 128,
        align_sectors: int = 8,
        think_ms: float = 0.0,
        seed: int = 0,
    ) -> Trace:
        """Requests over a whole drive, each begun its think time after the one before is done.

        Args:
            drive: whose addresses they have.
            requests: how many.
            read_share: of reads, from 0 to 1.
            sequential_share: of those that begin where the one before ended.
            local_share: of those within `local_distance_sectors` of the one before.
            local_distance_sectors: how near that is.
            mean_sectors: their length on the average, of an exponential distribution.
            max_sectors: the longest.
            align_sectors: what addresses and lengths are multiples of.
            think_ms: on the average, of an exponential distribution.
            seed: of every draw.

        Raises:
            InputError: a share is none, a length does not fit the drive, or a number is below 0.

        >>> import platterlab as pl
        >>> len(pl.Trace.random(pl.Drive("mock"), 100))
        100
        """
        made = Requests.generate(
            drive.profile,
            requests,
            read_share=read_share,
            sequential_share=sequential_share,
            local_share=local_share,
            local_distance_sectors=local_distance_sectors,
            mean_sectors=mean_sectors,
            max_sectors=max_sectors,
            align_sectors=align_sectors,
            think_ms=think_ms,
            seed=seed,
        )
        return cls._of(made)

    @classmethod
    def _of(cls, requests: Requests) -> Trace:
        trace = cls.__new__(cls)
        trace.path, trace.format, trace.device, trace.options = None, None, None, {}
        trace.__dict__["requests"] = requests
        return trace

    @property
    def file(self) -> Path:
        """The file that they are in.

        Raises:
            InputError: they are in memory alone.
        """
        if self.path is None:
            raise InputError("these requests are in memory alone, and this takes a trace's file")
        return self.path

    @cached_property
    def requests(self) -> Requests:
        """The core's list of them.

        Raises:
            InputError: the file is not a trace.
        """
        return Requests.load(self.file, self.format, device=self.device or 0, options=self.options)

    @cached_property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The requests; a time that is not known is not a number.

        Returns:
            `lba`, `sectors`, `operation` (0 read, 1 write), `arrival_ms`, `queued_ms`,
            `service_ms`, `think_ms`.
        """
        return self.requests.columns()

    def info(self) -> TraceInfo:
        """The contents of the file, as in `platterlab trace info --json`.

        Raises:
            InputError: it is in memory alone, or no trace.
        """
        return _core.trace_info(str(self.file), self.format, self.options)

    def __len__(self) -> int:
        return len(self.requests)

    def __getitem__(self, part: slice) -> Trace:
        if not isinstance(part, slice):
            raise InputError(
                f"a trace has parts: take [{part}:{part} + 1], or `columns` for its numbers"
            )
        first, last, step = part.indices(len(self))
        if step != 1:
            raise InputError("a part of a trace has every request: take a step of 1")
        return self._of(self.requests.part(first, max(first, last)))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        need("tables")
        import pyarrow as pa

        return pa.table(self.columns).__arrow_c_stream__(requested_schema)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is not None:
            return _read, (self.path, self.format, self.device, self.options)
        return _held, (self.requests,)

    def __repr__(self) -> str:
        return f"<Trace {self.path}>" if self.path else f"<Trace of {len(self):,} requests>"


def _read(
    path: Path, trace_format: str | None, device: int | None, options: Mapping[str, Any]
) -> Trace:
    return Trace(path, trace_format=trace_format, device=device, options=options)


def _held(requests: Requests) -> Trace:
    return Trace._of(requests)


def _whole(columns: Mapping[str, NDArray[Any]], name: str, kind: Any, shown: str) -> NDArray[Any]:
    column = columns[name]
    if len(column) and not np.issubdtype(column.dtype, np.integer):
        raise InputError(f"{shown}: `{name}` is {column.dtype}; it has to be whole numbers")
    most = np.iinfo(kind).max
    if len(column) and (column.min() < 0 or column.max() > most):
        raise InputError(f"{shown}: `{name}` goes beyond 0 to {most}")
    return np.ascontiguousarray(column, dtype=kind)


def _times(column: NDArray[Any], name: str, shown: str) -> NDArray[np.float64]:
    if not np.issubdtype(column.dtype, np.number):
        raise InputError(f"{shown}: `{name}` is {column.dtype}; it has to be milliseconds")
    return np.ascontiguousarray(column, dtype=np.float64)


def _operations(column: NDArray[Any], shown: str) -> NDArray[np.uint8]:
    if np.issubdtype(column.dtype, np.integer):
        return np.ascontiguousarray(column, dtype=np.uint8)
    words = [str(word).lower() for word in column]
    if wrong := next((word for word in words if word not in _WORDS), None):
        raise InputError(f"{shown}: `operation` has {wrong!r}; it has to be read or write")
    return np.array([_WORDS[word] for word in words], dtype=np.uint8)
