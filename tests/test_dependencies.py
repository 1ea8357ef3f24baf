"""What comes in from outside, as far as it can be told without a network.

`deny.toml` says what may; this holds it against the crates of `Cargo.lock` as `cargo` knows them.
What only a network tells, known defects and withdrawn versions, `make audit` asks: of its answers
those are tried here that need none.
"""

import json
import re
import subprocess
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import audit
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
    refused = {name: offer for name, offer in said.items() if not may_be_used(offer, allowed)}
    assert refused == {}


def test_every_crate_is_of_the_registry_and_none_is_banned(
    crates: list[dict[str, Any]], rules: dict[str, Any]
) -> None:
    assert {one["source"] for one in crates} == {REGISTRY}
    banned = {one["crate"] for one in rules["bans"]["deny"]}
    assert banned & {one["name"] for one in crates} == set()


def with_features(*chosen: str) -> set[str]:
    """Every crate that a build of the chosen packages needs, with the features it is built with."""
    command = ["cargo", "tree", "--locked", "--offline", "--prefix", "none", "--no-dedupe"]
    done = subprocess.run(
        [*command, "--format", "{p} [{f}]", *chosen], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    # Of each: name and version, features; not where it lies, nor that it stood before.
    lines = (re.sub(r" \((?:/.*?|\*|proc-macro)\)", "", line) for line in done.stdout.splitlines())
    return {line for line in lines if line}


def test_bindings_and_tests_are_built_of_the_same_crates() -> None:
    """Or `make test` builds everything twice that stands above a crate of other features."""
    bindings = with_features("--package", "platterlab-python", "--edges", "normal,build")
    assert len(bindings) > 50
    assert bindings - with_features("--workspace") == set()


def test_every_python_package_is_pinned_to_one_version() -> None:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 20
    assert [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.!+]+", line)] == []


class Advisories(BaseHTTPRequestHandler):
    """Knows of a defect in one version of one crate."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        bad = {"package": {"ecosystem": "crates.io", "name": "bad"}, "version": "1.2.3"}
        told = [{"vulns": [{"id": "RUSTSEC-0"}]} if one == bad else {} for one in asked]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"results": told}).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def advisories() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Advisories) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_known_defects_are_named_with_their_version(advisories: str) -> None:
    good, bad = (audit.Pin("crates.io", "bad", version) for version in ("1.2.2", "1.2.3"))
    other = audit.Pin("PyPI", "bad", "1.2.3")
    assert audit.defects([good, bad, other], advisories) == {bad: ["RUSTSEC-0"]}


def test_what_cannot_be_asked_is_unknown_and_not_well(capsys: pytest.CaptureFixture[str]) -> None:
    pins = [audit.Pin("PyPI", "any", "1")]
    assert audit.audited(lambda: audit.defects(pins, "http://127.0.0.1:9"), "known defects") is None
    assert "known defects: UNKNOWN, as it cannot be asked" in capsys.readouterr().out


def test_withdrawn_versions_are_read_from_what_the_registries_clients_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    no = (
        'error: failed to select a version for the requirement `old = "=0.3.0"`\n'
        "  version 0.3.0 is yanked\nlocation searched: crates.io index\n"
    )
    warned = (
        "WARNING: The candidate selected for download or install is a yanked version: 'attrs' "
        "candidate (version 21.1.0 at https://files.pythonhosted.org/x)\n"
    )

    def said(line: list[str], cwd: str = ".", **_: object) -> subprocess.CompletedProcess[str]:
        if line[0] != "cargo":
            return subprocess.CompletedProcess(line, 0, "", warned)
        asked = '"old", version = "=0.3.0"' in (Path(cwd) / "Cargo.toml").read_text()
        return subprocess.CompletedProcess(line, 101 if asked else 0, "", no if asked else "")

    monkeypatch.setattr(subprocess, "run", said)
    old, new = audit.Pin("crates.io", "old", "0.3.0"), audit.Pin("crates.io", "new", "1.0.0")
    assert audit.withdrawn_crates([old, new]) == [old]
    attrs = audit.Pin("PyPI", "attrs", "21.1.0")
    assert audit.withdrawn_packages([attrs]) == [attrs]


def test_what_the_lock_files_pin_is_what_is_asked_for() -> None:
    rust = audit.crates((ROOT / "Cargo.lock").read_text())
    python = audit.packages((ROOT / "requirements.lock").read_text())
    assert not [pin for pin in rust if pin.name.startswith("platterlab")]
    assert min(len(rust), len(python)) > 50
