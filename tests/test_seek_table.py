"""Seek curves of measured drives: what is left out, levelled and kept."""

from dataclasses import replace
from typing import Any

import pytest

from conftest import in_soak
from platterlab.measure.seek_table import seek_table
from platterlab.studies.unseen_drives import drive as drives
from test_measured_profile import measured_profile


def points(*known: tuple[int, float]) -> list[Any]:
    return [
        {
            "distance_sectors": 100 * cylinders,
            "distance_cylinders": cylinders,
            "seek_ms": time_ms,
            "half_width_ms": 0.02,
        }
        for cylinders, time_ms in known
    ]


def test_a_rising_curve_is_kept_as_it_was_measured():
    table = seek_table(points((1, 1.0), (4, 1.5), (90, 9.0)), 0.25)
    assert table.points == [(1, 1.25), (4, 1.75), (90, 9.25)]
    assert table.left_out == 0


def test_points_that_fall_by_less_than_their_errors_are_levelled():
    table = seek_table(points((1, 1.0), (2, 1.53), (3, 1.5), (90, 9.0)), 0.0)
    assert table.points == [(1, 1.0), (2, pytest.approx(1.515)), (3, pytest.approx(1.515)), (90, 9)]
    assert table.left_out == 0


def test_points_that_fall_by_more_are_left_out_and_said():
    # As where two points are head switches, and one lies where the arm was still.
    known = (
        (1, 1.0),
        (2, 0.3),
        (3, 1.2),
        (4, 2.4),
        (5, 1.3),
        (6, 2.4),
        (7, 1.4),
        (8, 1.5),
        (90, 9.0),
    )
    table = seek_table(points(*known), 0.0)
    assert table.points == [(1, 1.0), (3, 1.2), (5, 1.3), (7, 1.4), (8, 1.5), (90, 9.0)]
    assert table.note.endswith("Left out, as they fell by more: 3 points.")
    assert table.is_contradicted
    assert not seek_table(points(*known[:1], *known[2:3], *known[-3:]), 0.0).is_contradicted


@pytest.mark.parametrize("known", [(), ((1, 1.0),), ((1, 3.0), (9, 2.0))])
def test_short_curves_are_curves(known):
    assert seek_table(points(*known), 0.0).points == list(known)[:1]


# Heads first, and passes over cylinders first.
@pytest.mark.parametrize("seed", [3019, *in_soak(3020)])
@pytest.mark.parametrize("share", [0.3, 2.5])
def test_seeks_are_the_arms_however_long_heads_switch(seed, share):
    drawn = drives.draw(seed)
    drive = replace(drawn, head_ms=round(share * drawn.seek_ms(1), 3))
    points = measured_profile(drive, seed)["seek"]["points"]
    assert len(points) > 20
    for cylinders, time_ms in points:
        assert time_ms == pytest.approx(drive.seek_ms(cylinders), rel=0.05)
