"""That the tests of devices can fail: without any one of the safety checks one of them is red.

Each mutant is the device crate with one check undone, in a copy of the sources that is built beside
the real ones. It has to build, and a test named here has to fail on it.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import ROOT

SAFETY = "crates/device/src/linux/safety/"
COPIED = ("crates", "profiles", "examples", "benches", "Cargo.toml", "Cargo.lock", "clippy.toml")


@dataclass(frozen=True)
class Mutant:
    """A check, and what the file says without it."""

    check: str
    file: str
    old: str
    new: str
    red: str
    """The file of tests of which one fails."""


MUTANTS = [
    Mutant(
        "a journal is its user's", "folder.rs", "if found.st_uid != us {", "if false {", "crash"
    ),
    Mutant(
        "nobody else can write a journal", "folder.rs",
        "if found.st_mode & WRITABLE_BY_OTHERS != 0 {", "if false {", "crash",
    ),
    Mutant(
        "a link is not a journal", "folder.rs",
        "OFlags::RDWR | OFlags::NOFOLLOW |", "OFlags::RDWR |", "crash",
    ),
    Mutant(
        "a link is not a folder of journals", "folder.rs",
        "OFlags::DIRECTORY | OFlags::NOFOLLOW |", "OFlags::DIRECTORY |", "crash",
    ),
    Mutant("a pipe is not a journal", "folder.rs", "if !kind.is_file() {", "if false {", "crash"),
    Mutant(
        "the folder is for its user alone", "folder.rs",
        "fchmod(&folder.handle, Mode::from(0o700))", "fchmod(&folder.handle, Mode::from(0o755))",
        "crash",
    ),
    Mutant(
        "the sectors around are the same", "verdict.rs",
        "around == header.fingerprint", "around == header.fingerprint || true", "crash",
    ),
    Mutant(
        "it is the same device", "header.rs",
        "        *self == there\n", "        *self == there || !self.path.as_os_str().is_empty()\n",
        "crash",
    ),
    Mutant(
        "only what was in flight is written back", "flight.rs",
        "region.contains(lba, 1))", "region.contains(lba, 1) || lba > 0)", "crash",
    ),
    Mutant(
        "what somebody wrote since is kept", "verdict.rs",
        "if !found.elsewhere.is_empty() {", "if false {", "crash",
    ),
    Mutant(
        "a restart leaves nothing known of the flight", "journal.rs",
        "if !self.header.is_of_this_boot() {", "if false {", "crash",
    ),
    Mutant(
        "a damaged journal is not obeyed", "verdict.rs",
        "        Ok(true) => {}", "        Ok(_) => {}", "crash",
    ),
    Mutant(
        "what a repair writes over is kept", "repair.rs",
        "if sectors.is_empty() {\n            return Ok(None);",
        "if true {\n            return Ok(None);", "crash",
    ),
    Mutant(
        "a run says what is in flight", "saved_region.rs",
        "loaded.and_then(|()| self.journal.note(Some(request)))",
        "loaded.and_then(|()| self.journal.note(None))", "in_flight",
    ),
    Mutant(
        "what was not repaired stops the next run", "open.rs",
        "    refusals.extend(unrepaired(&request.journal_dir, target));\n", "", "crash",
    ),
    Mutant(
        "what others have open is refused", "checks.rs",
        "(!who.is_empty()).then(", "(!who.is_empty() && false).then(", "others",
    ),
    Mutant(
        "who opens it meanwhile stops the run", "saved_region.rs",
        "self.intruder = self.guard.intruder(target, file);", "let _ = file;", "others",
    ),
    Mutant(
        "a lock ends with its run", "../locked.rs",
        "let _ = flock(&self.0, FlockOperation::Unlock);", "let _ = &self.0;", "others",
    ),
    Mutant(
        "nothing follows a write that failed", "saved_region.rs",
        "self.failed = Some(request);", "let _ = request;", "vanishing",
    ),
    Mutant(
        "what is on it is looked at", "open.rs",
        "    refusals.extend(checks::empty(target, file)?);\n", "    let _ = file;\n", "refusals",
    ),
    Mutant(
        "it is confirmed by its name", "checks.rs",
        "if words == target.name() ||", "if !words.is_empty() ||", "refusals",
    ),
    Mutant(
        "the region lies on it", "open.rs",
        "    refusals.extend(checks::region(target, request.region));\n", "", "refusals",
    ),
    Mutant(
        "what is in use is not written", "open.rs",
        "    refusals.extend(checks::in_use(target));\n", "", "refusals",
    ),
]  # fmt: skip
BY_CHECK = [pytest.param(mutant, id=mutant.check) for mutant in MUTANTS]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sources, to be changed."""
    if os.geteuid() != 0:
        pytest.skip("some of the tests that have to fail need root")
    folder = tmp_path_factory.mktemp("mutants")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)
        else:
            shutil.copy(ROOT / name, folder / name)
    yield folder
    shutil.rmtree(folder)


def cargo(folder: Path, red: str, *more: str) -> subprocess.CompletedProcess[str]:
    # A folder of its own: the real build stays as it is, and the next time is quick.
    built = str(ROOT / "target" / "mutants")
    environment = os.environ | {"CARGO_TARGET_DIR": built, "RUSTFLAGS": "--cap-lints=allow"}
    line = ["cargo", "test", "--profile", "checked", "--locked", "--quiet"]
    own = (ROOT / f"crates/device/tests/{red}.rs").is_file()
    line += ["-p", "platterlab-device", "--test", *([red] if own else ["device", f"{red}::"])]
    return subprocess.run(
        [*line, *more], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def failures(folder: Path, red: str) -> str:
    """What the tests of a file say that fail, of those that root can run on loop devices."""
    built = cargo(folder, red, "--no-run")
    assert built.returncode == 0, built.stderr
    left_out = ["--skip", "child_that", "--skip", "mapped", "--skip", "held", "--skip", "root_disk"]
    left_out += ["--skip", "partition"]
    ran = cargo(folder, red, "--", "--include-ignored", *left_out)
    return ran.stdout + ran.stderr if ran.returncode else ""


@pytest.mark.parametrize("mutant", BY_CHECK)
def test_every_check_is_still_there(mutant: Mutant) -> None:
    assert (ROOT / SAFETY / mutant.file).read_text().count(mutant.old) == 1


@pytest.mark.soak
@pytest.mark.parametrize("red", sorted({mutant.red for mutant in MUTANTS}))
def test_with_every_check_they_pass(copy: Path, red: str) -> None:
    assert not failures(copy, red)


@pytest.mark.soak
@pytest.mark.parametrize("mutant", BY_CHECK)
def test_without_a_check_one_fails(copy: Path, mutant: Mutant) -> None:
    path = copy / SAFETY / mutant.file
    whole = path.read_text()
    path.write_text(whole.replace(mutant.old, mutant.new))
    try:
        assert failures(copy, mutant.red), f"nothing notices that {mutant.check} is not checked"
    finally:
        path.write_text(whole)
