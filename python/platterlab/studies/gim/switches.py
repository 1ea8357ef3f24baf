"""Figure 1 and Table 2: what a track switch adds when two tracks are read rather than one."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab import library
from platterlab._core import Profile, Requests, tracks
from platterlab.av import place
from platterlab.studies.gim import figures
from platterlab.studies.gim.setting import DISKS
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request

TABLE_2 = {
    "disk1": (1.57, 14.13),
    "disk2": (1.17, 14.04),
    "disk3": (0.86, 10.32),
    "disk4": (1.28, 15.36),
    "disk5": (1.56, 18.72),
}
TOLERANCE_POINTS = 0.5
SPLIT_BYTES = 512 * 1024
"""The most that one command asks for (Figure 1)."""

STEP_BYTES = 4096
LARGEST_BYTES = 768 * 1024


def run(request: Request) -> Outcome:
    """The rows of Table 2 and the picture of Figure 1."""
    request.progress("reading one track and two", 0.0)
    rows = []
    for disk, (switch_ms, share_pct) in TABLE_2.items():
        profile = library.load(DISKS[disk])
        turn_ms = place.rotation_ms(profile)
        ours_ms = switch_ms_of(profile)
        rows.append(
            Row(
                f"table-2/{disk}",
                f"{disk}: track switch of a revolution",
                share_pct,
                100.0 * ours_ms / turn_ms,
                "pct",
                tolerance=TOLERANCE_POINTS,
                extra={"switch_ms": ours_ms, "paper_switch_ms": switch_ms, "turn_ms": turn_ms},
            )
        )
    drawn: list[Path] = []
    if request.out:
        profile = library.load(DISKS["disk2"])
        sizes, times_ms = response_by_size(profile)
        drawn.append(figures.response_by_size(sizes, times_ms, SPLIT_BYTES, request.out))
    note = (
        "Table 2 is put into the profiles as skew and read back here from outside, by timing reads "
        "of one track and of two: the rows check the model, and that a track switch as the paper "
        "measures it is skew. Disk3 to Disk5 have layouts assumed after drives of the same makers."
    )
    return Outcome(rows, drawn, [note])


def switch_ms_of(profile: Profile) -> float:
    """How much longer two tracks take than one, less the revolution that the second one needs.

    The median over tracks, as ends of cylinders and of serpentines take longer.
    """
    lba, extra_ms = 0, []
    far = profile.capacity_sectors // 2
    turn_ms = place.rotation_ms(profile)
    for _ in range(9):
        here = tracks(profile, [lba])
        first, sectors = int(here["track_first_lba"][0]), int(here["track_data_sectors"][0])
        then = tracks(profile, [first + sectors])
        both = sectors + int(then["track_data_sectors"][0])
        one_ms, two_ms = (_read_ms(profile, far, first, length) for length in (sectors, both))
        extra_ms.append(two_ms - one_ms - turn_ms)
        lba = first + sectors
    return float(np.median(extra_ms))


def _read_ms(profile: Profile, far: int, lba: int, sectors: int) -> float:
    """The time of a read that follows the same read elsewhere.

    So the platter's phase is the same whatever the length.
    """
    requests = Requests.reads(profile, [(far, 1), (lba, sectors)])
    return float(requests.replay(profile, timing="closed")["service_ms"][1])


def response_by_size(profile: Profile) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Figure 1 (a): reads of growing size from the start of the drive's second track."""
    here = tracks(profile, [0])
    lba = int(here["track_data_sectors"][0])
    far = profile.capacity_sectors // 2
    sizes = np.arange(STEP_BYTES, LARGEST_BYTES + 1, STEP_BYTES)
    times_ms = []
    for size in sizes.tolist():
        places = [(far, 1)]
        for offset in range(0, size, SPLIT_BYTES):
            length = min(SPLIT_BYTES, size - offset) // profile.sector_bytes
            places.append((lba + offset // profile.sector_bytes, length))
        service = Requests.reads(profile, places).replay(profile, timing="closed")["service_ms"]
        times_ms.append(float(service[1:].sum()))
    return sizes, np.array(times_ms)
