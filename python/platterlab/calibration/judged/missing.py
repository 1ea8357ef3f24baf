"""What a profile most likely lacks, by how the requests that are off are so.

One that the drive's buffer answered and the profile's did not, or the other way round, tells of the
buffer; one that is off by whole turns, of how long positioning takes, as the head came too late or
just in time, or behind a reported write, of how much of that time has passed by then, or over a
track's end, of what the next track takes; one that is off by a part of a turn met its sectors
elsewhere.
"""

from collections.abc import Iterator

import numpy as np

from platterlab._core import row_labels
from platterlab.calibration.job import Calibration
from platterlab.calibration.judged.verdict import SLIP_REACH, Part
from platterlab.calibration.platter.under_way import BUSY_TURNS
from platterlab.calibration.trace.observed import Flags, Observed, Whole, observe

ELSEWHERE_TURNS = 0.1
"""Off by a smaller part of a turn, sectors are where they should be, and something else is late."""

HALF, APART = 0.5, 1.5
"""Of those that are off by whole turns, so many are behind reported writes, or over a track's end,
and of what is there so many times as many as elsewhere: it is that which matters. Of a zone's
requests so many are elsewhere: it is where its tracks begin that is not known."""

LEAST_SHARE = 0.25
"""Of the requests that are off: what fewer of them tell is not said."""

BUFFER = (
    "the buffer: how far and how long the drive reads ahead, what it keeps, when it reports writes"
)
SEEK = "how long positioning takes: seeks that scatter, or a seek curve of another form"
BEHIND = (
    "what of the time before a read is overhead and what the arm's: reads that come while a "
    "reported write is under way have spent their overhead by then"
)
NEXT_TRACK = (
    "how the drive goes on to the next track within a request: its switches, or how much of a read "
    "has to be there for the bus to start or to go on"
)
PLACE = (
    "where tracks begin: skews, angles of surfaces, zones that begin at other cylinders, spare or "
    "slipped sectors the profile does not have"
)

_CODE = {name: code for code, name in enumerate(row_labels()["cache"])}


def missing(found: Calibration, part: Part, off: Flags) -> list[str]:
    """What the requests that are off tell, a line for each, most of them first.

    Args:
        found: the calibration.
        part: requests that it is judged on.
        off: which of them are off.
    """
    told = sorted(_told(found, part, off), reverse=True)
    return [
        f"{share:.0%} of those that are off are so {how}. Likeliest missing: {what}"
        for share, how, what in told
        if share >= LEAST_SHARE
    ]


def _told(found: Calibration, part: Part, off: Flags) -> Iterator[tuple[float, str, str]]:
    """The share of those that are off, how they are so, and what that tells."""
    rows = found.simulated("issue")
    simulated = np.asarray(rows["service_ms"])[part.rows]
    error = simulated - part.measured_ms
    some = off & np.isfinite(error)
    count = max(1, int(some.sum()))
    answered = np.isin(np.asarray(rows["cache"])[part.rows], [_CODE["hit"], _CODE["in-flight"]])
    other = some & (answered != _answered(found, part)) & ~part.write
    turns = np.abs(error) / found.reading.period.rotation_ms
    whole = some & ~other & (np.round(turns) > 0) & (np.abs(turns - np.round(turns)) < SLIP_REACH)
    elsewhere = some & ~other & ~whole & (turns > ELSEWHERE_TURNS)
    seen = observe(found.profile, found.reading.requests, found.reading.seen.surfaces)
    behind = _behind(found, part, seen)
    over_ends = np.asarray(seen.pieces[part.rows] > 1)
    yield float(other.sum()) / count, "as the buffer answered them or did not", BUFFER
    if _are_mostly(whole, behind):
        yield float(whole.sum()) / count, "by whole turns, most behind reported writes", BEHIND
    elif _are_mostly(whole, over_ends):
        yield float(whole.sum()) / count, "by whole turns, most over a track's end", NEXT_TRACK
    else:
        yield float(whole.sum()) / count, "by whole turns", SEEK
    lost = lost_zones(seen.first.zone[part.rows], elsewhere)
    where = f", most in {_numbered(lost)}" if lost else ""
    yield float(elsewhere.sum()) / count, f"by parts of a turn{where}", PLACE


def _are_mostly(off: Flags, some: Flags) -> bool:
    """Whether most of those that are off are some, and of these far more are than of the others."""
    if not some.any() or some.all():
        return False
    inside, outside = float(off[some].mean()), float(off[~some].mean())
    return bool((off & some).sum() >= HALF * off.sum() and inside > APART * outside)


def lost_zones(zone: Whole, elsewhere: Flags) -> list[int]:
    """The zones most of whose requests are elsewhere, if most that are lie there; not all zones."""
    count = np.bincount(zone)
    off = np.bincount(zone, weights=elsewhere)
    lost = off > HALF * count
    few = not lost.any() or bool((lost | (count == 0)).all())
    return [] if few or off[lost].sum() < HALF * off.sum() else np.flatnonzero(lost).tolist()


def _numbered(zones: list[int]) -> str:
    if len(zones) == 1:
        return f"zone {zones[0]}"
    return f"zones {', '.join(map(str, zones[:-1]))} and {zones[-1]}"


def _behind(found: Calibration, part: Part, seen: Observed) -> Flags:
    """Which reads came while a write that had been reported may have been under way."""
    reading = found.reading
    soon = seen.gap_ms < BUSY_TURNS * reading.period.rotation_ms
    reported = reading.write_report != "media"
    behind = reported & seen.after_write & soon & ~seen.write
    return np.asarray(behind[part.rows])


def _answered(found: Calibration, part: Part) -> Flags:
    """Which requests lie on the line of the reads that the buffer answered."""
    hits = found.reading.hits
    if hits is None:
        return np.zeros(len(part.measured_ms), dtype=bool)
    sectors = np.asarray(found.reading.requests.columns()["sectors"][part.rows])
    return hits.below(part.measured_ms, sectors.astype(np.int64))
