"""Writes LICENCES.md: what others wrote that is in a wheel or comes with it: `make docs`."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "LICENCES.md"


def crates() -> list[dict[str, Any]]:
    """The crates that are compiled into the core, ours left out."""
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    command += ["--filter-platform", "x86_64-unknown-linux-gnu"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout  # noqa: S603
    metadata = json.loads(told)
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {one["id"]: one for one in metadata["packages"]}
    waiting = [key for key, one in packages.items() if one["name"] == "platterlab-python"]
    found = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            # What only builds or tests is not in the wheel.
            linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if linked and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    named = [packages[key] for key in found if packages[key]["source"] is not None]
    return sorted(named, key=lambda one: (one["name"], one["version"]))


def packages() -> Iterator[tuple[str, str, str]]:
    """The Python packages that an install asks for: name, licence, and the extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra, wanted in groups.items():
        for line in wanted if extra in ("", "tables", "charts", "fits", "cluster") else ():
            name = re.split(r"[<>=\[; ]", line)[0]
            if name != "platterlab":
                yield name, licence(name), extra


def licence(name: str) -> str:
    """Of an installed package, as it says itself."""
    said = distribution(name).metadata
    if said["License-Expression"]:
        return str(said["License-Expression"])
    classes = [
        line.rpartition(" :: ")[2]
        for line in said.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    return ", ".join(classes) or str(said["License"] or "?").splitlines()[0]


def page() -> str:
    """All of it."""
    lines = [
        "# Licences", "", "<!-- Written by docs/licences.py; do not edit. -->", "",
        "Platterlab is under [Apache-2.0](LICENSE-APACHE) or [MIT](LICENSE-MIT), at your choice.",
        "What others wrote keeps its own licence.", "",
        "## Compiled into the core", "",
        "Each crate's source, with the text of its licence, is at `https://crates.io/crates/NAME`.",
        "", "| crate | licence |", "|---|---|",
        *(f"| {one['name']} | {one['license']} |" for one in crates()),
        "", "## Installed with it", "",
        "| package | licence | extra |", "|---|---|---|",
        *(f"| {name} | {terms} | {extra} |" for name, terms, extra in packages()),
    ]  # fmt: skip
    return "\n".join(line.rstrip() for line in lines) + "\n"


def main() -> int:
    """Writes the page, or with `--check` only compares it."""
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write("LICENCES.md is stale; run docs/licences.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
