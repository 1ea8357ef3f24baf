"""Drives small enough to draw every track."""

from platterlab._core import Profile

_TOY = """
id = "toy"
name = "Toy"
[source]
kind = "assumed"
from = "to be drawn"
[geometry]
surfaces = 3
cylinders = 8
[[zone]]
cylinders = [0, 7]
sectors_per_track = 10
order = "{order}"
{width}
[spindle]
speed_rpm = 6000
[seek]
kind = "linear"
single_ms = 1
full_ms = 5
[cache]
buffer = "4k"
"""

_SEEK_FIRST = (
    "surface-serpentine",
    "hybrid-serpentine",
    "alternating-surface-serpentine",
    "alternating-hybrid-serpentine",
)


def layouts() -> dict[str, Profile]:
    """One small drive of each layout, in groups of four cylinders where the order has groups."""
    words = ("traditional", "cylinder-serpentine", *_SEEK_FIRST)
    made = {}
    for word in words:
        width = "serpentine_cylinders = 4" if word in _SEEK_FIRST else ""
        made[word] = Profile.parse(_TOY.format(order=word, width=width), f"{word}.toml")
    return made
