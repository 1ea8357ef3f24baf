"""What is released works alone: a wheel in an environment of its own, and the sdist it comes from.

The wheel is the tree's, whose core is compiled already, and the sdist has to hold all that the core
is compiled from, to the byte. Of `make soak` it is the sdist's, built in the target folder of the
tree, ours without optimization.
"""

import json
import os
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
MATURIN = Path(sys.executable).with_name("maturin")
MINUTE_S = 60.0

Platterlab = Callable[..., str]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    _done([MATURIN, "sdist", "--out", out], cwd=ROOT)
    (made,) = out.glob("*.tar.gz")
    return made


@pytest.fixture(scope="module")
def unpacked(sdist: Path) -> Path:
    """The sdist as a tree."""
    tree = TARGET / "packaging"
    _unpack(sdist, tree)
    return tree


@pytest.fixture(scope="module", params=["tree", pytest.param("sdist", marks=pytest.mark.soak)])
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build, tree = [MATURIN, "build", "--profile", "checked", "--out", out], ROOT
    if request.param == "sdist":
        tree = request.getfixturevalue("unpacked")
        ours = [path.parent.name for path in ROOT.glob("crates/*/Cargo.toml")]
        plain = [f"--config=profile.checked.package.platterlab-{one}.opt-level=0" for one in ours]
        build += ["--strip", *plain]
    _done(build, cwd=tree, env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def platterlab(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Platterlab:
    """The command, in an environment that has the wheel and what it asks for, and nothing else."""
    place = tmp_path_factory.mktemp("environment")
    _done([sys.executable, "-m", "venv", "--without-pip", place])
    pip = [sys.executable, "-m", "pip", "--python", place / "bin" / "python", "install"]
    _done([*pip, "--quiet", "--no-deps", "--no-index", wheel])
    (packages,) = place.glob("lib/python3*/site-packages")
    for name in _asked_for("platterlab", frozenset({"charts", "fits"})) - {"platterlab"}:
        _lend(name, packages)
    kept = {"PATH", "HOME", "LANG", "TMPDIR"}
    environment = {name: value for name, value in os.environ.items() if name in kept}
    away = tmp_path_factory.mktemp("away")

    def run(*arguments: object) -> str:
        return _done([place / "bin" / "platterlab", *arguments], cwd=away, env=environment)

    return run


def test_the_sdist_has_what_the_core_is_compiled_from(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder, kind in (("profiles", "toml"), ("examples", "toml"), ("schemas", "json")):
        wanted = {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob(f"*.{kind}")}
        assert wanted
        assert wanted <= names


@pytest.mark.parametrize("wheel", ["tree"], indirect=True)
@pytest.mark.usefixtures("wheel")
def test_every_source_of_the_core_is_in_the_sdist_as_it_is(unpacked: Path) -> None:
    """And its manifests, which maturin writes anew, agree with the crates that are locked."""
    listed = (TARGET / "checked" / "lib_core.d").read_text(encoding="utf-8").split()[1:]
    sources = [Path(path).relative_to(ROOT) for path in listed]
    assert len(sources) > 500
    for source in sources:
        assert (unpacked / source).read_bytes() == (ROOT / source).read_bytes(), source
    manifest = ["--manifest-path", unpacked / "Cargo.toml", "--format-version", "1"]
    told = json.loads(_done(["cargo", "metadata", "--locked", "--offline", *manifest]))
    core = unpacked / "crates" / "python"
    assert str(core / "Cargo.toml") in {package["manifest_path"] for package in told["packages"]}


def test_the_library_and_the_schemas_are_in_the_wheel(platterlab: Platterlab) -> None:
    listed = json.loads(platterlab("profile", "list", "--json"))["profiles"]
    assert len(listed) == len(list((ROOT / "profiles").rglob("*.toml")))
    for file in ("experiment", "profile"):
        assert json.loads(platterlab("schema", file))["properties"]


def test_an_example_runs_and_draws_its_report(platterlab: Platterlab, tmp_path: Path) -> None:
    mine, page = tmp_path / "mine.toml", tmp_path / "mine.html"
    mine.write_text(platterlab("example", "mixed-streams"), encoding="utf-8")
    told = json.loads(platterlab("simulate", mine, "--report", page, "--json"))
    assert told["served"] > 0
    assert page.stat().st_size > 100_000


def test_a_study_runs_and_draws_its_figures(platterlab: Platterlab, tmp_path: Path) -> None:
    told = json.loads(platterlab("study", "ruemmler-wilkes", "--out", tmp_path, "--json"))
    assert told["rows"]
    assert all(Path(figure).is_file() for figure in told["figures"])
    assert told["figures"]


def test_the_version_is_that_of_the_core(platterlab: Platterlab) -> None:
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    version = manifest["workspace"]["package"]["version"]
    assert platterlab("--version").split() == ["platterlab", version]


def _done(line: list[object], timeout_s: float = 15 * MINUTE_S, **how: object) -> str:
    """What a command that has to succeed prints."""
    words = [str(word) for word in line]
    ran = subprocess.run(
        words, capture_output=True, text=True, timeout=timeout_s, check=False, **how
    )
    assert ran.returncode == 0, f"{' '.join(words)}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def _unpack(sdist: Path, tree: Path) -> None:
    """Makes `tree` what the sdist holds; what has not changed keeps its time, for cargo."""
    wanted = set()
    with tarfile.open(sdist) as archive:
        for member in archive.getmembers():
            if not member.isfile():
                continue
            path = tree / member.name.partition("/")[2]
            wanted.add(path)
            held = archive.extractfile(member)
            assert held is not None
            text = held.read()
            if not path.is_file() or path.read_bytes() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)
    for path in tree.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()


def _asked_for(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """The distributions that one needs, and those that they need, by name."""
    found: set[str] = set()
    waiting = [(name, extras)]
    while waiting:
        needy, with_extras = waiting.pop()
        for line in distribution(needy).requires or []:
            need = Requirement(line)
            marks = [{"extra": extra} for extra in (with_extras or {""})]
            wanted = need.marker is None or any(need.marker.evaluate(mark) for mark in marks)
            if wanted and need.name not in found:
                found.add(need.name)
                waiting.append((need.name, frozenset(need.extras)))
    return found


def _lend(name: str, packages: Path) -> None:
    """Links an installed distribution into another environment: nothing is downloaded twice."""
    lent = distribution(name)
    for first in {file.parts[0] for file in lent.files or []} - {"..", "__pycache__"}:
        link = packages / first
        if not link.exists():
            link.symlink_to(lent.locate_file(first))
