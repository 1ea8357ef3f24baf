"""Which requests of a trace came while the drive read ahead, as a profile's cache has it."""

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.trace.observed import Flags
from platterlab.calibration.trace.reading import Reading

MARK_MS = 0.001
"""What read-ahead adds to an overhead here, to be seen there; too little to change more."""


def reading_ahead(profile: Profile, reading: Reading, follow: bool) -> Flags:
    """Of the requests that the buffer answers, those that came while the drive read ahead.

    Args:
        profile: with the cache found.
        reading: the trace.
        follow: whether the platter has to be followed.
    """
    controller = {
        name: value for name, value in profile.stated()["controller"].items() if name != "rules"
    }
    hit = controller.get("hit", {})
    rules = [
        {
            "operation": operation, "hit": True, "reading_ahead": True,
            "ms": hit.get(f"{operation}_ms", controller.get(f"{operation}_ms", 0.0)) + MARK_MS,
        }
        for operation in ("read", "write")
    ]  # fmt: skip
    # The same cost after any command, so that nothing but the mark tells requests apart.
    plain = profile.with_overrides({"controller": controller | {"hit_after_write": hit}})
    marked = plain.with_overrides({"controller.rules": rules})
    plainly, told = (
        reading.seen.requests.replay(one, timing="issue", track_phase=follow)["overhead_ms"]
        for one in (plain, marked)
    )
    return np.asarray(told - plainly > MARK_MS / 2)
