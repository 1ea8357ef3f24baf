"""The worked examples of CONTRIBUTING.md: a toy of each kind is a patch that touches few files."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from platterlab import _core
from same_bits.__main__ import build
from same_bits.record import Tree

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "docs"))

import generate  # noqa: E402 (stands in docs, beside the pages it writes)

PATCHES = ROOT / "tests" / "worked_examples"
TARGET = ROOT / "target"
"""The tree's own, where what it depends on is built already."""

MOST_FILES = {
    "cache_key": 5,
    "replacement_policy": 3,
    "scheduler": 3,
    "seek_curve": 4,
    "track_order": 4,
}
"""Files written by hand: those of the change, its tests and its line in CHANGELOG.md."""

GENERATED_FILES = {
    "cache_key": 2,
    "replacement_policy": 3,
    "scheduler": 3,
    "seek_curve": 2,
    "track_order": 2,
}
"""Files that `make docs` writes anew for it."""

CRATES = ("drive", "profile", "sim", "experiment")

PROFILE = ("cache_key", "seek_curve", "track_order")
"""Of a drive's profile; the others are of an experiment."""

HEADINGS = {"cache_key": "A key of the drive's cache", "seek_curve": "A kind of seek curve"}
"""Where CONTRIBUTING.md has it, if not under its name."""

BESIDE = {
    "cache_key": "hits_on_written",
    "replacement_policy": "fifo",
    "scheduler": "fcfs",
    "seek_curve": "two-piece",
    "track_order": "traditional",
}
"""What the schema has of the same kind: a key, or a word."""

SET = {
    "cache_key": ["cache.segments_by_age=true"],
    "replacement_policy": ["controller[0].cache.replacement.kind=most-recent"],
    "scheduler": ["host.scheduler.kind=lcfs"],
    "seek_curve": ["seek.kind=square-root", "seek.start_ms=2.0", "seek.root_ms=0.3"],
    "track_order": ["zone[0].order=reversed"],
}
"""How a user asks for it."""

TRACE = "0.0 0 0 8 1\n20.0 0 4000 8 1\n40.0 0 0 8 0\n"

EXPERIMENT = """
[[controller]]
name = "raid"
cache = { size = "256k", max_request = "64k" }
[[bus]]
name = "bus"
controller = "raid"
[[drive]]
bus = "bus"
profile = "hp-c2200a"
[[workload]]
kind = "closed"
population = 8
requests = 500
"""


def touched(name: str) -> list[str]:
    """The files of a patch. The line of a change in CHANGELOG.md is not in it, as it would rot."""
    return re.findall(r"^\+\+\+ b/(.+)$", (PATCHES / f"{name}.patch").read_text(), re.MULTILINE)


def test_there_is_a_limit_for_each_patch():
    assert {path.stem for path in PATCHES.glob("*.patch")} == set(MOST_FILES)


@pytest.mark.parametrize("name", MOST_FILES)
def test_a_patch_fits_the_tree(name: str):
    """Where it does not, the tree has changed: make the toy anew, by the steps of CONTRIBUTING."""
    ran = subprocess.run(
        ["git", "apply", "--check", PATCHES / f"{name}.patch"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", MOST_FILES)
def test_it_takes_no_more_files_than_promised(name: str):
    assert len({*touched(name), "CHANGELOG.md"}) <= MOST_FILES[name], touched(name)


def steps(name: str) -> str:
    """The steps of CONTRIBUTING.md for a kind of change."""
    heading = HEADINGS.get(name, f"A {name.replace('_', ' ')}")
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.search(rf"^### {heading}\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)
    assert section, heading
    return section[1]


@pytest.mark.parametrize("name", MOST_FILES)
def test_contributing_names_every_file(name: str):
    section = steps(name)
    for path in touched(name):
        folder, _, file = path.rpartition("/")
        new = f"{folder}/<name>{Path(file).suffix}"
        assert path in section or new in section or f"`{folder}/`" in section, path


def extended(part: Any, word: str) -> bool:
    """Adds a sibling of a key or a word wherever a schema has it; whether it has it anywhere."""
    found = False
    if isinstance(part, dict):
        properties = part.get("properties", {})
        if word in properties:
            properties[f"{word}_too"] = properties[word] | {"description": "Another."}
            found = True
        choices = part.get("oneOf", [])
        for choice in list(choices):
            if word in (choice.get("const"), _kind(choice)):
                choices.append(json.loads(json.dumps(choice).replace(f'"{word}"', f'"{word}-too"')))
                found = True
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for one in list(inner):
        found |= extended(one, word)
    return found


def _kind(choice: dict[str, Any]) -> Any:
    return choice.get("properties", {}).get("kind", {}).get("const")


def schema_of(name: str) -> str:
    return "profile" if name in PROFILE else "experiment"


@cache
def as_it_is() -> dict[Path, str]:
    return generate.files()


def rewritten(name: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The files that `make docs` writes otherwise once a schema has one more of a kind."""
    asked = f"{schema_of(name)}_schema"
    schema = json.loads(getattr(_core, asked)())
    assert extended(schema, BESIDE[name]), BESIDE[name]
    for variable in ("COLUMNS", "NO_COLOR", "TERM"):  # which it sets
        monkeypatch.setenv(variable, "")
    before = as_it_is()
    monkeypatch.setattr(_core, asked, lambda: json.dumps(schema))
    after = generate.files()
    changed = {path.relative_to(ROOT) for path in after if after[path] != before.get(path)}
    return {f"schemas/{schema_of(name)}.schema.json", *map(str, changed)}


def generated(name: str) -> set[str]:
    """The files that the last step of CONTRIBUTING.md says are written by the program."""
    said = re.search(r"^\d+\. Generated: (.*?)(?=\n\n|\Z)", steps(name), re.MULTILINE | re.DOTALL)
    assert said, name
    return set(re.findall(r"`([^`]+/[^`]+)`", said[1]))


@pytest.mark.parametrize("name", MOST_FILES)
def test_contributing_names_every_generated_file(name: str, monkeypatch: pytest.MonkeyPatch):
    assert rewritten(name, monkeypatch) == generated(name)


@pytest.mark.parametrize("name", MOST_FILES)
def test_contributing_counts_both_kinds(name: str):
    row = re.search(rf"^\| {name.replace('_', ' ')} \|(.*)\|$", _counts(), re.MULTILINE)
    assert row, name
    cells = [int(cell) for cell in row[1].split("|")]
    by_hand = len({*touched(name), "CHANGELOG.md"})
    assert cells == [by_hand, len(generated(name)), by_hand + len(generated(name))]
    assert len(generated(name)) <= GENERATED_FILES[name]


def _counts() -> str:
    """The part of CONTRIBUTING.md before the first worked example, where they are counted."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return page.partition("## Worked examples")[2].partition("\n### ")[0]


@pytest.fixture(scope="module")
def copy() -> Iterator[Path]:
    """A copy of the tree, with what is not committed, in which a toy can be built."""
    tree = TARGET / "worked-examples"
    shutil.rmtree(tree, ignore_errors=True)
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    yield tree
    shutil.rmtree(tree)


@pytest.mark.soak
@pytest.mark.parametrize("name", MOST_FILES)
def test_a_toy_compiles_passes_its_tests_and_runs(name: str, copy: Path, tmp_path: Path):
    patch = PATCHES / f"{name}.patch"
    _done(["git", "apply", patch], copy)
    try:
        cargo = ["cargo", "test", "--quiet", "--profile", "checked", "--locked"]
        crates = (f"--package=platterlab-{crate}" for crate in CRATES)
        _done([*cargo, "--target-dir", TARGET, *crates], copy)
        build(copy, TARGET)
        _done([sys.executable, "docs/generate.py"], copy)
        word = SET[name][0].replace("=", ".").split(".")[-2 if name == "cache_key" else -1]
        page = copy / f"docs/reference/{schema_of(name)}.md"
        assert word in page.read_text(encoding="utf-8")
        assert _changed(copy) == {*touched(name), *generated(name)}
        assert _served(name, copy, tmp_path) > 0
    finally:
        _done(["git", "apply", "--reverse", patch], copy)


def _changed(copy: Path) -> set[str]:
    """The files of the copy that the tree has otherwise or has not, but for what is built."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    ran = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    names = {name for name in ran.stdout.split("\0") if (ROOT / name).is_file()}
    same = {name for name in names if (copy / name).read_bytes() == (ROOT / name).read_bytes()}
    there = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    built = re.compile(r"__pycache__|_cache/|_core\.abi3\.so$")
    return {name for name in there - same if not built.search(name)}


def _served(name: str, tree: Path, folder: Path) -> int:
    """What a run with the toy serves."""
    settings = [part for text in SET[name] for part in ("--set", text)]
    if name in PROFILE:
        trace = folder / "three.trace"
        trace.write_text(TRACE, encoding="ascii")
        of = ("--profile", "hp-c2200a", "--trace", trace, "--format", "disksim-ascii")
    else:
        of = (folder / "experiment.toml",)
        of[0].write_text(EXPERIMENT, encoding="ascii")
    return Tree(tree, None).run("simulate", *of, *settings)["served"]


def _done(command: list[object], tree: Path) -> None:
    environment = os.environ | {
        "UPDATE_SCHEMA": "1",
        "PYTHONPATH": str(tree / "python"),
        # Else git would apply a patch to the repository around the copy.
        "GIT_CEILING_DIRECTORIES": str(TARGET),
    }
    ran = subprocess.run(
        list(map(str, command)),
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout[-4000:]}\n{ran.stderr[-4000:]}"
