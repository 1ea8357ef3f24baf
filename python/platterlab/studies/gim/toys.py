"""Drives small enough to draw every track."""

from platterlab._core import Profile, track_orders

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
    made = {}
    for word in _LAYOUTS:
        width = "serpentine_cylinders = 4" if seeks_first[word] else ""
        made[word] = Profile.parse(_TOY.format(order=word, width=width), f"{word}.toml")
    return made
