"""No command line, however wrong, is more than refused: random ones, from the help texts alone.

Each ends with 0, 1 or 2 and a message, within 20 s, and changes none of the files that it was
given.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import bad_files
from bad_cases import Case, Draw
from fork_server import Ended, Server
from help_texts import commands

SEED = 1
LIMIT_S = 20.0
UNTIL_TOLD_S = 2.0
"""How long one may go on that has no end of its own."""
IN_EACH = 15
"""Cases of one test."""
FEW, MANY = 90, 5_000
BROKEN = re.compile(rb"Traceback|panicked|Exception ignored|Warning:|core dumped|terminate called")


@dataclass(frozen=True)
class Ground:
    """Where the cases are run."""

    folder: Path
    inputs: Path
    draw: Draw
    server: Server

    def faults(self, number: int) -> list[str]:
        """What a case did that none may do."""
        case = self.draw.case(number, SEED)
        place = self.folder / str(number)
        before = bad_files.state(self.inputs)
        ended = self.server.run(case, place, UNTIL_TOLD_S if case.until_told else LIMIT_S)
        found = list(_faults(case, ended))
        bad_files.tidied(self.inputs, before)
        after = bad_files.state(self.inputs)
        found += [
            f"changed {name}"
            for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)
        ]
        found += [f"left {path.name}" for path in place.rglob(".*.partial")]
        shutil.rmtree(place)
        return [f"{number}: {fault}\n{_shown(case, ended)}" for fault in found]


def _faults(case: Case, ended: Ended) -> Iterator[str]:
    if ended.killed:
        yield "hangs, and cannot be interrupted"
        return
    if ended.interrupted and case.until_told:
        if ended.status not in (0, 130):
            yield f"ends with {ended.status} when it is told to"
        return
    if ended.interrupted:
        # Long work is not a hang: it computes, and ends when it is told to.
        if ended.status != 130 or ended.busy_s < LIMIT_S / 4:
            yield f"hangs ({ended.busy_s:.1f} s of a processor)"
        return
    if ended.status not in (0, 1, 2):
        yield f"ends with {ended.status}"
    if broken := BROKEN.search(ended.err + ended.out):
        yield f"says {broken[0].decode()}"
    silent = set(case.closed) & {1, 2} or case.full_stdout
    if ended.status and not silent and not (ended.err + ended.out).strip():
        yield "says nothing"
    if ended.status == 0 and not silent and _prints_json(case):
        try:
            json.loads(ended.out)
        except ValueError:
            yield "prints something else than JSON"


def _prints_json(case: Case) -> bool:
    """Whether `--json` stands where it can be nothing else than that option."""
    line = case.line
    if "--json" not in line or {"-h", "--help", "--"} & set(line):
        return False
    return not line[line.index("--json") - 1].startswith("-")


def _shown(case: Case, ended: Ended) -> str:
    line = " ".join(repr(word if len(word) < 400 else f"{word[:20]}…") for word in case.line)
    how = f"closed {case.closed}, full {case.full_stdout}, {case.environment}"
    told = ended.err[-3000:].decode(errors="backslashreplace")
    return f"platterlab {line}\n({how}; {ended.status} in {ended.took_s:.1f} s)\n{told}"


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    # Another user has to be able to read there, which is not so in pytest's own folders.
    folder = Path(tempfile.mkdtemp(prefix="platterlab-bad-"))
    folder.chmod(0o755)
    inputs = folder / "inputs"
    inputs.mkdir()
    server = Server()
    sound, bad = bad_files.pool(inputs, SEED)
    yield Ground(folder, inputs, Draw(list(commands()), sound, bad), server)
    server.close()
    (inputs / "locked").chmod(0o700)
    shutil.rmtree(folder)


def _numbers(many: int, mark: object = ()) -> list[object]:
    return [pytest.param(first, marks=mark) for first in range(0, many, IN_EACH)]


@pytest.mark.parametrize(
    "first", [*_numbers(FEW), *_numbers(MANY, pytest.mark.soak)[FEW // IN_EACH :]]
)
def test_bad_input_is_refused(ground: Ground, first: int) -> None:
    faults = [fault for number in range(first, first + IN_EACH) for fault in ground.faults(number)]
    assert not faults, "\n".join(faults)


def test_the_help_texts_are_understood() -> None:
    known = {command.words: command for command in commands()}
    assert len(known) > 15
    simulate = known["simulate",]
    (per_request,) = [one for one in simulate.options if one.name == "--per-request"]
    assert per_request.is_output
    assert [one.words for one in commands() if one.until_told] == [("serve",)]
    assert known["show",].usual == (("--trace", "--scheduler", "--out"), ("--ostep", "--out"))
    (seed,) = [one for one in simulate.options if one.name == "--seed"]
    assert seed.is_number
    assert [one.required for one in known["trace", "convert"].arguments] == [True, True]
