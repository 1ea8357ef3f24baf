"""A scheduler that is a class of Python: the core's own choices by it, and what is wrong, told."""

from itertools import pairwise
from typing import Any

import pytest

import platterlab as pl

TEXT = """
seed = 5
[stop]
requests = 3_000
[host.scheduler]
kind = "sstf"
[[drive]]
name = "a"
count = 2
profile = "hp-97560"
[[workload]]
kind = "closed"
population = 24
pattern = { read_share = 0.6, sequential_share = 0.2 }
"""


class Nearest:
    """Shortest seek first by address; of two equally near ones, on in the same direction."""

    def __init__(self) -> None:
        self.at, self.upwards = 0, True

    def choose(self, waiting: list[Any], now_ps: int) -> Any:
        def cost(request: Any) -> tuple[int, bool]:
            return abs(request.lba - self.at), (request.lba >= self.at) != self.upwards

        chosen = min(waiting, key=cost)
        if chosen.lba != self.at:
            self.upwards = chosen.lba > self.at
        self.at = chosen.lba
        return chosen


def rows_of(scheduler: type | None, values: dict[str, Any] | None = None) -> Any:
    system = pl.Experiment.of_toml(TEXT, values=values or {})
    return pl.simulate(system, scheduler=scheduler, rows=True).rows


def test_sstf_in_python_is_the_built_in_one_request_by_request():
    assert rows_of(Nearest).equals(rows_of(None))


def test_it_is_asked_and_its_answer_counts():
    class Last:
        def choose(self, waiting: list[Any], now_ps: int) -> Any:
            return waiting[-1]

    assert not rows_of(Last).equals(rows_of(None))


def test_what_waits_came_before_and_is_in_order_and_each_is_chosen_once():
    seen: list[tuple[int, int]] = []

    class Watching:
        def __init__(self) -> None:
            seen.append((-1, 0))

        def choose(self, waiting: list[Any], now_ps: int) -> Any:
            assert all(one.arrival_ps <= now_ps for one in waiting)
            assert all(one.number < two.number for one, two in pairwise(waiting))
            assert {one.operation for one in waiting} <= {"read", "write"}
            seen.append((waiting[0].number, waiting[0].cylinder))
            return waiting[0]

    fcfs = rows_of(None, {"host.scheduler.kind": "fcfs"})
    assert rows_of(Watching).equals(fcfs)
    numbers = [number for number, _ in seen if number >= 0]
    assert len(numbers) == len(set(numbers)) == fcfs.num_rows
    assert sum(number < 0 for number, _ in seen) == 2, "each drive's queue has one of its own"


def wrong(choose: Any) -> type:
    return type("Wrong", (), {"choose": choose})


@pytest.mark.parametrize(
    ("choose", "said"),
    [
        (lambda _self, _waiting, _now: None, "choose gave None, none of the .* that wait"),
        (lambda _self, _waiting, _now: 5, "choose gave 5"),
        (lambda _self, waiting, _now: waiting.pop(), "changed the list"),
        (lambda _self, waiting, _now: waiting[99], "choose raised IndexError"),
        (lambda _self, _waiting: None, "choose raised TypeError"),
    ],
)
def test_a_wrong_choice_ends_the_run_with_one_message(choose, said):
    with pytest.raises(pl.InputError, match=f"^scheduler Wrong: .*{said}"):
        rows_of(wrong(choose))


def test_what_was_chosen_before_cannot_be_chosen_again():
    kept: list[Any] = []

    def choose(_self: Any, waiting: list[Any], _now: int) -> Any:
        kept.append(waiting[0])
        return kept[0]

    with pytest.raises(pl.InputError, match="none of the .* that wait"):
        rows_of(wrong(choose))


def test_the_exception_of_the_class_is_the_cause():
    def choose(_self: Any, _waiting: list[Any], _now: int) -> Any:
        raise LookupError("mine")

    with pytest.raises(pl.InputError, match="raised LookupError: mine") as raised:
        rows_of(wrong(choose))
    assert isinstance(raised.value.__cause__, LookupError)


def test_what_is_no_scheduler_is_told_before_the_run():
    with pytest.raises(pl.InputError, match=r"has no method choose\(waiting, now_ps\)"):
        rows_of(type("Empty", (), {}))
    with pytest.raises(pl.InputError, match="is a class"):
        rows_of(Nearest())  # type: ignore[arg-type]
    drive = pl.Drive("mock")
    with pytest.raises(pl.InputError, match="needs an experiment"):
        pl.simulate(drive, pl.Trace.random(drive, 9), scheduler=Nearest)


def test_runs_at_once_have_schedulers_of_their_own():
    several = {"replications": 3, "stop.requests": 500}
    system = pl.Experiment.of_toml(TEXT, values=several)
    by_class, by_core = pl.simulate(system, scheduler=Nearest), pl.simulate(system)
    assert [run.response_ms for run in by_class.runs] == [run.response_ms for run in by_core.runs]
