"""The layout that requests tell of: zones that begin elsewhere, and what a drive skips."""

from collections.abc import Callable

from platterlab.calibration.job import Progress
from platterlab.calibration.platter.cylinder_spares import with_cylinder_spares
from platterlab.calibration.platter.slipped_layout import (
    TAIL,
    Layout,
    in_turn,
    near_share,
    with_slips,
)
from platterlab.calibration.platter.slipped_sectors import with_slipped_sectors
from platterlab.calibration.platter.unlisted_spares import with_spares
from platterlab.calibration.platter.zone_edges import with_zone_edges

SCATTERED_TURNS = 0.02
"""Requests farther from the lattice than this, in the median, are on tracks of another layout."""

LOST_TURNS = 0.05
"""Beyond this they are anywhere."""


def laid_out(layout: Layout, progress: Progress, *, slips: bool = True) -> Layout:
    """The layout with tracks and sectors that the drive skips, where requests tell of them.

    And with zones that begin elsewhere, where nothing skipped has as many requests near. Nothing
    slips where it is known that nothing may.
    """
    progress("where zones begin", 0.11)
    begun = with_zone_edges(layout)
    if begun is not layout:
        layout = in_turn(layout, lambda _: begun, with_spares)
    if layout.angles.spread_turns > SCATTERED_TURNS:
        progress("spares of cylinders", 0.12)
        layout = in_turn(layout, with_cylinder_spares, with_spares)
    if layout.angles.spread_turns > SCATTERED_TURNS:
        progress("slipped tracks", 0.15)
        layout = with_slips(layout)
    if layout.angles.spread_turns <= LOST_TURNS:
        progress("spares and what slips", 0.2)
        layout = in_turn(layout, *_skipping(layout)) if slips else with_spares(layout)
    return layout


def _skipping(layout: Layout) -> list[Callable[[Layout], Layout]]:
    """Ways to what a drive skips: spares and what slips into them, or slips without spares.

    What slips on and on moves the addresses of later zones as spares of each zone do.
    """
    spared = with_spares(layout)
    ways = [lambda _: _slipped(spared)]
    return [*ways, *([] if spared is layout else [with_slipped_sectors])]


def _slipped(layout: Layout) -> Layout:
    """The same with tracks and sectors that slip: a few hide in the angles of the rest."""
    if near_share(layout.reading, layout.angles) < 1 - TAIL and "defect" not in layout.overrides:
        layout = with_slips(layout)
    return with_slipped_sectors(layout)
