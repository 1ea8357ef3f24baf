"""Where addresses lie: every track of a made-up drive listed one by one, in the order of addresses.

Slow and plain on purpose. A domain of sparing is a run of slots (physical sectors in the order of
the tracks), the last of which are spare; a slipped sector moves all later ones of its domain on.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from .drive import Drive, Zone


@dataclass(frozen=True)
class Run:
    """Sectors that pass under one head without a gap."""

    cylinder: int
    surface: int
    angle: float
    """Of the start of its first sector, in turns."""
    turns: float
    """Of one of its sectors."""
    count: int


class Platter:
    """The slots of all tracks, and which of them have an address."""

    def __init__(self, drive: Drive) -> None:
        cylinders, surfaces, sectors, angles = [], [], [], []
        self._domain_slot: list[int] = []
        self._domain_lba: list[int] = []
        self._domain_bad: list[list[int]] = []
        at_slot = at_lba = 0
        bad: dict[tuple[int, int], list[int]] = {(c, s): [] for c, s, _ in drive.slips}
        for c, s, sector in drive.slips:
            bad[c, s].append(sector)
        for zone in drive.zones:
            tracks = _tracks(drive, zone)
            domain: list[tuple[int, int, int]] = []
            for index, (cylinder, surface, angle) in enumerate(tracks):
                count = zone.sectors[surface]
                cylinders.append(cylinder)
                surfaces.append(surface)
                sectors.append(count)
                angles.append(angle + drive.surface_offsets[surface])
                domain.append((cylinder, surface, count))
                if not _ends(zone, drive.surfaces, index, len(tracks)):
                    continue
                slots = sum(each[2] for each in domain)
                skips, start = [], at_slot
                for each in domain:
                    skips += [start + sector for sector in bad.get(each[:2], ())]
                    start += each[2]
                self._domain_slot.append(at_slot)
                self._domain_lba.append(at_lba)
                self._domain_bad.append(sorted(skips))
                at_slot += slots
                at_lba += slots - (zone.spares if zone.sparing != "none" else len(skips))
                domain = []
        self.capacity = at_lba
        self.cylinder = np.array(cylinders)
        self.surface = np.array(surfaces)
        self.sectors = np.array(sectors)
        self.angle = np.array(angles) % 1.0
        self._track_slot = [0, *np.cumsum(self.sectors).tolist()]

    def slot(self, lba: int) -> int:
        """The slot that holds an address."""
        domain = bisect_right(self._domain_lba, lba) - 1
        slot = self._domain_slot[domain] + lba - self._domain_lba[domain]
        for skipped in self._domain_bad[domain]:
            if skipped > slot:
                break
            slot += 1
        return slot

    def track(self, lba: int) -> int:
        """The number of the track that holds an address."""
        return bisect_right(self._track_slot, self.slot(lba)) - 1

    def track_end(self, lba: int) -> int:
        """The first address beyond the track of this one."""
        return self._first_address(self.track(lba) + 1)

    def cylinder_end(self, lba: int) -> int:
        """The first address beyond the tracks of this cylinder that follow each other."""
        track = self.track(lba)
        here = self.cylinder[track]
        while track < len(self.cylinder) and self.cylinder[track] == here:
            track += 1
        return self._first_address(track)

    def _first_address(self, track: int) -> int:
        """The first address whose slot is not before this track's first."""
        goal = self._track_slot[track]
        domain = max(0, bisect_right(self._domain_slot, goal) - 1)
        if goal >= self._track_slot[-1]:
            return self.capacity
        low = self._domain_lba[domain]
        last = domain + 1 == len(self._domain_lba)
        high = self.capacity if last else self._domain_lba[domain + 1]
        return low + bisect_left(range(low, high), goal, key=self.slot)

    def runs(self, lba: int, count: int) -> list[Run]:
        """The pieces of a transfer, in the order of its addresses."""
        found: list[Run] = []
        while count > 0:
            slot = self.slot(lba)
            track = bisect_right(self._track_slot, slot) - 1
            size = min(count, self._track_slot[track + 1] - slot)
            while self.slot(lba + size - 1) - slot != size - 1:
                size = _contiguous(self, lba, slot, size)
            sectors = int(self.sectors[track])
            angle = float(self.angle[track]) + (slot - self._track_slot[track]) / sectors
            found.append(
                Run(int(self.cylinder[track]), int(self.surface[track]), angle, 1.0 / sectors, size)
            )
            lba, count = lba + size, count - size
        return found


def _contiguous(platter: Platter, lba: int, slot: int, size: int) -> int:
    """How many of these addresses follow each other on the media."""
    return bisect_left(range(size), True, key=lambda i: platter.slot(lba + i) - slot != i)


def _ends(zone: Zone, surfaces: int, index: int, tracks: int) -> bool:
    """Whether a domain of sparing ends with this track of the zone."""
    if index + 1 == tracks:
        return True
    if zone.sparing == "track":
        return True
    if zone.sparing == "cylinder":
        return (index + 1) % surfaces == 0
    if zone.sparing == "range":
        return (index + 1) % (surfaces * zone.range_cylinders) == 0
    return False


def _tracks(drive: Drive, zone: Zone) -> list[tuple[int, int, float]]:
    """Cylinder, surface and angle of logical sector zero of each track, in the order visited."""
    if zone.passes:
        return _listed(drive, zone)
    if drive.order in ("traditional", "cylinder-serpentine"):
        return _head_first(drive, zone)
    return _seek_first(drive, zone)


def _head_first(drive: Drive, zone: Zone) -> list[tuple[int, int, float]]:
    found: list[tuple[int, int, float]] = []
    angle = zone.first_skew
    for cylinder in range(zone.first, zone.last + 1):
        heads = range(drive.surfaces)
        if drive.order == "cylinder-serpentine" and (cylinder - zone.first) % 2:
            heads = range(drive.surfaces - 1, -1, -1)
        for number, surface in enumerate(heads):
            if found:
                angle += zone.track_skew if number else zone.cylinder_skew
                if not number and zone.range_cylinders:
                    first = (cylinder - zone.first) % zone.range_cylinders == 0
                    angle += zone.range_skew if first else 0.0
            found.append((cylinder, surface, angle))
    return found


def _seek_first(drive: Drive, zone: Zone) -> list[tuple[int, int, float]]:
    found: list[tuple[int, int, float]] = []
    angle = zone.first_skew
    for start in range(zone.first, zone.last + 1, drive.group):
        there = list(range(start, min(start + drive.group, zone.last + 1)))
        for surface in range(drive.surfaces):
            back = drive.order == "surface-serpentine" and surface % 2
            for number, cylinder in enumerate(reversed(there) if back else there):
                if found:
                    angle += zone.cylinder_skew if number else zone.pass_skew
                found.append((cylinder, surface, angle))
    return found


def _listed(drive: Drive, zone: Zone) -> list[tuple[int, int, float]]:
    found = []
    for number, start in enumerate(range(zone.first, zone.last + 1, drive.group)):
        origin = zone.first_skew + number * zone.pass_skew
        for one in zone.passes:
            step = 1 if one.last >= one.first else -1
            for index, cylinder in enumerate(range(one.first, one.last + step, step)):
                angle = origin + one.first_skew + index * one.skew
                found.append((start + cylinder, one.surface, angle))
    return found
