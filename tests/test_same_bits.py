"""The comparison behind `make same-bits`: it sees every change, and knows renamed keys."""

import math

from same_bits.compare import compare, renamed

OLD = {
    "drive a": {"rows": 2, "columns": {"seek_ms": "ab12"}},
    "study b": {"rows": [{"id": "x", "ours": 1.5, "what": "a turn"}, {"id": "y", "ours": None}]},
}


def test_the_same_is_the_same() -> None:
    found = compare(OLD, OLD, {})
    assert found.same
    assert (found.equal, found.added, found.reworded) == (7, [], [])


def test_every_kind_of_change_is_told() -> None:
    new = {
        "drive a": {"rows": 2.0, "columns": {"seek_ms": "ab13"}},
        "study b": {"rows": [{"id": "y", "ours": 0.0}, {"id": "x", "what": "a turn"}]},
    }
    assert compare(OLD, new, {}).different == [
        "drive a / rows: was 2, is 2.0",
        "drive a / columns / seek_ms: was 'ab12', is 'ab13'",
        "study b / rows / x / ours: was 1.5, is missing",
        "study b / rows / y / ours: was None, is 0.0",
    ]


def test_the_last_bit_and_the_sign_of_zero_count() -> None:
    assert not compare([0.1], [math.nextafter(0.1, 1)], {}).same
    assert not compare([0.0], [-0.0], {}).same
    assert compare([math.nan], [math.nan], {}).same


def test_rows_may_be_added_and_texts_reworded() -> None:
    rows = [{"id": "n", "ours": 1}, *OLD["study b"]["rows"]]
    new = OLD | {"study b": {"rows": [row | {"what": "a rotation"} for row in rows]}}
    found = compare(OLD, new, {})
    assert found.same
    assert len(found.reworded) == 1
    assert "study b / rows / n / ours" in found.added


def test_a_renamed_key_takes_what_is_below_it_along() -> None:
    new = {"drive a": {"rows": 2, "per_column": {"seek_ms": "ab12"}}, "study b": OLD["study b"]}
    assert not compare(OLD, new, {}).same
    assert compare(OLD, new, {"columns": "per_column"}).same
    assert compare(OLD, new, {"drive a.columns": "drive a.per_column"}).same
    assert renamed() is not None


def test_a_row_with_another_name_is_the_same_row() -> None:
    old, new = ({"study b": {"rows": [{"id": name, "ours": 1.5}]}} for name in ("m", "n"))
    assert not compare(old, new, {}).same
    assert compare(old, new, {"study b.rows.m": "study b.rows.n"}).same
    assert compare({"id": "m"}, {"id": "n"}, {}).different == ["id: was 'm', is 'n'"]
