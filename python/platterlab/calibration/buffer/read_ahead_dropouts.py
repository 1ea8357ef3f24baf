"""Read-ahead that is given up by chance: how often, where a trace shows it.

Under the right cache a read that goes on where the one before it ended finds what was read ahead.
Where it misses after the read that set read-ahead off, and seldom after one that found its own data
there, the drive did not read ahead that time; nothing that a trace holds says when.
"""

import numpy as np
import scipy

from platterlab._core import row_labels
from platterlab.calibration.trace.observed import Flags, Whole
from platterlab.calibration.trace.reading import Reading

NEAR = 256
"""Sectors behind the last request that are read ahead, where anything is."""

SURE = 0.01
"""Chance that the same misses fall so by themselves, at most."""

_CODE = {name: code for code, name in enumerate(row_labels()["cache"])}


def abandoned_share(reading: Reading, outcome: Whole) -> float:
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
    chance = scipy.stats.fisher_exact([missed, found], alternative="greater").pvalue
    return missed[0] / (missed[0] + found[0]) if chance < SURE else 0.0
