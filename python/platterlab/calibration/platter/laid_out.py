"""The layout that requests tell of: zones that begin elsewhere, and what a drive skips."""

from collections.abc import Callable
from dataclasses import dataclass

from platterlab.calibration.job import Progress
from platterlab.calibration.platter.cylinder_spares import with_cylinder_spares
from platterlab.calibration.platter.slipped_layout import TAIL, Layout, near_share, with_slips
from platterlab.calibration.platter.slipped_sectors import with_slipped_sectors
from platterlab.calibration.platter.spare_tracks import with_spare_tracks
from platterlab.calibration.platter.unlisted_spares import (
    with_spares_by_track,
    with_spares_by_zone,
    with_spares_of_any_size,
)
from platterlab.calibration.platter.zone_edges import with_zone_edges

SCATTERED_TURNS = 0.02
"""Requests farther from the lattice than this, in the median, are on tracks of another layout."""

MOST_TRIED = 2
"""Ways for spares to lie with which slips are looked for."""

LOST_TURNS = 0.05
"""Beyond this they are anywhere."""

EDGES, CYLINDERS, TRACKS, SLIPS = "zone edges", "spares by cylinder", "spares by track", "slips"

SPARES: dict[str, Callable[[Layout], Layout]] = {
    CYLINDERS: with_cylinder_spares,
    TRACKS: with_spares_by_track,
    "spare tracks": with_spare_tracks,
    "spares by zone": with_spares_by_zone,
    "spares of any size by zone": with_spares_of_any_size,
}
"""How spares may lie of which the profile has none."""

WAYS = frozenset({EDGES, SLIPS, *SPARES})


@dataclass(frozen=True)
class LaidOut:
    """A layout, and by which of the `WAYS` it comes of the profile's."""

    layout: Layout
    ways: frozenset[str] = frozenset()

    @property
    def near(self) -> float:
        """The share of the requests that are near the lattice."""
        return near_share(self.layout.reading, self.layout.angles)

    @property
    def is_met(self) -> bool:
        """Whether nothing is left to look for."""
        return self.near > 1 - TAIL

    def by(self, name: str, way: Callable[[Layout], Layout]) -> "LaidOut":
        """The layout that one more way makes of it; itself where that finds nothing."""
        other = way(self.layout)
        return self if other is self.layout else LaidOut(other, self.ways | {name})


def laid_out(
    layout: Layout, progress: Progress, idle: frozenset[str] = frozenset(), *, slips: bool = True
) -> LaidOut:
    """The layout with tracks and sectors that the drive skips, where requests tell of them.

    And with zones that begin elsewhere, where nothing skipped has as many requests near. What slips
    on and on moves the addresses of later zones as spares of each zone do, and slips hide how
    spares lie: those by which more requests are near are looked at first.

    Args:
        layout: of the profile.
        progress: called with what is being done.
        idle: of `WAYS`, what is not looked for.
        slips: whether anything may slip.
    """
    plain = LaidOut(layout)
    progress("where zones begin", 0.11)
    begun = plain if EDGES in idle else plain.by(EDGES, with_zone_edges)
    progress("spares", 0.13)
    spared = _spared(plain, idle)
    if begun is not plain and all(begun.near >= one.near for one in spared):
        plain, spared = begun, _spared(begun, idle)
    found = sorted(spared, key=lambda one: one.near, reverse=True)
    best = found[0] if found and found[0].near >= plain.near else plain
    if not slips or SLIPS in idle or best.is_met:
        return best
    progress("what slips", 0.17)
    for one in [*found[:MOST_TRIED], plain]:
        other = one.by(SLIPS, _slipped)
        best = other if other.near > best.near else best
        if best.is_met:
            break
    return best


def _spared(plain: LaidOut, idle: frozenset[str]) -> list[LaidOut]:
    """The layout with spares that lie one way or another, up to one that has next to all near.

    Those of each track may leave all requests a little off, and near.
    """
    found: list[LaidOut] = []
    scattered = plain.layout.angles.spread_turns > SCATTERED_TURNS
    for name, way in SPARES.items():
        if name in idle or (name == CYLINDERS and not scattered):
            continue
        if plain.is_met and name != TRACKS:
            continue
        other = plain.by(name, way)
        if other is not plain:
            found.append(other)
        if other.is_met:
            break
    return found


def _slipped(layout: Layout) -> Layout:
    """The same with tracks and sectors that slip: a few hide in the angles of the rest."""
    layout = with_slips(layout)
    return with_slipped_sectors(layout) if layout.angles.spread_turns <= LOST_TURNS else layout
