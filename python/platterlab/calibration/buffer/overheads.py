"""What the controller costs where the buffer answers, by what the request continues.

The time of a buffer hit less the bus time of its sectors is overhead alone, so it can be read off
each request. Drives are faster after some commands than after others; a regression tree of medians
finds after which, in the conditions that overhead rules have.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from platterlab.calibration.trace.observed import Flags, Floats, Observed, Whole
from platterlab.calibration.trace.reading import Reading

LEAST = 15
"""Requests for which a rule of their own is worth it."""

MOST_RULES = 8
"""For each operation."""

LEAST_GAIN_MS = 0.004
"""What a split must spare each of its requests, on average."""

IDLE_STEPS = 100
"""Times that are tried for the longest pause: as many requests lie between any two."""

CYLINDERS = (0, 1, 2, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560)
RUNS = (1, 2, 3, 4, 6, 8)


@dataclass(frozen=True)
class Condition:
    """One condition of a rule, and which requests meet it."""

    key: str
    value: Any
    met: Flags


@dataclass(frozen=True)
class _Leaf:
    """Requests that meet the same conditions."""

    conditions: list[Condition]
    rows: Flags


def overhead_overrides(reading: Reading, under_way: Flags | None = None) -> dict[str, Any]:
    """Overheads of buffer hits and of writes reported from the buffer.

    Args:
        reading: the trace.
        under_way: which requests came while the drive read ahead; None where that is not known.
    """
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
        found = _rules(rest, _conditions(seen, rows, under_way))
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


def pauses_ms(found: dict[str, Any]) -> tuple[float, ...]:
    """The longest pauses that overheads of reads go by."""
    pauses = {
        rule["idle_at_most_ms"]
        for rule in found.get("controller.rules", [])
        if rule["operation"] == "read" and "idle_at_most_ms" in rule
    }
    return tuple(sorted(pauses))


def run_lengths(seen: Observed) -> Whole:
    """Commands of the same kind before each, in a row, each where the one before ended."""
    continues = seen.sequential & np.concatenate([[False], seen.write[1:] == seen.write[:-1]])
    runs = np.zeros(len(seen), dtype=np.int64)
    for number in range(1, len(seen)):
        if continues[number]:
            runs[number] = runs[number - 1] + 1
    return runs


def _conditions(seen: Observed, rows: Whole, under_way: Flags | None) -> list[Condition]:
    runs, gap = run_lengths(seen)[rows], seen.gap_ms[rows]
    moved = np.abs(seen.seek_cylinders[rows])
    same_track = (moved == 0) & seen.same_surface[rows]
    after = seen.after_write[rows]
    known = [Condition("after", "write", after), Condition("after", "read", ~after)]
    known.append(Condition("same_track", True, same_track))
    known += [Condition("run", least, runs >= least) for least in RUNS]
    known += [Condition("within_cylinders", most, moved <= most) for most in CYLINDERS]
    if under_way is not None:
        known += [Condition("reading_ahead", it, under_way[rows] == it) for it in (True, False)]
    known += [Condition("idle_at_most_ms", most, gap <= most) for most in _pauses(gap)]
    return known


def _pauses(gap_ms: Floats) -> list[float]:
    """Times between the pauses of these requests, to a microsecond."""
    longer = np.unique(gap_ms)
    between = (longer[:-1] + longer[1:]) / 2
    steps = np.linspace(0, len(between) - 1, min(IDLE_STEPS, len(between))).astype(int)
    return [round(float(most), 3) for most in between[steps] if most > 0]


def _rules(rest_ms: Floats, conditions: list[Condition]) -> list[tuple[list[Condition], float]]:
    """Rules in order, the first that applies holds; the last one is for all that is left."""
    leaves = [_Leaf([], np.ones(len(rest_ms), dtype=bool))]
    splits = [_best_split(rest_ms, leaves[0], conditions)]
    while len(leaves) < MOST_RULES:
        at = max(range(len(splits)), key=lambda one: splits[one][0])
        gain, one = splits[at]
        if one is None or gain <= 0:
            break
        conds, rows = leaves[at].conditions, leaves[at].rows
        # What meets the condition comes first, so that the rest need not be told apart from it.
        parts = [_Leaf([*conds, one], rows & one.met), _Leaf(conds, rows & ~one.met)]
        leaves[at : at + 1] = parts
        splits[at : at + 1] = [_best_split(rest_ms, part, conditions) for part in parts]
    return [(leaf.conditions, float(np.median(rest_ms[leaf.rows]))) for leaf in leaves]


def _best_split(
    rest_ms: Floats, leaf: _Leaf, conditions: list[Condition]
) -> tuple[float, Condition | None]:
    """What tells most among the requests of a leaf, and how much."""
    apart = [one for one in conditions if not any(_alike(one, it) for it in leaf.conditions)]
    gains = [_gain(rest_ms, leaf.rows, one.met) for one in apart]
    best = int(np.argmax(gains)) if gains else 0
    return (gains[best], apart[best]) if gains else (-1.0, None)


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
