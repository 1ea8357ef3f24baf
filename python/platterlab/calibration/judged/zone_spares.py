"""Where a zone's addresses begin to within some sectors: what requests over a track's end tell.

Spares at the end of a zone are found by requests on one track. Moved on by less than a request has
sectors, nearly all of those still lie on one track, and at the angle where they were, as a zone's
first track may begin anywhere. Only those over a track's end, the whole model in view, tell.
"""

from typing import Any

import numpy as np

from platterlab._core import InputError, Profile
from platterlab.calibration.judged.cross_validation import (
    MOVED_TURNS,
    Tried,
    each_off_ms,
    is_sure_gain,
)
from platterlab.calibration.trace.observed import Whole
from platterlab.calibration.trace.reading import Reading

AROUND = 16
"""Sectors to either side that are tried."""

NEAR_MS, ENOUGH = 0.25, 0.9
"""Where fewer requests of a zone than that share are so near, its beginning is not known."""

LEAST_IN_ZONE = 40
"""Requests without which a zone stays where it is."""


def moved_zones(profile: Profile, reading: Reading, overrides: dict[str, Any]) -> dict[str, Any]:
    """Zones with as many spares before them as the whole model has them nearest with.

    Nothing where the drive has no spares by zone, or others too, or where it is not sure.

    Args:
        profile: as found so far.
        reading: the trace.
        overrides: what made the profile.
    """
    zones = overrides.get("zone", [])
    if {zone["sparing"]["kind"] for zone in zones if "sparing" in zone} != {"zone"}:
        return {}
    columns = reading.requests.columns()
    end = int(np.max(columns["lba"] + columns["sectors"]))
    shifts = range(-AROUND, AROUND + 1)
    known = [(shift, moved) for shift in shifts if (moved := _moved(profile, zones, [shift], end))]
    seen, rotation_ms = reading.seen, reading.period.rotation_ms
    off = each_off_ms([one for _, (one, _) in known], seen, rotation_ms, follow=True)
    best = np.zeros(len(zones), dtype=np.int64)
    for number in range(1, len(zones)):
        here = seen.first.zone == number
        if here.sum() >= LEAST_IN_ZONE:
            best[number] = known[int(np.argmin(np.nansum(off[:, here], axis=1)))][0]
    found = _moved(profile, zones, best[1:], end)
    if found is None:
        return {}
    tried = Tried(profile, seen, rotation_ms)
    # A sector more or less is as likely as none, and one request that loses a turn no reason.
    return found[1] if tried.mostly_nearer([found[1]], MOVED_TURNS) == 0 else {}


def open_begins(
    profile: Profile, reading: Reading, zones: list[dict[str, Any]]
) -> list[tuple[int, int] | None]:
    """By how many sectors each zone may begin earlier and later, as requests leave it open.

    None where nothing within `AROUND` is surely worse to either side, or where requests of a zone
    or of the one before are not near: what they are off by may be of other spares. The first zone
    does not move.

    Args:
        profile: as found.
        reading: the trace.
        zones: of the profile.
    """
    columns = reading.requests.columns()
    end = int(np.max(columns["lba"] + columns["sectors"]))
    shifts = range(-AROUND, AROUND + 1)
    known = [(shift, moved) for shift in shifts if (moved := _moved(profile, zones, [shift], end))]
    profiles = [profile, *(one for _, (one, _) in known)]
    off = each_off_ms(profiles, reading.seen, reading.period.rotation_ms, follow=True)
    begins: list[tuple[int, int] | None] = [(0, 0)]
    of_zone = [reading.seen.first.zone == number for number in range(len(zones))]
    near = [np.sum(off[0, here] <= NEAR_MS) / max(here.sum(), 1) for here in of_zone]
    for number in range(1, len(zones)):
        if min(near[number - 1 : number + 1]) < ENOUGH:
            begins.append(None)
            continue
        here = of_zone[number] & np.isfinite(off).all(axis=0)
        worse = off[1:, here] - off[0, here]
        left = [
            shift
            for (shift, _), more in zip(known, worse, strict=True)
            if len(more) < 2 or not is_sure_gain(more)
        ]
        ends = min(left, default=0), max(left, default=0)
        begins.append(ends if max(-ends[0], ends[1]) < AROUND else None)
    return begins


def _moved(
    profile: Profile, zones: list[dict[str, Any]], by: list[int] | Whole, end: int
) -> tuple[Profile, dict[str, Any]] | None:
    """The profile with the addresses of all zones but the first moved on, at the angles they have.

    None where they cannot be.

    Args:
        profile: to change.
        zones: its zones.
        by: by how many sectors, of each, or of all.
        end: of the addresses that are asked for, which have to be there.
    """
    spares = [zone.get("sparing", {}).get("sectors", 0) for zone in zones[:-1]]
    shifts = np.broadcast_to(by, len(spares))
    begin = np.maximum.accumulate(np.maximum(np.cumsum(spares) + shifts, 0))
    shifts = begin - np.cumsum(spares)
    found = []
    for number, zone in enumerate(zones):
        kept = {key: value for key, value in zone.items() if key != "sparing"}
        if number and "first_track_skew_turns" in zone:
            turns = zone["first_track_skew_turns"] - shifts[number - 1] / zone["sectors_per_track"]
            kept["first_track_skew_turns"] = float(turns % 1.0)
        before = begin[number - 1] if number else 0
        count = int(begin[number] - before) if number < len(begin) else 0
        if number == len(begin) and "sparing" in zone:
            kept["sparing"] = zone["sparing"]
        found.append(kept | ({"sparing": {"kind": "zone", "sectors": count}} if count else {}))
    try:
        moved = profile.with_overrides({"zone": found})
    except InputError:
        return None
    return (moved, {"zone": found}) if end <= moved.capacity_sectors else None
