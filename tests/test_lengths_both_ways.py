"""Surfaces whose lengths read the same both ways: which way a cylinder goes is open."""

from dataclasses import replace

import pytest

from platterlab.studies.unseen_drives import drive as drives
from platterlab.studies.unseen_drives import trial
from test_two_skews import two_surfaces


def four_surfaces(shares: tuple[float, ...], order: str) -> drives.Drive:
    """Surfaces with these shares of each zone's sectors; a head switch hides in any seek."""
    drive = two_surfaces(108, 0.7)

    def zone(of: drives.Zone) -> drives.Zone:
        most = of.sectors[0]
        return replace(of, sectors=tuple(round(share * most) for share in shares))

    zones = [zone(of) for of in drive.zones]
    return replace(
        drive, surfaces=len(shares), order=order, zones=zones, defects=[], cache={}, seed=3204
    )


@pytest.mark.parametrize("order", ["traditional", "cylinder-serpentine"])
@pytest.mark.parametrize(
    ("shares", "told"), [((1.0, 0.95, 0.95, 1.0), "unknown"), ((1.0, 0.97, 0.95, 0.92), "right")]
)
def test_a_palindrome_excludes_no_order_of_surfaces(
    shares: tuple[float, ...], told: str, order: str
) -> None:
    found = trial.of_drive(four_surfaces(shares, order), "survey")
    assert not found.wrong
    assert found.others["layout.order"] == told
    assert found.verdicts["class"] == found.verdicts["surfaces"] == "right"
