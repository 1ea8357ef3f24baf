"""What tracks cost, found from a trace of a known drive: their ends, and those that it skips."""

import tomllib
from pathlib import Path

import pytest

from made_up_drives import fitted, without_skews
from measured_trace import written
from platterlab import library
from platterlab._core import Profile, Requests
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.procedure import calibrate

BUSY = {"read_before_ms": 0.3, "write_before_ms": 0.15, "after_ms": 0.6}
SKIPPED = [[1500, 1], [2900, 0], [4300, 1], [5700, 0], [7100, 1]]
JUMP_MS = 3.1


def _drive(controller: dict[str, object]) -> Profile:
    base = library.load("quantum-fireball")
    zones = [
        zone
        | {
            "track_skew_sectors": 80,
            "cylinder_skew_sectors": 131,
            "sparing": {"kind": "tracks", "tracks": 30},
        }
        for zone in without_skews(base)
    ]
    return base.with_overrides(
        {
            "zone": zones,
            "spindle": {"rotation_ms": 8.3247},
            "controller": {"read_ms": 0.6, "write_ms": 0.9} | controller,
            "cache": {},
            "bus": {
                "kind": "rate",
                "read_sector_ms": 0.12,
                "write_sector_ms": 0.02,
                "reconnect_ms": 0.4,
                "reconnect_before_end": 3,
            },
        }
    )


def _job(
    truth: Profile,
    rough: Profile,
    path: Path,
    jump_ms: float = 0.0,
    read_share: float = 0.6,
    sequential_share: float = 0.1,
) -> Job:
    """From what the drive did, on a clock that jumps after nine tenths of what is fitted on."""
    requests = Requests.generate(
        truth, 8_000, read_share=read_share, sequential_share=sequential_share, local_share=0.1,
        local_distance_sectors=600, mean_sectors=16, max_sectors=60, align_sectors=1,
        think_ms=25.0, seed=12,
    )  # fmt: skip
    rows = requests.replay(truth, timing="closed")
    rows["issue_ms"][9 * len(requests) // 20 :] += jump_ms
    return Job(written(rows, path / "drive.trace"), rough, seed=3)


def test_when_the_controller_looks_after_a_tracks_end_is_found(tmp_path: Path) -> None:
    plain = _drive({})
    found = calibrate(_job(_drive({"track_end": BUSY}), plain, tmp_path))
    busy = found.overrides["controller"]["track_end"]
    # It counts from when the bus begins, which is itself found to some sectors.
    assert busy["read_before_ms"] == pytest.approx(BUSY["read_before_ms"], abs=0.1)
    assert busy["write_before_ms"] == pytest.approx(BUSY["write_before_ms"], abs=0.05)
    assert busy["after_ms"] == pytest.approx(BUSY["after_ms"], abs=0.05)
    assert any("at a track's end" in line for line in findings(found).choices)


def test_where_a_write_waits_for_part_of_its_data_is_found(tmp_path: Path) -> None:
    whole = tomllib.loads(_drive({}).to_toml())["zone"][0]
    whole |= {"track_skew_sectors": 27, "cylinder_skew_sectors": 44}
    zones = [
        whole | {"cylinders": [0, 5_000], "sectors_per_track": 120},
        whole | {"cylinders": [5_001, 8_448], "sectors_per_track": 80},
    ]
    bus = {"kind": "rate", "read_sector_ms": 0.12, "write_sector_ms": 0.12, "reconnect_ms": 0.4}
    plain = _drive({}).with_overrides({"zone": zones, "bus": bus})
    slow = {"from_sector_ms": 0.09, "share": 0.5}
    fence = {"write_fence": 8 << 20, "write_fence_slow": slow}
    truth = plain.with_overrides({"cache": fence})
    found = fitted(_job(truth, plain, tmp_path, read_share=0.5, sequential_share=0.3))
    best = found.overrides["cache.write_fence_slow"]
    assert 8.3247 / 120 < best["from_sector_ms"] < 8.3247 / 80
    assert best["share"] == pytest.approx(0.5, abs=0.13)
    assert any("is enough" in line for line in findings(found).choices)


def test_a_controller_that_does_not_is_left_without(tmp_path: Path) -> None:
    found = fitted(_job(_drive({}), _drive({"track_end": BUSY}), tmp_path), to_the_end=True)
    assert "track_end" not in found.overrides.get("controller", {})
    assert "cache.write_fence_slow" not in found.overrides


def test_skipped_tracks_are_found_across_a_jump_of_the_clock(tmp_path: Path) -> None:
    slips = [{"kind": "slipped-track", "at": at} for at in SKIPPED]
    plain = _drive({})
    found = fitted(_job(plain.with_overrides({"defect": slips}), plain, tmp_path, JUMP_MS))
    places = [2 * cylinder + surface for cylinder, surface in _places(found)]
    # A whole cylinder of skipped tracks before all others would be another angle of the first one.
    assert len([place for place in places if place <= 100]) < 2
    later = [place for place in places if place > 100]
    assert later == pytest.approx([2 * cylinder + surface for cylinder, surface in SKIPPED], abs=4)
    assert found.angles is not None
    assert found.angles.spread_turns < 0.002


def _places(found: Calibration) -> list[list[int]]:
    return [one["at"] for one in found.overrides["defect"]]
