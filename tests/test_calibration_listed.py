"""Layouts that a profile lists pass by pass, where its list is not the drive's."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from conftest import in_soak
from made_up_drives import UNSTATED, fitted, made_up, traced
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import Findings, findings
from platterlab.documents import Overrides

HEADS = (1, 3, 0, 2)
"""In the order in which a group of cylinders has its passes."""

GROUP = 30
"""Cylinders of one."""

PER_TRACK = (190, 171, 149)
"""Sectors in each zone."""

WIDTH = 84 * GROUP
"""Cylinders of a zone."""


def listed(*, told: bool) -> list[dict[str, Any]]:
    """Zones of groups of passes, each with its own slope and first angle, told or not."""
    zones = []
    for at, around in enumerate(PER_TRACK):
        found = []
        for leg, head in enumerate(HEADS):
            turned = {
                "track_skew_turns": 0.2 + 0.003 * leg,
                "first_track_skew_turns": (0.37 * leg) % 1.0,
            }
            ends = [GROUP - 1, 0] if leg == 1 else [0, GROUP - 1]
            one = {"surface": head, "cylinders": ends, "sectors_per_track": around}
            found.append(one | turned if told else one)
        skews = {"group_skew_turns": 0.31 + 0.01 * at, "first_track_skew_turns": 0.1 * at}
        own = {
            "cylinders": [at * WIDTH, (at + 1) * WIDTH - 1],
            "sectors_per_track": around,
            "order": "listed",
            "group_cylinders": GROUP,
            "pass": found,
        }
        zones.append(own | skews if told else own)
    return zones


def drive_of(zones: list[dict[str, Any]]) -> Profile:
    """A drive with such zones."""
    geometry = {"surfaces": len(HEADS), "cylinders": len(PER_TRACK) * WIDTH}
    return made_up(3).with_overrides({"geometry": geometry, "zone": zones})


def found_of(
    sheet: list[dict[str, Any]], folder: Path, drive: Overrides | None = None
) -> tuple[list[dict[str, Any]], Findings]:
    """The zones found of the drive, or of one that differs from it so, by a sheet with others."""
    truth = drive_of(listed(told=True)).with_overrides(drive or {})
    trace = traced(truth, folder / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    found = fitted(Job(trace, drive_of(sheet).with_overrides(UNSTATED), rough=True))
    zones: list[dict[str, Any]] = tomllib.loads(found.profile.to_toml())["zone"]
    return zones, findings(found)


def is_near(said: Findings) -> bool:
    """Whether nearly all requests are."""
    return said.judged["result"]["within_0.25_ms"] > 0.95 and not said.warnings


def test_angles_that_nobody_told(tmp_path: Path) -> None:
    zones, said = found_of(listed(told=False), tmp_path)
    assert is_near(said)
    for at, zone in enumerate(zones):
        assert zone["group_skew_turns"] == pytest.approx(0.31 + 0.01 * at, abs=0.005)
        for leg, one in enumerate(zone["pass"]):
            assert one["track_skew_turns"] == pytest.approx(0.2 + 0.003 * leg, abs=0.001)


@pytest.mark.parametrize("hole", [True, *in_soak(False)])
def test_a_pass_whose_angles_are_not_told(hole: bool, tmp_path: Path) -> None:
    sheet = listed(told=True)
    if hole:
        for key in ("track_skew_turns", "first_track_skew_turns"):
            del sheet[1]["pass"][2][key]
    zones, said = found_of(sheet, tmp_path)
    assert is_near(said)
    # Where the list is the drive's it stays.
    assert (zones == listed(told=True)) is not hole


SLIPPED = ((1035, 1, 10), (2100, 2, 40), (3200, 0, 7), (5300, 3, 33), (6420, 1, 20))


@pytest.mark.parametrize("told", [False, *in_soak(True)])
def test_slipped_sectors_that_nobody_told(told: bool, tmp_path: Path) -> None:
    defects = [{"kind": "slipped", "at": list(at)} for at in SLIPPED]
    _, said = found_of(listed(told=told), tmp_path, {"defect": defects})
    assert is_near(said)


@pytest.mark.parametrize("told", in_soak(True, False))
def test_zones_that_begin_elsewhere_are_said_not_to_be_known(told: bool, tmp_path: Path) -> None:
    sheet = listed(told=told)
    sheet[0]["cylinders"][1] += GROUP
    sheet[1]["cylinders"][0] += GROUP
    _, said = found_of(sheet, tmp_path)
    (off, what) = said.warnings
    assert "of the requests not fitted on are within 0.25 ms" in off
    assert "zones that begin at other cylinders" in what
