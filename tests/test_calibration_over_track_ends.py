"""Requests over a track's end tell of zones once it is known what a switch there takes."""

import tomllib
from typing import Any

import pytest

from made_up_drives import made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.judged import over_track_ends as over
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.trace.reading import Reading

LOST = {"switch": {"track_ms": 9.0}}
"""A switch that loses a turn."""

MOVED = {"zone": ["moved"]}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Profile, Reading, Angles]:
    truth, path = made_up(3), tmp_path_factory.mktemp("known") / "drive.trace"
    reading = read(traced(truth, path, read_share=0.66, think_ms=30.0, seed=3), truth)
    return truth, reading, angles_of(reading, tomllib.loads(truth.to_toml()))


@pytest.mark.parametrize(("switches", "found"), [(LOST, LOST | MOVED), ({}, {})])
def test_zones_are_asked_for_again_once_a_switch_is_found(
    switches: dict[str, Any],
    found: dict[str, Any],
    known: tuple[Profile, Reading, Angles],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth, reading, angles = known
    asked: list[float | None] = []

    def moved(profile: Profile, _reading: object, overrides: dict[str, Any]) -> dict[str, Any]:
        """Nothing as long as the switch hides it."""
        asked.append(tomllib.loads(profile.to_toml())["switch"].get("track_ms"))
        return MOVED if overrides.get("switch") == LOST["switch"] else {}

    monkeypatch.setattr(over, "moved_zones", moved)
    monkeypatch.setattr(over, "switches_within", lambda *_: switches)
    assert over.over_track_ends(truth, reading, {"switch": {}}, angles) == found
    assert asked == ([None, 9.0] if switches else [None])
