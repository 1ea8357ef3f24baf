"""What the bus waits for, where only reads over a track's end tell.

How much of a read has passed when the bus starts, the time to take it and the time of a sector on
it come as one sum on each track. Sizes of many kinds tell some of them apart, on one track; in a
read that goes on to the next track the skew lies before the bus starts, or within its time, by
where the track ends.
"""

from dataclasses import replace

import numpy as np

from platterlab.calibration.buffer.read_completion import (
    ROUND_SHARES,
    AtFence,
    AtMark,
    AtShare,
    Following,
    InBursts,
    Streamed,
)
from platterlab.calibration.overrides import water_mark
from platterlab.calibration.platter.over_reads import Reads, Way, reads_of
from platterlab.calibration.platter.regression import Angles, regress
from platterlab.calibration.trace.reading import Reading

FENCES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Sectors that the bus may wait for."""

LEAST_BURST = 4
"""Sectors of a burst."""

RATE_STEPS = np.array(sorted(np.linspace(-0.3, 0.4, 15), key=abs))
"""Of the bus time of a sector as a data sheet has it: how far others are."""

TAKING_MS = [0.05 * step for step in range(13)]
"""Times to take the bus that are tried."""

LEAST_MS = 1e-6
"""A time that is none, but found."""


def with_bus_of_track_ends(
    reading: Reading, angles: Angles, taking_ms: float
) -> tuple[Reading, Angles]:
    """The bus and what it waits for as reads over a track's end have it, where that is sure.

    Args:
        reading: the trace.
        angles: where tracks begin.
        taking_ms: to have the bus, as the profile says.
    """
    plain = _plain(angles, taking_ms)
    # Where the platter is followed, what moves all of a zone goes with it.
    reads = None if plain is None or angles.tracked else reads_of(reading, angles)
    if plain is None or reads is None:
        return reading, angles
    ways = [plain, replace(plain, lost="always")]
    before, lost = (_nearest(reading, reads, way, taking_ms) for way in ways)
    found = reads.surely(before, lost)
    if not reads.is_as_near(found):
        ways.append(replace(plain, lost="some"))
        found = reads.surely(found, _nearest(reading, reads, ways[-1], taking_ms))
    plain = min(ways, key=reads.distance)
    belied = reads.is_too_early(plain) and reads.distance(found) <= reads.distance(plain)
    if not (belied or reads.is_surely_nearer(plain, found)):
        return reading, angles
    known = reading if found.sector_ms == plain.sector_ms else reading.with_bus(found.sector_ms)
    # Reads on one track alone would let go of the rate again.
    start = replace(
        angles, reads=_taken(found), sector_ms=found.sector_ms, hit_sector_ms=found.sector_ms
    )  # fmt: skip
    anew = regress(reading.seen, known.waiting(with_writes=True), start)
    return known, replace(anew, hit_sector_ms=known.hits.sector_ms if known.hits else 0.0)


def _plain(angles: Angles, taking_ms: float) -> Way | None:
    """The way as it has been found, in whole sectors; None where this cannot do better."""
    if angles.sector_ms <= 0:
        return None
    match angles.reads:
        case AtFence(fence, reconnect):
            own_ms = float(reconnect) * angles.sector_ms if reconnect else taking_ms
            return Way(AtFence(fence), angles.sector_ms, own_ms)
        case AtShare():
            return Way(AtMark(water_mark(angles)), angles.sector_ms, taking_ms)
        case Streamed():
            return Way(AtFence(1), angles.sector_ms, taking_ms)
        case InBursts(burst, reconnect, drains):
            own_ms = float(reconnect) * angles.sector_ms if reconnect else taking_ms
            return Way(InBursts(burst, drains=drains), angles.sector_ms, own_ms)
        case _:
            return None


def _taken(way: Way) -> Following:
    """The same with the time to take the bus, in its sectors.

    Without any, the profile's would stand.
    """
    if isinstance(way.reads, AtMark):
        return way.reads
    return replace(way.reads, reconnect=max(way.taking_ms, LEAST_MS) / way.sector_ms)


def _nearest(reading: Reading, reads: Reads, plain: Way, own_ms: float) -> Way:
    """The way that leaves the smallest distances: what is known stays as long as that may be.

    A rate that nothing tells of and a time to take the bus are hardly told apart, nor are bursts
    from a fence.

    Args:
        reading: the trace.
        reads: those that tell.
        plain: the way so far.
        own_ms: to take the bus, as the profile says.
    """
    most_ms = _most_ms(reading)
    rates = 1.0 + RATE_STEPS if not _is_told(reading) else np.ones(1)
    rates_ms = [float(ms) for ms in plain.sector_ms * rates if ms < most_ms]
    known = replace(plain, taking_ms=own_ms)
    fences = [fence for fence in FENCES if fence <= reads.sectors.max()]
    starts = [AtFence(fence) for fence in fences]
    marks = [AtMark(share) for share in ROUND_SHARES]
    best = reads.nearest(known, [*starts, *marks], rates_ms, [own_ms])
    best = reads.surely(best, reads.nearest(known, starts, [plain.sector_ms], TAKING_MS))
    if len(rates_ms) > 1:
        best = reads.surely(best, reads.nearest(known, starts, rates_ms, TAKING_MS))
    if isinstance(best.reads, AtFence) and best.reads.fence >= LEAST_BURST:
        # On one track bursts that no one waits for are a fence of as many sectors.
        bursts = [InBursts(best.reads.fence, drains=drains) for drains in (False, True)]
        best = reads.surely(best, reads.nearest(best, bursts, [best.sector_ms], TAKING_MS))
    return best


def _is_told(reading: Reading) -> bool:
    """Whether answers of several sizes tell of the bus.

    Reads from the media of several sizes, on unlike tracks, do so too, but not by themselves.
    """
    seen = reading.seen
    answered = reading.is_hit & ~seen.write
    return bool(reading.hits and np.ptp(seen.sectors[answered]) > 0)


def _most_ms(reading: Reading) -> float:
    """The bus time of a sector that leaves the buffer's answers no overhead."""
    seen = reading.seen
    answered = reading.is_hit & ~seen.write
    if not (reading.hits and answered.any()):
        return np.inf
    return float(np.median((seen.service_ms / seen.sectors)[answered]))
