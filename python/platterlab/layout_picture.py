"""Draws where the addresses of a drive lie."""

from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from platterlab._core import Profile, tracks
from platterlab.output import save_figure
from platterlab.plot_style import STYLE

ACROSS_DRIVE = 6000
"""Addresses looked up for the picture of the whole drive."""

FIRST_TRACKS = 4000
"""Tracks looked up for the picture of the order, at most."""


@dataclass(frozen=True)
class Walk:
    """Tracks in the order of their addresses: number, cylinder and surface of each."""

    number: NDArray[np.int64]
    cylinder: NDArray[np.int64]
    surface: NDArray[np.int64]


def walk(profile: Profile, count: int, stride: int = 1) -> Walk:
    """Every `stride`-th of the drive's first tracks, `count` of them or as many as there are."""
    number: list[int] = []
    cylinder: list[int] = []
    surface: list[int] = []
    lba, track = 0, 0
    while len(number) < count and lba < profile.capacity_sectors:
        here = tracks(profile, [lba])
        if track % stride == 0:
            number.append(track)
            cylinder.append(int(here["cylinder"][0]))
            surface.append(int(here["surface"][0]))
        lba = int(here["track_first_lba"][0]) + int(here["track_data_sectors"][0])
        track += 1
    return Walk(np.array(number), np.array(cylinder), np.array(surface))


def group_tracks(profile: Profile) -> int:
    """Tracks after which the first zone's order begins anew: a cylinder's or a group's."""
    document = profile.facts()
    values = {item["key"]: item["value"] for item in document["values"]}
    surfaces = int(document["derived"]["surfaces"])
    if "serpentine" not in values["zone[0].order"] or "cylinder" in values["zone[0].order"]:
        return surfaces
    first, last = values["zone[0].cylinders"]
    return surfaces * int(values.get("zone[0].serpentine_cylinders") or last - first + 1)


def draw(profile: Profile, path: Path) -> None:
    """A picture of the whole drive and of its first tracks, of the kind that the name says."""
    lbas = np.unique(np.linspace(0, profile.capacity_sectors - 1, ACROSS_DRIVE).astype(np.int64))
    everywhere = tracks(profile, lbas.tolist())
    shown = max(2 * group_tracks(profile), 24)
    stride = max(1, -(-shown // FIRST_TRACKS))
    first = walk(profile, min(shown, FIRST_TRACKS), stride)
    surfaces = int(max(everywhere["surface"].max(), first.surface.max())) + 1
    colours = matplotlib.colormaps["viridis"](np.linspace(0.0, 0.9, surfaces))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.0, 6.4), layout="constrained")
        (whole, order), (angle, density) = figure.subplots(2, 2)
        gb = lbas * profile.sector_bytes / 1e9
        for surface in range(surfaces):
            here = everywhere["surface"] == surface
            whole.plot(gb[here], everywhere["cylinder"][here], ".", ms=1.5, color=colours[surface])
            mine = first.surface == surface
            order.plot(first.number[mine], first.cylinder[mine], ".", ms=3, color=colours[surface],
                       label=f"surface {surface}")  # fmt: skip
        order.plot(first.number, first.cylinder, "-", lw=0.4, color="#96a3b3", zorder=0)
        whole.set_title("the whole drive")
        whole.set_xlabel("address, GB")
        whole.set_ylabel("cylinder")
        order.set_title("the first tracks, in the order of their addresses")
        order.set_xlabel("track")
        order.set_ylabel("cylinder")
        if surfaces <= 10:
            order.legend(frameon=False, fontsize=7, ncols=2)
        starts = tracks(profile, _starts(profile, 48))
        angle.plot(np.arange(len(starts["angle_turns"])), starts["angle_turns"] * 360, ".-", lw=0.5,
                   color="#1f6fb2")  # fmt: skip
        angle.set_title("where the first tracks begin")
        angle.set_xlabel("track")
        angle.set_ylabel("angle, degrees")
        # Points, not a line: where surfaces differ, neighbours do.
        density.plot(gb, everywhere["sectors_per_track"], ".", ms=3, color="#d1662c",
                     label="data and spares")  # fmt: skip
        density.plot(gb, everywhere["track_data_sectors"], ".", ms=1.5, color="#1f6fb2",
                     label="data")  # fmt: skip
        density.set_ylim(bottom=0)
        density.set_title("sectors per track")
        density.set_xlabel("address, GB")
        density.legend(frameon=False)
        figure.suptitle(profile.name)
        save_figure(figure, path)


def _starts(profile: Profile, count: int) -> list[int]:
    """First addresses of the first tracks."""
    starts: list[int] = []
    lba = 0
    while len(starts) < count and lba < profile.capacity_sectors:
        here = tracks(profile, [lba])
        starts.append(int(here["track_first_lba"][0]))
        lba = starts[-1] + int(here["track_data_sectors"][0])
    return starts


def sketch(profile: Profile, width: int) -> str:
    """The first tracks as a table of surfaces by cylinders: the track's number in each place.

    Where a group of cylinders is wider than the screen, its middle is left out.
    """
    group = group_tracks(profile)
    surfaces = int(profile.facts()["derived"]["surfaces"])
    first = walk(profile, min(max(group + surfaces, 4 * surfaces), 200_000))
    number = {
        (int(c), int(s)): int(n)
        for n, c, s in zip(first.number, first.cylinder, first.surface, strict=True)
    }
    cell = len(str(int(first.number.max()))) + 1
    cylinders = sorted(set(first.cylinder.tolist()))
    room = max((width - 12) // cell, 4)
    shown: list[int | None] = list(cylinders)
    if len(cylinders) > room:
        shown = [*cylinders[: room // 2], None, *cylinders[-(room - room // 2 - 1) :]]
    head = "cylinder".ljust(11) + "".join(
        ("..." if c is None else str(c)).rjust(cell) for c in shown
    )
    rows = [head[:width]]
    for surface in range(surfaces):
        cells = ("" if c is None else str(number.get((c, surface), "")) for c in shown)
        rows.append(f"surface {surface}".ljust(11) + "".join(text.rjust(cell) for text in cells))
    return "\n".join(rows)
