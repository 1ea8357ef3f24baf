"""Pieces of what a calibration finds: any of them can be as found, the others as in the start."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import fitted, made_up
from measured_trace import written
from platterlab import library
from platterlab._core import Profile, Requests
from platterlab.calibration.job import Job
from platterlab.calibration.judged.pieces import ALL, PIECES, Choice, Found, assembled, piece_of
from platterlab.calibration.judged.verdict import Part
from platterlab.calibration.judged.warnings import _symptoms
from platterlab.calibration.outcome import findings
from platterlab.calibration.platter.followed import _in_time, are_nearer_far_apart
from platterlab.calibration.procedure import calibrate
from platterlab.calibration.profile_file import profile_text

HIT = {"operation": "read", "hit": True, "run": 1, "ms": 0.07}
MISS = {"operation": "read", "hit": False, "run": 1, "ms": 0.9}


def _found(start: Profile) -> Found:
    overrides = {
        "spindle": {"rotation_ms": 7.0},
        "seek": {"kind": "linear", "single_ms": 1.0, "full_ms": 11.0},
        "controller": {"read_ms": 0.7, "write_ms": 0.8, "hit": {"read_ms": 0.3}}
        | {"rules": [HIT, MISS], "track_end": {"read_before_ms": 0.2, "after_ms": 0.4}},
        "cache.write_fence": 4096,
        "cache.segments": 5,
    }
    return start.with_overrides(overrides), overrides


def test_every_piece_can_be_as_found_and_all_others_as_in_the_start() -> None:
    start = made_up(5)
    found = _found(start)
    before, after = (tomllib.loads(one.to_toml()) for one in (start, found[0]))
    for name in PIECES:
        own = tomllib.loads(assembled(start, found, frozenset({name}))[0].to_toml())
        for table in ("spindle", "seek", "switch", "bus", "zone"):
            chosen = after if piece_of(table) == name else before
            assert own[table] == chosen[table], (name, table)
        for key in ("segments", "write_fence"):
            chosen = after if piece_of(f"cache.{key}") == name else before
            assert own["cache"].get(key) == chosen["cache"].get(key), (name, key)
        for key in ("read_ms", "hit", "track_end"):
            chosen = after if piece_of(f"controller.{key}") == name else before
            assert own["controller"].get(key) == chosen["controller"].get(key), (name, key)
        rules = [HIT] if name == "what answers cost" else []
        rules += [MISS] if name == "how long positioning takes" else []
        assert own["controller"].get("rules", []) == rules, name
    assert assembled(start, found, ALL) == found


@pytest.mark.parametrize("share", [0.5, *in_soak(0.4)])
def test_a_speed_that_the_start_has_a_little_off_is_kept_though_requests_are_few(
    share: float, tmp_path: Path
) -> None:
    # All else is as in the start, and of the arm so few requests tell less than the start does.
    start = library.load("hp-97560")
    truth = library.load("hp-97560", {"spindle.speed_rpm": 3996})
    asked = Requests.generate(
        truth, 1_300, read_share=2 / 3, sequential_share=0.0, local_share=0.0,
        local_distance_sectors=1_000, mean_sectors=8, max_sectors=128, align_sectors=8,
        think_ms=20.0, seed=1,
    )  # fmt: skip
    path = written(asked.replay(truth, timing="closed"), tmp_path / "slow.trace")
    found = calibrate(Job(path, start, share=share))
    assert found.kept is not None
    assert "how long positioning takes" not in found.kept.pieces
    judged = findings(found).judged
    result, before = judged["result"], judged["start"]
    assert result["within_0.25_ms"] > 0.998
    assert result["slipped_revolution"] < before["slipped_revolution"]
    assert result["median_abs_error_ms"] < 0.5 * before["median_abs_error_ms"]


def _lost(folder: Path, released: bool) -> Path:
    """A trace of an HP C2200A on whose clock the platter is lost every fifty requests."""
    own = {"controller.read_ms": 3.0, "bus.reconnect_ms": 1.5}
    truth = library.load("hp-c2200a", own | {"bus.release_at_track_end": released})
    requests = Requests.generate(
        truth, 8_000, read_share=0.4, sequential_share=0.1, local_share=0.5,
        local_distance_sectors=20_000, mean_sectors=24, max_sectors=32, align_sectors=4,
        think_ms=20.0, seed=5,
    )  # fmt: skip
    rows = requests.replay(truth, timing="closed")
    jumps = np.random.default_rng(2).uniform(0.0, 15.0, len(requests) // 50)
    rows["issue_ms"] = rows["issue_ms"] + np.repeat(np.cumsum(jumps), 50)
    return written(rows, folder / "drive.trace", truth.sector_bytes)


@pytest.mark.parametrize("released", [False, True])
def test_reads_and_writes_are_told_apart_where_the_platter_has_to_be_followed(
    released: bool, tmp_path: Path
) -> None:
    start = library.load("hp-c2200a")
    found = fitted(Job(_lost(tmp_path, released), start, seed=1), to_the_end=True)
    assert found.angles is not None
    assert found.angles.tracked
    # Reads alone do not tell the bus from the platter; the profile's own bus is what is known.
    assert found.overrides["bus"]["read_sector_ms"] == pytest.approx(0.256, abs=0.01)
    controller, bus = found.overrides["controller"], found.overrides["bus"]
    whole_ms = controller["read_ms"] + found.overrides["switch"]["resettle_read_ms"]
    assert whole_ms == pytest.approx(3.0, abs=0.4)
    assert bus["reconnect_ms"] == pytest.approx(1.5, abs=0.4)
    # What goes out as the head leaves a track is told by reads over two.
    assert bus.get("release_at_track_end", False) == released
    figures = findings(found).judged
    assert figures["result"]["within_0.25_ms"] > figures["start"]["within_0.25_ms"] + 0.3
    assert figures["result"]["within_0.25_ms"] > 0.9


@pytest.mark.parametrize("late_ppm", [-3000.0, 0.0, 605.0])
@pytest.mark.parametrize("jumps", [False, True])
def test_a_platter_that_falls_behind_evenly_tells_the_period(late_ppm: float, jumps: bool) -> None:
    rng = np.random.default_rng(9)
    times = np.cumsum(rng.uniform(10.0, 50.0, 3_000))
    lags = 1e-6 * late_ppm * times + rng.normal(0.0, 0.01, 3_000)
    if jumps:
        # Every three hundred requests its position is lost.
        lags += np.repeat(rng.uniform(0.0, 8.3, 10), 300)
    followed: Any = _Angles(8.3, (times, (lags + 4.15) % 8.3 - 4.15), {"rotation_ms": 9.9})
    found = _in_time(followed)
    off_ppm = 1e6 * abs(found.rotation_ms / (8.3 / (1 - 1e-6 * late_ppm)) - 1)
    assert off_ppm < 3 * 1e6 * found.errors["rotation_ms"] / 8.3 < 30.0
    # An even clock is left as it is.
    assert (found.rotation_ms == 8.3) == (late_ppm == 0.0)


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize(
    ("off_ppm", "told_ppm", "nearer"),
    [(605.0, 3.0, True), (-12.0, 0.0, True), (0.0, -12.0, False), (3.0, 605.0, False)],
)
def test_requests_far_from_each_other_bear_a_period_out(
    off_ppm: float, told_ppm: float, nearer: bool, lost: bool
) -> None:
    rng = np.random.default_rng(11)
    # Rows of a few seconds, and half a minute between them, over which the platter may be lost.
    times = np.cumsum(np.where(np.arange(4_000) % 200, rng.uniform(10.0, 50.0, 4_000), 30_000.0))
    angles = rng.normal(0.0, 0.03, 4_000) + lost * np.repeat(rng.uniform(0.0, 1.0, 20), 200)
    under = [(1e-6 * ppm * times / 8.3 + angles) % 1.0 for ppm in (off_ppm, told_ppm)]
    # What is half a millisecond after the pause is next to nothing within a row.
    told = nearer and not (lost and off_ppm == -12.0)
    assert are_nearer_far_apart(times, *under) == told


class _Known(Choice):
    """Times with none, the first and both of two pieces; any other piece changes nothing."""

    def __init__(self, part: Part, told: tuple[str, str], times: list[Any]) -> None:
        self._part, self._told, self._known = part, told, times

    def _served(self, pieces: frozenset[str]) -> Any:
        first, second = (name in pieces for name in self._told)
        return self._known[first + (first and second)]


@pytest.mark.parametrize("nearer", [False, True])
def test_a_step_may_cost_the_distribution_a_little_where_requests_are_surely_nearer(
    nearer: bool,
) -> None:
    rng = np.random.default_rng(13)
    measured = rng.uniform(2.0, 12.0, 1_000)
    columns = {"service_ms": measured, "operation": np.zeros(1_000), "think_ms": np.ones(1_000)}
    requests = SimpleNamespace(columns=lambda: columns)
    reading: Any = SimpleNamespace(requests=requests, period=SimpleNamespace(rotation_ms=11.1))
    # A quarter of them has the times of each other: the distribution is as measured.
    mixed = np.concatenate([rng.permutation(measured[:250]), measured[250:]])
    late = (measured if nearer else mixed) + 0.02
    told = ("what answers cost", "the bus")
    part = Part(reading, slice(0, None))
    found = _Known(part, told, [measured + 3.0, mixed, late]).best(frozenset())
    assert found == set(told[: 1 + nearer])


@pytest.mark.parametrize("moved", [0, 6])
def test_a_first_piece_that_moves_few_requests_is_kept_where_all_in_all_they_are_nearer(
    moved: int,
) -> None:
    rng = np.random.default_rng(3)
    measured = rng.uniform(5.0, 15.0, 1_000)
    columns = {"service_ms": measured, "operation": np.zeros(1_000, dtype=np.int8)}
    requests = SimpleNamespace(columns=lambda: columns)
    reading: Any = SimpleNamespace(requests=requests, period=SimpleNamespace(rotation_ms=11.1))
    late = np.where(np.arange(1_000) < 8, measured + 11.1, measured + 0.01)
    fewer = np.where(np.arange(1_000) < 8 - moved, measured + 11.1, measured + 0.01)
    told = ("how long positioning takes", "the bus")
    part = Part(reading, slice(0, None))
    assert not part.is_surely_nearer(fewer, late)
    found = _Known(part, told, [late, fewer, fewer + 1.0]).best(frozenset())
    assert found == set(told[: int(moved > 0)])


@dataclass(frozen=True)
class _Angles:
    rotation_ms: float
    drift_ms: tuple[Any, Any]
    errors: dict[str, float]


def test_values_that_no_drive_has_are_said() -> None:
    def said(read_ms: float, reconnect_ms: float, first_ms: float) -> list[str]:
        values = {
            "controller": {"read_ms": read_ms, "write_ms": 1.0},
            "bus": {"kind": "rate", "read_sector_ms": 0.1, "reconnect_ms": reconnect_ms},
            "seek": {"points": [[1, first_ms], [9, 3.0]]},
        }
        seen = SimpleNamespace(write=np.zeros(2, dtype=bool), sectors=np.arange(2))
        reading = SimpleNamespace(period=SimpleNamespace(rotation_ms=8.3), seen=seen)
        found: Any = SimpleNamespace(overrides=values, reading=reading, positioning=None)
        return [line.split(":")[0] for line in _symptoms(found)]

    assert said(0.4, 1.8, 1.1) == []
    assert said(0.0, 3.49, 0.0) == [
        "controller.read_ms = 0", "bus.reconnect_ms = 3.49 ms", "seek",
    ]  # fmt: skip


@pytest.mark.parametrize("sizes", [1, 2])
def test_a_bus_that_takes_no_time_is_one_where_requests_of_two_sizes_have_it_so(sizes: int) -> None:
    seen = SimpleNamespace(write=np.arange(8) % 2 > 0, sectors=np.arange(8) // 2 % sizes)
    reading = SimpleNamespace(period=SimpleNamespace(rotation_ms=8.3), seen=seen)
    values = {"bus": {"kind": "rate", "read_sector_ms": 0.0, "write_sector_ms": 0.1}}
    found: Any = SimpleNamespace(overrides=values, reading=reading, positioning=None)
    assert [line.split(" =")[0] for line in _symptoms(found)] == ["bus.read_sector_ms"][: sizes - 1]


def test_a_number_that_is_the_starts_keeps_its_source() -> None:
    start = library.load("hp-c2200a")
    own = start.stated()["switch"]["head_ms"]
    switch = {"head_ms": own, "settle_write_ms": 0.123}
    overrides = {"switch": switch}
    profile = start.with_overrides(overrides)
    found: Any = SimpleNamespace(
        profile=profile,
        start=start,
        fitted=9,
        angles=None,
        overrides=overrides,
        scatter=(),
        own_scatter=({}, {}),
    )
    sources = tomllib.loads(profile_text(found, "t"))["provenance"]
    assert sources["switch"]["kind"] == "fitted"
    assert "switch.settle_write_ms" not in sources
    before = start.stated()
    known = before.get("provenance", {})
    known = known.get("switch.head_ms", known.get("switch", before["source"]))
    assert sources["switch.head_ms"] == known
