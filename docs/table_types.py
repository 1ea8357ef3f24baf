"""`lab/experiment_tables.pyi` from the schema of an experiment: a type for each of its tables."""

import re
from typing import Any

from answer_types import PLAIN, formatted, union_of
from schema_page import choices, is_table, kind, shape_of, unlisted

Schema = dict[str, Any]

HEAD = '''"""The tables of an experiment, in the words of its file, for editors and type checkers.

Written by docs/generate.py from the schema of the file; do not edit. What each key is for stands in
the reference, `experiment.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal, NotRequired, TypeAlias, TypedDict

from platterlab.lab.drive import Drive
from platterlab.lab.trace import Trace
'''

OBJECTS = {"profile": "str | PathLike[str] | Drive", "file": "str | PathLike[str] | Trace"}
"""Keys whose value a program may have at hand as more than a name."""


def module(schema: Schema) -> str:
    """The text of the module."""
    types = _Types()
    # First those that are named most: a table that stands in several places is called by the first.
    for key in dict.fromkeys(["host", "drive", *schema["properties"]]):
        table, _ = unlisted(schema["properties"][key])
        if is_table(table):
            types.name_of(table, key)
    return formatted(HEAD + "".join(f"\n\n{one}" for one in types.told))


class _Types:
    """The types so far; equal tables have one."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._names: dict[str, str] = {}

    def name_of(self, table: Schema, path: str) -> str:
        """The name of a table's type, which is written if it is new."""
        shape = shape_of(table)
        if shape not in self._names:
            name = self._names[shape] = _table(path)
            self._write(name, table, path)
        return self._names[shape]

    def _write(self, name: str, table: Schema, path: str) -> None:
        kinds = [one for one in choices(table) if "properties" in one]
        if not kinds:
            self.told.append(self._class(name, table, path))
            return
        names = []
        for number, one in enumerate(kinds):
            own = _table(f"{path} {kind(one) or number}")
            merged = {
                "properties": {**table.get("properties", {}), **one["properties"]},
                "required": [*table.get("required", []), *one.get("required", [])],
            }
            self.told.append(self._class(own, merged, path))
            names.append(own)
        words = [one["const"] for one in choices(table) if "const" in one]
        literal = [f"Literal[{', '.join(map(repr, words))}]"] if words else []
        self.told.append(f"{name}: TypeAlias = {' | '.join([*literal, *names])}\n")

    def _class(self, name: str, table: Schema, path: str) -> str:
        lines = [f"class {name}(TypedDict):", f'    """`{path}`."""', ""]
        for key, part in table["properties"].items():
            own = OBJECTS.get(key) or self._type(part, f"{path}.{key}")
            needed = key in table.get("required", [])
            lines.append(f"    {key}: {own if needed else f'NotRequired[{own}]'}")
        return "\n".join(lines) + "\n"

    def _type(self, part: Schema | bool, path: str) -> str:
        if isinstance(part, bool):
            return "Any"
        table, listed = unlisted(part)
        if is_table(table):
            name = self.name_of(table, path)
            return f"Sequence[{name}]" if listed else name
        if "const" in part:
            return f"Literal[{part['const']!r}]"
        if choices(part):
            return union_of(self._type(one, path) for one in choices(part))
        kinds = part.get("type", "")
        kinds = [one for one in ([kinds] if isinstance(kinds, str) else kinds) if one != "null"]
        if kinds == ["array"]:
            items = part.get("items") or next(iter(part.get("prefixItems", [])), True)
            return f"Sequence[{self._type(items, path)}]"
        return union_of(
            "dict[str, Any]" if one == "object" else PLAIN.get(one, "Any") for one in kinds
        )


def _table(path: str) -> str:
    words = re.split(r"[-_. ]", path)
    return "".join(word[:1].upper() + word[1:] for word in words) + "Table"
