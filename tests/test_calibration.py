"""A trace of a known drive, calibrated from no more than a data sheet, gives the drive back."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import fitted, without_skews
from measured_trace import written
from platterlab import library
from platterlab._core import InputError, Profile, Requests
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.judged.undetermined import undetermined_of_platter
from platterlab.calibration.outcome import findings
from platterlab.calibration.procedure import calibrate
from platterlab.calibration.profile_file import profile_text
from platterlab.calibration.trace.observed import stated_of
from platterlab.cli import run

REQUESTS = 6_000
HEAD_TURNS, CYLINDER_TURNS, ROTATION_MS = 0.137, 0.2461, 8.3247


def true_profile() -> Profile:
    """A drive whose skews are angles, with write-back and segments."""
    base = library.load("quantum-fireball")
    zones = [
        zone
        | {
            "track_skew_turns": HEAD_TURNS,
            "cylinder_skew_turns": CYLINDER_TURNS,
            "first_track_skew_turns": 0.1 * number % 1.0,
        }
        for number, zone in enumerate(without_skews(base))
    ]
    return base.with_overrides(
        {
            "zone": zones,
            "spindle": {"rotation_ms": ROTATION_MS},
            "seek": {
                "kind": "two-piece",
                "short_ms": [1.5, 0.12],
                "long_ms": [5.0, 0.0012],
                "boundary_cylinders": 1200,
            },
            "controller": {
                "read_ms": 0.6,
                "write_ms": 0.4,
                "hit": {"read_ms": 0.25, "write_ms": 0.35},
            },
            "cache": {
                "segments": 4,
                "segment": 128 * 1024,
                "read_ahead": "aggressive",
                "write_report": "buffer",
                "hits_on_written": True,
                "keep_after_hit": True,
                "partial_hits": True,
            },
            "bus": {"kind": "rate", "read_sector_ms": 0.051, "write_sector_ms": 0.051},
        }
    )


def rough_profile(truth: Profile) -> Profile:
    """What a data sheet tells of it, and not even that exactly."""
    return truth.with_overrides(
        {
            "zone": without_skews(truth),
            "spindle": {"rotation_ms": ROTATION_MS * 1.004},
            "seek": {"kind": "linear", "single_ms": 2.0, "full_ms": 15.0},
            "controller": {"read_ms": 1.0, "write_ms": 1.0},
            "cache": {},
            "bus": {"kind": "off"},
        }
    )


def measured(path: Path, count: int) -> Path:
    """So many requests of the drive."""
    truth = true_profile()
    requests = Requests.generate(
        truth, count, read_share=0.66, sequential_share=0.25, local_share=0.25,
        local_distance_sectors=600, mean_sectors=8, max_sectors=32, align_sectors=2, think_ms=35.0,
        seed=11,
    )  # fmt: skip
    return written(requests.replay(truth, timing="closed"), path)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measured(tmp_path_factory.mktemp("calibration") / "drive.trace", REQUESTS)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the calibration keeps what it tries."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def found(trace: Path, kept: Path) -> Calibration:
    return calibrate(Job(trace, rough_profile(true_profile()), rough=True, seed=3, resume=kept))


def test_the_gap_is_told_from_the_platter(found: Calibration) -> None:
    assert found.reading.gap == "before"
    other = found.readings[0].period
    assert not other.is_locked, "the other reading is chance"


def test_rotation_and_skews_come_back(found: Calibration) -> None:
    assert found.angles is not None
    assert abs(found.angles.rotation_ms / ROTATION_MS - 1) < 1e-7
    first = int(np.flatnonzero(found.angles.known)[0])
    head, step = found.angles.head[first], found.angles.step[first]
    surfaces = found.reading.seen.surfaces
    expected = (surfaces - 1) * HEAD_TURNS + CYLINDER_TURNS
    # The surfaces' own angles and the head angle share what a straight line takes.
    own = found.angles.surface
    slope = np.polyfit(np.arange(surfaces), own, 1)[0] if surfaces > 1 else 0.0
    assert abs((head + slope - HEAD_TURNS + 0.5) % 1 - 0.5) < 2e-3
    assert abs((step - expected + 0.5) % 1 - 0.5) < 2e-4


def test_unseen_requests_are_predicted(found: Calibration) -> None:
    figures = findings(found).judged["by themselves"]
    assert figures["median_abs_error_ms"] < 0.04
    assert figures["within_0.25_ms"] > 0.93
    assert figures["slipped_revolution"] < 0.03
    assert found.cache is not None
    assert found.cache.right > 0.98


def test_overhead_and_arm_reach_as_far_as_read_ahead_leaves_them_open(found: Calibration) -> None:
    said = {one.name: one for one in findings(found).values}
    assert found.positioning is not None
    # The drive reads ahead on other tracks, so that no read is sure to have left the arm still.
    assert abs(said["read_ms"].value - 0.6) < said["read_ms"].reach
    distances = found.positioning.distances
    known = np.where(distances < 1200, 1.5 + 0.12 * np.sqrt(distances), 5.0 + 0.0012 * distances)
    for distance, seek_ms in zip(distances, known, strict=True):
        seek = said[f"seek_{distance}_ms"]
        assert abs(seek.value - seek_ms) < seek.reach
    assert any("only the sum is seen" in line for line in found.undetermined)


def test_what_cannot_be_told_is_said(found: Calibration) -> None:
    assert any("every write ends in the buffer" in line for line in found.undetermined)


@pytest.mark.parametrize(("lag_ms", "said"), [(0.5, True), (0.02, False)])
def test_a_spindle_that_drifts_is_said_to(found: Calibration, lag_ms: float, said: bool) -> None:
    assert found.angles is not None
    assert found.positioning is not None
    lags = np.array([0.0, 1e5]), np.array([0.0, lag_ms])
    lines = undetermined_of_platter(
        replace(found.angles, drift_ms=lags), found.positioning, found.reading,
        stated_of(found.start),
    )  # fmt: skip
    assert any("how the spindle will drift" in line for line in lines) == said


def test_read_ahead_that_is_never_given_up_is_not_said_to_be(found: Calibration) -> None:
    assert found.cache is not None
    assert found.cache.abandoned == 0.0
    assert "cache.read_ahead_abandoned" not in found.overrides


def _searches(kept: Path) -> list[Path]:
    return [path for path in kept.rglob("*") if path.is_file()]


def _values(profile: Profile) -> dict[str, object]:
    """What a profile states, whatever it says of where that came from."""
    return {key: value for key, value in stated_of(profile).items() if key != "provenance"}


def test_the_written_profile_says_what_was_fitted(found: Calibration, tmp_path: Path) -> None:
    text = profile_text(found, "drive.trace")
    path = tmp_path / "better.toml"
    path.write_text(text)
    again = Profile.parse(text, str(path))
    assert again.capacity_sectors == found.profile.capacity_sectors
    assert "calibration on the first 3000 requests of drive.trace" in text
    assert 'from = "override"' not in text


def test_the_command_goes_on_with_broken_off_work_and_finds_the_same(
    trace: Path, found: Calibration, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    searches = {file: json.loads(file.read_text()) for file in _searches(kept)}
    assert searches, "each search keeps a file"
    # As if broken off half-way: half of what was tried is known.
    for file, scores in searches.items():
        file.write_text(json.dumps(dict(list(scores.items())[: len(scores) // 2])))
    rough, out = tmp_path / "rough.toml", tmp_path / "better.toml"
    rough.write_text(rough_profile(true_profile()).to_toml())
    line = ["calibrate", "--trace", trace, "--profile", rough, "--rough", "--seed", 3]
    assert run([*map(str, line), "--resume", str(kept), "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    inputs = {one["path"]: one["bytes"] for one in told.pop("manifest")["inputs"]}
    assert inputs == {str(path): path.stat().st_size for path in (rough, trace)}
    assert told == {"schema_version": 1} | json.loads(json.dumps(findings(found).to_json()))
    assert {file: json.loads(file.read_text()) for file in _searches(kept)} == searches
    assert _values(library.load(str(out))) == _values(found.profile)


@pytest.mark.parametrize(
    ("share", "said"), [(0.5, "On requests not fitted on"), (1.0, "On the requests fitted on")]
)
def test_the_command_says_which_requests_judge(
    share: float, said: str, trace: Path, found: Calibration,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    of_all = replace(found, fitted=int(share * REQUESTS))
    monkeypatch.setattr("platterlab.cli.calibrated.fit", lambda _job, _progress: of_all)
    assert run(["calibrate", "--trace", str(trace), "--profile", "mock"]) == 0
    assert said in capsys.readouterr().out


def test_a_trace_that_is_too_short_is_refused(trace: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.trace"
    short.write_text("\n".join(trace.read_text().splitlines()[:100]) + "\n")
    with pytest.raises(InputError, match="at least"):
        calibrate(Job(short, true_profile()))


def test_zones_of_another_drive_are_noticed(trace: Path) -> None:
    """Sectors at other angles: the rotation is found all the same, and no skews are made up."""
    zones = [
        zone | {"sectors_per_track": zone["sectors_per_track"] + 37 + 11 * number}
        for number, zone in enumerate(
            tomllib.loads(rough_profile(true_profile()).to_toml())["zone"]
        )
    ]
    wrong = fitted(Job(trace, rough_profile(true_profile()).with_overrides({"zone": zones})))
    assert wrong.angles is None
    assert abs(wrong.reading.period.rotation_ms / ROTATION_MS - 1) < 1e-4
    assert any("sectors per track in zones" in line for line in wrong.undetermined)


def test_when_the_data_of_writes_comes_is_found(tmp_path: Path) -> None:
    truth = true_profile().with_overrides(
        {
            "cache": {"write_fence": 8 << 20},
            "controller": {"read_ms": 0.6, "write_ms": 0.9},
            "switch": {"settle_write_ms": 0.5},
            "bus": {
                "kind": "rate",
                "read_sector_ms": 0.12,
                "write_sector_ms": 0.12,
            },
        }
    )
    requests = Requests.generate(
        truth, 5_000, read_share=0.5, sequential_share=0.3, local_share=0.1,
        local_distance_sectors=600, mean_sectors=12, max_sectors=64, align_sectors=1,
        think_ms=35.0, seed=12,
    )  # fmt: skip
    path = written(requests.replay(truth, timing="closed"), tmp_path / "bus.trace")
    rough = truth.with_overrides(
        {"cache": {}, "bus": {"kind": "off"}, "controller": {"read_ms": 1.0, "write_ms": 1.0}}
    )
    found = fitted(Job(path, rough, seed=3))
    assert found.positioning is not None
    data = found.positioning.data
    assert data is not None
    assert data.fence >= 64, "all of a write's data"
    assert data.sector_ms == pytest.approx(0.12, abs=0.01)
    assert findings(found).judged["by themselves"]["within_0.25_ms"] > 0.93
