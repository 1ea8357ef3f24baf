"""Parts of a system that are classes of Python: the core's own choices by them, and errors."""

import random
from itertools import pairwise
from pathlib import Path
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

CACHED = """
[stop]
requests = 3_000
[[controller]]
name = "raid"
cache = { size = "256k", line = "16k", max_request = "64k", write = "back" }
[[bus]]
name = "bus"
controller = "raid"
[[drive]]
bus = "bus"
simple = { size = "4M", access = { kind = "constant", time_ms = 4.0 } }
[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 12.0 }
pattern = { local_share = 0.6, size_sectors = { kind = "uniform", least = 1.0, most = 64.0 } }
"""

MIRROR = """
[stop]
requests = 2_000
[[drive]]
name = "d"
count = 4
profile = "hp-97560"
[[volume]]
name = "v"
drives = ["d"]
layout = { kind = "raid10", copies = 2, unit = "64k", read = "round-robin" }
[[workload]]
kind = "closed"
population = 6
pattern = { read_share = 0.7 }
"""


class Nearest:
    """Shortest seek first by address; of two equally near ones, on in the same direction."""

    def __init__(self) -> None:
        self.at, self.upwards = 0, True

    def choose(self, waiting: list[Any], _now_ps: int) -> Any:
        def cost(request: Any) -> tuple[int, bool]:
            return abs(request.lba - self.at), (request.lba >= self.at) != self.upwards

        chosen = min(waiting, key=cost)
        if chosen.lba != self.at:
            self.upwards = chosen.lba > self.at
        self.at = chosen.lba
        return chosen


class First:
    """What came first, of whatever is offered."""

    def choose(self, offered: list[Any], _now_ps: int = 0) -> Any:
        return offered[0]


class Lru:
    """The line not used for longest."""

    def choose(self, lines: list[Any]) -> Any:
        return min(lines, key=lambda line: line.used)


class LruTold:
    """The same by an order of its own."""

    def __init__(self) -> None:
        self.order: dict[Any, None] = {}

    def entered(self, line: Any) -> None:
        self.order[line] = None

    def used(self, line: Any) -> None:
        del self.order[line]
        self.order[line] = None

    def left(self, line: Any) -> None:
        del self.order[line]

    def choose(self, lines: list[Any]) -> Any:
        may_go = set(lines)
        return next(line for line in self.order if line in may_go)


class Turns:
    """One copy after the other."""

    def __init__(self) -> None:
        self.turn = 1

    def choose(self, copies: list[Any], _now_ps: int) -> Any:
        self.turn = 1 - self.turn
        return copies[self.turn]


def rows_of(text: str, values: dict[str, Any] | None = None, **classes: Any) -> Any:
    system = pl.Experiment.of_toml(text, values=values or {})
    return pl.simulate(system, rows=True, **classes).rows


def test_sstf_in_python_is_the_built_in_one_request_by_request():
    assert rows_of(TEXT, scheduler=Nearest).equals(rows_of(TEXT))


@pytest.mark.parametrize(("one", "kind"), [(First, "fifo"), (Lru, "lru"), (LruTold, "lru")])
def test_a_replacement_in_python_is_the_built_in_one(one, kind):
    key = "controller[0].cache.replacement.kind"
    own = rows_of(CACHED, replacement=one)
    assert own.equals(rows_of(CACHED, {key: kind}))
    assert not own.equals(rows_of(CACHED, {key: "lifo"}))


@pytest.mark.parametrize(("one", "word"), [(First, "primary"), (Turns, "round-robin")])
def test_a_read_choice_in_python_is_the_built_in_one(one, word):
    own = rows_of(MIRROR, read_choice=one)
    assert own.equals(rows_of(MIRROR, {"volume[0].layout.read": word}))
    assert not own.equals(rows_of(MIRROR, {"volume[0].layout.read": "shortest-queue"}))


def test_what_is_told_of_a_copy_and_a_line_holds():
    seen = []

    class Watching:
        def choose(self, copies: list[Any], now_ps: int) -> Any:
            assert [copy.device // 2 for copy in copies] == [copies[0].device // 2] * 2
            assert all(copy.sectors > 0 and copy.positioning_ms >= 0 for copy in copies)
            seen.append((now_ps, sum(copy.outstanding for copy in copies)))
            return copies[0]

    rows_of(MIRROR, read_choice=Watching)
    assert [now for now, _ in seen] == sorted(now for now, _ in seen)
    assert max(busy for _, busy in seen) > 1

    class Lines:
        def choose(self, lines: list[Any]) -> Any:
            assert len({line.lba for line in lines}) == len(lines) <= 16
            assert all(one.entered < two.entered for one, two in pairwise(lines))
            assert all(line.lba % 32 == 0 and line.used >= line.entered for line in lines)
            assert all((line.uses == 0) == (line.used == line.entered) for line in lines)
            return lines[-1]

    rows_of(CACHED, replacement=Lines)


def test_it_is_asked_and_its_answer_counts():
    class Last:
        def choose(self, waiting: list[Any], _now_ps: int) -> Any:
            return waiting[-1]

    assert not rows_of(TEXT, scheduler=Last).equals(rows_of(TEXT))


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

    fcfs = rows_of(TEXT, {"host.scheduler.kind": "fcfs"})
    assert rows_of(TEXT, scheduler=Watching).equals(fcfs)
    numbers = [number for number, _ in seen if number >= 0]
    assert len(numbers) == len(set(numbers)) == fcfs.num_rows
    assert sum(number < 0 for number, _ in seen) == 2, "each drive's queue has one of its own"


def test_a_workload_in_python_is_a_trace_of_the_same_requests(tmp_path: Path):
    draw = random.Random(4)  # noqa: S311
    # A trace begins with its first request.
    asked = [(0, 0, 8, "r")] + [
        (draw.randrange(5) * 10**9, draw.randrange(2_000_000), draw.randrange(1, 64), "r")
        for _ in range(499)
    ]
    at, requests = 0, []
    for gap, lba, sectors, _ in asked:
        at += gap
        requests.append((at, lba, sectors, draw.choice(["read", "write"])))
    lines = [f"{at / 1e9:.3f},{lba},{n},{way[0]}" for at, lba, n, way in requests]
    (tmp_path / "t.csv").write_text("\n".join(["time,lba,size,op", *lines]) + "\n")
    columns = "time=time:ms, lba=lba:sectors, size=size:sectors, op=op"
    (tmp_path / "t.csv.toml").write_text(f'columns = "{columns}"\n')
    text = TEXT.partition("[[workload]]")[0].replace("count = 2", "")
    trace = f'[[workload]]\nkind = "trace"\nfile = "{tmp_path / "t.csv"}"\n'

    class Same:
        def start(self, volumes: list[int], seed: int) -> Any:
            assert (volumes, seed) == ([pl.Drive("hp-97560").capacity_sectors], 5)
            yield from requests

    by_class = rows_of(f"{text}{trace}", workload=Same)
    assert by_class.equals(rows_of(f"{text}{trace}"))
    assert by_class.num_rows == 500


def test_a_workload_goes_on_from_what_is_done_and_each_run_has_its_seed():
    heard: list[Any] = []

    class Walk:
        def start(self, volumes: list[int], seed: int) -> Any:
            self.draw, self.end = random.Random(seed), volumes[1] - 8  # noqa: S311
            return [self.next(0), self.next(0)]

        def next(self, now_ps: int) -> Any:
            return now_ps + 10**9, self.draw.randrange(self.end), 8, "read", 1

        def done(self, request: Any, now_ps: int) -> Any:
            assert request[0] <= now_ps
            heard.append(request)
            return [self.next(now_ps)]

    system = pl.Experiment.of_toml(TEXT, values={"replications": 2, "stop.requests": 300})
    result = pl.simulate(system, workload=Walk, threads=1, rows=True)
    assert len(heard) == len(set(heard)) == 600
    assert result.rows.column("device").unique().to_pylist() == [1]
    one, two = result.runs
    assert (one.served, one.offered) == (300, 300)
    assert one.response_ms != two.response_ms
    assert result.figures.streams == ["Walk"]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ((0, 0, 8), "a request is"),
        ((0, 0, 8, "erase"), "operation \"erase\" is none of read, write"),
        ((-1, 0, 8, "read"), "a request is"),
        ((0, 0, 0, "read"), "a request at least one"),
        ((0, 1 << 62, 8, "read"), "sectors, and a request at least one"),
        ((0, 0, 8, "read", 9), "there is no volume 9"),
        ((1 << 100, 0, 8, "read"), "the clock ends at"),
        (5, "a request is"),
    ],
)  # fmt: skip
def test_a_wrong_request_ends_the_run_with_one_message(first, said):
    class Wrong:
        def start(self, _volumes: list[int], _seed: int) -> Any:
            yield first

    with pytest.raises(pl.InputError, match=f"^workload Wrong: asked for .*{said}"):
        rows_of(TEXT, workload=Wrong)


def test_no_request_comes_before_its_time():
    class Past:
        def start(self, _volumes: list[int], _seed: int) -> Any:
            yield 5_000, 0, 8, "read"
            yield 4_999, 0, 8, "read"

    with pytest.raises(pl.InputError, match="that is past, it is 5000 ps"):
        rows_of(TEXT, workload=Past)


def wrong(choose: Any) -> type:
    return type("Wrong", (), {"choose": choose})


@pytest.mark.parametrize(
    ("choose", "said"),
    [
        (lambda _self, _waiting, _now=0: None, "choose gave None, none of the .*"),
        (lambda _self, _waiting, _now=0: 5, "choose gave 5"),
        (lambda _self, waiting, _now=0: waiting[99], "choose raised IndexError"),
        (lambda _self: None, "choose raised TypeError"),
    ],
)
@pytest.mark.parametrize(
    ("text", "kind"),
    [(TEXT, "scheduler"), (CACHED, "replacement"), (MIRROR, "read_choice")],
)
def test_a_wrong_choice_ends_the_run_with_one_message(text, kind, choose, said):
    word = kind.replace("_", " ")
    with pytest.raises(pl.InputError, match=f"^{word} Wrong: {said}"):
        rows_of(text, **{kind: wrong(choose)})


@pytest.mark.parametrize(("text", "kind"), [(TEXT, "scheduler"), (CACHED, "replacement")])
def test_what_is_offered_may_only_be_looked_at(text, kind):
    with pytest.raises(pl.InputError, match="changed the list"):
        rows_of(text, **{kind: wrong(lambda _self, offered, _now=0: offered.pop())})


def test_what_was_chosen_before_cannot_be_chosen_again():
    kept: list[Any] = []

    def choose(_self: Any, waiting: list[Any], _now: int = 0) -> Any:
        kept.append(waiting[0])
        return kept[0]

    with pytest.raises(pl.InputError, match=r"none of the .* that wait"):
        rows_of(TEXT, scheduler=wrong(choose))
    kept.clear()
    with pytest.raises(pl.InputError, match=r"none of the .* lines that may go"):
        rows_of(CACHED, replacement=wrong(choose))


@pytest.mark.parametrize("kind", ["scheduler", "replacement", "read_choice", "workload"])
def test_the_exception_of_the_class_is_the_cause(kind):
    def raises(*_: Any) -> Any:
        raise LookupError("mine")

    one = type("Wrong", (), {"choose": raises, "start": raises})
    text = {"replacement": CACHED, "read_choice": MIRROR}.get(kind, TEXT)
    with pytest.raises(pl.InputError, match="raised LookupError: mine") as raised:
        rows_of(text, **{kind: one})
    assert isinstance(raised.value.__cause__, LookupError)


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("scheduler", r"choose\(waiting, now_ps\)"),
        ("replacement", r"choose\(lines\)"),
        ("read_choice", r"choose\(copies, now_ps\)"),
        ("workload", r"start\(volumes, seed\)"),
    ],
)
def test_what_is_no_such_class_is_told_before_the_run(kind, method):
    with pytest.raises(pl.InputError, match=f"Empty, has no method {method}"):
        rows_of(TEXT, **{kind: type("Empty", (), {})})
    with pytest.raises(pl.InputError, match=r"is a class, not .* in the experiment, at "):
        rows_of(TEXT, **{kind: Nearest()})
    drive = pl.Drive("mock")
    one = type("Has", (), {"choose": None, "start": len}) if kind == "workload" else First
    with pytest.raises(pl.InputError, match="needs an experiment"):
        pl.simulate(drive, pl.Trace.random(drive, 9), **{kind: one})


def test_runs_at_once_have_objects_of_their_own():
    several = {"replications": 3, "stop.requests": 500}
    system = pl.Experiment.of_toml(TEXT, values=several)
    by_class, by_core = pl.simulate(system, scheduler=Nearest), pl.simulate(system)
    assert [run.response_ms for run in by_class.runs] == [run.response_ms for run in by_core.runs]
