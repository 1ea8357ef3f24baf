"""The rules of the house that a machine can check. CONTRIBUTING.md says why they exist."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINES_PER_FILE = 400
# The types of the core's answers, which docs/generate.py writes.
GENERATED = ("python/platterlab/answers.pyi", "python/platterlab/lab/experiment_tables.pyi")
LINES_PER_FUNCTION = 70
# What the type checker knows nothing of, as often as it stands in the package: it may only fall.
UNTYPED = {"dict[str, Any]": 133, "Any": 479}
FEWER_AT_ONCE = 20


# Parameters of Rust functions that are tuples, taken apart in the signature: fewer is better.
MOST_TUPLES_TAKEN_APART = 24

# The core computes and does nothing else.
CORE = (
    "crates/units/src/",
    "crates/drive/src/",
    "crates/sim/src/",
    "crates/workload/src/synthetic",
)
OUTSIDE_WORLD = re.compile(
    r"\bstd::(fs|thread|env|net|process)\b|\b(Instant|SystemTime|HashMap|HashSet)\b"
    r"|\brand::(rng|random)\b|\bthread_local!"
)

TEXT = {".rs", ".py", ".pyi", ".toml", ".md", ".css", ".html", ".txt", ".yml", ".sh", ".json"}


@cache
def tracked() -> tuple[str, ...]:
    """Every file that is, or would be, in the repository, relative to its root."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return tuple(sorted(name for name in listing.split("\0") if name and (ROOT / name).is_file()))


def named(*suffixes: str) -> list[str]:
    return [name for name in tracked() if name.endswith(suffixes)]


@cache
def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rust_code(name: str) -> Iterator[tuple[int, str]]:
    """The lines of a Rust file with their numbers, comments cut off."""
    for number, line in enumerate(text(name).splitlines(), start=1):
        yield number, re.sub(r"//.*", "", line)


def complain(problems: list[str], rule: str) -> None:
    assert not problems, rule + "\n" + "\n".join(problems)


@cache
def packages() -> list[dict]:
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return json.loads(listing)["packages"]


def short(crate: str) -> str:
    return crate.removeprefix("platterlab-")


def stated_edges() -> dict[str, set[str]]:
    """What ARCHITECTURE.md says each crate depends on, in its order."""
    block = re.search(r"^## Crates$.*?```\n(.*?)```", text("ARCHITECTURE.md"), re.M | re.S)
    assert block, "ARCHITECTURE.md lists the crates"
    lines = [line.partition("<-") for line in block[1].splitlines()]
    return {name.strip(): set(below.split()) for name, _, below in lines}


def test_crates_depend_as_the_architecture_says():
    found = {
        short(package["name"]): {
            short(dependency["name"])
            for dependency in package["dependencies"]
            if dependency.get("path") and dependency["kind"] != "dev"
        }
        for package in packages()
    }
    assert found == stated_edges(), "the list of crates in ARCHITECTURE.md is not the tree's"


def test_crates_depend_only_upwards_in_the_list():
    above: set[str] = set()
    for name, below in stated_edges().items():
        assert below <= above, f"crates/{name} depends on {sorted(below - above)}, listed after it"
        above.add(name)


def test_nothing_depends_on_the_bindings():
    for package in packages():
        names = {short(dependency["name"]) for dependency in package["dependencies"]}
        assert "python" not in names, package["name"]


@pytest.mark.parametrize("crate", ["units", "drive"])
def test_the_model_needs_no_outside_crate(crate):
    (package,) = [item for item in packages() if short(item["name"]) == crate]
    outside = [
        dependency["name"]
        for dependency in package["dependencies"]
        if dependency["kind"] is None and not dependency.get("path") and not dependency["optional"]
    ]
    assert not outside


def test_unsafe_lives_with_the_kernel_and_with_c():
    complain(
        [
            f"{name}:{number}"
            for name in named(".rs")
            if not name.startswith(("crates/device/src/linux/", "crates/c/src/ffi.rs"))
            for number, line in rust_code(name)
            if re.search(r"\bunsafe\b", line)
        ],
        "unsafe belongs in crates/device/src/linux and crates/c/src/ffi.rs alone",
    )


def test_the_core_touches_nothing():
    complain(
        [
            f"{name}:{number}: {line.strip()}"
            for name in named(".rs")
            if name.startswith(CORE)
            for number, line in rust_code(name)
            if OUTSIDE_WORLD.search(line)
        ],
        "no file, clock, thread, environment or hash order in the core",
    )


def test_no_time_saturates():
    """A clock that stands still at its end makes wrong figures without a word."""
    for types in ("time", "stamp", "moment"):
        offered = (ROOT / f"crates/units/src/{types}.rs").read_text()
        # Inside, a difference that the contract puts at zero may be worked out so.
        wrong = re.search(r"fn saturating_|saturating_(?!sub\()", offered)
        assert not wrong, "times have no saturating arithmetic to offer"
    on_time = re.compile(
        r"(?:_ps\b|_ps\(\)|_ns\b|\bnow\b)[^;]*(?:\.saturating_|unwrap_or\(u64::MAX\))|"
        r"\.saturating_\w+\([^;]*(?:_ps\(\)|_ps\b)"
    )
    for path in sorted((ROOT / "crates/sim/src").rglob("*.rs")):
        code = path.read_text().split("#[cfg(test)]")[0]
        found = [line.strip() for line in code.splitlines() if on_time.search(line)]
        assert not found, f"{path.relative_to(ROOT)}: time saturates in {found}"


def test_what_depends_on_the_hosts_timing_is_not_in_make_test():
    for path in (ROOT / "tests").glob("test_*_live.py"):
        assert "pytest.mark.live" in path.read_text(), path
    settings = (ROOT / "pyproject.toml").read_text()
    assert '"not soak and not live"' in settings


def test_extraction_opens_no_device():
    device = re.compile(r"\bplatterlab_device\b|\bBlockDevice\b")
    # The self-check simulates what was extracted, and has no other device.
    opened = re.compile(r"\blinux\b|LinuxDevice|\bBlockDevice\b|\bopen_for_writing\b")
    complain(
        [
            f"{name}:{number}: {line.strip()}"
            for name in named(".rs")
            if name.startswith("crates/extract/src/")
            for number, line in rust_code(name)
            if (opened if name.startswith("crates/extract/src/check/") else device).search(line)
        ],
        "extract reads samples; it never meets a device but the one it simulates in check/",
    )


# What writes without the output module, and why it may.
OWN_WRITERS = {
    "output.py": "is that module",
    "tracing/": "turns the kernel's switches, and records into a folder that is removed again",
    "measure/archive.py": "copies into a folder that takes its place when it is whole",
    "cli/streams.py": "opens the null device",
}


WRITERS = {"write_bytes", "write_text", "savefig", "copyfile", "copyfileobj", "move"}
MODE_TO_WRITE = re.compile(r"[rb]*[wax+][bt+]*")


def writes(node: ast.Call) -> bool:
    """Whether a call changes a file, as far as its name tells."""
    arguments = [*node.args, *(word.value for word in node.keywords)]
    words = [item.value for item in arguments if isinstance(item, ast.Constant)]
    match node.func:
        # `partial` is what `output.replacing` gave; the other two write by way of it.
        case ast.Attribute(ast.Name("partial" | "output" | "bundle" | "self"), _):
            return False
        case ast.Name("open") | ast.Attribute(_, "open"):
            return any(isinstance(word, str) and MODE_TO_WRITE.fullmatch(word) for word in words)
        case ast.Attribute(_, name):
            return name in WRITERS
    return False


def test_outputs_are_written_by_one_module():
    home = "python/platterlab/"
    problems = []
    for name in named(".py"):
        if not name.startswith(home) or name.removeprefix(home).startswith(tuple(OWN_WRITERS)):
            continue
        for node in ast.walk(ast.parse(text(name))):
            if isinstance(node, ast.Call) and writes(node):
                problems.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    complain(problems, "files are written by way of platterlab.output, whole or not at all")


def test_a_report_runs_no_simulation():
    simulation = re.compile(r"^\s*(from|import) .*\b(simulation|Replay|Profile)\b")
    complain(
        [
            f"{name}:{number}: {line.strip()}"
            for name in named(".py")
            if name.startswith("python/platterlab/report/")
            for number, line in enumerate(text(name).splitlines(), start=1)
            if simulation.match(line)
        ],
        "report reads results; it never makes them",
    )


def test_core_crates_share_their_lints():
    files = [f"crates/{crate}/clippy.toml" for crate in ("units", "drive", "sim")]
    assert len({text(name) for name in files}) == 1, f"{files} must be the same file"


def test_files_are_short():
    complain(
        [
            f"{name}: {lines} lines"
            for name in named(".rs", ".py", ".css")
            if name not in GENERATED and (lines := text(name).count("\n")) > LINES_PER_FILE
        ],
        f"a source file has at most {LINES_PER_FILE} lines",
    )


def test_python_functions_are_short():
    problems = []
    for name in named(".py"):
        for node in ast.walk(ast.parse(text(name))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LINES_PER_FUNCTION:
                    problems.append(f"{name}:{node.lineno}: {node.name} has {lines} lines")
    complain(problems, f"a function has at most {LINES_PER_FUNCTION} lines")


def test_rust_functions_are_short():
    for name in ["clippy.toml", *named("/clippy.toml")]:
        assert f"too-many-lines-threshold = {LINES_PER_FUNCTION}" in text(name), name


@pytest.mark.parametrize("words", UNTYPED)
def test_what_is_untyped_gets_less(words):
    each = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    sources = [name for name in named(".py") if name.startswith("python/platterlab/")]
    found, most = sum(len(each.findall(text(name))) for name in sources), UNTYPED[words]
    assert found <= most, (
        f"{found} times `{words}` and {most} are allowed: name what it is by a type of "
        "platterlab.answers, a TypedDict or a dataclass; of what users write, by documents.Json"
    )
    assert found > most - FEWER_AT_ONCE, f"{found} times `{words}`: lower UNTYPED to that"


def test_parameters_have_names_of_their_own():
    signature = re.compile(r"\bfn (\w+)(?:<[^(]*>)?\(([^{;]*?)\)\s*(?:->[^{;]*)?[{;]")
    taken_apart = re.compile(r"\([\w\s,&]+\):\s*&?\([^)]*\)")
    found = [
        f"{name}: {function[1]} {' '.join(parameter.split())}"
        for name in named(".rs")
        if not name.startswith("fuzz/")
        for function in signature.finditer(text(name))
        for parameter in taken_apart.findall(function[2])
    ]
    complain(
        found if len(found) > MOST_TUPLES_TAKEN_APART else [],
        f"{len(found)} parameters are tuples taken apart, not {MOST_TUPLES_TAKEN_APART} at most: "
        "write a parameter for each value, a `Range` for where something begins and ends, or a "
        "small struct where a function would have more than 7 parameters",
    )


def test_every_source_file_says_what_it_is():
    complain(
        [name for name in named(".rs") if not re.match(r"//! [\w`*]", text(name))],
        "a Rust file begins with a line `//! ...` that says what it is",
    )
    complain(
        [name for name in named(".py") if not ast.get_docstring(ast.parse(text(name)))],
        "a Python file begins with a docstring that says what it is",
    )


def test_no_code_in_comments():
    dead = re.compile(
        r"^\s*//(?![/!]) ?(let \w+|use \w+::|(if|for|while|match|fn|pub|impl) .*\{$"
        r"|\}$|[\w.:]+\(.*\);$)"
    )
    complain(
        [
            f"{name}:{number}: {line.strip()}"
            for name in named(".rs")
            for number, line in enumerate(text(name).splitlines(), start=1)
            if dead.match(line)
        ],
        "code that is not used is deleted, not commented out",
    )


def test_nothing_is_left_for_later():
    this = Path(__file__).name
    unfinished = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|\(under construction\)")
    complain(
        [
            f"{name}:{number}: {line.strip()}"
            for name in tracked()
            if Path(name).suffix in TEXT and Path(name).name != this
            for number, line in enumerate(text(name).splitlines(), start=1)
            if unfinished.search(line)
        ],
        "finish it or leave it out",
    )


def test_nothing_names_one_machine():
    this = Path(__file__).name
    place = re.compile(
        r"(?<![\w.])/(work|home|root|Users)/\w|\bissues? ?#\d|\bagents?\b"
        r"|\b(this|working) session\b"
    )
    complain(
        [
            f"{name}:{number}: {line.strip()}"
            for name in tracked()
            if (Path(name).suffix in TEXT or "." not in Path(name).name)
            and Path(name).name != this
            and not name.startswith("LICENSE")
            for number, line in enumerate(text(name).splitlines(), start=1)
            if place.search(line)
        ],
        "the tree speaks of the product, not of where or how it was made",
    )


def test_text_is_clean():
    problems = []
    for name in tracked():
        if Path(name).suffix not in TEXT:
            continue
        body = text(name)
        if body and not body.endswith("\n"):
            problems.append(f"{name}: no newline at the end")
        problems += [
            f"{name}:{number}: space at the end, or a tab"
            for number, line in enumerate(body.splitlines(), start=1)
            if line != line.rstrip() or (line.startswith("\t"))
        ]
    complain(problems, "no trailing space, no tabs, a newline at the end")


def test_the_licences_are_there():
    for name in ("LICENSE", "LICENSE-APACHE", "LICENSE-MIT"):
        assert (ROOT / name).stat().st_size > 100
