"""The order of tracks as a path over cylinders and surfaces."""

import numpy as np

from platterlab._core import Profile, track_orders, tracks
from platterlab.answers import LayoutGuess
from platterlab.documents import Json

_SMALL = """
id = "small"
name = "Small"
[source]
kind = "assumed"
from = "to be drawn"
[geometry]
surfaces = {surfaces}
cylinders = {cylinders}
[[zone]]
cylinders = [0, {last}]
sectors_per_track = 1
order = "{order}"
{width}
[spindle]
speed_rpm = 6000
[seek]
kind = "linear"
single_ms = 1
full_ms = 5
"""
"""A drive with one sector on each track."""

_GROUPS = 2
_SHOWN_CYLINDERS = 6
"""Where heads come first, and where a pass goes over the whole zone."""


def path(layout: LayoutGuess | None) -> tuple[str, list[Json]] | None:
    """What it is, and the tracks at which it turns: `track`, `cylinder` and `surface`.

    None where surfaces or order are unknown.
    """
    if layout is None:
        return None
    surfaces, order = layout["surfaces"], layout["order"]
    words = [order["value"]] if order["status"] == "ok" else sorted(order["alternatives"], key=len)
    words = [word for word in words if word in track_orders()]
    if surfaces["status"] != "ok" or not surfaces["value"] or not words:
        return None
    word, wide = str(words[0]), layout["serpentine_cylinders"]
    seeks_first, width = (
        track_orders()[word],
        int(wide["value"] or 0) if wide["status"] == "ok" else 0,
    )
    rows = _tracks(word, int(surfaces["value"]), width if seeks_first else 0)
    about = f"The first tracks in the order of their addresses: {word}"
    about += f", {width:,} cylinders a pass." if seeks_first and width else "."
    if seeks_first and not width:
        about += f" How wide a pass is is not known; {_SHOWN_CYLINDERS} cylinders are drawn."
    if others := words[1:]:
        about += f" It may as well be {' or '.join(others)}."
    return about, rows


def _tracks(word: str, surfaces: int, width: int) -> list[Json]:
    """The tracks at which the path turns, with those beside them."""
    cylinders = _GROUPS * width if width else _SHOWN_CYLINDERS
    small = _SMALL.format(
        surfaces=surfaces,
        cylinders=cylinders,
        last=cylinders - 1,
        order=word,
        width=f"serpentine_cylinders = {width}" if width else "",
    )
    places = tracks(Profile.parse(small, "small.toml"), list(range(surfaces * cylinders)))
    cylinder, surface = places["cylinder"].astype(int), places["surface"].astype(int)
    steps = np.diff(cylinder), np.diff(surface)
    turns = np.flatnonzero((np.diff(steps[0]) != 0) | (np.diff(steps[1]) != 0)) + 1
    kept = np.unique([0, *turns.tolist(), len(cylinder) - 1])
    return [
        {"track": int(at), "cylinder": int(cylinder[at]), "surface": int(surface[at])}
        for at in kept
    ]
