"""Which reading of the trace its own clock bears out, and the rotation period under it.

A trace may leave open whether a row's gap lies before or after its request. Only under the right
reading do completions follow the platter.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from platterlab._core import InputError, Profile, Requests, trace_detect
from platterlab.calibrate.floor import Floor, find_floor
from platterlab.calibrate.lattice import Period, Waiting, find_period
from platterlab.calibrate.observed import Flags, Floats, Observed, observe

LEAST_REQUESTS = 200
"""With fewer there is nothing to fit."""

SPREAD = 0.02
"""How far the period may be from the profile's; a rough profile's, twice as far."""

ALL_CACHED = 0.9
"""Where the buffer answers this share of the writes, those that took longer were just late."""


@dataclass(frozen=True)
class Reading:
    """A trace under one reading of its gaps.

    Attributes:
        gap: `before` or `after`; None where the trace leaves nothing open.
        requests: all of them.
        seen: those to fit on.
        hits, reported: the lines of reads and writes that the buffer answered.
        is_hit: by request: whether it lies on its line.
        period: the best one.
        nearby: whether it was found without the layout, from requests for nearby addresses.
    """

    gap: str | None
    requests: Requests
    seen: Observed
    hits: Floor | None
    reported: Floor | None
    is_hit: Flags
    period: Period
    nearby: bool

    @property
    def writes_wait(self) -> bool:
        """Whether writes are complete only on the media."""
        return self.reported is None or self.reported.share < ALL_CACHED

    def waiting(self, with_writes: bool) -> Waiting:
        """Requests on one track that waited for the platter, angles without skew."""
        seen = self.seen
        media = ~self.is_hit & (seen.pieces == 1) & np.isfinite(seen.service_ms)
        if not (with_writes and self.writes_wait):
            media &= ~seen.write
        rows = np.flatnonzero(media)
        return Waiting(rows, seen.end_ms[rows], seen.first.sector[rows] / seen.first.per_track[rows])


def read_trace(
    trace: Path,
    profile: Profile,
    stated: dict[str, Any],
    *,
    trace_format: str | None,
    options: dict[str, Any],
    device: int,
    share: float,
    rough: bool,
) -> list[Reading]:
    """The trace under each reading that it leaves open, the one that its clock bears out first.

    Raises:
        InputError: the trace is wrong, has no service times, or is not of this drive.
    """
    known = trace_format or trace_detect(str(trace))
    gaps: list[str | None] = [None]
    if known == "disksim-validate":
        gaps = [options["gap"]] if "gap" in options else ["after", "before"]
    readings = []
    for gap in gaps:
        chosen = options | ({"gap": gap} if gap else {})
        requests = Requests.load(str(trace), known, device=device, options=chosen)
        count = int(len(requests) * share)
        if count < LEAST_REQUESTS:
            raise InputError(
                f"{trace}: {len(requests)} requests; to fit on the first {share:.0%} of them at "
                f"least {LEAST_REQUESTS / share:.0f} are needed"
            )
        readings.append(_read(gap, requests, count, profile, stated, rough))
    return sorted(readings, key=lambda one: one.period.chance - one.period.strength)


def _read(
    gap: str | None,
    requests: Requests,
    count: int,
    profile: Profile,
    stated: dict[str, Any],
    rough: bool,
) -> Reading:
    seen = observe(profile, requests.part(0, count), stated["geometry"]["surfaces"])
    if not np.isfinite(seen.service_ms).any():
        raise InputError("the trace has no service times; there is nothing to fit to")
    rotation = rotation_of(stated)
    read, write = ~seen.write, seen.write
    hits = find_floor(seen.service_ms[read], seen.sectors[read], rotation)
    sector_ms = hits.sector_ms if hits else None
    reported = find_floor(seen.service_ms[write], seen.sectors[write], rotation, sector_ms)
    is_hit = np.zeros(len(seen), dtype=bool)
    for line, some in ((hits, read), (reported, write)):
        if line:
            is_hit |= some & line.below(seen.service_ms, seen.sectors)
    reading = Reading(gap, requests, seen, hits, reported, is_hit, Period(rotation, 0, 1), False)
    tries = [
        (find_period(seen, waiting, rotation, SPREAD * (2 if rough else 1)), nearby)
        for waiting, nearby in _views(reading)
    ]
    period, nearby = max(tries, key=lambda one: one[0].strength - one[0].chance)
    return Reading(gap, requests, seen, hits, reported, is_hit, period, nearby)


def _views(reading: Reading) -> list[tuple[Waiting, bool]]:
    """Angles without skew, and with the profile's."""
    seen, plain = reading.seen, reading.waiting(with_writes=False)
    bus_ms = reading.hits.sector_ms if reading.hits else 0.0
    if len(plain.which) < LEAST_REQUESTS / 4 and reading.writes_wait:
        plain = reading.waiting(with_writes=True)
    end: Floats = plain.end_ms - bus_ms * seen.sectors[plain.which]
    bare = Waiting(plain.which, end, plain.turns)
    return [(bare, False), (Waiting(plain.which, end, seen.first.turns[plain.which]), False)]


def rotation_of(stated: dict[str, Any]) -> float:
    """The profile's rotation period in milliseconds."""
    spindle = stated["spindle"]
    rotation = spindle.get("rotation_ms") or 60_000.0 / spindle["speed_rpm"]
    return float(rotation / (1 + 1e-6 * spindle.get("speed_error_ppm", 0.0)))
