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

_GROUPS = 2
_SHOWN_CYLINDERS = 6
"""Where heads come first, and where a pass goes over the whole zone."""


def path(layout: LayoutGuess | None, assumed: str = "") -> tuple[str, list[Json]] | None:
    """What it is, and the tracks at which it turns: `track`, `cylinder` and `surface`.

    Of several orders it is the one that the profile has `assumed`, if that is among them. None
    where surfaces or order are unknown.
    """
    if layout is None:
        return None
    surfaces, order = layout["surfaces"], layout["order"]
    words = [order["value"]] if order["status"] == "ok" else sorted(order["alternatives"], key=len)
    words = [word for word in words if word in track_orders()]
    words.sort(key=lambda word: word != assumed)
    if surfaces["status"] != "ok" or not surfaces["value"] or not words:
        return None
    word, wide = str(words[0]), layout["serpentine_cylinders"]
    seeks_first = track_orders()[word]
    width = int(wide["value"] or 0) if wide["status"] == "ok" else 0
    rows = _tracks(word, int(surfaces["value"]), width if seeks_first else 0)
    about = f"The first tracks in the order of their addresses: {word}"
    about += f", {width:,} cylinders a pass." if seeks_first and width else "."
    if seeks_first and not width:
        about += f" How wide a pass is is not known; {_SHOWN_CYLINDERS} cylinders are drawn."
    if others := words[1:]:
        about += f" It may as well be {' or '.join(others)}."
    return about, rows


def small_drive(order: str, surfaces: int, cylinders: int, width: int) -> Profile:
    """A drive to be drawn, with one sector on each track.

    Args:
        order: the profile's word for it.
        surfaces: of the drive.
        cylinders: all of them one zone.
        width: cylinders of a pass over one surface; 0 where all are, or where heads come first.
    """
    text = _SMALL.format(
        surfaces=surfaces,
        cylinders=cylinders,
        last=cylinders - 1,
        order=order,
        width=f"serpentine_cylinders = {width}" if width else "",
    )
    return Profile.parse(text, f"{order}.toml")


def _tracks(word: str, surfaces: int, width: int) -> list[Json]:
    """The tracks at which the path turns, with those beside them."""
    cylinders = _GROUPS * width if width else _SHOWN_CYLINDERS
    places = tracks(
        small_drive(word, surfaces, cylinders, width), list(range(surfaces * cylinders))
    )
    cylinder, surface = places["cylinder"].astype(int), places["surface"].astype(int)
    steps = np.diff(cylinder), np.diff(surface)
    turns = np.flatnonzero((np.diff(steps[0]) != 0) | (np.diff(steps[1]) != 0)) + 1
    kept = np.unique([0, *turns.tolist(), len(cylinder) - 1])
    return [
        {"track": int(at), "cylinder": int(cylinder[at]), "surface": int(surface[at])}
        for at in kept
    ]
