"""The rungs of the ladder: overrides that take pieces out of one profile."""

from platterlab.documents import Overrides

NO_SWITCHES: Overrides = {
    "switch.head_ms": 0.0,
    "switch.track_ms": 0.0,
}
NO_CACHE: Overrides = {
    "cache.segments": 0,
    "cache.read_ahead": "none",
    "cache.write_report": "media",
}

AS_PRINTED: Overrides = {
    "controller.read_ms": 1.1,
    "zone[0].cylinder_skew_sectors": 43,
}
"""Table 2's values for the C2200A where the profile of the library goes by the trace."""

UNTRACKED: Overrides = {
    "spindle.latency": "uniform",
    "media.transfer": False,
    "bus.overlap": False,
}
"""Rotational latency drawn evenly, and a transfer that takes the bus's time and no other."""


def constant(mean_ms: float) -> Overrides:
    """Every request takes the mean time."""
    return {
        **NO_CACHE,
        **NO_SWITCHES,
        "seek.kind": "constant",
        "seek.time_ms": 0.0,
        "spindle.latency": "off",
        "media.transfer": False,
        "bus.kind": "off",
        "controller.read_ms": mean_ms,
        "controller.write_ms": mean_ms,
    }


def basic(single_ms: float, full_ms: float) -> Overrides:
    """Linear seeks, no switches, untracked rotation, fixed overhead, the bus's transfer time."""
    return {
        **UNTRACKED,
        **NO_SWITCHES,
        "seek.kind": "linear",
        "seek.single_ms": single_ms,
        "seek.full_ms": full_ms,
    }
