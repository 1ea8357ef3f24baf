"""An order of tracks that the profile does not have: distances say it by what requests take."""

import tomllib
from pathlib import Path

import pytest

from made_up_drives import data_sheet, made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.platter.track_order import with_likelier_order
from platterlab.calibration.procedure import calibrate
from platterlab.calibration.trace.observed import stated_of


def in_order(drive: Profile, order: str) -> Profile:
    """The drive with one zone, in another order of tracks where it is one."""
    last = stated_of(drive)["geometry"]["cylinders"] - 1
    skew = "track_skew_turns" if order == "traditional" else "serpentine_skew_turns"
    zone = {"cylinders": [0, last], "sectors_per_track": 160, "order": order}
    return drive.with_overrides({"zone": [zone | {"cylinder_skew_turns": 0.31, skew: 0.19}]})


def told(drive: Profile, order: str) -> Profile:
    """Its data sheet, with an order."""
    (zone,) = stated_of(sheet := data_sheet(drive))["zone"]
    return sheet.with_overrides({"zone": [zone | {"order": order}]})


ORDERS = ("traditional", "surface-serpentine")


@pytest.mark.parametrize("order", ORDERS)
def test_a_drive_has_another_order_than_it_is_told_to(order: str, tmp_path: Path) -> None:
    drive = in_order(made_up(3), order)
    trace = traced(drive, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    for stated in ORDERS:
        sheet = told(drive, stated)
        found = with_likelier_order(sheet, read(trace, sheet))
        assert (found is None) == (order == stated), stated
        if found is not None:
            assert stated_of(found)["zone"][0]["order"] == order


def test_what_another_order_finds_is_kept_with_the_start_as_it_was(tmp_path: Path) -> None:
    drive = in_order(made_up(3), "surface-serpentine")
    trace = traced(drive, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    sheet = told(drive, "traditional")
    found = calibrate(Job(trace, sheet, options={"gap": "before"}, rough=True))
    assert found.start.to_toml() == sheet.to_toml()
    (zone,) = tomllib.loads(found.profile.to_toml())["zone"]
    assert zone["order"] == "surface-serpentine"
    assert findings(found).judged["result"]["within_0.25_ms"] > 0.9
