"""Two skews in turn, of two surfaces: which is that from head to head is measured, not taken from their lengths."""

import math
from dataclasses import replace

import pytest

from platterlab.studies.unseen_drives import drive as drives
from platterlab.studies.unseen_drives import trial


def two_surfaces(seed: int, head: float, cylinder: float = 1.0) -> drives.Drive:
    """A drive whose switch to the other head takes `head` times what the next cylinder does, each with the skew that
    it needs; the one to the next cylinder `cylinder` times as much."""
    drawn = drives.draw(seed)
    assert (drawn.surfaces, drawn.seek_first) == (2, False)
    next_ms = sum(drawn.short_ms)
    sector_ms = drawn.rotation_ms / drawn.zones[0].sectors[0]

    def skew(time_ms: float) -> int:
        return math.ceil((time_ms + drawn.settle_write_ms) / sector_ms) + 2

    return replace(
        drawn,
        head_ms=head * next_ms,
        track_skew=skew(head * next_ms),
        cylinder_skew=skew(cylinder * next_ms),
    )


@pytest.mark.parametrize("seed", [108, 826])
@pytest.mark.parametrize("head", [0.6, 1.3])
def test_the_quicker_movement_may_be_either(seed: int, head: float) -> None:
    drive = two_surfaces(seed, head)
    found = trial.of_drive(drive, "characterize")
    assert not found.wrong
    assert found.right
    found = trial.of_drive(drive, "survey")
    assert not found.wrong
    assert (found.others["track_switch_ms"], found.others["other_switch_ms"]) == ("right", "right")


def test_the_longer_skew_may_be_that_of_the_quicker_movement() -> None:
    found = trial.of_drive(two_surfaces(108, 0.6, 2.0), "survey")
    other = trial.of_drive(two_surfaces(108, 1.3, 2.0), "survey")
    assert not found.wrong
    assert not other.wrong
