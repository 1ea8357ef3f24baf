"""Passes as wide as there are surfaces: with which surface a group begins is measured."""

from dataclasses import replace

import pytest

from platterlab.studies.unseen_drives import drive as drives
from platterlab.studies.unseen_drives import trial
from test_two_skews import two_surfaces


def passes_of_two(order: str, head: float) -> drives.Drive:
    """Passes of two cylinders over two surfaces, cylinders that end with a track short of spares.

    The switch to the other head takes `head` times as long as that to the next cylinder.
    """
    drive = two_surfaces(108, head)
    spared = [replace(zone, spare_kind="cylinder", spares=7) for zone in drive.zones]
    return replace(
        drive,
        order=order,
        group_cylinders=2,
        pass_skew=drive.track_skew,
        zones=spared,
        defects=[],
    )


# The same tracks are short in both, and the arm moves alike: heads that take longer than the arm
# does tell which of them is next, others do not.
@pytest.mark.parametrize("order", ["hybrid-serpentine", "alternating-hybrid-serpentine"])
@pytest.mark.parametrize(("head", "told"), [(0.7, "unknown"), (1.8, "right")])
def test_lengths_that_both_orders_have_exclude_neither(order: str, head: float, told: str) -> None:
    found = trial.of_drive(passes_of_two(order, head), "survey")
    assert not found.wrong
    assert found.others["layout.order"] == told
    assert found.verdicts["class"] == found.verdicts["surfaces"] == "right"
