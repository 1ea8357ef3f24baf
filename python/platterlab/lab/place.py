"""The place of a sector on the platters."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """The place of a sector.

    Attributes:
        cylinder: from 0, the outermost.
        surface: from 0.
        sector: its place on the track, from 0, by the angle.
        angle_turns: of its start from the index mark, from 0 to 1.
        sectors_per_track: places on its track, spares and defects included.
        track_sectors: of them, how many have an address.
        track_first_lba: the first address of the track.

    >>> import platterlab as pl
    >>> place = pl.Drive("hp-97560").where(1_000_000)
    >>> place.cylinder, place.surface, place.sector
    (739, 18, 64)
    """

    cylinder: int
    surface: int
    sector: int
    angle_turns: float
    sectors_per_track: int
    track_sectors: int
    track_first_lba: int
