"""The profile that a measurement makes: tracks in the order and zones with the lengths measured."""

import tomllib
from typing import Any

import pytest

from conftest import in_soak
from platterlab._core import Profile
from platterlab.measure import profile as made
from platterlab.studies.unseen_drives import drive as drives
from platterlab.studies.unseen_drives import profile as drawn
from platterlab.studies.unseen_drives.predicted import predict
from platterlab.studies.unseen_drives.trial import measured

ALTERNATING, EIGHT_SURFACES, ONE_SURFACE = 299, 194, 163


def measured_profile(drive: drives.Drive, seed: int) -> dict[str, Any]:
    """What is written of a drive that was drawn, once it was measured by reads alone."""
    built = Profile.parse(drawn.text(drive), f"drive {seed}")
    found = measured(built, seed, writes=False, tracks=None, time_s=900.0).extraction()
    device = {
        "name": f"drive {seed}",
        "capacity_sectors": sum(zone.capacity for zone in drive.zones),
        "logical_sector_bytes": drive.sector_bytes,
        "physical_sector_bytes": drive.sector_bytes,
        "host_overhead_us": 3.0,
        "whole": True,
        "writes": False,
    }
    text = made.draft(found, device, "0123456789ab", "drawn")
    assert text is not None
    return tomllib.loads(text)


@pytest.mark.parametrize("seed", [ALTERNATING, EIGHT_SURFACES])
def test_zones_of_surfaces_that_differ_are_the_drives(seed: int) -> None:
    drive = drives.draw(seed)
    assert drive.per_surface
    zones = measured_profile(drive, seed)["zone"]
    places = [(*zone["cylinders"], tuple(zone["surface_sectors_per_track"])) for zone in zones]
    assert places == [(zone.first, zone.last, zone.sectors) for zone in drive.zones]
    assert {zone["order"] for zone in zones} == {drive.order}
    assert {zone["serpentine_cylinders"] for zone in zones} == {drive.group_cylinders}


def test_one_surface_has_no_list_of_surfaces() -> None:
    drive = drives.draw(ONE_SURFACE)
    written = measured_profile(drive, ONE_SURFACE)
    assert written["geometry"]["surfaces"] == drive.surfaces == 1
    places = [(*zone["cylinders"], (zone["sectors_per_track"],)) for zone in written["zone"]]
    assert places == [(zone.first, zone.last, zone.sectors) for zone in drive.zones]
    assert not any("surface_sectors_per_track" in zone for zone in written["zone"])


# Spare sectors of cylinders on a drive that is written, of zones, of tracks; passes over surfaces
# that differ, behind a cache.
@pytest.mark.parametrize("seed", [3192, 3193, *in_soak(3205, 3198)])
def test_what_was_not_measured_is_predicted(seed: int) -> None:
    found = predict(seed)
    assert found is not None
    assert found.within > 0.97


def test_a_profile_that_knows_no_angles_says_so() -> None:
    # No map of its tracks became whole.
    found = predict(3210)
    assert found is not None
    assert found.within < 0.5
    assert not found.says_so


def test_skews_and_spares_say_what_shows_them() -> None:
    drive = drives.draw(3192)
    assert (drive.track_skew, drive.cylinder_skew) == (52, 83)
    written = measured_profile(drive, 3192)
    (zone,) = written["zone"]
    assert (zone["track_skew_sectors"], zone["cylinder_skew_sectors"]) == (52, 83)
    assert zone["sparing"] == {"kind": "cylinder", "sectors": 5}
    origins = written["provenance"]
    assert "angles over many tracks" in origins["zone[0].cylinder_skew_sectors"]["from"]
    assert origins["zone[0].sparing"]["kind"] == "measured"
