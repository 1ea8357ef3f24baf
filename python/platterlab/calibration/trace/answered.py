"""The lines of reads and of writes that the buffer answered, of a whole trace."""

from dataclasses import replace

import numpy as np

from platterlab.calibration.trace.buffer_hits import CLEARLY, REACH_TURNS, Floor, find_floor
from platterlab.calibration.trace.observed import Flags, Observed

MOST_STILL = 0.5
"""Of the reads that need no arm, for a line that they alone are crowded on; and of all writes, for
one that is beyond where a line is looked for."""

LEAST_OTHERS = 6
"""Answers of other sizes than most are: fewer may be on one line with those by chance."""


def answered_reads(
    seen: Observed, rotation_ms: float, sector_ms: float | None
) -> tuple[Floor | None, Flags]:
    """The line of reads that the buffer answered, and the reads that are looked for on it.

    Few answers are not crowded among all reads; among those that need no arm they are most, and
    tell of the bus where they are of several sizes.
    """
    read = ~seen.write
    line = find_floor(seen.service_ms[read], seen.sectors[read], rotation_ms, sector_ms)
    if line is None:
        still = read & (seen.seek_cylinders == 0) & seen.same_surface
        few = find_floor(seen.service_ms[still], seen.sectors[still], rotation_ms, sector_ms)
        several = still.any() and np.ptp(seen.sectors[still]) > 0
        if few is not None and several and _is_of_answers(few, seen, still, rotation_ms):
            return replace(few, share=few.share * float(still.sum() / read.sum())), still
    return line, read


def _is_of_answers(few: Floor, seen: Observed, still: Flags, rotation_ms: float) -> bool:
    """Whether most of some reads are on a line, or most that are about as quick alike on it.

    Others may wait for the platter: where read-ahead under way answers none, for a turn. Alike ones
    of hardly more than one size tell nothing of the bus.
    """
    if few.share > MOST_STILL:
        return True
    sectors = seen.sectors[still]
    rest_ms = seen.service_ms[still] - few.sector_ms * sectors
    quick = np.sum(rest_ms < few.upper_ms + REACH_TURNS * rotation_ms)
    alike = few.alike(seen.service_ms[still], sectors)
    _, counts = np.unique(sectors[alike], return_counts=True)
    others = counts.sum() - counts.max()
    return bool(alike.sum() > MOST_STILL * quick and others >= LEAST_OTHERS)


def answered_writes(seen: Observed, rotation_ms: float, hits: Floor | None) -> Floor | None:
    """The line of writes that the buffer answered.

    To take a command can cost a fast drive more than the part of a turn within which a line is
    looked for, as it is no matter of the platter. Then more writes than not lie on a line beyond,
    far more alike than on any within; those that go on from the one before, and lose a turn each,
    may do so without a buffer.
    """
    sector_ms = hits.sector_ms if hits else None

    def found(some: Flags, reach_turns: float) -> Floor | None:
        return find_floor(
            seen.service_ms[some], seen.sectors[some], rotation_ms, sector_ms,
            is_measured=bool(hits), reach_turns=reach_turns,
        )  # fmt: skip

    apart: Flags = seen.write & ~seen.sequential & np.isfinite(seen.service_ms)
    line, beyond = found(seen.write, REACH_TURNS), found(apart, 1.0)
    if beyond is None or beyond.share < MOST_STILL:
        return line
    own, other = (
        int(one.alike(seen.service_ms[apart], seen.sectors[apart]).sum()) if one else 0
        for one in (line, beyond)
    )
    return beyond if other > CLEARLY * own else line
