"""Writes docs/reference from the program itself: `make docs`; `--check` only compares."""

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).resolve().parent / "reference"
NOTE = "<!-- Written by docs/generate.py from the program itself; do not edit. -->\n\n"
COMMANDS = (
    [],
    ["simulate"],
    ["compare"],
    ["capture"],
    ["study"],
    ["report"],
    ["profile"],
    ["profile", "list"],
    ["profile", "show"],
    ["profile", "check"],
    ["profile", "schema"],
    ["trace"],
    ["trace", "info"],
    ["trace", "convert"],
    ["trace", "formats"],
)


def pages() -> dict[str, str]:
    """Every page of the reference, by file name."""
    return {
        "commands.md": NOTE.join(("# Commands\n\n", "".join(_commands()))),
        "experiment.md": NOTE.join(("# The experiment file\n\n", "".join(_experiment()))),
        "profile.md": NOTE.join(("# The drive profile\n\n", "".join(_profile()))),
        "results.md": NOTE.join(("# Per-request results\n\n", "".join(_results()))),
    }


def _commands() -> Iterator[str]:
    os.environ |= {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    from platterlab import cli

    yield "Exit codes: 0 done, 1 the work failed, 2 bad input or usage, 130 interrupted.\n"
    yield "With `--json` a command prints one JSON object on stdout and nothing else.\n"
    for command in COMMANDS:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            cli.run([*command, "--help"])
        text = "\n".join(line.rstrip() for line in said.getvalue().strip("\n").splitlines())
        yield f"\n## {' '.join(['platterlab', *command])}\n\n```text\n{text.strip()}\n```\n"


def _experiment() -> Iterator[str]:
    from platterlab import _core

    schema = json.loads(_core.experiment_schema())
    yield f"{schema.get('description', '')}\n"
    yield "\nExperiments to start from are in `examples`.\n"
    yield from _keys(schema)


def _profile() -> Iterator[str]:
    from platterlab import _core

    schema = json.loads(_core.profile_schema())
    yield f"{schema.get('description', '')}\n"
    yield from _keys(schema)
    for name, part in schema["properties"].items():
        is_list = part.get("type") == "array"
        table = part["items"] if is_list else part
        if "properties" in table or any("properties" in one for one in _choices(table)):
            yield f"\n## `{f'[[{name}]]' if is_list else f'[{name}]'}`\n\n"
            yield f"{part.get('description', '')}\n"
            yield from _keys(table)
            yield from _lists(name, table)


def _lists(name: str, table: dict[str, Any]) -> Iterator[str]:
    """The keys of the tables that a table lists."""
    for key, part in table.get("properties", {}).items():
        items = part.get("items", {})
        if "properties" in items:
            yield f"\n### `[[{name}.{key}]]`\n\n{items.get('description', '')}\n"
            yield from _keys(items)


def _choices(part: dict[str, Any]) -> list[dict[str, Any]]:
    choices: list[dict[str, Any]] = part.get("oneOf", part.get("anyOf", []))
    return [one for one in choices if one.get("type") != "null"]


def _kind(choice: dict[str, Any]) -> str:
    """The word that names a choice; empty if none does."""
    properties = choice.get("properties", {})
    return str(choice.get("const") or properties.get("kind", {}).get("const") or "")


def _keys(part: dict[str, Any]) -> Iterator[str]:
    """The keys of a table, or of each kind that it can be."""
    for choice in _choices(part):
        if _kind(choice):
            yield f'\n### `kind = "{_kind(choice)}"`\n\n{choice.get("description", "")}\n'
        yield from _keys(choice)
    keys = {key: one for key, one in part.get("properties", {}).items() if "const" not in one}
    if not keys:
        return
    required = set(part.get("required", []))
    yield "\n| key | what it is | type | if left out |\n|---|---|---|---|\n"
    for key, one in keys.items():
        default = json.dumps(one["default"]) if one.get("default") is not None else ""
        without = "an error" if key in required else default
        yield f"| `{key}` | {_about(one)} | {_type(one)} | {without} |\n"


def _about(part: dict[str, Any]) -> str:
    """What a key means, on one line, with the words that it can be."""
    said = [" ".join(part.get("description", "").split())]
    said += [
        f"`{_kind(one)}`: {' '.join(one.get('description', '').split())}"
        for one in _choices(part)
        if one.get("const")
    ]
    return "<br>".join(said).replace("|", "\\|")


def _type(part: dict[str, Any]) -> str:
    choices = _choices(part)
    if choices:
        kinds = ["word" if one.get("const") else _type(one) for one in choices]
        return " or ".join(dict.fromkeys(kinds))
    kind = part.get("type", "")
    kinds = [kind] if isinstance(kind, str) else [one for one in kind if one != "null"]
    if kinds == ["array"]:
        items = part.get("items") or next(iter(part.get("prefixItems", [])), {})
        return f"list of {_type(items)}"
    return " or ".join("table" if one == "object" else one for one in kinds)


def _results() -> Iterator[str]:
    from platterlab import results

    yield "`platterlab simulate --per-request FILE` writes one row per request that a drive\n"
    yield "serves, as Parquet or CSV. In Parquet every column's metadata has its `unit` and\n"
    yield "`description`, and the file's metadata has the manifest as JSON under the key\n"
    yield "`platterlab`.\n"
    yield from _columns(results.schema(results.COMMANDS, labels="string"))
    yield "\nOf a whole system, `--requests FILE` writes one row per request to a volume, which\n"
    yield "may take several drives; `request` is the same number in both files, and the manifest\n"
    yield "names the `streams`, `devices` and `volumes` by their numbers.\n"
    yield from _columns(results.schema(results.REQUESTS, labels="string"))


def _columns(schema: Any) -> Iterator[str]:
    yield "\n| column | unit | what it is | type |\n|---|---|---|---|\n"
    for field in schema:
        unit, about = (field.metadata[key].decode() for key in (b"unit", b"description"))
        yield f"| `{field.name}` | {unit} | {about} | {field.type} |\n"


def main() -> int:
    """Writes or checks every page; 1 if a page to check is stale."""
    stale = []
    for name, text in pages().items():
        path = REFERENCE / name
        if "--check" not in sys.argv[1:]:
            REFERENCE.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.stderr.write(f"docs/reference is stale ({', '.join(stale)}): run make docs\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
