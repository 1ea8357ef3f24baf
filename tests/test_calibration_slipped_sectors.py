"""Sectors that a drive skips and its data sheet does not tell of are found from a trace."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strange_drives
from conftest import in_soak
from made_up_drives import data_sheet, fitted, laid_out, made_up, traced
from platterlab._core import Profile, runs
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import Findings, findings
from platterlab.calibration.platter.slipped_sectors import _domains, with_slipped_sectors

SEED = 50_000
"""Of a drive with 21 slipped sectors in three zones, of which its data sheet knows none."""


def shift(drive: Profile, plain: Profile, lbas: list[int]) -> list[int]:
    """By how many sectors each address lies farther on than on the drive without slips."""
    stated = tomllib.loads(drive.to_toml())
    ones = np.ones(len(lbas), dtype=np.uint64)
    there, slipped = (runs(one, np.array(lbas, dtype=np.uint64), ones) for one in (plain, drive))
    around = np.array([zone["sectors_per_track"] for zone in stated["zone"]])[there["zone"]]
    tracks = slipped["track"] - there["track"]
    return list((slipped["sector"] - there["sector"] + tracks * around).tolist())


def farthest_off(found: Profile, truth: Profile, plain: Profile) -> int:
    """The most sectors by which an address of one lies off its place on the other."""
    lbas = np.linspace(0, truth.capacity_sectors - 1, 500).astype(int).tolist()
    return int(np.abs(np.subtract(shift(found, plain, lbas), shift(truth, plain, lbas))).max())


def slips(count: int, cylinders: int, surfaces: int) -> list[dict[str, Any]]:
    """So many slipped sectors, or fewer where two fall on one."""
    rng = np.random.default_rng(8)
    places = {(int(rng.integers(cylinders)), int(rng.integers(surfaces)), 5) for _ in range(count)}
    return [{"kind": "slipped", "at": list(at)} for at in sorted(places)]


def calibrated(
    trace: Path, sheet: Profile, *, to_the_end: bool = False
) -> tuple[Profile, Findings]:
    """What comes out, and what is said of it."""
    found = fitted(Job(trace, sheet, rough=True), to_the_end=to_the_end)
    return found.profile, findings(found)


def test_slips_that_end_with_each_zones_spares(tmp_path: Path) -> None:
    truth = strange_drives.drive(SEED)
    trace = strange_drives.trace(truth, SEED, tmp_path / "drive.trace")
    sheet = strange_drives.data_sheet(truth, SEED)
    profile, told = calibrated(trace, sheet, to_the_end=True)
    plain = strange_drives.drive(SEED, slipped=False)
    # A sector or two more or less in all of a zone are another angle of its first track.
    assert farthest_off(profile, truth, plain) <= 2
    assert told.judged["result"]["within_0.25_ms"] > 0.95
    assert any("sectors that the start does not have are skipped" in one for one in told.choices)


def test_slips_that_go_on_over_the_whole_drive(tmp_path: Path) -> None:
    plain = made_up(3)
    stated = tomllib.loads(plain.to_toml())["geometry"]
    truth = plain.with_overrides({"defect": slips(140, stated["cylinders"], stated["surfaces"])})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    profile, told = calibrated(trace, data_sheet(plain), to_the_end=True)
    # Of 140; a few more or less in all of a zone are another angle of its first track.
    assert farthest_off(profile, truth, plain) <= 5
    assert told.judged["result"]["within_0.25_ms"] > 0.95
    assert "track_end" not in told.overrides["controller"]


@pytest.mark.parametrize("count", [0, 70])
def test_many_slips_of_one_zone_under_a_sheet_without_skews(count: int, tmp_path: Path) -> None:
    """They move the end of the zone by more than half a turn, and the fit without them with it."""
    base = made_up(3)
    zone = {
        "cylinders": [0, 1199],
        "sectors_per_track": 96,
        "sparing": {"kind": "zone", "sectors": 200},
    }
    turned = {"track_skew_sectors": 13, "cylinder_skew_sectors": 23}
    plain = base.with_overrides(
        {"geometry": {"surfaces": 7, "cylinders": 1_200}, "zone": [zone | turned]}
    )
    truth = plain.with_overrides({"defect": slips(count, 1_200, 7)} if count else {})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.5, think_ms=30.0, seed=3)
    sheet = data_sheet(plain).with_overrides({"zone": [zone]})
    bare = laid_out(trace, sheet)
    found = with_slipped_sectors(bare)
    assert (found is bare) == (count == 0)
    assert farthest_off(found.profile, truth, plain) <= 3


@pytest.mark.parametrize("told", [True, *in_soak(False)])
@pytest.mark.parametrize("count", [0, 60])
def test_slips_from_pass_to_pass_are_no_turned_surfaces(
    count: int, told: bool, tmp_path: Path
) -> None:
    """Each pass is all of a zone under one head: what slipped by then turns all of its tracks."""
    zone = {
        "cylinders": [0, 1199], "sectors_per_track": 96, "order": "surface-serpentine",
        "cylinder_skew_sectors": 23, "serpentine_skew_sectors": 13,
        "sparing": {"kind": "zone", "sectors": 200},
    }  # fmt: skip
    plain = made_up(3).with_overrides(
        {"geometry": {"surfaces": 7, "cylinders": 1_200}, "zone": [zone]}
    )
    turned = {"geometry.surface_offset_turns": [0.0, 0.3, 0.1, 0.5, 0.2, 0.6, 0.4]}
    truth = plain.with_overrides({"defect": slips(count, 1_200, 7)} if count else turned)
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.5, think_ms=30.0, seed=3)
    sheet = plain
    if not told:
        bare_zone = {key: zone[key] for key in zone if "_skew_" not in key}
        sheet = plain.with_overrides({"zone": [bare_zone]})
    bare = laid_out(trace, sheet)
    found = with_slipped_sectors(bare)
    assert (found is bare) == (count == 0)
    assert found.angles.spread_turns < 0.005
    assert (np.ptp(found.angles.surface) < 0.05) == (count > 0)
    assert farthest_off(found.profile, truth, plain) <= 3


def test_a_shift_ends_with_a_zone_where_something_ends_it() -> None:
    spares, bare = {"sparing": {"kind": "zone", "sectors": 90}}, dict[str, Any]()
    behind = _domains({"zone": [spares, bare]})
    assert [(one.zones, one.restarts) for one in behind] == [([0], False), ([1], False)]
    assert behind[0].most == 90
    assert _domains({"zone": [bare, spares]}) == []


def test_a_drive_without_slips_gets_none(tmp_path: Path) -> None:
    truth = made_up(3)
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    _, told = calibrated(trace, data_sheet(truth))
    assert "defect" not in told.overrides
    assert not any("skipped" in one for one in told.choices)
