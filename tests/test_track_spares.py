"""Spares of each track: what angles tell of them is sure, and nothing else."""

from dataclasses import replace
from itertools import cycle

import pytest

from platterlab.studies.unseen_drives import drive, trial


def spared(seed: int, spares: list[int]) -> drive.Drive:
    """The drive of a seed, each zone with so many spares on each track, in turn."""
    drawn = drive.draw(seed)
    zones = [
        replace(zone, spare_kind="track" if count else "none", spares=count)
        for zone, count in zip(drawn.zones, cycle(spares), strict=False)
    ]
    return replace(drawn, zones=zones, defects=[])


@pytest.mark.parametrize(
    ("seed", "spares"),
    [
        pytest.param(3002, [10, 9, 8, 7], id="others in each zone"),
        pytest.param(29002, [14], id="the same everywhere"),
        pytest.param(28001, [0], id="none"),
    ],
)
def test_a_count_of_spares_is_sure_where_angles_come_out_by_no_other(seed, spares):
    true = spared(seed, spares)
    found = trial.of_drive(true, "characterize")
    assert found.right
    assert not found.wrong
    around = [
        verdict
        for name, verdict in found.others.items()
        if name.startswith("model.zones[") and name.endswith("sectors_per_track")
    ]
    assert len(around) == len(true.zones)
    assert "right" in around


def test_a_skew_of_a_track_with_spares_is_in_sectors_of_the_whole_track():
    true = spared(3002, [10, 9, 8, 7])
    skew = trial.of_drive(true, "characterize").printed["cylinder_skew_ms"]
    sector_ms = true.rotation_ms / true.zones[0].sectors[0]
    assert skew["value"] == pytest.approx(true.cylinder_skew * sector_ms, rel=1e-3)
