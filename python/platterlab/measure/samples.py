"""Raw samples: one row per request, grouped in runs, each with the plan that asked for it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from platterlab.documents import Json, decoded
from platterlab.measure.documents import SamplesAbout
from platterlab.output import SCHEMA_VERSION, replacing
from platterlab.wrong_file import in_file

if TYPE_CHECKING:
    import pyarrow as pa

OPERATIONS = ("read", "write")

Columns = Mapping[str, NDArray[Any]]

_FIELDS = (
    ("run", "uint32", "", "which run of a probe, from 0; its plan is in the file's metadata"),
    ("lba", "uint64", "sectors", "first logical sector"),
    ("sectors", "uint32", "sectors", "length"),
    ("distance_sectors", "int64", "sectors", "from the start of the request before"),
    ("operation", "", "", "read or write"),
    ("submitted_ps", "uint64", "ps", "when it was submitted, on the device's clock"),
    ("completed_ps", "uint64", "ps", "when it was complete, on the same clock"),
)
"""Name, kind (a number's; operations are words), unit and what it is."""
COLUMNS = tuple(name for name, *_ in _FIELDS[1:])


@dataclass(frozen=True)
class Run:
    """Samples of one run of one probe.

    Attributes:
        plan: what was asked for, as the core writes it.
        end: `complete`, `cancelled` or `failed`.
        error: why it failed; None otherwise.
        columns: lba, sectors, distance_sectors, operation (0 read, 1 write), submitted_ps and
            completed_ps, in order.
    """

    plan: Json
    end: str
    error: str | None
    columns: Columns

    @property
    def probe(self) -> str:
        """The word for the probe."""
        return str(self.plan["probe"])

    @property
    def requests(self) -> int:
        """Number of answered requests."""
        return len(self.columns["lba"])

    @property
    def drive_time_s(self) -> float:
        """From the first submission to the last completion, in seconds."""
        if not self.requests:
            return 0.0
        first, last = self.columns["submitted_ps"][0], self.columns["completed_ps"][-1]
        return float(int(last) - int(first)) / 1e12

    @property
    def elapsed_ms(self) -> NDArray[np.float64]:
        """Service time of each request, in milliseconds."""
        took: NDArray[np.float64] = (
            self.columns["completed_ps"] - self.columns["submitted_ps"]
        ).astype(np.float64) / 1e9
        return took


def fingerprint(runs: Sequence[Run]) -> str:
    """Twelve hexadecimal digits that identify samples: equal samples have equal ones."""
    digest = hashlib.sha256()
    for run in runs:
        digest.update(json.dumps(run.plan, sort_keys=True).encode())
        for name in COLUMNS:
            digest.update(np.ascontiguousarray(run.columns[name]).tobytes())
    return digest.hexdigest()[:12]


def write(path: Path, runs: Sequence[Run], manifest: Mapping[str, Any] | None = None) -> None:
    """Writes runs to a Parquet file, which appears whole or not at all.

    Args:
        path: of the file.
        runs: in order.
        manifest: what it takes to get the same again.

    Raises:
        OSError: the file cannot be written, for one because the disk is full.
    """
    # Loaded where a file is written or read: what only says what it would do has none.
    import pyarrow as pa
    import pyarrow.parquet

    about = [{"plan": run.plan, "end": run.end, "error": run.error} for run in runs]
    fields = [
        pa.field(name, _kind(kind), metadata={"unit": unit, "description": text})
        for name, kind, unit, text in _FIELDS
    ]
    said = {"runs": about, "manifest": manifest}
    metadata = {"platterlab": json.dumps(said), "schema_version": str(SCHEMA_VERSION)}
    schema = pa.schema(fields, metadata=metadata)
    rows = pa.concat_tables(
        [schema.empty_table(), *(_table(run, number, schema) for number, run in enumerate(runs))]
    )
    with replacing(path) as partial, partial.open("wb") as file:
        # Times hardly repeat: as a dictionary a column takes half as much again.
        pa.parquet.write_table(rows, file, compression="zstd", use_dictionary=["operation"])


def _kind(word: str) -> "pa.DataType":
    import pyarrow as pa

    return pa.type_for_alias(word) if word else pa.dictionary(pa.uint8(), pa.string())


def _table(run: Run, number: int, schema: "pa.Schema") -> "pa.Table":
    import pyarrow as pa

    words = pa.DictionaryArray.from_arrays(pa.array(run.columns["operation"]), list(OPERATIONS))
    arrays = [pa.array(np.full(run.requests, number, np.uint32))]
    for name in COLUMNS:
        arrays.append(words if name == "operation" else pa.array(run.columns[name]))
    return pa.Table.from_arrays(arrays, schema=schema)


def read(path: Path) -> list[Run]:
    """Reads what `write` wrote.

    Raises:
        InputError: the file is missing, is none of ours, or holds what no drive can have answered.
    """
    import pyarrow as pa
    import pyarrow.parquet

    if not path.is_file():
        raise in_file(path, "there are no samples")
    try:
        table = pa.parquet.read_table(path)
        stored = (table.schema.metadata or {})[b"platterlab"]
        columns = {name: _column(table, name, kind) for name, kind, *_ in _FIELDS}
    except (pa.ArrowException, KeyError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise in_file(path, f"holds no samples of platterlab ({reason})") from error
    about = decoded(stored, SamplesAbout, f"{path}: what it says of itself")
    _check(path, columns, len(about.runs))
    runs = []
    for number, one in enumerate(about.runs):
        if not isinstance(one.plan.get("probe"), str):
            raise in_file(path, f"run {number} does not say which probe it is of")
        mine = columns["run"] == number
        values = {name: np.ascontiguousarray(columns[name][mine]) for name in COLUMNS}
        runs.append(Run(one.plan, one.end, one.error, values))
    return runs


def made_by(path: Path) -> Json:
    """What the file says it takes to get the same again. Raises InputError as `read`."""
    import pyarrow as pa
    import pyarrow.parquet

    try:
        stored = (pa.parquet.read_schema(path).metadata or {})[b"platterlab"]
    except (pa.ArrowException, KeyError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise in_file(path, f"holds no samples of platterlab ({reason})") from error
    return decoded(stored, SamplesAbout, f"{path}: what it says of itself").manifest or {}


def _check(path: Path, columns: Columns, runs: int) -> None:
    """Whether the rows can be answers of a drive."""
    wrong = {
        f"there are only {runs} runs": columns["run"] >= runs,
        "it was complete before it was submitted": columns["completed_ps"]
        < columns["submitted_ps"],
        "it has no sectors": columns["sectors"] == 0,
        "it ends beyond all addresses": columns["lba"] > (1 << 63) - (1 << 32),
        "it has a time beyond every clock": columns["completed_ps"] >= 1 << 63,
    }
    for what, rows in wrong.items():
        if rows.any():
            raise in_file(path, f"row {int(np.argmax(rows)) + 1}: {what}")


def _column(table: "pa.Table", name: str, kind: str) -> NDArray[Any]:
    """A column as it was written. Raises an error of Arrow where it is of another kind."""
    import pyarrow as pa
    import pyarrow.compute

    column = table.column(name)
    if column.null_count:
        raise pa.ArrowInvalid(f"the column {name} has gaps")
    if not kind:
        words = column.cast(pa.string())
        known = pa.compute.is_in(words, pa.array(OPERATIONS))
        if not pa.compute.all(known, min_count=0).as_py():
            raise pa.ArrowInvalid("the column operation holds other words than read and write")
        is_write = pa.compute.equal(words, OPERATIONS[1])
        found: NDArray[Any] = is_write.to_numpy(zero_copy_only=False).astype(np.uint8)
        return found
    values: NDArray[Any] = column.cast(_kind(kind)).to_numpy()
    return values
