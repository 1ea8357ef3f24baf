"""Leaps over many tracks that are alike, where the next zone's tracks look like these."""

from dataclasses import replace

import pytest

from platterlab.studies.unseen_drives import drive, trial


# Tracks of 25 sectors before those of 24: a boundary that turns by three sectors looks like four
# that are left out; cycles of 18 tracks with one spare meet these at one place each fourth time.
@pytest.mark.parametrize("skew", [3, 9])
def test_a_zone_does_not_go_on_where_each_track_seems_to_leave_sectors_out(skew: int) -> None:
    drawn = drive.draw(12579)
    assert drawn.track_skew == 3
    made = replace(drawn, track_skew=skew, cylinder_skew=2 * skew)
    found = trial.of_drive(made, "survey")
    assert found.verdicts["tracks"] == "right"
    assert not found.wrong
