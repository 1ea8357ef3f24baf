"""Seeks that scatter by distance are found, with how far, and none on a drive without."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from made_up_drives import data_sheet, fitted, made_up, traced
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.platter.arm_place import AHEAD_SECTORS
from platterlab.calibration.platter.seek_scatter import (
    Scatter,
    find_scatter,
    scatter_override,
)
from platterlab.calibration.procedure import calibrate
from platterlab.calibration.profile_file import profile_text

MOST_MS = 1.5
"""That seeks of middle distance scatter by; near and far ones not."""


def scattering(base: Profile) -> Profile:
    """The same drive whose seeks of middle distance scatter."""
    full = base.stated()["geometry"]["cylinders"]
    points = [
        [1, 0.0], [full // 12, 0.0], [full // 6, MOST_MS], [full // 2, MOST_MS],
        [full * 2 // 3, 0.0], [full, 0.0],
    ]  # fmt: skip
    return base.with_overrides({"seek_scatter": {"kind": "table", "points": points}})


def _traced(drive: Profile, folder: Path) -> Path:
    path = folder / "drive.trace"
    return traced(drive, path, read_share=0.7, think_ms=20.0, seed=3, requests=14_000)


def test_seeks_that_scatter_are_found_and_written(tmp_path: Path) -> None:
    base = made_up(3)
    trace = _traced(scattering(base), tmp_path)
    found = calibrate(Job(trace, data_sheet(base), rough=True, options={"gap": "before"}))
    full = base.stated()["geometry"]["cylinders"]
    sure = [one for one in found.scatter if one.is_sure]
    for one in found.scatter:
        if full / 6 <= one.distance <= full / 2:
            assert one.low_ms <= MOST_MS <= one.high_ms
    assert len(sure) >= 2
    assert all(full / 12 < one.distance < full * 2 / 3 for one in sure)
    said = [line for line in findings(found).choices if line.startswith("seeks over about")]
    assert len(said) == len(sure)
    # What is judged are the likeliest times; what is simulated scatters.
    assert "seek_scatter" not in found.profile.stated()
    written = tomllib.loads(profile_text(found, "drive.trace"))
    assert written["seek_scatter"] == scatter_override(found.scatter)["seek_scatter"]
    assert written["provenance"]["seek_scatter"]["kind"] == "fitted"


def test_none_is_found_where_seeks_take_as_long_as_their_curve(tmp_path: Path) -> None:
    base = made_up(3)
    trace = _traced(base, tmp_path)
    found = fitted(Job(trace, data_sheet(base), rough=True, options={"gap": "before"}))
    assert found.positioning is not None
    assert found.angles is not None
    told = find_scatter(found.positioning, found.angles, found.reading.seen)
    assert len(told) > 2
    assert not any(one.is_sure for one in told)
    assert all(one.low_ms <= 0.1 for one in told)
    # Of near ones read-ahead may be on its way to where they go.
    seen = found.reading.seen
    assert told[0].distance > 1 + AHEAD_SECTORS / (seen.surfaces * seen.first.per_track.min())
    # What the start says of scatter stays, and whence it has it.
    own = scattering(base).stated()["seek_scatter"]
    origin = {"kind": "published", "from": "a paper"}
    kept = replace(found, own_scatter=({"seek_scatter": own}, {"seek_scatter": origin}))
    again = tomllib.loads(profile_text(kept, "drive.trace"))
    assert again["seek_scatter"] == own
    assert again["provenance"]["seek_scatter"] == origin


def test_a_start_that_scatters_is_judged_by_its_likeliest_times(tmp_path: Path) -> None:
    drive = made_up(3)
    trace = traced(drive, tmp_path / "d.trace", read_share=0.7, think_ms=20.0, seed=3, requests=600)
    job = Job(trace, scattering(drive), options={"gap": "before"})
    found = calibrate(job)
    assert found.own_scatter[0] == {"seek_scatter": scattering(drive).stated()["seek_scatter"]}
    plain = found.reading.requests.replay(drive, timing="closed")["service_ms"]
    start = found.reading.requests.replay(found.start, timing="closed")["service_ms"]
    assert start.tolist() == plain.tolist()


@pytest.mark.parametrize(
    ("sure", "points"),
    [
        ((True, True), [[1, 0.5], [10, 0.5], [90, 0.7], [180, 0.7]]),
        ((True, False), [[1, 0.5], [10, 0.5], [90, 0.0], [180, 0.0]]),
        ((False, False), None),
    ],
)
def test_groups_that_are_not_sure_have_none(
    sure: tuple[bool, bool], points: list[list[float]] | None
) -> None:
    found = [
        Scatter(distance, half_ms, 0.4, 0.8, 300, each)
        for distance, half_ms, each in ((10, 0.5, sure[0]), (90, 0.7, sure[1]))
    ]
    table = {"seek_scatter": {"kind": "table", "points": points}}
    assert scatter_override(found) == (table if points else {})
