"""Whether a write waits for less of its data where the platter is slow.

A drive that waits for all data of a write on its fast tracks may not do so where the bus keeps up.
The zones from which on, and the share that is enough, are what leaves the smallest errors, if that
is sure.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import Tried
from platterlab.calibration.trace.observed import Floats
from platterlab.calibration.trace.reading import Reading


@dataclass(frozen=True)
class SlowFence:
    """Where a write waits for less.

    Attributes:
        from_sector_ms: on tracks whose sectors take at least so long to pass.
        share: of the sectors that would have to be there.
    """

    from_sector_ms: float
    share: float

    def table(self) -> dict[str, float]:
        """The same as a profile has it."""
        return {"from_sector_ms": self.from_sector_ms, "share": self.share}

    def needed(self, sectors: Floats, sector_ms: Floats) -> Floats:
        """Sectors that have to be there, of so many that each take so long to pass."""
        part = np.maximum(np.ceil(self.share * sectors), 1.0)
        return np.where(sector_ms >= self.from_sector_ms, part, sectors)


SHARES = (0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875)


def find_slow_fence(profile: Profile, reading: Reading) -> SlowFence | None:
    """Where the drive waits for less; None where that is not sure.

    Args:
        profile: of a drive whose writes wait for their data.
        reading: the trace.
    """
    around = np.unique(reading.seen.first.per_track[reading.seen.write])
    # From one zone's sectors to the next's, and all.
    most = [*((around[:-1] + around[1:]) / 2).tolist(), float(around[-1]) + 1.0]
    tried = Tried(profile, reading.seen, reading.period.rotation_ms)
    fences = [
        SlowFence(reading.period.rotation_ms / per_track, share)
        for per_track, share in product(most, SHARES)
    ]
    best = tried.best([{"cache.write_fence_slow": fence.table()} for fence in fences])
    return fences[best] if tried.is_sure() else None
