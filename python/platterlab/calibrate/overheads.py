"""What the controller costs where the buffer answers, by what the request continues.

The time of a buffer hit less the bus time of its sectors is overhead alone, so it can be read off
each request. Drives are faster after some commands than after others; a regression tree of medians
finds after which, in the conditions that overhead rules have.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from platterlab.calibrate.observed import Flags, Floats, Observed, Whole
from platterlab.calibrate.reading import Reading

LEAST = 15
"""Requests for which a rule of their own is worth it."""

MOST_RULES = 8
"""For each operation."""

LEAST_GAIN_MS = 0.004
"""What a split must spare each of its requests, on average."""

IDLE_MS = (10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 80.0, 120.0)
CYLINDERS = (0, 1, 2, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560)
RUNS = (1, 2, 3, 4, 6, 8)


@dataclass(frozen=True)
class Condition:
    """One condition of a rule, and which requests meet it."""

    key: str
    value: Any
    met: Flags


def overhead_overrides(reading: Reading) -> dict[str, Any]:
    """Overheads of buffer hits and of writes reported from the buffer."""
    seen = reading.seen
    rules: list[dict[str, Any]] = []
    values: dict[str, Any] = {}
    table: dict[str, float] = {}
    for operation, line, some in (
        ("read", reading.hits, ~seen.write),
        ("write", reading.reported, seen.write),
    ):
        rows = np.flatnonzero(some & reading.is_hit)
        if line is None or len(rows) < LEAST:
            continue
        rest = seen.service_ms[rows] - line.sector_ms * seen.sectors[rows]
        found = _rules(rest, _conditions(seen, rows), [])
        for conditions, cost_ms in found[:-1]:
            stated = {one.key: one.value for one in conditions}
            rules.append({"operation": operation, "hit": True, **stated, "ms": max(0.0, cost_ms)})
        table[f"{operation}_ms"] = max(0.0, found[-1][1])
    if table:
        values["controller.hit"] = table
        values["controller.hit_after_write"] = table
    if rules:
        values["controller.rules"] = rules
    return values


def run_lengths(seen: Observed) -> Whole:
    """Commands of the same kind before each, in a row, each where the one before ended."""
    continues = seen.sequential & np.concatenate([[False], seen.write[1:] == seen.write[:-1]])
    runs = np.zeros(len(seen), dtype=np.int64)
    for number in range(1, len(seen)):
        if continues[number]:
            runs[number] = runs[number - 1] + 1
    return runs


def _conditions(seen: Observed, rows: Whole) -> list[Condition]:
    runs, gap = run_lengths(seen)[rows], seen.gap_ms[rows]
    moved = np.abs(seen.seek_cylinders[rows])
    same_track = (moved == 0) & seen.same_surface[rows]
    after = seen.after_write[rows]
    known = [Condition("after", "write", after), Condition("after", "read", ~after)]
    known.append(Condition("same_track", True, same_track))
    known += [Condition("run", least, runs >= least) for least in RUNS]
    known += [Condition("within_cylinders", most, moved <= most) for most in CYLINDERS]
    known += [Condition("idle_at_most_ms", most, gap <= most) for most in IDLE_MS]
    return known


def _rules(
    rest_ms: Floats, conditions: list[Condition], path: list[Condition]
) -> list[tuple[list[Condition], float]]:
    """Rules in order, the first that applies holds; the last one is for all that is left."""
    leaves: list[tuple[list[Condition], Flags]] = [(path, np.ones(len(rest_ms), dtype=bool))]
    while len(leaves) < MOST_RULES:
        splits = [
            (gain, at, one)
            for at, (conds, rows) in enumerate(leaves)
            for one in conditions
            if (gain := _gain(rest_ms, rows, one.met)) > 0
            and not any(_alike(one, other) for other in conds)
        ]
        if not splits:
            break
        _, at, one = max(splits, key=lambda split: split[0])
        conds, rows = leaves[at]
        # What meets the condition comes first, so that the rest need not be told apart from it.
        leaves[at : at + 1] = [([*conds, one], rows & one.met), (conds, rows & ~one.met)]
    return [(conds, float(np.median(rest_ms[rows]))) for conds, rows in leaves]


def _alike(one: Condition, other: Condition) -> bool:
    """Whether a rule cannot state both: a place is said in one way."""
    places = ("same_track", "within_cylinders")
    return one.key == other.key or (one.key in places and other.key in places)


def _gain(rest_ms: Floats, rows: Flags, met: Flags) -> float:
    """How much nearer two medians are than one, in all; negative where it is not worth it."""
    yes, no = rest_ms[rows & met], rest_ms[rows & ~met]
    if len(yes) < LEAST or len(no) < LEAST:
        return -1.0
    gain = _spread(rest_ms[rows]) - _spread(yes) - _spread(no)
    return gain if gain > LEAST_GAIN_MS * (len(yes) + len(no)) else -1.0


def _spread(rest_ms: Floats) -> float:
    return float(np.abs(rest_ms - np.median(rest_ms)).sum())
