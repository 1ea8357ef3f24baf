"""Overhead rules of the buffer's answers: those of the drive stand, those of the platter do not."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_up_drives import asked, read
from platterlab.calibration.buffer.overheads import overhead_overrides
from platterlab.calibration.judged.answer_rules import RULES, lasting_rules
from test_calibration import true_profile

RUNS, LONG = 500, 6
"""Reads one behind the other, and how many in a row."""

SECTORS = 120
"""Of each, which pass in 3.7 ms."""

SOON_MS, LATE_MS = (0.05, 8.0), (30.0, 60.0)
"""Pauses before them: while the drive reads ahead, and when it has read all it may."""

CONTROLLER: dict[str, Any] = {"read_ms": 0.6, "write_ms": 0.4, "hit": {"read_ms": 0.25}}

SLOWER = [{"operation": "read", "hit": True, "idle_at_most_ms": 45.0, "ms": 0.9}]
"""What goes by the pause, though nothing waits for the platter."""


def told(rules: list[dict[str, Any]], pauses_ms: tuple[float, float], folder: Path) -> list[Any]:
    """The rules that answers tell by themselves, and those that stand."""
    controller = CONTROLLER | ({"rules": rules} if rules else {})
    cache = {"segments": 4, "segment": 131_072, "read_ahead": "aggressive"}
    bare = true_profile().with_overrides({"cache": cache, "controller": controller})
    fast = {"kind": "rate", "read_sector_ms": 0.01, "write_sector_ms": 0.01}
    truth = bare.with_overrides({"bus": fast})
    rng = np.random.default_rng(4)
    start = rng.integers(0, truth.capacity_sectors - LONG * SECTORS, RUNS)
    lba = (start[:, None] + SECTORS * np.arange(LONG)).ravel()
    count = len(lba)
    extents = lba, np.full(count, SECTORS)
    pauses = rng.uniform(*pauses_ms, count)
    trace = asked(truth, folder / "drive.trace", extents, np.zeros(count, dtype=bool), pauses)
    reading = read(trace, truth)
    answered = overhead_overrides(reading)
    found = CONTROLLER | {"hit": answered["controller.hit"], "rules": answered.get(RULES, [])}
    profile = truth.with_overrides({"controller": found})
    return [answered.get(RULES), lasting_rules(profile, reading, found, answered).get(RULES)]


def test_what_waits_for_the_platter_has_no_rule(tmp_path: Path) -> None:
    alone, kept = told([], SOON_MS, tmp_path)
    assert alone
    assert kept is None


def test_a_rule_of_the_drive_stands(tmp_path: Path) -> None:
    alone, kept = told(SLOWER, LATE_MS, tmp_path)
    assert kept == alone
    (rule,) = kept
    assert rule["idle_at_most_ms"] == pytest.approx(45.0, abs=1.0)
    assert rule["ms"] == pytest.approx(0.9, abs=0.05)
