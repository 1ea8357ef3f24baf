"""The search for the rotation period, beside the transform that it stands for."""

import tomllib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from made_up_drives import made_up, traced
from platterlab.calibration.trace.peaks import transform_peak
from platterlab.calibration.trace.reading import Reading, read_trace
from platterlab.calibration.trace.rotation_period import (
    NEAR_CELLS,
    NEAR_STEPS,
    Period,
    Waiting,
    _by_far_pairs,
    _Followed,
    _Near,
    _Pairs,
    find_periods,
)


@pytest.mark.parametrize("surfaces", [1, 2, 19])
def test_pairs_near_each_other_have_the_strength_of_the_whole_transform(surfaces: int) -> None:
    rng = np.random.default_rng(surfaces)
    heads = rng.integers(1 - surfaces, surfaces, 500)
    steps = rng.integers(-NEAR_STEPS, NEAR_STEPS + 1, 500)
    off = rng.normal(scale=0.1, size=500) + 0.137 * heads + 0.246 * steps
    turns = off + rng.integers(-(10**5), 10**5, 500)
    near = _Near(heads, steps)
    head_cells, step_cells = (len(one) for one in (near._by_head, near._by_step))
    assert step_cells == NEAR_CELLS
    whole = transform_peak(np.exp(2j * np.pi * turns), heads, steps, step_cells, head_cells)
    assert whole.strength > 0.5
    # Far apart in time, so that periods beside the right one turn each pair otherwise.
    lag_ms = rng.uniform(1e3, 1e5, 500)
    per_ms = 0.1 * (1 + 1e-4 * np.arange(-40, 41))
    in_cells = lag_ms[near.order], (0.1 * lag_ms - turns)[near.order]
    strengths = near.strengths(*in_cells, per_ms)
    assert strengths.argmax() == 40
    # In single precision.
    assert strengths[40] == pytest.approx(whole.strength, abs=1e-6)
    assert np.median(strengths) < 0.25


def test_passes_that_count_as_heads_are_as_good_as_few_heads() -> None:
    """Thousands of them are transformed in another way."""
    rng = np.random.default_rng(6)
    passes, steps = rng.integers(0, 700, 900), rng.integers(0, 20, 900)
    turns = 0.27 * passes + 0.19 * steps - 0.1 + rng.normal(scale=0.02, size=900)
    found = transform_peak(np.exp(2j * np.pi * turns), passes, steps, 256, 4096)
    assert found.head_turns == pytest.approx(0.27, abs=2e-4)
    assert found.step_turns == pytest.approx(0.19, abs=2e-3)
    assert found.strength > 0.95
    few = transform_peak(np.exp(2j * np.pi * turns), passes % 64, steps, 256)
    assert few.strength < 0.5, "64 cells are too few for them"


def test_a_period_that_few_pairs_agree_on_is_more_than_chance() -> None:
    assert Period(8.0, 0.25, 0.1).is_locked
    assert not Period(8.0, 0.25, 0.2).is_locked
    assert Period(8.0, 0.9, 0.5).is_locked
    assert not Period(8.0, 0.7, 0.5).is_locked


def test_a_few_pairs_that_agree_however_far_apart_they_are_tell_of_a_period() -> None:
    assert Period(8.0, 0.8, 0.6, lasts=True).is_locked
    assert not Period(8.0, 0.8, 0.6).is_locked
    assert not Period(8.0, 0.7, 0.6, lasts=True).is_locked


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reading, Waiting, float]:
    """Reads of a drive, by where their last sectors lie, and its period."""
    drive = made_up(3)
    stated = tomllib.loads(drive.to_toml())
    path = tmp_path_factory.mktemp("measured") / "drive.trace"
    traced(drive, path, read_share=0.66, think_ms=30.0, seed=3)
    reading = read_trace(
        path, drive, stated, trace_format=None, options={"gap": "before"}, device=0, share=1.0,
        rough=False,
    )[0]  # fmt: skip
    reads = reading.waiting(with_writes=False)
    seen, rows = reading.seen, reads.which
    turns = seen.first.turns[rows] + seen.sectors[rows] / seen.first.per_track[rows]
    return reading, replace(reads, turns=turns), float(stated["spindle"]["rotation_ms"])


def test_a_period_holds_however_far_apart_requests_are(
    measured: tuple[Reading, Waiting, float],
) -> None:
    reading, reads, rotation_ms = measured
    found = find_periods(reading.seen, [reads], 1.001 * rotation_ms, 0.002)[0]
    assert found.is_locked
    assert found.lasts
    assert found.rotation_ms == pytest.approx(rotation_ms, rel=1e-5)


def test_what_only_requests_near_in_time_agree_on_does_not_last(
    measured: tuple[Reading, Waiting, float],
) -> None:
    reading, reads, rotation_ms = measured
    # Anew every third of a second, nobody knows where the platter is.
    part = (reads.end_ms / 300.0).astype(int)
    turned = np.random.default_rng(9).uniform(0.0, rotation_ms, part.max() + 1)[part]
    moved = replace(reads, end_ms=reads.end_ms + turned)
    found = find_periods(reading.seen, [moved], rotation_ms, 0.001)[0]
    assert not found.lasts


def test_a_spindle_that_does_not_keep_its_speed_has_a_period_that_does_not_last(
    measured: tuple[Reading, Waiting, float],
) -> None:
    reading, reads, rotation_ms = measured
    rng = np.random.default_rng(9)
    lags = np.diff(reads.end_ms, prepend=0.0)
    walk = np.cumsum(rng.normal(scale=0.3 * rotation_ms * np.sqrt(np.maximum(lags, 0.0) / 2e4)))
    moved = replace(reads, end_ms=reads.end_ms + walk)
    found = find_periods(reading.seen, [moved], rotation_ms, 0.001)[0]
    assert not found.lasts


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("visits", [1, 20])
def test_few_pairs_of_far_visits_tell_what_many_within_a_visit_leave_open(
    visits: int, lost: bool
) -> None:
    rng = np.random.default_rng(14)
    rotation_ms, count = 8.358, 1_000
    visit = np.arange(count) * visits // count
    angles = rng.uniform(0.0, 1.0, count)
    # Between two visits nobody knows where the platter is, or it turns evenly.
    turned = lost * rng.uniform(0.0, 1.0, visits)[visit] + rng.normal(0.0, 0.005, count)
    begun = np.cumsum(rng.uniform(2_000.0, 8_000.0, visits))[visit]
    turns = np.round(np.sort(rng.uniform(0.0, 2_000.0, count)) + begun) + angles
    waiting = Waiting(np.arange(count), rotation_ms * (turns + turned), angles)
    places = SimpleNamespace(head=np.zeros(count, int), step=rng.integers(0, 3, count))
    seen: Any = SimpleNamespace(first=places)
    # A visit has twenty times as many pairs as lie between two.
    pairs = np.sort(rng.integers(0, count, (2, 200_000)), axis=0)
    within = visit[pairs[0]] == visit[pairs[1]]
    pairs = np.concatenate([pairs[:, within], pairs[:, ~within][:, : within.sum() // 20]], axis=1)
    off = [_Followed(Period(rotation_ms * (1 + ppm / 1e6), 0.9, 0.1), 0.8) for ppm in (-20.0, 80.0)]
    found = _by_far_pairs(waiting, _Pairs(seen, waiting.which, pairs), off, off[0].period)
    told_ppm = 1e6 * (found[0].period.rotation_ms / rotation_ms - 1)
    # To the steps in which it is tried.
    assert told_ppm == pytest.approx(0.0 if visits > 1 and not lost else -20.0, abs=2.0)
