"""What is said of requests that are off: which they are, and what the profile most likely lacks."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from made_up_drives import made_up, read, traced
from platterlab._core import row_labels
from platterlab.calibration.judged import warnings as module
from platterlab.calibration.judged.missing import (
    BEHIND,
    NEXT_TRACK,
    PLACE,
    SEEK,
    lost_zones,
    missing,
)
from platterlab.calibration.judged.verdict import Part
from platterlab.calibration.platter.under_way import BUSY_TURNS
from platterlab.calibration.trace.reading import Reading

MISS = row_labels()["cache"].index("miss")
"""What the buffer made of a request, where it had nothing of it."""

Off = Callable[[np.ndarray[Any, Any]], tuple[Any, Part]]


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    """Requests of a drive of which the buffer answers none."""
    path = tmp_path_factory.mktemp("warned") / "drive.trace"
    traced(made_up(3), path, read_share=0.6, think_ms=10.0, seed=3)
    return replace(read(path, made_up(3)), hits=None, reported=None)


@pytest.fixture
def off(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> Off:
    """A calibration after which requests are off by so many milliseconds."""

    def calibrated(by_ms: np.ndarray[Any, Any]) -> tuple[Any, Part]:
        measured = np.asarray(reading.requests.columns()["service_ms"])
        rows = {"service_ms": measured + by_ms, "cache": np.full(len(by_ms), MISS)}
        found = SimpleNamespace(
            profile=made_up(3), reading=reading, fitted=0, angles=True, simulated=lambda _: rows
        )
        monkeypatch.setattr(Part, "simulated", lambda _part, _profile: rows)
        return found, Part(reading, slice(0, None))

    return calibrated


@pytest.mark.parametrize(
    ("report", "behind", "what"),
    [("immediate", True, BEHIND), ("immediate", False, SEEK), ("media", True, SEEK)],
)
def test_turns_behind_reported_writes_are_of_overhead_and_arm(
    reading: Reading, off: Off, report: str, behind: bool, what: str
) -> None:
    seen, rotation_ms = reading.seen, reading.period.rotation_ms
    soon = seen.after_write & ~seen.write & (seen.gap_ms < BUSY_TURNS * rotation_ms)
    some = np.random.default_rng(4).random(len(seen)) < 0.3
    wrong = some & (soon if behind else ~seen.write)
    found, part = off(np.where(wrong, rotation_ms, 0.0))
    found.reading = replace(reading, write_report=report)
    (line,) = missing(found, part, wrong)
    assert line.endswith(f"Likeliest missing: {what}")


@pytest.mark.parametrize(("over", "what"), [(True, NEXT_TRACK), (False, SEEK)])
def test_turns_over_a_tracks_end_are_of_the_next_track(
    reading: Reading, off: Off, over: bool, what: str
) -> None:
    some = np.random.default_rng(4).random(len(reading.seen)) < 0.3
    wrong = some & ((reading.seen.pieces > 1) if over else ~reading.seen.write)
    found, part = off(np.where(wrong, reading.period.rotation_ms, 0.0))
    (line,) = missing(found, part, wrong)
    assert line.endswith(f"Likeliest missing: {what}")


@pytest.mark.parametrize("write", [True, False])
def test_what_is_missing_of_writes_is_not_what_is_of_reads(
    reading: Reading, off: Off, write: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        module, "_in_strange_zones", lambda _found, part: np.zeros(len(part.write), bool)
    )
    some = np.random.default_rng(4).random(len(reading.seen)) < 0.8
    wrong = some & (reading.seen.write == write)
    found, part = off(np.where(wrong, 0.05 * reading.period.rotation_ms, 0.0))
    found.reading = replace(reading, write_report="media")
    (line,) = module._off(found, part)
    assert line.endswith(module.LIKELIEST["writes" if write else "reads"])


@pytest.mark.parametrize(
    ("lost", "named"), [([1], [1]), ([0, 2], [0, 2]), ([0, 1, 2], []), ([], [])]
)
def test_zones_that_are_lost_are_told_from_all_and_from_none(
    lost: list[int], named: list[int]
) -> None:
    rng, zone = np.random.default_rng(4), np.repeat([0, 1, 2], [500, 300, 200])
    elsewhere = (rng.random(1000) < 0.05) | (np.isin(zone, lost) & (rng.random(1000) < 0.8))
    assert lost_zones(zone, elsewhere) == named


@pytest.mark.parametrize(("share", "said"), [(0.02, False), (0.07, True)])
def test_how_few_requests_are_off_is_said_where_a_twentieth_are(
    reading: Reading, off: Off, share: float, said: bool
) -> None:
    wrong = np.random.default_rng(4).random(len(reading.seen)) < share
    found, part = off(np.where(wrong, 0.3 * reading.period.rotation_ms, 0.0))
    lines = module._off(found, part)
    assert bool(lines) == said
    if said:
        assert "of the requests not fitted on are off by more than 0.25 ms" in lines[0]
        assert PLACE in lines[1]


def test_something_is_named_where_all_requests_are_off_by_a_little(
    reading: Reading, off: Off, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        module, "_in_strange_zones", lambda _found, part: np.zeros(len(part.write), bool)
    )
    wrong = np.random.default_rng(4).random(len(reading.seen)) < 0.3
    found, part = off(np.where(wrong, 0.05 * reading.period.rotation_ms, 0.0))
    (line,) = module._off(found, part)
    assert line.endswith(f"Likeliest missing: {module.EVERYWHERE}")


@pytest.mark.parametrize("alike", [False, True])
def test_a_class_is_named_where_the_platter_was_not_found(
    reading: Reading, off: Off, alike: bool
) -> None:
    some = np.random.default_rng(4).random(len(reading.seen)) < 0.4
    found, part = off(np.where(some & (alike | ~reading.seen.write), 3.0, 0.0))
    found.angles = None
    (line,) = module._off(found, part)
    assert "another order of tracks" in line
    assert ("most are off among reads" in line) != alike


@pytest.mark.parametrize("resettle_ms", [0.0, 0.4])
def test_a_command_that_takes_its_time_as_settling_takes_some(
    reading: Reading, resettle_ms: float
) -> None:
    values = {"controller": {"read_ms": 0.0}, "switch": {"resettle_read_ms": resettle_ms}}
    found: Any = SimpleNamespace(overrides=values, reading=reading, positioning=None)
    assert bool(module._symptoms(found)) == (not resettle_ms)


def test_values_that_are_not_kept_are_said_to_be_so(reading: Reading) -> None:
    values = {"controller": {"read_ms": 0.0}}
    for kept in (values, {}):
        found: Any = SimpleNamespace(
            overrides=kept, stages={"all": (None, values)}, reading=reading, positioning=None
        )
        (line,) = module._symptoms(found)
        assert line.startswith("of what was found and is not kept, ") == (not kept)


@pytest.mark.parametrize(("few", "named"), [(0.02, False), (0.2, True)])
def test_zones_that_hardly_any_request_was_fitted_on_are_named_where_most_are_off_there(
    reading: Reading, off: Off, few: float, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    strange = rng.random(len(reading.seen)) < few
    wrong = strange | (rng.random(len(reading.seen)) < 0.15)
    found, part = off(np.where(wrong, 0.3 * reading.period.rotation_ms, 0.0))
    monkeypatch.setattr(module, "_in_strange_zones", lambda _found, _part: strange)
    assert ("hardly any request was fitted on" in module._off(found, part)[0]) == named


@pytest.mark.parametrize(
    ("kept", "near", "said"), [(None, 0.9, True), (None, 0.5, False), (1, 0.9, False)]
)
def test_what_was_found_and_is_not_kept_is_said_where_it_has_many_more_requests_near(
    reading: Reading, monkeypatch: pytest.MonkeyPatch, kept: int | None, near: float, said: bool
) -> None:
    measured = np.asarray(reading.requests.columns()["service_ms"])
    drawn = np.random.default_rng(4).random(len(measured))
    start, result = (np.where(drawn < share, measured, measured + 1.0) for share in (0.5, near))
    times = {"start": start, "result": result}
    monkeypatch.setattr(Part, "simulated", lambda _part, profile: {"service_ms": times[profile]})
    stages = {"the whole model": ("result", {})}
    found: Any = SimpleNamespace(profile="start", stages=stages, kept=kept, angles=True)
    lines = module._not_kept(found, Part(reading, slice(0, None)))
    assert bool(lines) == said
