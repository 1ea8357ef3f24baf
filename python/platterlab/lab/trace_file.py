"""The requests of a trace as a file, for what reads files alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from platterlab._core import InputError
from platterlab.extras import need
from platterlab.lab.trace import Trace

_NAME = "requests-in-memory.csv"
_SHOWN = "requests in memory"
_TIMES = {"time": "arrival_ms", "queued": "queued_ms", "service": "service_ms"}


@contextmanager
def in_a_file(trace: Trace) -> Iterator[Trace]:
    """The same trace in a file: its own, or one that is there as long as it is used."""
    if trace.path is not None:
        yield trace
        return
    need("tables")
    with TemporaryDirectory(prefix="platterlab-") as folder:
        path = Path(folder) / _NAME
        try:
            yield Trace(path, options={"columns": _write(trace, path)})
        except InputError as error:
            if error.file != str(path):
                raise
            # Nobody else knows of the file.
            raise InputError(str(error).replace(str(path), _SHOWN)) from None


def _write(trace: Trace, path: Path) -> str:
    """Writes the columns that are known, and says what they are."""
    import pyarrow as pa
    from pyarrow.csv import write_csv

    held, unit = trace.columns, trace.requests.sector_bytes
    columns = {
        "lba": pa.array(held["lba"] * np.uint64(unit)),
        "size": pa.array(held["sectors"].astype(np.uint64) * np.uint64(unit)),
        "op": pa.array(np.where(held["operation"] == 1, "write", "read")),
    }
    told = ["lba=lba:bytes", "size=size:bytes", "op=op"]
    for word, name in _TIMES.items():
        if not np.isnan(held[name]).all():
            columns[word] = pa.array(held[name], from_pandas=True)
            told.append(f"{word}={word}:ms")
    write_csv(pa.table(columns), path)
    return ", ".join(told)
