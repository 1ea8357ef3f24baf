"""Every key of systems that have nearly all of them, with values that are too much for most.

Each is refused with the key's name, or the run ends, and no time that it tells is negative or none.
"""

import json
import math
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bad_cases import Case
from conftest import in_soak
from fork_server import Ended, Server
from platterlab import _core, library

SYSTEMS = Path(__file__).parent / "full_systems"
VALUES = (
    "-1", "0", "1e-9", "0.5", "nan", "inf", "1e308", "4294967296", "1000000000000",
    "9223372036854775807", '"x"', '""', '"1e18s"', "true", "[]", "{}",
)  # fmt: skip
BROKEN = re.compile(rb"Traceback|panicked|Exception ignored|Warning:|core dumped")
LIMIT_S = 5.0
IN_EACH = 15
SAMPLE, OF = 2, 100
"""So many of a hundred tests are run by `make test`."""


def leaves(value: Any, key: str = "") -> Iterator[str]:
    """The dotted keys of a document; of a list of tables, those of its first two."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for index, inner in enumerate(value[:2]):
            yield from leaves(inner, f"{key}[{index}]")
    else:
        yield key


def lines(folder: Path) -> list[tuple[str, ...]]:
    """Every command line, of systems first and of drives then."""
    texts = {path.stem: path.read_text() for path in sorted(SYSTEMS.glob("*.toml"))}
    texts |= dict(_core.examples())
    found = []
    for name, text in texts.items():
        path = folder / f"{name}.toml"
        path.write_text(text)
        found += [
            ("simulate", str(path), "--json", "--set", f"{key}={value}")
            for key in leaves(tomllib.loads(text))
            for value in VALUES
        ]
    trace = folder / "arrivals.trace"
    trace.write_text("".join(f"{40 * i} 0 {997 * i} 8 {i % 2}\n" for i in range(300)))
    for drive in ("hp-c2200a", "ibm-9zx"):
        profile = tomllib.loads(library.drives()[drive][1])
        replay = ("simulate", "-p", drive, "-t", str(trace), "--json", "--set")
        found += [
            (*replay, f"{key}={value}")
            for key in leaves(profile)
            if not key.startswith("provenance")
            for value in VALUES
        ]
    return found


def wrong_numbers(value: Any, key: str = "") -> Iterator[str]:
    """Where an answer has a number that no time or count can be."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name != "manifest":
                yield from wrong_numbers(inner, f"{key}.{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from wrong_numbers(inner, f"{key}[{index}]")
    elif isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
        yield f"{key} = {value}"


def faults(ended: Ended) -> Iterator[str]:
    """What a line did that none may do."""
    if broken := BROKEN.search(ended.err + ended.out):
        yield f"says {broken[0].decode()}"
    if ended.killed:
        yield "hangs, and cannot be interrupted"
    elif ended.interrupted:
        # What is asked for takes long, and what was learnt until then is shown.
        if ended.status not in (1, 130):
            yield f"ends with {ended.status} when it is told to"
    elif ended.status not in (0, 1, 2):
        yield f"ends with {ended.status}"
    elif ended.status and not ended.err.strip():
        yield "says nothing"
    elif ended.status == 0:
        yield from wrong_numbers(json.loads(ended.out))


@pytest.fixture(scope="module")
def ground() -> Iterator[tuple[Path, Server]]:
    folder = Path(tempfile.mkdtemp(prefix="platterlab-values-"))
    server = Server()
    yield folder, server
    server.close()
    shutil.rmtree(folder)


@pytest.mark.parametrize("part", [*range(SAMPLE), *in_soak(*range(SAMPLE, OF))])
def test_no_value_is_more_than_refused(ground: tuple[Path, Server], part: int) -> None:
    folder, server = ground
    # The parts are dealt out, so that each has some of every file.
    mine = lines(folder)[part::OF][: None if part >= SAMPLE else IN_EACH]
    found = []
    for number, line in enumerate(mine):
        place = folder / f"{part}-{number}"
        ended = server.run(Case(number, line), place, LIMIT_S)
        told = ended.err[-1500:].decode(errors="backslashreplace")
        found += [f"{' '.join(line)}: {fault}\n{told}" for fault in faults(ended)]
        shutil.rmtree(place)
    assert not found, "\n".join(found)
