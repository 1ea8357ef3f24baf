"""Two ways to say one thing are never both given: one would win, and rows would tell the other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Ran
from platterlab import library

EXPERIMENT = """
[[drive]]
name = "disk"
profile = "drive.toml"
[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 40.0 }
requests = 50
"""
SEEDED = "leave one of them out"
WRONG = {
    "a seed that is varied": ("e.toml --vary seed=1,2 --seed 7", SEEDED),
    "a seed that is set": ("e.toml --set seed=5 --seed 7", SEEDED),
    "replications": ("e.toml --set replications=3 --replications 2", SEEDED),
    "replications that are varied": ("e.toml --vary replications=2,3 --replications 2", SEEDED),
    "a scheduler": (
        "-p drive.toml -t a.trace --scheduler sptf --vary host.scheduler.kind=fcfs,look", "--vary"
    ),
    "a scheduler that is set": (
        "-p drive.toml -t a.trace --scheduler sptf --set host.scheduler.kind=fcfs", SEEDED
    ),
    "a warm-up": (
        "-p drive.toml -t a.trace --scheduler sptf --warm-up 5 --set stop.warm_up_requests=9",
        SEEDED,
    ),
    "a table and a key of it": (
        "e.toml --set drive[0].depth=4 --vary drive.disk.depth=1,2", SEEDED
    ),
    "a key and what it lies in": (
        'e.toml --set host.scheduler={kind="sptf"} --vary host.scheduler.kind=fcfs,look', SEEDED
    ),
    "two systems": ("run.flow -p seagate-hawk --disksim x.parv", "give one of"),
    "critical requests of a trace": (
        "-p drive.toml -t a.trace --scheduler sptf --critical sptf", "nobody waits"
    ),
    "the phase of a trace that has none": (
        "-p drive.toml -t a.trace --track-phase --per-request rows.csv", "how long it took"
    ),
}  # fmt: skip


@pytest.fixture
def place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Ran], ascii_trace: Path
) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    (tmp_path / "drive.toml").write_text(library.drives()["hp-c2200a"][1])
    ascii_trace.rename(tmp_path / "a.trace")
    assert run("task", "write", "compress", "run.flow").code == 0
    return tmp_path


@pytest.mark.parametrize("name", WRONG)
def test_what_is_said_twice_is_refused(run: Callable[..., Ran], place: Path, name: str) -> None:
    line, said = WRONG[name]
    before = sorted(place.iterdir())
    ran = run("simulate", *line.split())
    assert (ran.code, ran.out) == (2, ""), ran.out
    assert said in ran.err
    assert sorted(place.iterdir()) == before


@pytest.mark.usefixtures("place")
def test_what_belongs_to_a_chosen_scheduler_is_set_beside_it(run: Callable[..., Ran]) -> None:
    line = "-p drive.toml -t a.trace --scheduler v-scan --set host.scheduler.turn_share=0.2"
    assert run("simulate", *line.split()).code == 0
