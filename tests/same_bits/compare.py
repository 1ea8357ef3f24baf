"""Compares two recordings value by value; keys may have new names, and new keys may be added."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RENAMED = Path(__file__).resolve().parent.parent / "renamed-keys.toml"
PROSE = {"what", "title", "source", "notes", "group", "reason", "used"}
"""Keys of texts for people: a new wording is told, and is not a difference."""

Flat = dict[tuple[str, ...], Any]


@dataclass(frozen=True)
class Compared:
    """What became of the old values."""

    equal: int
    different: list[str]
    """Each a line: where, what it was, what it is."""
    reworded: list[str]
    added: list[str]

    @property
    def same(self) -> bool:
        """Whether every old value is there and equal."""
        return not self.different


def renamed() -> dict[str, str]:
    """The new name of each renamed key, from `tests/renamed-keys.toml`."""
    return tomllib.loads(RENAMED.read_text(encoding="utf-8"))["keys"]


def compare(old: Any, new: Any, names: dict[str, str]) -> Compared:
    """Holds every value of `old` against that of `new`.

    Args:
        old: a recording, or any other JSON.
        new: another.
        names: from an old key to the new one, both dotted from any level down (`a.b`); what is
            below a renamed key goes with it.
    """
    before = {_rename(path, names): value for path, value in _flat(old)}
    after = dict(_flat(new))
    different, reworded, equal = [], [], 0
    for path, value in before.items():
        # A row that has another name has it in its `id`, too.
        named = path[-1:] == ("id",) and after.get(path) in path[-2:-1]
        if named or (path in after and _equal(after[path], value)):
            equal += 1
            continue
        became = repr(after[path]) if path in after else "missing"
        line = f"{' / '.join(path)}: was {value!r}, is {became}"
        (reworded if path in after and PROSE.intersection(path) else different).append(line)
    added = [" / ".join(path) for path in after if path not in before]
    return Compared(equal, different, reworded, added)


def _equal(one: Any, other: Any) -> bool:
    """By bits: 0.0 is not -0.0, 1 not 1.0 and NaN is NaN."""
    return type(one) is type(other) and repr(one) == repr(other)


def _flat(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every plain value with the keys that lead to it; rows that have an `id` by that."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(inner, (*path, key))
    elif isinstance(value, list) and value:
        ids = [item.get("id") if isinstance(item, dict) else None for item in value]
        unique = None not in ids and len({str(one) for one in ids}) == len(ids)
        for number, inner in enumerate(value):
            yield from _flat(inner, (*path, str(ids[number]) if unique else f"[{number}]"))
    else:
        yield path, value


def _rename(path: tuple[str, ...], names: dict[str, str]) -> tuple[str, ...]:
    for old, new in names.items():
        keys = tuple(old.split("."))
        for at in range(len(path) - len(keys) + 1):
            if path[at : at + len(keys)] == keys:
                path = (*path[:at], *new.split("."), *path[at + len(keys) :])
                break
    return path
