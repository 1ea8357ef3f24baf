"""A page of the reference from a JSON schema: every table and key, an example of each kind."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from samples import PLACES, SAMPLES

Schema = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A table in its place."""

    path: str
    part: Schema
    """The key's own entry in the schema, which says what the table is for."""
    keys: Schema
    """Its keys, or the kinds that it can be."""
    inside: tuple[tuple[str, bool, Schema], ...]
    """From the outermost: a key, whether it is of a list, and the table that the key stands in."""


class Page:
    """The page of one schema; a table that stands in several places is described in one."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._tables = list(_tables(schema, "", ()))
        self._described: dict[str, Table] = {}
        for table in sorted(self._tables, key=_rank):
            self._described.setdefault(shape_of(table.keys), table)

    def lines(self) -> Iterator[str]:
        """The page below its title."""
        yield f"{about(self._schema)}\n"
        yield from self._keys(self._schema)
        for table in self._tables:
            if self._described[shape_of(table.keys)] is table:
                yield from self._section(table)

    def _section(self, table: Table) -> Iterator[str]:
        yield f"\n## `{table.path}`\n\n{about(table.part) or about(table.keys)}\n"
        yield from self._keys(table.keys)
        for choice in choices(table.keys):
            is_kind = kind(choice) and "const" not in choice
            if is_kind:
                yield f'\n### `{table.path}`: `kind = "{kind(choice)}"`\n\n{about(choice)}\n'
            yield from self._keys(choice)
            if is_kind:
                yield f"\n```toml\n{example(table, choice)}\n```\n"

    def _keys(self, part: Schema) -> Iterator[str]:
        """The keys of a table."""
        keys = {key: one for key, one in part.get("properties", {}).items() if "const" not in one}
        if not keys:
            return
        required = set(part.get("required", []))
        yield "\n| key | what it is | type | if left out |\n|---|---|---|---|\n"
        for key, one in keys.items():
            without = "an error" if key in required else _default(one)
            said = "<br>".join([about(one), *_words(one)]).replace("|", "\\|")
            yield f"| `{key}` | {said} | {self._type(one)} | {without} |\n"

    def _type(self, part: Schema) -> str:
        table, listed = unlisted(part)
        if is_table(table):
            words = ["word"] if any("const" in one for one in choices(table)) else []
            to = link(self._described[shape_of(table)].path)
            return " or ".join([*words, f"list of {to}" if listed else to])
        if choices(part):
            kinds = ["word" if "const" in one else self._type(one) for one in choices(part)]
            return " or ".join(dict.fromkeys(kinds))
        kind = part.get("type", "")
        kinds = [kind] if isinstance(kind, str) else [one for one in kind if one != "null"]
        if kinds == ["array"]:
            items = part.get("items") or next(iter(part.get("prefixItems", [])), {})
            return f"list of {self._type(items)}"
        return " or ".join("table" if one == "object" else one for one in kinds)


def choices(part: Schema) -> list[Schema]:
    """What a key can be, nothing left out."""
    found: list[Schema] = part.get("oneOf", part.get("anyOf", []))
    return [one for one in found if one.get("type") != "null"]


def kind(choice: Schema) -> str:
    """The word that names a choice; empty if none does."""
    properties = choice.get("properties", {})
    return str(choice.get("const") or properties.get("kind", {}).get("const") or "")


def is_table(part: Schema) -> bool:
    """Whether a part has keys, of its own or of one of its kinds."""
    return "properties" in part or any("properties" in one for one in choices(part))


def unlisted(part: Schema) -> tuple[Schema, bool]:
    """The table that a list of tables is of, and whether it is one."""
    items = part.get("items")
    listed = isinstance(items, dict) and is_table(items)
    return (part["items"] if listed else part), listed


def example(table: Table, choice: Schema) -> str:
    """A kind as it stands in a file, with what has to stand beside it."""
    value = sample(choice, table.path)
    path = table.path
    for key, listed, outer in reversed(table.inside[1:]):
        path = path.rpartition(".")[0]
        value = sample(outer, path, plain=False) | {key: [value] if listed else value}
    key, listed, _ = table.inside[0]
    lines = [f"{inner} = {toml(one)}" for inner, one in value.items()]
    return "\n".join([f"[[{key}]]" if listed else f"[{key}]", *lines])


def sample(part: Schema, path: str, plain: bool = True) -> Any:
    """A value for a part: what it needs and, with `plain`, defaults that are not tables."""
    if "const" in part:
        return part["const"]
    if choices(part):
        return sample(choices(part)[0], path)
    if "properties" not in part:
        least = {"integer": 1, "number": 1.0}.get(part.get("type", ""))
        return part.get("default", least)
    required = set(part.get("required", []))
    values = {}
    for key, one in part["properties"].items():
        place = ".".join(filter(None, (path, kind(part), key)))
        if place in PLACES:
            values[key] = PLACES[place]
        elif key in required:
            is_plain = key in SAMPLES and not is_table(one)
            values[key] = SAMPLES[key] if is_plain else sample(one, f"{path}.{key}")
        elif (
            plain and not is_table(one) and isinstance(one.get("default"), str | bool | int | float)
        ):
            values[key] = one["default"]
    return {"kind": values.pop("kind"), **values} if "kind" in values else values


def toml(value: Any) -> str:
    """A plain value as TOML has it."""
    if isinstance(value, dict):
        bare = re.compile(r"[\w-]+", re.ASCII)
        named = {key if bare.fullmatch(key) else json.dumps(key): one for key, one in value.items()}
        inner = ", ".join(f"{key} = {toml(one)}" for key, one in named.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value)


def about(part: Schema) -> str:
    """What a part means, on one line."""
    return " ".join(part.get("description", "").split())


def link(path: str) -> str:
    """A link to the section of a table."""
    anchor = re.sub(r"[^\w\- ]", "", path.lower()).replace(" ", "-")
    return f"[`{path}`](#{anchor})"


def _tables(
    part: Schema, path: str, inside: tuple[tuple[str, bool, Schema], ...]
) -> Iterator[Table]:
    """Everything below a table that has keys itself."""
    for key, one in part.get("properties", {}).items():
        keys, listed = unlisted(one)
        below = f"{path}.{key}".lstrip(".") + ("[]" if listed else "")
        if is_table(keys):
            chain = (*inside, (key, listed, part))
            yield Table(below, one, keys, chain)
            for inner in (keys, *choices(keys)):
                yield from _tables(inner, below, chain)


def _rank(table: Table) -> tuple[int, bool]:
    """The outermost place first, and there the one that is always in force."""
    return table.path.count(".") + table.path.count("[]"), table.part.get("default") is None


def shape_of(table: Schema) -> str:
    """What is equal for tables that differ in what they are for alone."""
    return json.dumps(_bare(table), sort_keys=True)


def _bare(part: Any, named: bool = False) -> Any:
    if isinstance(part, list):
        return [_bare(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = part if named else {k: v for k, v in part.items() if k not in ("description", "default")}
    return {key: _bare(one, named=key == "properties") for key, one in kept.items()}


def _default(part: Schema) -> str:
    default = part.get("default")
    if default is None:
        return ""
    if not isinstance(default, dict):
        return f"`{json.dumps(default)}`"
    return f"`{default['kind']}`" if set(default) == {"kind"} else "its keys' own"


def _words(part: Schema) -> Iterator[str]:
    """The words that a key can be."""
    for choice in choices(part):
        if "const" in choice:
            yield f"`{choice['const']}`: {about(choice)}"
