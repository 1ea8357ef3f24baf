"""Per-request results as they are read: every value is checked before anyone counts on it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.dataset
from numpy.typing import NDArray

from platterlab import documents
from platterlab._core import InputError, row_labels
from platterlab.documents import Json
from platterlab.manifest import require_unchanged, states
from platterlab.results import suffix_of
from platterlab.wrong_file import in_file

Numbers = NDArray[np.float64]

_MOST = 1e24
"""More than any address, and in ms than any simulation takes; sums of squares are numbers yet."""

_OPERATIONS: Sequence[str] = row_labels()["operation"]


class ResultsFile:
    """A file of per-request results: columns by name, each read when it is asked for."""

    def __init__(self, path: Path) -> None:
        """Opens it.

        Raises:
            InputError: the file is missing, no regular one, or not what its name says.
        """
        self.path: str | Path = path
        suffix = suffix_of(path)
        documents.require_file(path)
        self._files = [path]
        self._since = states(self._files)
        try:
            self._dataset = pa.dataset.dataset(path, format=suffix[1:])
            # What is not UTF-8 in a name is found here, and not by who asks for a column.
            self.columns: list[str] = list(self._dataset.schema.names)
        except (pa.ArrowException, OSError, UnicodeError) as error:
            raise self._unreadable(error) from error

    @classmethod
    def of(cls, table: pa.Table, shown: str) -> "ResultsFile":
        """The same of rows in memory, which messages call `shown`."""
        rows = cls.__new__(cls)
        rows.path, rows._files, rows._since = shown, [], states([])
        rows._dataset = pa.dataset.dataset(table)
        rows.columns = list(table.schema.names)
        return rows

    def manifest(self) -> Json:
        """What made a Parquet file; empty for a CSV file or a file of another program.

        Raises:
            InputError: there is a manifest, and it is none.
        """
        stored = (self._dataset.schema.metadata or {}).get(b"platterlab", b"{}")
        return documents.as_dict(stored, f"{self.path}: its manifest")

    def table(self, columns: Sequence[str]) -> pa.Table:
        """Some columns as they are.

        Raises:
            InputError: the file lacks one of them, is damaged further on, or was changed since it
                was opened.
        """
        for name in columns:
            if self.columns.count(name) != 1:
                there = ", ".join(self.columns)
                what = "has no column" if name not in self.columns else "has several columns"
                raise in_file(self.path, f"{what} {name}; it has {there}")
        try:
            found = self._dataset.to_table(columns=list(columns))
        except (pa.ArrowException, OSError, UnicodeError) as error:
            require_unchanged(self._files, self._since)
            raise self._unreadable(error) from error
        require_unchanged(self._files, self._since)
        return found

    def numbers(self, name: str, *, unknown: bool = False, least: float = 0.0) -> Numbers:
        """A column of numbers.

        Args:
            name: of the column.
            unknown: whether a row may have none; it is then not-a-number.
            least: the least that a number can be.

        Raises:
            InputError: a row holds something else.
        """
        column = self.table([name]).column(name)
        try:
            values = column.cast(pa.float64())
        except pa.ArrowException as error:
            raise in_file(
                self.path, f"the column {name} holds something other than numbers"
            ) from error
        has_all = not values.null_count
        given = None if has_all else values.is_valid().to_numpy(zero_copy_only=False)
        found: Numbers = values.to_numpy(zero_copy_only=False).astype(np.float64, copy=False)
        # Of ten million rows what Arrow keeps for the next column is as much as the column.
        del column, values
        pa.default_memory_pool().release_unused()
        if given is None:
            # What is not a number is neither less nor more than anything.
            if not len(found) or (found.min() >= least and found.max() <= _MOST):
                return found
            given = np.ones(len(found), dtype=np.bool_)
        elif not unknown:
            self._refuse(~given, name, "has no value")
        self._refuse(given & ~np.isfinite(found), name, "is not a number")
        self._refuse(given & (found < least), name, f"is less than {least:g}")
        self._refuse(given & (found > _MOST), name, f"is more than {_MOST:g}")
        return found

    def words(self, name: str) -> NDArray[Any]:
        """A column of words; a row that has none gives None. Raises InputError for other things."""
        column = self.table([name]).column(name)
        try:
            found: NDArray[Any] = _spelt(column).cast(pa.string()).to_numpy(zero_copy_only=False)
        except (pa.ArrowException, UnicodeError) as error:
            raise self._no_words(name) from error
        return found

    def counts(self, name: str) -> dict[str | None, int]:
        """How many rows have each word of a column. Raises InputError for other things."""
        found: dict[str | None, int] = {}
        for words in self._of_words(name):
            for one in pa.compute.value_counts(words).to_pylist():
                found[one["values"]] = found.get(one["values"], 0) + one["counts"]
        return found

    def is_write(self) -> NDArray[np.bool_]:
        """Which requests write. Raises InputError for an operation that is none."""
        parts = [np.zeros(0, dtype=np.bool_)]
        for words in self._of_words("operation"):
            known = pa.compute.is_in(words, pa.array(_OPERATIONS)).to_numpy(zero_copy_only=False)
            if not known.all():
                at = int(np.argmin(known))
                said = "nothing" if (word := words[at].as_py()) is None else repr(word)
                row = sum(map(len, parts)) + at + 1
                raise in_file(self.path, f"row {row}: operation is {said}; it is read or write")
            parts.append(pa.compute.equal(words, "write").to_numpy(zero_copy_only=False))
        return np.concatenate(parts)

    def _of_words(self, name: str) -> Iterator[pa.Array]:
        """A column of words, a piece at a time: as objects they take ten times as much."""
        try:
            for piece in _spelt(self.table([name]).column(name)).chunks:
                yield piece.cast(pa.string())
        except (pa.ArrowException, UnicodeError) as error:
            raise self._no_words(name) from error

    def _no_words(self, name: str) -> InputError:
        return in_file(self.path, f"the column {name} holds something other than words")

    def _refuse(self, rows: NDArray[np.bool_], name: str, what: str) -> None:
        if rows.any():
            raise in_file(self.path, f"row {int(np.argmax(rows)) + 1}: {name} {what}")

    def _unreadable(self, error: BaseException) -> InputError:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        if len(reason) > 200:
            reason = f"{reason[:200]}…"
        return in_file(self.path, f"is not a {Path(self.path).suffix[1:]} file ({reason})")


def _spelt(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Words that are numbered, as polars numbers them, with each list of words as plain text.

    Raises:
        ArrowException: what is numbered are not words.
    """
    if not pa.types.is_dictionary(column.type):
        return column
    numbered = [
        pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(pa.string()))
        for chunk in column.chunks
    ]
    return pa.chunked_array(numbered, pa.dictionary(column.type.index_type, pa.string()))
