"""Writes docs/reference, the types of the core's answers and the header for C: `make docs`.

All of it comes from the program itself. `--check` only compares.
"""

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import c_header
from answer_types import module
from schema_page import Page
from table_types import module as module_of_tables

REFERENCE = Path(__file__).resolve().parent / "reference"
PACKAGE = REFERENCE.parent.parent / "python" / "platterlab"
ANSWERS = PACKAGE / "answers.pyi"
TABLES = PACKAGE / "lab" / "experiment_tables.pyi"
NOTE = "<!-- Written by docs/generate.py from the program itself; do not edit. -->\n\n"


def pages() -> dict[str, str]:
    """Every page of the reference, by file name."""
    return {
        "commands.md": NOTE.join(("# Commands\n\n", "".join(_commands()))),
        "experiment.md": NOTE.join(("# The experiment file\n\n", "".join(_experiment()))),
        "measurement.md": NOTE.join(("# What a measurement prints\n\n", "".join(_measurement()))),
        "faults.md": NOTE.join(("# The file of faults\n\n", "".join(_faults()))),
        "profile.md": NOTE.join(("# The drive profile\n\n", "".join(_profile()))),
        **_traces(),
        "results.md": NOTE.join(("# Per-request results\n\n", "".join(_results()))),
    }


def files() -> dict[Path, str]:
    """Every file that is written, with its text."""
    from platterlab import _core

    answers = module(json.loads(_core.answer_schema())["$defs"])
    tables = module_of_tables(json.loads(_core.experiment_schema()))
    return {ANSWERS: answers, TABLES: tables, c_header.HEADER: c_header.text()} | {
        REFERENCE / name: text for name, text in pages().items()
    }


def _commands() -> Iterator[str]:
    os.environ |= {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    from platterlab import cli

    yield "Exit codes: 0 done, 1 the work failed, 2 bad input or usage, 130 interrupted.\n"
    yield "With `--json` a command prints one JSON object on stdout and nothing else.\n"
    for command in ([], *_every(cli)):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            cli.run([*command, "--help"])
        text = "\n".join(line.rstrip() for line in said.getvalue().strip("\n").splitlines())
        yield f"\n## {' '.join(['platterlab', *command])}\n\n```text\n{text.strip()}\n```\n"


def _every(cli: ModuleType) -> Iterator[list[str]]:
    """Every command of the tree, groups before what is in them."""
    for name in cli.COMMANDS:
        yield [name]
        if name in cli.GROUPS:
            yield from ([name, inner] for inner in cli.command(name).commands)


def _experiment() -> Iterator[str]:
    from platterlab import _core

    yield "Experiments to start from are in `examples`. A table that stands in several places is\n"
    yield "described once; the others refer to it. The words are those of\n"
    yield "[the glossary](../glossary.md).\n\n"
    yield from Page(json.loads(_core.experiment_schema())).lines()


def _faults() -> Iterator[str]:
    from platterlab import _core

    yield "For `platterlab serve --faults`; "
    yield "[how to use it](../how-to/serve-a-disk.md#a-drive-that-fails).\n\n"
    schema = json.loads(_core.faults_schema())
    yield from Page(_inlined(schema, schema.pop("$defs"))).lines()


def _inlined(part: Any, named: dict[str, Any]) -> Any:
    """A schema with the parts themselves where it names them."""
    if isinstance(part, list):
        return [_inlined(one, named) for one in part]
    if not isinstance(part, dict):
        return part
    if name := part.get("$ref"):
        part = {**named[name.rpartition("/")[2]], **part}
    return {key: _inlined(one, named) for key, one in part.items() if key != "$ref"}


def _profile() -> Iterator[str]:
    from platterlab import _core

    yield "The words are those of [the glossary](../glossary.md).\n\n"
    yield from Page(json.loads(_core.profile_schema())).lines()


def _traces() -> dict[str, str]:
    """A page for each format, and one that lists them."""
    from platterlab import _core

    formats = _core.trace_format_facts()
    listed = "".join(
        f"| [`{one['name']}`](traces/{one['name']}.md) | {one['title']} | "
        f"{'read, written' if one['written'] else 'read'} |\n"
        for one in formats
    )
    text = (
        "Each is recognized by its content, and may be compressed with gzip, Zstandard or xz. A\n"
        "table of another kind is read as [`table`](traces/table.md), with `--columns` or a file\n"
        "`TRACE.toml` in its folder. `platterlab trace info` says what was left out or put\n"
        "right.\n\n"
        "| format | what it is | |\n|---|---|---|\n"
    )
    index = NOTE.join(("# Traces\n\n", text + listed))
    of_each = {
        f"traces/{one['name']}.md": NOTE.join((f"# {one['name']}\n\n", _trace(one)))
        for one in formats
    }
    return {"traces.md": index} | of_each


def _trace(one: dict[str, Any]) -> str:
    rows = "".join(f"| {' | '.join(column)} |\n" for column in one["columns"])
    return (
        f"{one['title']}. [All formats](../traces.md)\n\n"
        f"| column | unit | what it is |\n|---|---|---|\n{rows}\n"
        f"**What it cannot tell, and how that is taken**: {one['silent']}\n"
    )


def _measurement() -> Iterator[str]:
    from platterlab import _core
    from platterlab.measure.tracks import COLUMNS
    from platterlab.studies.unseen_drives.compared import MAP, VALUES, ZONES

    answers = json.loads(_core.answer_schema())["$defs"]
    yield "`platterlab characterize --json` prints each value with its interval, its method and\n"
    yield "its status. `ok` can be used to within its interval, `ambiguous` has several answers,\n"
    yield "and of `unsupported` the samples say nothing; the `note` says why. `platterlab study\n"
    yield "unseen-drives` compares all that is `ok` with the drives that were made up for it.\n"
    for title, of, compared in (
        ("values", "Extraction", VALUES),
        ("zones", "Zone", ZONES),
        ("map", "TrackMap", MAP),
    ):
        yield f"\n## {title}\n\n| key | what it is | compared with |\n|---|---|---|\n"
        for key, true in compared.items():
            about = " ".join(answers[of]["properties"][key]["description"].split())
            yield f"| `{key}` | {about} | {true} |\n"
    yield "\n## tracks.csv\n\nWith `--tracks`, in the bundle: a line for each piece of the map.\n\n"
    yield "| column | what it is |\n|---|---|\n"
    yield from (f"| `{name}` | {about} |\n" for name, about in COLUMNS.items())


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
    for path, text in files().items():
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
    if stale:
        sys.stderr.write(f"stale, of what the program writes: {', '.join(stale)}; run make docs\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
