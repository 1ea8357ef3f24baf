"""Zones in cylinders, from zones in addresses."""

import math
from dataclasses import dataclass

from platterlab.answers import Extraction, MeasuredDevice
from platterlab.measure.origins import ok


@dataclass(frozen=True)
class Zone:
    """One zone of a profile.

    Attributes:
        first_cylinder: of the drive's.
        last_cylinder: of the drive's; it belongs to the zone.
        sectors_per_track: a whole number; the most of any surface where they differ.
        surface_sectors_per_track: one number for each surface; empty where they do not differ.
        track_skew_sectors: in this zone's sectors.
        cylinder_skew_sectors: in this zone's sectors.
        skip_last_sectors: sectors at the end that have no address.
        sector_bytes: logical.
        where: how its place was found.
        how: how its sectors were counted.
        doubt: why they are assumed; empty if they were counted.
    """

    first_cylinder: int
    last_cylinder: int
    sectors_per_track: int
    surface_sectors_per_track: list[int]
    track_skew_sectors: int
    cylinder_skew_sectors: int
    skip_last_sectors: int
    sector_bytes: int
    where: str
    how: str
    doubt: str


@dataclass(frozen=True)
class Piece:
    """A zone of an extraction: where it begins, and how its tracks were counted."""

    first_lba: int
    sectors_per_track: int
    how: str
    doubt: str
    where: str
    by_surface: list[int]
    track_skew_ms: float | None
    cylinder_skew_ms: float | None


def zones(
    found: Extraction, device: MeasuredDevice, rotation_ms: float, outer: float
) -> list[Zone]:
    """The zones of a drive whose rotation and outermost sectors per track are known."""
    surfaces = int(ok(found["surfaces"]) or 1)
    pieces = _pieces(found, int(outer))
    capacity = device["capacity_sectors"]
    made: list[Zone] = []
    cylinder, lba = 0, 0
    for index, piece in enumerate(pieces):
        count = piece.sectors_per_track
        last = index == len(pieces) - 1
        end = capacity if last else min(pieces[index + 1].first_lba, capacity)
        per_cylinder = sum(piece.by_surface) or surfaces * count
        rest = max(end - lba, 1)
        many = max(1, -(-rest // per_cylinder) if last else round(rest / per_cylinder))
        skip = many * per_cylinder - rest if last else 0
        track, cylinder_skew = _skews(found, piece, rotation_ms)
        made.append(
            Zone(
                first_cylinder=cylinder,
                last_cylinder=cylinder + many - 1,
                sectors_per_track=max(piece.by_surface, default=count),
                surface_sectors_per_track=piece.by_surface,
                track_skew_sectors=track,
                cylinder_skew_sectors=cylinder_skew,
                skip_last_sectors=max(skip, 0),
                sector_bytes=device["logical_sector_bytes"],
                where=f"{piece.where}, to the nearest cylinder" if index else "from sector 0",
                how=piece.how,
                doubt=piece.doubt,
            )
        )
        cylinder += many
        lba += many * per_cylinder
        if lba >= capacity:
            break
    return made


def _pieces(found: Extraction, outer: int) -> list[Piece]:
    """Each zone that can be placed."""
    placed = [(zone, zone["first_lba"]["value"]) for zone in found["zones"]]
    listed = [(zone, lba) for zone, lba in placed if lba is not None]
    if not listed:
        skews = ok(found["track_skew_ms"]), ok(found["cylinder_skew_ms"])
        return [Piece(0, outer, found["sectors_per_track"]["method"], "", "", [], *skews)]
    base = listed[0][0]["mib_s"]["value"]
    pieces = []
    for index, (zone, lba) in enumerate(listed):
        estimate = zone["sectors_per_track"]
        count, doubt = ok(estimate), ""
        if count is None and estimate["value"] is not None:
            count, doubt = estimate["value"], f"counted, and not sure: {estimate['note']}"
        elif count is None:
            rate = zone["mib_s"]["value"]
            count = outer * rate / base if rate and base else outer
            doubt = f"from its share of the bandwidth; not counted: {estimate['note']}"
        pieces.append(
            Piece(
                first_lba=int(lba) if index else 0,
                sectors_per_track=max(round(count), 1),
                how=estimate["method"],
                doubt=doubt,
                where=zone["first_lba"]["method"],
                by_surface=zone["surface_sectors_per_track"],
                track_skew_ms=ok(zone["track_skew_ms"]),
                cylinder_skew_ms=ok(zone["cylinder_skew_ms"]),
            )
        )
    return pieces


def _skews(found: Extraction, piece: Piece, rotation_ms: float) -> tuple[int, int]:
    """Those measured in the zone itself; else those of the outermost, which keep their angle."""
    inside = piece.track_skew_ms, piece.cylinder_skew_ms
    count = piece.sectors_per_track
    if inside[0] is not None and inside[1] is not None:
        return round(inside[0] / rotation_ms * count), round(inside[1] / rotation_ms * count)
    track_ms = ok(found["track_skew_ms"]) or 0.0
    cylinder_ms = ok(found["cylinder_skew_ms"])
    if cylinder_ms is None:
        cylinder_ms = track_ms
    # Upwards, as a drive leaves room for its switches; a measured whole number stays what it is.
    turns = (track_ms / rotation_ms, cylinder_ms / rotation_ms)
    track, cylinder = (math.ceil(turn * count - 0.02) % count for turn in turns)
    return track, cylinder
