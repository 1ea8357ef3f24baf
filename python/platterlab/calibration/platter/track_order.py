"""Another order of tracks than the profile's, where distances by it tell better what requests take.

Beside its transfer, a request that waits for the platter takes as long as the arm needs for its
distance and up to one turn more. So requests of one distance differ by no more than a turn, but for
a few. By another order than the drive's their distances are others, and more of them do. No angle
of a track is needed for that.
"""

import numpy as np

from platterlab._core import InputError, Profile
from platterlab.calibration.platter.run_length import run_length
from platterlab.calibration.trace.observed import HEADS_FIRST, PASSES, stated_of
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Json

ALIKE = 60
"""Requests of about the same distance that are compared."""

LEAST_REQUESTS = 200
"""Reads or writes without which they tell nothing."""

SURE = 4.0
"""Standard errors of the difference of the shares of those that differ by more than a turn."""

FEWER = 0.5
"""So many times as many may do so by another order, as everything else that is wrong stays."""


def in_order_of_runs(profile: Profile, reading: Reading, least: float) -> Profile | None:
    """The profile in the order by whose runs of tracks requests agree; None where its own may be.

    Skews go with the order, and are to be found.

    Args:
        profile: with an order.
        reading: the trace.
        least: of the requests, that have to.
    """
    zones = stated_of(profile)["zone"]
    own = {zone.get("order", "traditional") for zone in zones}
    lengths = {zone.get("serpentine_cylinders", 0) for zone in zones}
    stated = reading.seen.surfaces if own <= set(HEADS_FIRST) else max(lengths)
    if len(own | lengths) > 2 or "listed" in own or not stated or not reading.period.is_locked:
        return None
    tracks = run_length(reading, stated, least)
    return None if tracks is None else _by_runs(profile, reading, _bare(zones), tracks)


def with_likelier_order(profile: Profile, reading: Reading) -> Profile | None:
    """The profile in the order by which fewest requests differ so; None where its own may be right.

    Skews go with the order, and are to be found.
    """
    zones = stated_of(profile)["zone"]
    own = {zone.get("order", "traditional") for zone in zones}
    if len(own) > 1 or "listed" in own:
        return None
    bare = _bare(zones)
    far, count = _beyond_a_turn(reading)
    best, least = None, far / max(count, 1)
    for order in (HEADS_FIRST[0], *PASSES):
        other = _tried(profile, bare, {"order": order})
        away, among = _under(reading, other)
        if not count or not among:
            continue
        share, error = away / among, np.sqrt(far / count**2 + away / among**2)
        is_sure = share < FEWER * far / count and far / count - share > SURE * error
        if is_sure and share < least:
            best, least = other, share
    return best


def _bare(zones: list[Json]) -> list[Json]:
    """The zones without what goes with their order."""
    return [{key: zone[key] for key in zone if not _goes_with_order(key)} for zone in zones]


def _tried(profile: Profile, bare: list[Json], order: Json) -> Profile | None:
    """The profile in another order; None where it cannot be."""
    try:
        return profile.with_overrides({"zone": [zone | order for zone in bare]})
    except InputError:
        return None


def _by_runs(profile: Profile, reading: Reading, bare: list[Json], tracks: int) -> Profile | None:
    """The profile in an order with runs of so many tracks; None where none can be.

    Of those that seek first the one that most have, or another by which fewer requests surely are
    beyond a turn.
    """
    if tracks == reading.seen.surfaces:
        return _tried(profile, bare, {"order": HEADS_FIRST[0]})
    best, least, error = None, np.inf, 0.0
    for order in PASSES:
        other = _tried(profile, bare, {"order": order, "serpentine_cylinders": tracks})
        away, among = _under(reading, other)
        if among and away / among < least - SURE * error:
            best, least, error = other, away / among, np.sqrt(2 * max(away, 1)) / among
    return best


def _under(reading: Reading, profile: Profile | None) -> tuple[int, int]:
    """`_beyond_a_turn` under another profile; nothing where the trace is not of such a drive."""
    try:
        return _beyond_a_turn(reading.under(profile)) if profile is not None else (0, 0)
    except InputError:
        return 0, 0


def _goes_with_order(key: str) -> bool:
    return "skew" in key or key in ("order", "serpentine_cylinders")


def _beyond_a_turn(reading: Reading) -> tuple[int, int]:
    """How many requests are not within one turn with the others of their distance, and of how many.

    Of those of each distance the turn that most are in counts.
    """
    seen, rotation_ms = reading.seen, reading.period.rotation_ms
    rows = reading.waiting(with_writes=True).which
    rows = rows[(seen.seek_cylinders[rows] != 0) & (rows > 0)]
    media_ms = rotation_ms * seen.sectors[rows] / seen.first.per_track[rows]
    rest_ms, away = seen.service_ms[rows] - media_ms, np.abs(seen.seek_cylinders[rows])
    beyond, count = 0, 0
    for some in (seen.write[rows], ~seen.write[rows]):
        if some.sum() < LEAST_REQUESTS:
            continue
        alike = rest_ms[some][np.argsort(away[some], kind="stable")]
        for part in np.array_split(alike, len(alike) // ALIKE):
            ordered = np.sort(part)
            within = np.searchsorted(ordered, ordered + rotation_ms, "right")
            beyond += len(part) - int(np.max(within - np.arange(len(part))))
            count += len(part)
    return beyond, count
