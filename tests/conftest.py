"""What the tests share: small traces and the command line."""

import contextlib
import gc
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Before numpy is loaded, and for all that tests start: they are on all processors as it is, and
# threads of linear algebra that wait for each other keep these busy with nothing else.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest

import disturbance
from platterlab import cli, data

ROOT = Path(__file__).resolve().parent.parent
COMMAND = Path(sys.executable).with_name("platterlab")


LONG = (
    "test_calibrat", "test_characterize", "test_documents", "test_embedding", "test_killed_work",
    "test_packaging", "test_pages", "test_study", "test_sure", "test_tracks", "test_unseen",
)  # fmt: skip
"""What the files begin with that have the longest tests."""
DISTURBED: list[str] = []
FIGURES: list[str] = []
"""What tests counted or measured, printed at the end."""


def pytest_configure() -> None:
    """Has what the tests start end at a SIGINT.

    A shell has what it starts in the background ignore it, and children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def measured_disturbance(request: pytest.FixtureRequest) -> Iterator[None]:
    """Says beside the outcome of a `live` test what else the machine did meanwhile."""
    begin = disturbance.now()
    yield
    if request.node.get_closest_marker("live"):
        DISTURBED.append(f"{request.node.nodeid}: {disturbance.since(begin)}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Has the longest come first, so that no processor waits for one of them in the end."""
    items.sort(key=lambda item: not item.path.stem.startswith(LONG))


def pytest_collection_finish() -> None:
    """Has no search for garbage go through thousands of tests that stay to the end."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what the `live` tests met, and what others counted."""
    if DISTURBED:
        terminalreporter.section("what else the machine did")
        for line in DISTURBED:
            terminalreporter.write_line(line)
    if FIGURES:
        terminalreporter.section("figures")
        for line in FIGURES:
            terminalreporter.write_line(line)


WEEK = "hp-week/ajw.1week.srt"


@pytest.fixture(scope="session")
def week() -> Path:
    """The HP week; a test that wants it is skipped where it is not at hand."""
    folder = data.folder()
    if folder is None or not (folder / WEEK).is_file():
        pytest.skip(f"no {WEEK}: PLATTERLAB_DATA names no folder that has it")
    return folder / WEEK


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        assert self.code == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs a command line in this process, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def run_here(*arguments: object) -> Ran:
        capsys.readouterr()
        code = cli.run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run_here


def in_soak(*cases: object) -> list[Any]:
    """More cases of what those before them stand for: `make soak` has them."""
    whole = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*case, marks=pytest.mark.soak) for case in whole]


def sampled(cases: Iterable[tuple[Any, ...]], sample: Collection[object]) -> list[Any]:
    """All cases, of which `make test` has the sample and `make soak` the others."""
    return [pytest.param(*one, marks=() if one in sample else pytest.mark.soak) for one in cases]


def command(
    *arguments: object, timeout_s: float = 60.0, **how: Any
) -> subprocess.CompletedProcess[str]:
    """Runs a command line as a user does."""
    line = [str(COMMAND), *map(str, arguments)]
    return subprocess.run(
        line, capture_output=True, text=True, timeout=timeout_s, check=False, **how
    )


def here(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs one that only reads in this process, which has loaded what it needs."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run([str(argument) for argument in arguments])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def silent(_what: str, _share: float, _rate: str) -> None:
    """Hears how far a measurement is, and says nothing."""


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has charts for print cost nothing, where a test is of something else."""
    monkeypatch.setattr("vl_convert.vegalite_to_svg", lambda _spec: "<svg></svg>")


@pytest.fixture
def ascii_trace(tmp_path: Path) -> Path:
    """2,000 requests without measured times."""
    random = np.random.default_rng(7)
    arrivals_ms = np.cumsum(random.exponential(40.0, 2000))
    lines = [
        f"{arrival:.6f} 0 {random.integers(600_000)} {random.integers(1, 64)} {kind}\n"
        for arrival, kind in zip(arrivals_ms, random.integers(0, 2, 2000), strict=True)
    ]
    path = tmp_path / "arrivals.trace"
    path.write_text("".join(lines))
    return path


@pytest.fixture
def measured_trace(tmp_path: Path) -> Path:
    """A trace with a service time and a gap for each of 500 requests."""
    random = np.random.default_rng(8)
    lines = [
        f"{'RW'[kind]} Miss {random.integers(600_000)} 8 {random.integers(5_000, 40_000)} 12000\n"
        for kind in random.integers(0, 2, 500)
    ]
    path = tmp_path / "measured.trace"
    path.write_text("".join(lines))
    return path
