"""Files that change while they are read: one message and no output, or results of one content.

What is read all along has to stay what it is until the end; what is read once may change after it.
"""

import hashlib
import json
import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import COMMAND, Ran, command, in_soak
from platterlab import InputError, library, manifest, output
from platterlab.results_file import ResultsFile
from platterlab.sweeps.plan import load
from platterlab.sweeps.sweep import tasks_of
from test_flow_bad_input import end, flow, process

CHANGED = "changed while it was read"
EXPERIMENT = """\
[[drive]]
profile = "drive.toml"
[[workload]]
kind = "trace"
file = "t.trace"
"""
SWEEP = """\
experiment = "e.toml"
[[vary]]
key = "host.scheduler.kind"
values = ["fcfs", "sptf"]
"""
LINES = {
    "a replay": ["-p", "drive.toml", "-t", "t.trace", "--per-request", "out.parquet"],
    "a replay behind a queue": ["-p", "drive.toml", "-t", "t.trace", "--scheduler", "sptf"],
    "an experiment": ["e.toml", "--per-request", "out.parquet", "--report", "page.html"],
    "replications": ["e.toml", "--replications", "3", "--threads", "1", "--requests", "out.csv"],
    "a grid": ["e.toml", "--vary", "host.scheduler.kind=fcfs,sptf", "--table", "out.parquet"],
    "a flow": ["run.flow", "-p", "drive.toml", "--per-request", "out.parquet"],
}  # fmt: skip


def trace(requests: int) -> str:
    return "".join(f"{40 * number} 0 {997 * number % 600_000} 8 1\n" for number in range(requests))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the lines read, and one as each file will be."""
    (tmp_path / "drive.toml").write_text(library.drives()["hp-c2200a"][1])
    (tmp_path / "t.trace").write_text(trace(300))
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    (tmp_path / "run.flow").write_bytes(flow(process(0), end(0)))
    (tmp_path / "new").mkdir()
    for name, text in {
        "drive.toml": library.drives()["hp-97560"][1], "t.trace": trace(200),
        "e.toml": EXPERIMENT.replace("t.trace", "gone.trace"), "sweep.toml": SWEEP + "\n",
    }.items():  # fmt: skip
        (tmp_path / "new" / name).write_text(text)
    (tmp_path / "new" / "run.flow").write_bytes(flow(process(0), process(1), end(0), end(1)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def replaced(name: str) -> None:
    os.replace(Path("new", name), name)  # noqa: PTH105


def rewritten(name: str) -> None:
    Path(name).write_bytes(Path("new", name).read_bytes())


@pytest.fixture
def after_the_hash(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Has something happen once, after a command has said in its manifest what it reads."""

    def plan(what: Callable[[], None]) -> None:
        left, of = [what], manifest.of

        def hashed(*inputs: Any, **settings: Any) -> dict[str, Any]:
            found = of(*inputs, **settings)
            if left and found["inputs"]:
                left.pop()()
            return found

        monkeypatch.setattr(manifest, "of", hashed)

    return plan


@pytest.mark.parametrize("change", [replaced, rewritten])
@pytest.mark.parametrize("name", LINES)
def test_a_trace_has_to_stay_what_it_is(run, place, after_the_hash, name, change):
    read = "run.flow" if name == "a flow" else "t.trace"
    before = {path.name for path in place.iterdir()}
    after_the_hash(lambda: change(read))
    ran = run("simulate", *LINES[name])
    assert (ran.code, ran.out) == (2, "")
    assert f"{read}: {CHANGED}" in ran.err
    assert ran.err.count("\n") == 1
    assert {path.name for path in place.iterdir()} == before


@pytest.mark.parametrize("name", ["a replay", "an experiment"])
@pytest.mark.parametrize("file", ["drive.toml", "e.toml"])
@pytest.mark.usefixtures("place")
def test_what_is_read_once_may_change_afterwards(run, after_the_hash, name, file):
    wanted = run("simulate", *LINES[name], "--json").json()
    after_the_hash(lambda: replaced(file))
    # Its hash, which the answer has, is that of what was read.
    assert run("simulate", *LINES[name], "--json").json() == wanted


def test_the_same_content_in_another_file_is_no_change(run, place, after_the_hash):
    (place / "new" / "t.trace").write_bytes((place / "t.trace").read_bytes())
    after_the_hash(lambda: replaced("t.trace"))
    assert run("simulate", *LINES["replications"]).code == 0


def test_a_calibration_reads_one_trace(run, place, after_the_hash):
    lines = [f"R Miss {1999 * at % 600_000} 8 {9000 + 7 * at % 5000} 12000\n" for at in range(700)]
    (place / "m.trace").write_text("".join(lines))
    (place / "new" / "m.trace").write_text("".join(lines[:600]))
    after_the_hash(lambda: replaced("m.trace"))
    ran = run("calibrate", "-t", "m.trace", "-p", "drive.toml", "--out", "better.toml")
    assert (ran.code, ran.out) == (2, "")
    assert "m.trace" in ran.err
    assert not (place / "better.toml").exists()


def test_points_of_a_sweep_are_of_one_content(run, place, after_the_hash):
    after_the_hash(lambda: replaced("t.trace"))
    ran = run("sweep", "sweep.toml")
    assert (ran.code, ran.out) == (2, "")
    assert f"t.trace: {CHANGED}" in ran.err
    assert not (place / "sweep.sweep" / "table.parquet").exists()


@pytest.mark.usefixtures("place")
def test_a_point_of_a_sweep_is_of_one_content(after_the_hash):
    plan, text, home = load(Path("sweep.toml"))
    task = tasks_of(plan, text, plan.experiment, home)[0]
    after_the_hash(lambda: replaced("t.trace"))
    with pytest.raises(InputError, match=CHANGED):
        task.run()


@pytest.fixture
def rows(run: Callable[..., Ran], place: Path) -> Path:
    assert run("simulate", *LINES["a replay"]).code == 0
    return place / "out.parquet"


def test_columns_of_results_are_of_one_file(rows):
    opened = ResultsFile(rows)
    assert len(opened.numbers("service_ms")) == 300
    with output.replacing(rows) as partial:
        partial.write_bytes(rows.read_bytes())
    with pytest.raises(InputError, match=CHANGED):
        opened.numbers("response_ms")


def test_sides_of_a_comparison_are_of_one_content(run, place, rows, monkeypatch):
    (place / "new" / "out.parquet").write_bytes(rows.read_bytes())
    numbers = ResultsFile.numbers

    def then_replaced(self: ResultsFile, *names: Any, **how: Any) -> Any:
        found = numbers(self, *names, **how)
        if Path("new", "out.parquet").exists():
            replaced("out.parquet")
        return found

    monkeypatch.setattr(ResultsFile, "numbers", then_replaced)
    ran = run("compare", "out.parquet", "out.parquet")
    assert (ran.code, ran.out) == (2, "")
    assert f"out.parquet: {CHANGED}" in ran.err


@pytest.mark.parametrize("how", ["replay", "replications"])
@pytest.mark.parametrize("change", [replaced, rewritten])
@pytest.mark.parametrize("moments", [2, *in_soak(20)])
def test_at_any_moment_it_is_refused_or_of_one_content(place, how, change, moments):
    old, new = trace(20_000), trace(15_000)
    (place / "new" / "t.trace").write_text(new)
    line = LINES["a replay"][:4] if how == "replay" else LINES["replications"][:5]
    line = [str(COMMAND), "simulate", *line, "--json"]
    whole = {}
    for text in (old, new):
        (place / "t.trace").write_text(text)
        begin = time.monotonic()
        whole[sha256(text)] = figures(command(*line[1:]).stdout)
        took_s = time.monotonic() - begin
    dice = random.Random(f"{how} {change.__name__}")  # noqa: S311
    for _ in range(moments):
        (place / "t.trace").write_text(old)
        (place / "new" / "t.trace").write_text(new)
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            time.sleep(dice.uniform(0.2, 1.1) * took_s)
            change("t.trace")
            out, said = child.communicate(timeout=60)
        assert child.returncode in (0, 2), said
        if child.returncode == 2:
            assert said.count(b"\n") == 1
            assert b"t.trace" in said
            continue
        inputs = json.loads(out)["manifest"]["inputs"]
        (digest,) = (one["sha256"] for one in inputs if one["what"] == "trace")
        assert figures(out) == whole[digest]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def figures(answer: str | bytes) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(answer)
    del told["manifest"]
    return told
