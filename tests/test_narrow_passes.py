"""Passes of few cylinders, whose skews are those of heads that come first."""

from dataclasses import replace

import pytest

from conftest import in_soak
from platterlab.studies.unseen_drives import drive, trial


def of_two_cylinders(seed: int, surfaces: int) -> drive.Drive:
    """The drive of a seed with passes of two cylinders over so many surfaces, all skews alike."""
    drawn = drive.draw(seed)
    zones = [replace(zone, sectors=zone.sectors[:1] * surfaces) for zone in drawn.zones]
    skew = drawn.cylinder_skew
    return replace(
        drawn,
        surfaces=surfaces,
        zones=zones,
        order="surface-serpentine",
        group_cylinders=2,
        track_skew=0,
        pass_skew=skew,
        defects=[],
    )


@pytest.mark.parametrize(
    ("seed", "surfaces"), [(3160, 17), *in_soak((3714, 9), (3887, 17), (4012, 12))]
)
def test_passes_of_two_cylinders_are_no_cylinders_of_two_heads(seed, surfaces):
    found = trial.of_drive(of_two_cylinders(seed, surfaces), "survey")
    assert not found.wrong


@pytest.mark.parametrize("seed", [3160, *in_soak(3714)])
def test_two_heads_with_equal_skews_are_found(seed):
    assert drive.draw(seed).surfaces == 2
    found = trial.measure(seed, "survey")
    assert found.right
    assert not found.wrong
