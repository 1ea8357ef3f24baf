"""Simulates streams on a drive: rounds, buffers, underruns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from platterlab._core import InputError, Profile, av_run
from platterlab.answers import AvReport
from platterlab.known import known

BLOCK_BYTES = 4096
"""Of an ext3-like file system."""


@dataclass(frozen=True)
class Stream:
    """One file that is played or recorded.

    Attributes:
        lba: where it starts.
        rate_bit_s: how fast.
        io_sectors: what is asked for at a time.
        records: written rather than read.
        ios: how many times; None for what `Serving` says of all.
    """

    lba: int
    rate_bit_s: int
    io_sectors: int
    records: bool = False
    ios: int | None = None


@dataclass(frozen=True)
class Serving:
    """Service of streams.

    Attributes:
        period_ms: from round to round; None for what the first stream's I/O plays.
        ios: I/Os of each stream.
        buffers: of one I/O each; 2 is double buffering.
        start_after: I/Os in the buffer before a stream plays, with the next round.
        order: `listed` or `sweep`.
        host_spread_ms: each I/O comes up to this much after it could.
        fragmentation: share of I/Os with a break in the file.
        allocator: `ext3` or `extent`.
        extent_bytes: what the extent allocator keeps whole; None for a whole I/O, or where
            they differ for what divides all of them.
        indirect: when ext3 reads indirect blocks: `mapped`, each with the first of the 1,024 blocks
            that it maps; `at-breaks`; `in-memory`.
        seed: of every random choice.
    """

    period_ms: float | None = None
    ios: int = 200
    buffers: int = 2
    start_after: int = 1
    order: str = "listed"
    host_spread_ms: float = 0.0
    fragmentation: float = 0.0
    allocator: str = "ext3"
    extent_bytes: int | None = None
    indirect: str = "mapped"
    seed: int = 0


@dataclass(frozen=True)
class Played:
    """What came of it."""

    report: AvReport
    levels: dict[str, NDArray[Any]] = field(repr=False)
    """Buffer levels in I/Os whenever one is done: time_ms, session, before, after."""

    @property
    def response_ms(self) -> float:
        """Mean time from an I/O's issue to its last byte."""
        return known(self.report["response"])["mean_ms"]

    @property
    def underruns(self) -> int:
        """Times a stream stood still."""
        return int(sum(one["underruns"] for one in self.report["sessions"]))

    @property
    def start_up_ms(self) -> float:
        """Instant at which the last stream began to play."""
        return float(np.max([one["start_up_ms"] or 0.0 for one in self.report["sessions"]]))


def play(profile: Profile, streams: Sequence[Stream], serving: Serving) -> Played:
    """Serves streams to the end of their files.

    Raises:
        InputError: there is no such stream on this drive.
    """
    if not streams:
        raise InputError("no stream is asked for; ask for at least one")
    unit = _unit_sectors(profile, gcd(*(one.io_sectors for one in streams)), serving)
    report, levels = av_run(
        profile,
        [
            (one.lba, one.io_sectors, one.ios or serving.ios, one.records, one.rate_bit_s)
            for one in streams
        ],
        period_ms=serving.period_ms,
        buffers=serving.buffers,
        start_after=serving.start_after,
        order=serving.order,
        host_spread_ms=serving.host_spread_ms,
        break_share=serving.fragmentation,
        allocator=serving.allocator,
        unit_sectors=unit,
        indirect=serving.indirect,
        seed=serving.seed,
    )
    return Played(report, levels)


def _unit_sectors(profile: Profile, io_sectors: int, serving: Serving) -> int:
    """Sectors between which a file cannot break."""
    if serving.allocator == "ext3":
        return max(1, BLOCK_BYTES // profile.sector_bytes)
    if serving.extent_bytes is None:
        return io_sectors
    return max(1, serving.extent_bytes // profile.sector_bytes)
