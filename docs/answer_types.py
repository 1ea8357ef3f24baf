"""`platterlab/answers.pyi` from the shapes of the core's answers: a type for each."""

import json
import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

HEAD = '''"""What the core answers: the types of its documents, and so of what `--json` prints.

Written by docs/generate.py from the core itself; do not edit. Times are in the unit that a key ends
in; a key that may be missing is `NotRequired`, and `None` is what is not known.
"""
# ruff: noqa: D205 - first sentences may be long

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final
'''

WIDTH = 100
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def module(shapes: dict[str, Schema]) -> str:
    """The text of the module: `shapes` are the definitions of the core's JSON schema, by name."""
    classes, aliases = [], []
    parts = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(shapes)))
    for name, shape in sorted(shapes.items()):
        if "properties" in shape:
            classes.append(_class(name, shape, whole=name not in parts))
        else:
            variants, alias = _alias(name, shape)
            aliases += [*variants, alias]
    text = HEAD + "".join(f"\n\n{one}" for one in [*classes, *aliases])
    return formatted(text)


def formatted(stub: str) -> str:
    """The text of a stub as the formatter leaves it."""
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "stub.pyi", "-"]
    return subprocess.run(ruff, input=stub, capture_output=True, text=True, check=True).stdout  # noqa: S603 - the formatter of this environment


def _class(name: str, shape: Schema, base: str = "TypedDict", *, whole: bool = False) -> str:
    keys = shape.get("properties", {})
    # Which of two whole answers one is shows in its keys.
    lines = [*["@final"] * whole, f"class {name}({base}):", *_docstring(shape.get("description"))]
    # A class cannot have a key that is a word of the language.
    by_call = any(map(keyword.iskeyword, keys))
    if by_call:
        lines = [*_comment(shape.get("description"), ""), f"{name} = {base}(", f'"{name}", {{']
    for key, kind in sorted(keys.items()):
        if not isinstance(kind, bool):
            lines += _comment(kind.get("description"), "    ")
        own = _type(kind)
        own = own if key in shape.get("required", []) else f"NotRequired[{own}]"
        lines.append(f'    "{key}": "{own}",' if by_call else f"    {key}: {own}")
    return "\n".join([*lines, "})"] if by_call else lines) + "\n"


def _comment(about: str | None, indent: str) -> list[str]:
    text, start = " ".join((about or "").split()), f"{indent}# "
    return textwrap.wrap(text, WIDTH - 4, initial_indent=start, subsequent_indent=start)


def _docstring(about: str | None) -> list[str]:
    if about is None:
        return []
    first, _, rest = " ".join(about.split()).partition(". ")
    if not rest and len(first) <= WIDTH - len('    """"""'):
        return [f'    """{first}"""', ""]
    lines = textwrap.wrap(f"{first}." if rest else first, WIDTH - len('    """'))
    lines = [f'    """{lines[0]}', *(f"    {line}" for line in lines[1:])]
    more = textwrap.wrap(rest, WIDTH, initial_indent="    ", subsequent_indent="    ")
    return [*lines, *([""] if more else []), *more, '    """', ""]


def _alias(name: str, shape: Schema) -> tuple[list[str], str]:
    """What is one of several: the classes of the kinds that have a tag, and the union's name."""
    variants: list[str] = []
    kinds = shape.get("oneOf", shape.get("anyOf"))
    if kinds and any("$ref" in kind and "properties" in kind for kind in kinds):
        names = []
        for kind in kinds:
            tag = next(iter(kind["properties"].values()))["const"]
            own = name + "".join(word.title() for word in re.split(r"[-_]", tag))
            variants.append(_class(own, kind, _named(kind)))
            names.append(own)
        union = " | ".join(names)
    else:
        union = _type(shape)
    comment = "".join(f"{line}\n" for line in _comment(shape.get("description"), ""))
    return variants, f"{comment}{name}: TypeAlias = {_quoted(union)}\n"


def _quoted(union: str) -> str:
    line = f'"{union}"' if "Literal" not in union else union
    return line if len(line) < WIDTH - 30 else "(\n    " + line + "\n)"


def _named(shape: Schema) -> str:
    return str(shape["$ref"]).rpartition("/")[2]


def _type(shape: Schema | bool) -> str:
    """The Python type of what a part of the schema describes."""
    if isinstance(shape, bool):
        return "Any"
    if "$ref" in shape:
        return _named(shape)
    if "const" in shape:
        return f"Literal[{shape['const']!r}]".replace("'", '"')
    if "enum" in shape:
        return f"Literal[{', '.join(map(repr, shape['enum']))}]".replace("'", '"')
    for several in ("anyOf", "oneOf"):
        if several in shape:
            return union_of(_type(one) for one in shape[several])
    kinds = shape.get("type")
    if isinstance(kinds, list):
        return union_of(_type({**shape, "type": kind}) for kind in kinds)
    if kinds == "array":
        return f"list[{_items(shape)}]"
    if kinds == "object":
        return f"dict[str, {_type(shape.get('additionalProperties', True))}]"
    return PLAIN.get(str(kinds), "Any")


def _items(shape: Schema) -> str:
    if "prefixItems" in shape:
        return union_of(_type(one) for one in shape["prefixItems"])
    return _type(shape.get("items", True))


def union_of(kinds: Iterator[str]) -> str:
    """The kinds, each once, `None` last; words that are literals are one literal."""
    told = list(dict.fromkeys(kinds))
    words = [kind.removeprefix("Literal[").removesuffix("]") for kind in told if "Literal" in kind]
    plain = [kind for kind in told if "Literal" not in kind and kind != "None"]
    literal = [f"Literal[{', '.join(words)}]"] if words else []
    return " | ".join([*literal, *plain, *(["None"] if "None" in told else [])])
