"""What one file has to know of others: no circles, and one meaning for each type's name."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from imports import circles, python_graph, rust_graph

ROOT = Path(__file__).resolve().parent.parent
CRATES = [f"crates/{path.name}" for path in sorted((ROOT / "crates").iterdir())]


@pytest.mark.parametrize("crate", [*CRATES, "benches"])
def test_no_files_of_a_crate_import_each_other(crate: str) -> None:
    graph = rust_graph(ROOT, crate)
    assert sum(map(len, graph.values())) >= len(graph) // 2, "the imports were found"
    assert circles(graph) == []


def test_no_modules_of_the_package_import_each_other() -> None:
    graph = python_graph(ROOT / "python", "platterlab")
    assert sum(map(len, graph.values())) > len(graph), "the imports were found"
    assert circles(graph) == []


def test_circles_are_found(tmp_path: Path) -> None:
    source = tmp_path / "toy" / "src"
    source.mkdir(parents=True)
    (source / "lib.rs").write_text("mod a;\nmod b;\nmod c;\npub use b::B;\n")
    (source / "a.rs").write_text("use crate::B;\n")
    (source / "b.rs").write_text("use super::{c::{C, D as E}};\n")
    (source / "c.rs").write_text("fn f() { crate::a::g() }\n")
    assert circles(rust_graph(tmp_path, "toy")) == [[f"toy/src/{name}.rs" for name in "abc"]]
    (source / "c.rs").write_text("fn f() {} // crate::a::g\n")
    assert circles(rust_graph(tmp_path, "toy")) == []


@pytest.mark.parametrize("crate", CRATES)
def test_a_type_has_one_meaning_in_a_crate(crate: str) -> None:
    defined = re.compile(r"^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|union|type) (\w+)", re.M)
    places = defaultdict(list)
    for path in (ROOT / crate / "src").rglob("*.rs"):
        for name in defined.findall(path.read_text(encoding="utf-8")):
            places[name].append(str(path.relative_to(ROOT)))
    assert places, "the types were found"
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
