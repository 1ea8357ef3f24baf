"""Whether all data of a request is in the buffer before it goes on, where the whole model tells.

A read from the media whose bus starts as its last sector has passed and one that waits for all of
its sectors are the same; one of which read-ahead has a part already is not. A write that was
reported tells nothing of how much of its data the platter waits for, but those behind it do.
"""

from collections.abc import Iterator

from platterlab._core import Profile
from platterlab.calibration.judged.cross_validation import MOVED_TURNS, Tried
from platterlab.calibration.trace.reading import Reading
from platterlab.documents import Overrides


def all_data_first(profile: Profile, reading: Reading, known: Overrides) -> Overrides:
    """The other of two ways, for reads and for writes, where that is surely nearer.

    Args:
        profile: as found so far.
        reading: the trace.
        known: what made the profile.
    """
    found: Overrides = {}
    for way in _others(profile, reading, known):
        tried = Tried(profile, reading.seen, reading.period.rotation_ms)
        if tried.surely_best([way], MOVED_TURNS) is not None:
            found, profile = found | way, profile.with_overrides(way)
    return found


def _others(profile: Profile, reading: Reading, known: Overrides) -> Iterator[Overrides]:
    """What may be instead, for reads and for writes."""
    bus = known["bus"]
    if bus.get("reconnect_before_end") == 0:
        kept = {key: value for key, value in bus.items() if key != "reconnect_before_end"}
        yield {"bus": kept, "cache.read_fence_share": 1.0}
    written = reading.seen.sectors[reading.seen.write]
    if reading.reported and len(written) and not known["cache.write_fence"]:
        yield {"cache.write_fence": int(written.max()) * profile.sector_bytes}
