"""Whether reads go over the bus in bursts: what the sizes of reads tell.

From the media's end to a read's completion the bus has its last burst to send, so that this time is
a sawtooth in the size. The burst whose sawtooth leaves the smallest distances is taken if it surely
leaves smaller ones than the other ways do, for each half of the reads by itself.
"""

from dataclasses import replace

import numpy as np

from platterlab.calibration.buffer.read_completion import InBursts
from platterlab.calibration.judged.cross_validation import SURE
from platterlab.calibration.platter.regression import Angles, phases, regress
from platterlab.calibration.trace.observed import Floats, Observed
from platterlab.calibration.trace.rotation_period import Waiting

BURSTS = range(4, 129)
"""Sectors that are tried for a burst."""

LEAST_READS = 200
"""With fewer there is no telling."""

CAP_TURNS = 0.02
"""A distance counts up to this."""

MOST_BUS_SHARE = 1.0
"""A bus slower than the platter never empties the buffer before the end."""


def in_bursts(
    seen: Observed, waiting: Waiting, otherwise: Angles, sector_ms: float
) -> Angles | None:
    """The angles with reads in bursts; None where these are not clearly nearer.

    Args:
        seen: the trace.
        waiting: requests on one track that waited for the platter.
        otherwise: the best of the other ways.
        sector_ms: bus time of a sector, as answers of the buffer have it; 0 where there are none.
    """
    rows = waiting.which
    read = ~seen.write[rows]
    sectors = seen.sectors[rows][read].astype(np.float64)
    if sector_ms <= 0 or len(sectors) < LEAST_READS or sectors.max(initial=0) <= BURSTS[0]:
        return None
    ways = [
        replace(otherwise, reads=InBursts(burst), sector_ms=sector_ms)
        for burst in BURSTS
        if burst < sectors.max()
    ]
    off = [_off(phases(seen, waiting, way)[read]) for way in ways]
    found = regress(seen, waiting, ways[int(np.argmin(off))])
    share = found.bus_share(seen.first.per_track[rows][read])
    if float(np.median(share)) >= MOST_BUS_SHARE:
        return None
    for half in (slice(None, len(sectors) // 2), slice(len(sectors) // 2, None)):
        own, other = (_capped(one.off_turns[read][half]) for one in (found, otherwise))
        gain = other - own
        if float(np.mean(gain)) <= SURE * float(np.std(gain)) / np.sqrt(len(gain)):
            return None
    return found


def _off(turns: Floats) -> float:
    """How far some phases are from what most of them are."""
    middle = float(np.angle(np.exp(2j * np.pi * turns).mean()) / (2 * np.pi))
    off = (turns - middle + 0.5) % 1.0 - 0.5
    return float(np.mean(_capped(np.asarray(off - np.median(off), dtype=np.float64))))


def _capped(off_turns: Floats) -> Floats:
    return np.asarray(np.minimum(np.abs(off_turns), CAP_TURNS), dtype=np.float64)
