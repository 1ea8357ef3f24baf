"""What a report of many rows takes: a few columns of numbers, and no word of each row."""

import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from platterlab._core import InputError
from platterlab.report.digest import digest
from platterlab.results_file import ResultsFile

ROWS = 200
TIMES = 1000
MOST_BYTES = 60
"""Of a row at a time. Words of every row as objects, and sorted, take twice as much."""


@pytest.fixture
def rows(run, tmp_path):
    """A file of few requests, again and again."""
    trace, few, many = (tmp_path / name for name in ("t.ascii", "few.parquet", "many.parquet"))
    lines = (f"{at * 30} 0 {at * 7919 % 9000} 8 {at % 3 and 1}\n" for at in range(ROWS))
    trace.write_text("".join(lines))
    assert run("simulate", "-p", "mock", "-t", trace, "--per-request", few).code == 0
    pq.write_table(pa.concat_tables([pq.read_table(few)] * TIMES), many)
    return few, many


def test_a_report_of_many_rows_takes_no_words_of_each(rows):
    few, many = rows
    tracemalloc.start()
    found = digest(many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.requests == ROWS * TIMES
    assert peak < MOST_BYTES * ROWS * TIMES
    alone = digest(few)
    assert found.cache == {word: TIMES * count for word, count in alone.cache.items()}
    assert [one["group"] for one in found.breakdown[:3]] == ["all", "reads", "writes"]


def test_an_operation_that_is_none_is_named_with_its_row(rows):
    _, many = rows
    table = pq.read_table(many)
    for word, said in (("erase", "'erase'"), (None, "nothing")):
        words = table["operation"].cast(pa.string()).to_pylist()
        words[70_000] = word
        place = table.column_names.index("operation")
        pq.write_table(table.set_column(place, "operation", pa.array(words)), many)
        with pytest.raises(
            InputError, match=f"row 70001: operation is {said}; it is read or write"
        ):
            ResultsFile(many).is_write()
