"""Zones that end with a pass of spare tracks, and zones that hold whole groups of passes."""

from dataclasses import replace

import pytest

from platterlab.studies.unseen_drives import drive, trial

SEEDS = (3160, 4012)
WIDTH = 16


def passes(seed: int, surfaces: int, *, spared: bool) -> drive.Drive:
    """The drive of a seed in passes of 16 cylinders; where spared, the last of a zone is free."""
    drawn = drive.draw(seed)
    kind, count = ("tracks", WIDTH) if spared else ("none", 0)
    zones: list[drive.Zone] = []
    for zone in drawn.zones:
        first = zones[-1].last + 1 if zones else 0
        cylinders = max((zone.last - zone.first + 1) // WIDTH, 4) * WIDTH
        sectors = zone.sectors[:1] * surfaces
        zones.append(drive.Zone(first, first + cylinders - 1, sectors, kind, count))
    return replace(
        drawn,
        surfaces=surfaces,
        cylinders=zones[-1].last + 1,
        zones=zones,
        order="surface-serpentine",
        group_cylinders=WIDTH,
        track_skew=0,
        pass_skew=drawn.cylinder_skew,
        defects=[],
    )


def found_zones(found: trial.Trial) -> list[int]:
    """First sectors of the zones that are sure."""
    zones = found.printed["zones"]
    return [z["first_lba"]["value"] for z in zones if z["first_lba"]["status"] == "ok"]


@pytest.mark.parametrize("spared", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_zones_begin_where_tracks_change_whatever_passes_hold(seed, spared):
    made = passes(seed, 2, spared=spared)
    found = trial.of_drive(made, "characterize", writes=False)
    first, begins = 0, []
    for zone in made.zones:
        begins.append(first)
        first += zone.capacity
    sure = found_zones(found)
    assert sure == begins if not spared else set(sure) <= set(begins)
    assert len(sure) > len(begins) / 2
    # How many surfaces hold them is not told by groups of which some pass is missing.
    surfaces = found.printed["surfaces"]
    assert surfaces["status"] != "ok" if spared else surfaces["value"] == 2
    assert not found.wrong
