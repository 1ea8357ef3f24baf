"""The layout that requests tell of: zones that begin elsewhere, and what a drive skips."""

from platterlab.calibration.job import Progress
from platterlab.calibration.platter.cylinder_spares import with_cylinder_spares
from platterlab.calibration.platter.slipped_layout import Layout, in_turn, with_slips
from platterlab.calibration.platter.slipped_sectors import with_slipped_sectors
from platterlab.calibration.platter.unlisted_spares import with_spares
from platterlab.calibration.platter.zone_edges import with_zone_edges

SCATTERED_TURNS = 0.02
"""Requests farther from the lattice than this, in the median, are on tracks of another layout."""

LOST_TURNS = 0.05
"""Beyond this they are anywhere."""


def laid_out(layout: Layout, progress: Progress) -> Layout:
    """The layout with tracks and sectors that the drive skips, where requests tell of them.

    And with zones that begin elsewhere, where nothing skipped has as many requests near.
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
        progress("spare and slipped sectors", 0.2)
        layout = with_slipped_sectors(with_spares(layout))
    return layout
