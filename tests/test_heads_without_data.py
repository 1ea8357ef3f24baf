"""A head that has no data in some zones: how many surfaces there are is not sure then."""

import pytest

from platterlab._core import Profile
from platterlab.studies.unseen_drives import trial
from zoned_drive import COUNTS, zoned

INNER, OUTER = (400, 600, 1200, 4000), (4000, 1200, 600, 400)
"""Cylinders of each zone, most of them inner ones or outer ones."""


def drive(heads: tuple[int, ...], cylinders_of: tuple[int, ...]) -> Profile:
    """Zones in which so many of three heads have data."""
    zones, first = "", 0
    for used, count, cylinders in zip(heads, COUNTS, cylinders_of, strict=True):
        head, next_turns = round(0.09 * count) / count, round(0.2 * count) / count
        step = "group_skew_turns = " + str((used - 1) * head + next_turns)
        passes = ", ".join(
            f"{{ surface = {surface}, cylinders = [0, 0], "
            f"first_track_skew_turns = {min(surface, used - 1) * head}, track_skew_turns = 0.0"
            f"{', data_sectors = 0' * (surface >= used)} }}"
            for surface in range(3)
        )
        zones += f"""
[[zone]]
cylinders = [{first}, {first + cylinders - 1}]
sectors_per_track = {count}
order = "listed"
group_cylinders = 1
{step}
pass = [{passes}]
"""
        first += cylinders
    return zoned(zones, first)


@pytest.mark.parametrize("tracks", ["fast", None])
@pytest.mark.parametrize(
    ("heads", "cylinders", "sure"),
    [
        ((3, 3, 2, 2), INNER, False),
        ((2, 2, 3, 3), OUTER, False),
        ((3, 3, 3, 3), INNER, True),
        ((3, 3, 3, 3), OUTER, True),
    ],
)
def test_zones_of_other_counts_leave_the_surfaces_open(heads, cylinders, sure, tracks):
    measurement = trial.measured(
        drive(heads, cylinders), 3, writes=False, tracks=tracks, time_s=900.0
    )
    found = measurement.track_map() if tracks else measurement.extraction()
    surfaces = found["layout"]["surfaces"] if tracks else found["surfaces"]
    assert (surfaces["status"] == "ok") is sure
    assert not sure or surfaces["value"] == 3
