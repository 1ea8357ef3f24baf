"""What comes in from outside, as far as it can be told without a network.

`deny.toml` says what may; this holds it against the crates of `Cargo.lock` as `cargo` knows them.
What only a network tells, known defects and withdrawn versions, is asked by hand: CONTRIBUTING.md
says how.
"""

import json
import re
import subprocess
import tomllib
from typing import Any

import pytest

from conftest import ROOT

REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


@pytest.fixture(scope="module")
def crates() -> list[dict[str, Any]]:
    """Every crate that is built on this kind of machine, ours left out."""
    compiler = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True)
    host = re.findall(r"^host: (\S+)$", compiler.stdout, re.MULTILINE)[0]
    # Those of other systems need not be at hand.
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    command += ["--filter-platform", host]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return [one for one in json.loads(done.stdout)["packages"] if one["source"] is not None]


@pytest.fixture(scope="module")
def rules() -> dict[str, Any]:
    return tomllib.loads((ROOT / "deny.toml").read_text())


def may_be_used(expression: str, allowed: set[str]) -> bool:
    """Whether one of the licences offered is allowed, of those that all hold each."""
    words = re.findall(r"[()]|[\w.+-]+", re.sub(r"\s+WITH\s+[\w.-]+", "", expression))
    said = {"OR": " or ", "AND": " and ", "(": "(", ")": ")"}
    python = "".join(said.get(word, str(word in allowed)) for word in words)
    return bool(eval(python, {"__builtins__": {}}))  # noqa: S307


def test_a_licence_is_read_as_it_is_meant() -> None:
    allowed = {"MIT", "Zlib"}
    assert may_be_used("MIT OR GPL-3.0", allowed)
    assert may_be_used("(GPL-2.0 OR Zlib) AND MIT", allowed)
    assert not may_be_used("MIT AND GPL-3.0", allowed)
    assert may_be_used("MIT WITH LLVM-exception", allowed)


def test_every_crate_has_a_licence_that_may_come_in(
    crates: list[dict[str, Any]], rules: dict[str, Any]
) -> None:
    allowed = set(rules["licenses"]["allow"])
    assert len(crates) > 50
    # Before there was a language for it, a stroke meant "or".
    said = {one["name"]: (one["license"] or "none").replace("/", " OR ") for one in crates}
    refused = {name: said[name] for name in said if not may_be_used(said[name], allowed)}
    assert refused == {}


def test_every_crate_is_of_the_registry_and_none_is_banned(
    crates: list[dict[str, Any]], rules: dict[str, Any]
) -> None:
    assert {one["source"] for one in crates} == {REGISTRY}
    banned = {one["crate"] for one in rules["bans"]["deny"]}
    assert banned & {one["name"] for one in crates} == set()


def test_every_python_package_is_pinned_to_one_version() -> None:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 20
    assert [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.!+]+", line)] == []
