"""Figure 1 and Table 2: what a track switch adds when two tracks are read rather than one."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab import library
from platterlab._core import Measurement, Profile, Requests, tracks
from platterlab.answers import TrackMap
from platterlab.av import place
from platterlab.known import known
from platterlab.measure.run import measure_all
from platterlab.measure.tracks import worded
from platterlab.studies.criteria import SWITCH
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
SPLIT_BYTES = 512 * 1024
"""The most that one command asks for (Figure 1)."""

STEP_BYTES = 4096
LARGEST_BYTES = 768 * 1024


def run(request: Request) -> Outcome:
    """The rows of Table 2 and the picture of Figure 1."""
    rows = []
    for index, (disk, (switch_ms, share_pct)) in enumerate(TABLE_2.items()):
        request.progress(f"mapping the tracks of {disk}", index / len(TABLE_2))
        profile = library.load(DISKS[disk])
        found = mapped(profile)
        turn_ms = known(found["rotation_ms"]["value"])
        ours_ms = known(found["track_switch_ms"]["value"])
        right, tracks_seen = boundaries_right(profile, found)
        rows.append(
            Row(
                f"table-2/{disk}",
                f"{disk}: track switch of a revolution",
                share_pct,
                100.0 * ours_ms / turn_ms,
                "%",
                criterion=SWITCH,
                evidence="by construction",
                used="the profile's skew is this figure; what is tested is the extractor",
                extra={
                    "switch_ms": ours_ms,
                    "paper_switch_ms": switch_ms,
                    "turn_ms": turn_ms,
                    "tracks": found["tracks"],
                    "boundaries_right_pct": 100.0 * right / tracks_seen,
                    "two_track_read_ms": switch_ms_of(profile),
                    "surfaces": found["layout"]["surfaces"]["value"],
                    "order": worded(found["layout"]["order"]),
                },
            )
        )
    drawn: list[Path] = []
    if request.out:
        profile = library.load(DISKS["disk2"])
        sizes, times_ms = response_by_size(profile)
        drawn.append(figures.response_by_size(sizes, times_ms, SPLIT_BYTES, request.out))
    note = (
        "Table 2 is put into the profiles as skew and found again from outside, blind: the track "
        "boundary extractor maps each disk behind a noisy host by timing reads (`platterlab "
        "characterize DISK --tracks fast`), and its usual skew is the row. Reading one track and "
        "two, as the paper does, gives the same. Disk3 to Disk5 have layouts assumed after drives "
        "of the same makers."
    )
    return Outcome(rows, drawn, [note])


def mapped(profile: Profile) -> TrackMap:
    """The map of a drive's tracks from outside, behind a host with noise."""
    measurement = Measurement.simulated(profile, noise="typical", writes=False, tracks="fast")
    measure_all(measurement)
    return measurement.track_map()


def boundaries_right(profile: Profile, found: TrackMap) -> tuple[int, int]:
    """How many tracks of a sample of those found are tracks of the drive, and how many were asked.

    The last track of every piece is among them, as a leap that went too far shows there.
    """
    asked = []
    for piece in found["pieces"]:
        count, lengths = piece["cycles"], piece["sectors"]
        for cycle in sorted({0, count // 3, count // 2, count - 1}):
            first = piece["first_lba"] + cycle * sum(lengths)
            asked += [(first + sum(lengths[:at]), length) for at, length in enumerate(lengths)]
    true = tracks(profile, [first for first, _ in asked])
    pairs = zip(true["track_first_lba"], true["track_data_sectors"], asked, strict=True)
    right = sum((int(first), int(length)) == one for first, length, one in pairs)
    return right, len(asked)


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
