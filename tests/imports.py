"""Which file of the sources imports from which: Rust by its paths, Python by its imports."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

Graph = dict[str, set[str]]

_PATH = re.compile(r"\b(?:crate|self|super)(?:::\w+)+")
_USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);", re.M)


def rust_graph(root: Path, crate: str) -> Graph:
    """The files of a crate's `src`, and of each those it takes names from.

    A name that a module hands on (`pub use child::Name`) is its giver's. What a file takes from the
    module it lies in is not counted: the `mod.rs` of a folder holds what its files share.
    """
    source = root / crate / "src"
    modules = {_module(source, path): path for path in source.rglob("*.rs")}
    texts = {name: _code(path) for name, path in modules.items()}
    handed = {name: _handed_on(name, text, modules) for name, text in texts.items()}
    graph: Graph = {}
    for name, text in texts.items():
        givers = {_giver(path, modules, handed) for path in _paths(name, text, modules)}
        graph[str(modules[name].relative_to(root))] = {
            str(modules[giver].relative_to(root))
            for giver in givers
            if giver is not None and giver != name and name[: len(giver)] != giver
        }
    return graph


def python_graph(root: Path, package: str) -> Graph:
    """The modules of a package, and of each those it imports when it is loaded."""
    files = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (root / package).rglob("*.py")
    }
    graph: Graph = {}
    for name, path in files.items():
        taken = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                taken |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
            elif isinstance(node, ast.Import):
                taken |= {alias.name for alias in node.names}
        graph[name] = {it for it in taken if it in files and not name.startswith(f"{it}.")} - {name}
    return graph


def circles(graph: Graph) -> list[list[str]]:
    """Groups of files each of which leads to all others of its group."""
    reach = {start: _reached(graph, start) for start in graph}
    groups = {
        tuple(sorted({start} | {end for end in reach[start] if start in reach[end]}))
        for start in graph
        if start in reach[start]
    }
    return sorted(list(group) for group in groups)


def _reached(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    todo = [start]
    while todo:
        for end in graph.get(todo.pop(), set()) - seen:
            seen.add(end)
            todo.append(end)
    return seen


Module = tuple[str, ...]


def _module(source: Path, path: Path) -> Module:
    parts = path.relative_to(source).with_suffix("").parts
    return () if parts == ("lib",) else parts[:-1] if parts[-1] == "mod" else parts


def _code(path: Path) -> str:
    return re.sub(r"//.*", "", path.read_text(encoding="utf-8"))


def _paths(name: Module, text: str, modules: dict[Module, Path]) -> Iterator[Module]:
    """Every path in a file, from the root of its crate on."""
    used = [path for tree in _USE.findall(text) for path in _expanded(tree)]
    for path in [*used, *_PATH.findall(_USE.sub("", text))]:
        absolute = _absolute(name, path.split("::"), modules)
        if absolute is not None:
            yield absolute


def _expanded(tree: str) -> Iterator[str]:
    """The single paths of a `use` with braces."""
    tree = re.sub(r"\s+", " ", tree.strip())
    head, brace, rest = tree.partition("{")
    if not brace:
        yield re.sub(r" as \w+$", "", tree)
        return
    depth, part = 0, ""
    for letter in rest[: rest.rindex("}")] + ",":
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            if part.strip():
                yield from _expanded(head.strip() + part.strip())
            part = ""
        else:
            part += letter


def _absolute(name: Module, path: list[str], modules: dict[Module, Path]) -> Module | None:
    at: Module | None = None
    while path and path[0] in ("crate", "self", "super"):
        first = path.pop(0)
        here = name if at is None else at
        at = () if first == "crate" else here[:-1] if first == "super" else here
    if at is None:
        at = name if path and (*name, path[0]) in modules else None
    return None if at is None else (*at, *path)


def _handed_on(name: Module, text: str, modules: dict[Module, Path]) -> dict[str, Module]:
    """The names that a module re-exports, and where it has them from."""
    given = {}
    for match in re.finditer(r"^\s*pub(?:\([^)]*\))? use ([^;]+);", text, re.M):
        for path in _expanded(match[1]):
            absolute = _absolute(name, path.split("::"), modules)
            if absolute is not None:
                given[absolute[-1]] = absolute
    return given


def _giver(
    path: Module, modules: dict[Module, Path], handed: dict[Module, dict[str, Module]]
) -> Module | None:
    """The module in which what a path names is written."""
    for _ in range(8):
        home = next((path[:n] for n in range(len(path), -1, -1) if path[:n] in modules), None)
        if home is None or len(home) == len(path):
            return home
        onward = handed[home].get(path[len(home)])
        if onward is None or onward == path:
            return home
        path = (*onward, *path[len(home) + 1 :])
    return None
