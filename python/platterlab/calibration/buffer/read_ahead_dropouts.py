"""Read-ahead that is given up by chance: how often, where a trace shows it.

Under the right cache a read that goes on where the one before it ended finds what was read ahead.
Where it misses after the read that set read-ahead off, and seldom after one that found its own data
there, the drive did not read ahead that time, and nothing that a trace holds says when. Something
does where the reads that miss differ from those that do not: then it is no chance, but a cache of
another kind.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from platterlab._core import row_labels
from platterlab.calibration.trace.observed import Flags, Floats
from platterlab.calibration.trace.reading import Reading

NEAR = 256
"""Sectors behind the last request that are read ahead, where anything is."""

SURE = 0.001
"""Chance that the same misses fall so by themselves, at most."""

DRAWS = 2_000
"""Of which reads miss, to learn how far they differ by chance."""

ALIKE = 0.05
"""Where reads drawn by chance differ as much from the others more seldom, misses have a cause."""

_CODE = {name: code for code, name in enumerate(row_labels()["cache"])}


def abandoned_share(reading: Reading, outcome: NDArray[np.uint8]) -> float:
    """The share of read-aheads that are given up; 0 where the trace does not show it.

    Args:
        reading: the trace.
        outcome: of each request under the cache found, by number.
    """
    seen = reading.seen
    read = ~seen.write & np.isfinite(seen.service_ms)
    served = read & np.isin(outcome, [_CODE["hit"], _CODE["in-flight"]])
    media = read & np.isin(outcome, [_CODE["miss"], _CODE["partial"]])
    beyond = seen.lba - np.concatenate([[0], (seen.lba + seen.sectors)[:-1]])
    goes_on: Flags = served & (beyond >= 0) & (beyond < NEAR)
    first = goes_on & np.concatenate([[False], media[:-1]])
    later = goes_on & np.concatenate([[False], (served & reading.is_hit)[:-1]])
    missed, found = (
        [int(np.sum(some & (reading.is_hit == it))) for some in (first, later)]
        for it in (False, True)
    )
    if sum(missed) == 0:
        return 0.0
    if _chance(missed, found) >= SURE or _have_a_cause(reading, first, ~reading.is_hit[first]):
        return 0.0
    return missed[0] / (missed[0] + found[0])


def _chance(missed: list[int], found: list[int]) -> float:
    """That so many of all misses are among the first, or more (Fisher's exact test).

    By itself: what has the test loads for a second.
    """
    (first, later), misses = np.add(missed, found).tolist(), sum(missed)
    ways = (
        comb(first, some) * comb(later, misses - some)
        for some in range(missed[0], min(first, misses) + 1)
    )
    return sum(ways) / comb(first + later, misses)


def _ranks(values: Floats) -> Floats:
    """Their ranks, the mean one of those that are equal."""
    _, at, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[at])


def _have_a_cause(reading: Reading, some: Flags, missed: Flags) -> bool:
    """Whether the reads that miss differ from the others in anything that a trace holds.

    In the mean rank of any of it, more than reads drawn by chance in the largest of them.
    """
    seen = reading.seen
    before = np.concatenate([[0], (seen.lba + seen.sectors)[:-1]])
    size = np.concatenate([[0], seen.sectors[:-1]])
    place = seen.last.sector / seen.last.per_track
    columns = [
        seen.gap_ms,
        seen.lba - before,
        seen.sectors,
        size,
        seen.lba,
        np.concatenate([[0.0], place[:-1]]),
        place,
        np.concatenate([[0], np.abs(seen.seek_cylinders)[:-1]]),
        np.concatenate([[0.0], seen.gap_ms[:-1]]),
        np.concatenate([[0.0], seen.service_ms[:-1]]),
        np.concatenate([[0, 0], seen.write[:-2]]),
        seen.pieces,
        np.arange(len(seen)),
    ]
    ranks = np.array([_ranks(column[some]) for column in columns])
    ranks = ranks - ranks.mean(axis=1, keepdims=True)
    spread = ranks.std(axis=1)
    ranks = ranks[spread > 0] / spread[spread > 0, None]
    # Both ends and the middle against both: what is far from the middle may be what misses.
    ranks = np.concatenate([ranks, np.abs(ranks) - np.abs(ranks).mean(axis=1, keepdims=True)])
    count = int(missed.sum())
    rng = np.random.default_rng(0)
    largest = np.abs(ranks[:, missed].mean(axis=1)).max()
    drawn = [
        np.abs(ranks[:, rng.permutation(len(missed))[:count]].mean(axis=1)).max()
        for _ in range(DRAWS)
    ]
    return bool((1 + np.sum(np.array(drawn) >= largest)) / (1 + DRAWS) < ALIKE)
