"""Drives small enough to draw every track."""

from platterlab._core import Profile, track_orders
from platterlab.measure.track_path import small_drive

_LAYOUTS = (
    "traditional",
    "cylinder-serpentine",
    "surface-serpentine",
    "hybrid-serpentine",
    "alternating-surface-serpentine",
    "alternating-hybrid-serpentine",
)
"""Those of the paper's Figure 3."""


def layouts() -> dict[str, Profile]:
    """One small drive of each layout, in groups of four cylinders where the order has groups."""
    seeks_first = track_orders()
    return {word: small_drive(word, 3, 8, 4 if seeks_first[word] else 0) for word in _LAYOUTS}
