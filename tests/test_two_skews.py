"""Two skews in turn, of two surfaces: which is that from head to head is measured."""

import math
from dataclasses import replace

import pytest

from conftest import in_soak
from platterlab.studies.unseen_drives import drive as drives
from platterlab.studies.unseen_drives import trial


def two_surfaces(seed: int, head: float, cylinder: float = 1.0) -> drives.Drive:
    """A drive whose switch to the other head takes `head` times as long as to the next cylinder.

    Each has the skew that it needs; that to the next cylinder is `cylinder` times as long.
    """
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


@pytest.mark.parametrize("seed", [108, *in_soak(826)])
@pytest.mark.parametrize("head", [0.6, 1.3])
def test_the_quicker_movement_may_be_either(seed: int, head: float) -> None:
    drive = two_surfaces(seed, head)
    found = trial.of_drive(drive, "characterize")
    assert not found.wrong
    assert found.right
    found = trial.of_drive(drive, "survey")
    assert not found.wrong
    assert (found.others["track_switch_ms"], found.others["other_switch_ms"]) == ("right", "right")


@pytest.mark.parametrize("head", [0.6, 1.3])
def test_seeks_that_take_the_same_however_far_leave_it_open(head: float) -> None:
    drive = two_surfaces(108, head)
    flat = (sum(drive.short_ms), 0.0)
    found = trial.of_drive(replace(drive, short_ms=flat, long_ms=flat), "characterize")
    assert not found.wrong
    # The way to the last cylinder may be that of the slower head.
    assert found.verdicts["seek_max_ms"] == "unknown"
    assert found.verdicts["track_skew_ms"] == "unknown"
