"""Orders that no skew by head and cylinder describes stand as the profile has them."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import UNSTATED, fitted, made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.buffer.read_completion import AtFence, AtMark
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.overrides import answered_at_once, skew_turns
from platterlab.calibration.stages import LOST_TURNS, _followed
from platterlab.calibration.trace.observed import observe, own_angles
from platterlab.calibration.trace.reading import Reading, clearer
from platterlab.calibration.trace.rotation_period import Period


def found_of(truth: Profile, told: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The zones found of a drive by a profile with zones as `told`; nearly all is right."""
    trace = traced(truth, folder / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    found = fitted(Job(trace, truth.with_overrides(UNSTATED | {"zone": told}), rough=True))
    assert findings(found).judged["result"]["within_0.25_ms"] > 0.95
    zones: list[dict[str, Any]] = tomllib.loads(found.profile.to_toml())["zone"]
    return zones


@pytest.mark.parametrize("order", ["hybrid-serpentine", *in_soak("surface-serpentine")])
def test_an_order_that_seeks_first(order: str, tmp_path: Path) -> None:
    base = made_up(3)
    zones = [
        {key: zone[key] for key in ("cylinders", "sectors_per_track")}
        | {"order": order, "serpentine_cylinders": 20}
        | {"cylinder_skew_turns": 0.27, "serpentine_skew_turns": 0.19}
        for zone in tomllib.loads(base.to_toml())["zone"]
    ]
    first = [zone | {"first_track_skew_turns": 0.1 * at} for at, zone in enumerate(zones)]
    for zone in found_of(base.with_overrides({"zone": first}), zones, tmp_path):
        assert zone["order"] == order
        assert (zone["cylinder_skew_turns"], zone["serpentine_skew_turns"]) == (0.27, 0.19)


@pytest.mark.parametrize("order", ["surface-serpentine", *in_soak("hybrid-serpentine")])
def test_passes_whose_skews_nobody_told(order: str, tmp_path: Path) -> None:
    base = made_up(3)
    bare = [
        {key: zone[key] for key in ("cylinders", "sectors_per_track")}
        | {"order": order, "serpentine_cylinders": 20}
        for zone in tomllib.loads(base.to_toml())["zone"]
    ]
    turned = {"cylinder_skew_turns": 0.27, "serpentine_skew_turns": 0.19}
    truth = base.with_overrides({"zone": [zone | turned for zone in bare]})
    for zone in found_of(truth, bare, tmp_path):
        assert zone["cylinder_skew_turns"] == pytest.approx(0.27, abs=0.001)
        assert zone["serpentine_skew_turns"] == pytest.approx(0.19, abs=0.005)


SHORTER = (0, 2, 5, 1)
"""Sectors by which tracks of one surface after the other are shorter than the longest ones."""


def of_own_lengths(drive: Profile) -> list[dict[str, Any]]:
    """The drive's zones without skews, each surface with tracks of its own length."""
    shown = tomllib.loads(drive.to_toml())
    less = [SHORTER[at % len(SHORTER)] for at in range(shown["geometry"]["surfaces"])]
    return [
        {key: zone[key] for key in ("cylinders", "sectors_per_track")}
        | {"surface_sectors_per_track": [zone["sectors_per_track"] - each for each in less]}
        for zone in shown["zone"]
    ]


@pytest.mark.parametrize(
    "skews",
    [
        {"track_skew_turns": 0.21, "cylinder_skew_turns": 0.27},
        *in_soak({"cylinder_skew_turns": 0.27, "serpentine_skew_turns": 0.19}),
    ],
)
def test_a_longer_track_is_one_turn_too(skews: dict[str, float], tmp_path: Path) -> None:
    base, bare = made_up(3), of_own_lengths(made_up(3))
    if "serpentine_skew_turns" in skews:
        bare = [z | {"order": "surface-serpentine", "serpentine_cylinders": 20} for z in bare]
    truth = base.with_overrides({"zone": [zone | skews for zone in bare]})
    for zone in found_of(truth, bare, tmp_path):
        assert zone["cylinder_skew_turns"] == pytest.approx(0.27, abs=0.005)


def test_tracks_whose_skews_count_from_their_data_stand_as_they_are() -> None:
    drive = made_up(3)
    bare = of_own_lengths(drive)
    by_data = [
        zone
        | {"surface_data_sectors": [each - 3 for each in zone["surface_sectors_per_track"]]}
        | {"skew_from_data_end": True}
        for zone in bare
    ]
    surfaces = tomllib.loads(drive.to_toml())["geometry"]["surfaces"]
    for zones, stand in ((bare, False), (by_data, True)):
        own = own_angles(drive.with_overrides({"zone": zones}), surfaces)
        assert own.zones.tolist() == [stand] * len(zones)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    drive, path = made_up(3), tmp_path_factory.mktemp("plain") / "drive.trace"
    return read(traced(drive, path, read_share=0.66, think_ms=30.0, seed=3), drive)


@pytest.mark.parametrize(
    ("own", "free", "freed"),
    [
        # Zones that each turn by another angle from pass to pass: few pairs agree on any.
        ((0.09, True), (0.22, True), True),
        # The same by chance, which does not last.
        ((0.09, True), (0.22, False), False),
        # Passes that begin where the profile has them, beside requests that are anywhere.
        ((0.40, True), (0.43, True), False),
    ],
)
def test_passes_are_free_where_twice_as_much_agrees(
    own: tuple[float, bool], free: tuple[float, bool], freed: bool, plain: Reading
) -> None:
    one, other = (
        replace(plain, period=Period(10.0, strength, chance, lasts))
        for (strength, lasts), chance in ((own, 0.06), (free, 0.12))
    )
    assert (clearer(one, other) is other) is freed


def test_a_first_skew_in_any_unit() -> None:
    zone = {"sectors_per_track": 200}
    assert skew_turns(zone, "first_track") == 0.0
    assert skew_turns(zone | {"first_track_skew_sectors": 50}, "first_track") == 0.25
    assert skew_turns(zone | {"first_track_skew_turns": 0.5}, "first_track") == 0.5
    assert skew_turns(zone | {"first_track_skew_deg": 45.0}, "first_track") == 0.125


def test_what_comes_after_a_writes_data_is_no_part_of_an_answer() -> None:
    hit = {"operation": "write", "hit": True, "run": 2, "ms": 0.4}
    read = {"operation": "read", "hit": True, "ms": 0.3}
    controller = {"write_ms": 1.0, "hit": {"write_ms": 0.5}, "rules": [hit, read]}
    told = answered_at_once(controller)
    plain = {"operation": "write", "hit": True, "ms": 0.5, "completion_ms": 0.0}
    assert told == controller | {"rules": [hit | {"completion_ms": 0.0}, read, plain]}
    assert answered_at_once(told) == told
    assert answered_at_once({"write_ms": 1.0}) == {"write_ms": 1.0, "rules": []}


def test_what_a_completion_waits_for_by_fence_and_by_mark() -> None:
    sectors = np.array([4.0, 8.0, 12.0, 40.0])
    # A sector takes half as long over the bus as past the head: at 40 it waits for the last one.
    half = np.full(4, 0.5)
    assert AtFence(8).passed(sectors, half).tolist() == [4.0, 8.0, 8.0, 20.5]
    assert AtFence(8).columns(sectors, half)[0].tolist() == [4.0, 8.0, 12.0, 1.0]
    # One that takes twice as long starts at the mark and is never caught up with.
    twice = np.full(4, 2.0)
    assert AtMark(0.25).passed(sectors, twice).tolist() == [1.0, 2.0, 3.0, 10.0]
    assert AtMark(0.25).passed(sectors, half).tolist() == [2.5, 4.5, 6.5, 20.5]
    assert AtMark(0.25).columns(sectors, half)[0].tolist() == [1.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize("are_told", [False, True])
def test_passes_are_free_where_their_own_angles_lose_the_platter(
    are_told: bool, tmp_path: Path
) -> None:
    base = made_up(3)
    order = {"order": "surface-serpentine", "serpentine_cylinders": 20}
    bare = [
        {key: zone[key] for key in ("cylinders", "sectors_per_track")} | order
        for zone in tomllib.loads(base.to_toml())["zone"]
    ]
    turned = [
        zone | {"cylinder_skew_turns": 0.2 + 0.03 * at, "serpentine_skew_turns": 0.1 + 0.07 * at}
        for at, zone in enumerate(bare)
    ]
    truth = base.with_overrides({"zone": turned})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    profile = base.with_overrides({"zone": turned if are_told else bare})
    stated, surfaces = profile.stated(), profile.stated()["geometry"]["surfaces"]
    reading = read(trace, profile)
    # As it is where hardly more pairs of requests agree under free angles.
    own = replace(reading, seen=observe(profile, reading.seen.requests, surfaces))
    found, angles = _followed(Job(trace, profile, rough=True), stated, own)
    assert found.seen.own.free is not are_told
    assert angles.spread_turns < LOST_TURNS
