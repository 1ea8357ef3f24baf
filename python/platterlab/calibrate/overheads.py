"""What the controller costs where the buffer answers: medians by the request before."""

from typing import Any

import numpy as np

from platterlab.calibrate.observed import Flags, Floats
from platterlab.calibrate.reading import Reading

LEAST = 12
"""Requests of a kind for a median."""


def overhead_overrides(reading: Reading) -> dict[str, Any]:
    """Overheads of buffer hits and of writes reported from the buffer."""
    seen = reading.seen
    values: dict[str, Any] = {}
    tables: tuple[tuple[str, Flags], ...] = (
        ("controller.hit", ~seen.after_write),
        ("controller.hit_after_write", seen.after_write),
    )
    for key, before in tables:
        table: dict[str, float] = {}
        for name, line, some in (
            ("read_ms", reading.hits, ~seen.write),
            ("write_ms", reading.reported, seen.write),
        ):
            chosen = before & some & reading.is_hit
            if line and chosen.sum() >= LEAST:
                rest: Floats = seen.service_ms[chosen] - line.sector_ms * seen.sectors[chosen]
                table[name] = max(0.0, float(np.median(rest)))
        if table:
            values[key] = table
    return values
