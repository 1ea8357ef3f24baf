"""The worked examples of CONTRIBUTING.md: a toy of each kind is a patch that touches few files."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from same_bits.__main__ import build
from same_bits.record import Tree

ROOT = Path(__file__).resolve().parent.parent
PATCHES = ROOT / "tests" / "worked_examples"
TARGET = ROOT / "target"
"""The tree's own, where what it depends on is built already."""

MOST_FILES = {
    "cache_key": 7,
    "replacement_policy": 3,
    "scheduler": 3,
    "seek_curve": 4,
    "track_order": 4,
}
"""Files of a change with its tests and its line in CHANGELOG.md; what `make docs` writes aside."""

CRATES = ("drive", "profile", "sim", "experiment")

PROFILE = ("cache_key", "seek_curve", "track_order")
"""Of a drive's profile; the others are of an experiment."""

HEADINGS = {"cache_key": "A key of the drive's cache", "seek_curve": "A kind of seek curve"}
"""Where CONTRIBUTING.md has it, if not under its name."""

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


@pytest.mark.parametrize("name", MOST_FILES)
def test_contributing_names_every_file(name: str):
    heading = HEADINGS.get(name, f"A {name.replace('_', ' ')}")
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.search(rf"^### {heading}\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)
    assert section, heading
    for path in touched(name):
        folder, _, file = path.rpartition("/")
        new = f"{folder}/<name>{Path(file).suffix}"
        assert path in section[1] or new in section[1] or f"`{folder}/`" in section[1], path


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
        page = "profile" if name in PROFILE else "experiment"
        assert word in (copy / f"docs/reference/{page}.md").read_text(encoding="utf-8")
        assert _served(name, copy, tmp_path) > 0
    finally:
        _done(["git", "apply", "--reverse", patch], copy)


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
