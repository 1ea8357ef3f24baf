"""The next track within a request: turns that it loses are found, and none where it loses none."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import in_soak
from made_up_drives import data_sheet, fitted, read, without_skews
from measured_trace import written
from platterlab import library
from platterlab._core import Profile, Requests
from platterlab.calibration.job import Job
from platterlab.calibration.judged import switches as module
from platterlab.calibration.judged.switches import stated_switches, switches_within
from platterlab.calibration.outcome import findings
from platterlab.calibration.platter.skews import angles_of

ROTATION_MS = 10.0
TRACK_SKEW_MS, CYLINDER_SKEW_MS = 1.3, (2.0, 2.6)
"""From head to head, and from cylinder to cylinder in every other zone."""

NONE = {"head_ms": 0.9, "settle_write_ms": 0.2}
"""All that a request goes through fits into the skews."""

WRITES = {"head_ms": 0.9, "settle_write_ms": 0.8}
"""A write settles too long for the next head."""

CYLINDERS = {"head_ms": 0.9, "settle_write_ms": 0.2, "track_ms": 2.2}
"""Half the zones turn the next cylinder too little."""

HEADS = {"head_ms": 1.45, "settle_write_ms": 0.0}
"""Neither reads nor writes are under the next head in time."""


def _drive(switch: dict[str, float]) -> Profile:
    base = library.load("seagate-hawk")
    zones = [
        zone
        | {
            "order": "traditional",
            "track_skew_turns": TRACK_SKEW_MS / ROTATION_MS,
            "cylinder_skew_turns": CYLINDER_SKEW_MS[number % 2] / ROTATION_MS,
        }
        for number, zone in enumerate(without_skews(base))
    ]
    return base.with_overrides(
        {
            "zone": zones,
            "spindle": {"rotation_ms": ROTATION_MS},
            "controller": {"read_ms": 0.6, "write_ms": 0.9},
            "cache": {},
            "switch": switch,
            "bus": {"kind": "rate", "read_sector_ms": 0.05, "write_sector_ms": 0.05},
        }
    )


def _calibrated(truth: Profile, path: Path) -> tuple[dict[str, float], dict[str, Any]]:
    requests = Requests.generate(
        truth, 8_000, read_share=0.6, sequential_share=0.1, local_share=0.3,
        local_distance_sectors=2_000, mean_sectors=24, max_sectors=80, align_sectors=1,
        think_ms=15.0, seed=21,
    )  # fmt: skip
    rows = requests.replay(truth, timing="closed")
    job = Job(written(rows, path / "drive.trace"), data_sheet(truth), seed=3)
    found = fitted(job, to_the_end=True)
    switch = tomllib.loads(found.profile.to_toml())["switch"]
    return findings(found).judged["by themselves"], switch


@pytest.mark.parametrize("switch", [WRITES, CYLINDERS, *in_soak(NONE, HEADS)])
def test_turns_that_are_lost_on_the_way_to_the_next_track(
    switch: dict[str, float], tmp_path: Path
) -> None:
    figures, found = _calibrated(_drive(switch), tmp_path)
    write_ms = found.get("head_write_ms", found["head_ms"] + found["settle_write_ms"])
    assert (found["head_ms"] > TRACK_SKEW_MS) is (switch is HEADS)
    assert (write_ms > TRACK_SKEW_MS) is (switch in (WRITES, HEADS))
    if switch is CYLINDERS:
        assert CYLINDER_SKEW_MS[0] < found["track_ms"] < CYLINDER_SKEW_MS[1]
    assert figures["within_0.25_ms"] > 0.96
    assert figures["slipped_revolution"] < 0.01


WRITTEN = {"head_write_ms": 0.9, "resettle_write_ms": 0.0}


@pytest.mark.parametrize(("head_ms", "taken"), [(0.9, False), (6.5, True)])
def test_seeks_that_are_shorter_than_a_switch_tell_of_it(
    head_ms: float, taken: bool, tmp_path: Path
) -> None:
    truth = _drive(NONE | WRITTEN)
    requests = Requests.generate(
        truth, 3_000, read_share=1.0, sequential_share=0.0, local_share=0.9,
        local_distance_sectors=20_000, mean_sectors=2, max_sectors=2, align_sectors=2,
        think_ms=15.0, seed=22,
    )  # fmt: skip
    trace = written(requests.replay(truth, timing="closed"), tmp_path / "drive.trace")
    profile = _drive(NONE | WRITTEN | {"head_ms": head_ms})
    reading = read(trace, profile)
    angles = angles_of(reading, tomllib.loads(profile.to_toml()))
    costs = {"read_ms": 0.6, "write_ms": 0.9}
    controller = costs | {"after_write": costs}
    known = {"switch": tomllib.loads(profile.to_toml())["switch"], "controller": controller}
    found = switches_within(profile, reading, known, angles)
    assert ("switch" in found) is taken
    if taken:
        # Beside the skews, what is nearest to the longest that no request belies.
        assert found["switch"]["head_ms"] == pytest.approx(0.9, abs=0.3)


@pytest.mark.parametrize(("moved_ms", "back"), [(0.0, False), (0.8, True)])
def test_what_a_write_settles_too_long_is_overhead(
    moved_ms: float, back: bool, tmp_path: Path
) -> None:
    settles = {"head_ms": 0.9, "head_write_ms": 1.1, "resettle_write_ms": 1.0}
    truth = _drive(settles | {"settle_write_ms": 0.2})
    requests = Requests.generate(
        truth, 4_000, read_share=0.3, sequential_share=0.0, local_share=0.3,
        local_distance_sectors=2_000, mean_sectors=40, max_sectors=80, align_sectors=1,
        think_ms=15.0, seed=23,
    )  # fmt: skip
    trace = written(requests.replay(truth, timing="closed"), tmp_path / "drive.trace")
    told = settles | {"resettle_write_ms": 1.0 + moved_ms, "settle_write_ms": 0.2 + moved_ms}
    costs = {"read_ms": 0.6, "write_ms": 0.9 - moved_ms}
    profile = _drive(told).with_overrides({"controller": costs | {"after_write": costs}})
    reading = read(trace, profile)
    angles = angles_of(reading, tomllib.loads(profile.to_toml()))
    stated = tomllib.loads(profile.to_toml())
    known = {name: stated[name] for name in ("switch", "controller")}
    found = known | switches_within(profile, reading, known, angles)
    # Writes that go on to the next cylinder are under it in time.
    settled_ms = found["switch"]["settle_write_ms"]
    assert settled_ms == pytest.approx(0.2, abs=0.4)
    moved = found["controller"]["write_ms"] - known["controller"]["write_ms"]
    assert (moved > 0.4) is back
    assert found["controller"]["write_ms"] + settled_ms == pytest.approx(1.1, abs=0.01)


@pytest.mark.parametrize("farther", [False, True])
def test_a_switch_of_no_time_is_the_starts_where_requests_are_no_farther_with_it(
    farther: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = {0.0: 1.0, 0.9: 2.0 if farther else 1.0}

    class Fake:
        def __init__(self, *_: object) -> None:
            pass

        def best(self, ways: list[dict[str, dict[str, float]]]) -> int:
            return min(range(len(ways)), key=lambda at: off[ways[at]["switch"]["head_ms"]])

    monkeypatch.setattr(module, "Tried", Fake)
    reading: Any = SimpleNamespace(seen=None, period=SimpleNamespace(rotation_ms=ROTATION_MS))
    own = {"head_ms": 0.0, "head_write_ms": 0.7, "settle_write_ms": 0.2}
    profile: Any = None
    found = stated_switches(profile, reading, {"switch": own}, {"switch": {"head_ms": 0.9}})
    assert found == ({} if farther else {"switch": own | {"head_ms": 0.9}})
    # One that requests tell of stays, and none is made up.
    told = {"switch": own | {"head_ms": 0.4}}
    assert stated_switches(profile, reading, told, {"switch": {"head_ms": 0.9}}) == {}
    assert stated_switches(profile, reading, {"switch": own}, {}) == {}
