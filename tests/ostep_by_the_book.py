"""The rules of OSTEP's homework on disks, done by counting: no part of the program.

The head is somewhere on a circle of ticks, so fine that sectors, seeks and turns are whole numbers
of them. Each unit of work is walked tick by tick, as a person would do it with the picture.
"""

from fractions import Fraction
from math import lcm


class Disk:
    """A circle of so many ticks for each track, and where each sector begins on it."""

    def __init__(self, seek_speed, rotation_speed, degrees=(30, 30, 30), skew=0):
        # How far the platter turns while the arm crosses one track, in degrees.
        self.drift = Fraction(40) / seek_speed * rotation_speed
        self.ticks_per_degree = 2 * lcm(self.drift.denominator, 1)
        self.circle = 360 * self.ticks_per_degree
        self.speed = rotation_speed
        self.begins = []
        self.lengths = []
        for track, width in enumerate(degrees):
            for index in range(360 // width):
                begin = (index + track * skew) * width * self.ticks_per_degree % self.circle
                self.begins.append((track, begin))
                self.lengths.append(width * self.ticks_per_degree)
        self.start = (0, (6 * degrees[0] * 2 + degrees[0]) * self.ticks_per_degree // 2)

    def access(self, head, sector):
        """Ticks of seek and of rotation from a head's track and tick."""
        track, tick = head
        there, begin = self.begins[sector]
        seek = abs(there - track) * self.drift * self.ticks_per_degree
        assert seek.denominator == 1
        seek = int(seek)
        tick = (tick + seek) % self.circle
        rotation = begin - tick
        if rotation < 0:
            rotation += self.circle
        return seek, rotation


def answers(disk, asked, policy, window):
    """Sector, seek, rotation and transfer of each request, in the order of service."""
    left = list(asked)
    head = disk.start
    done = []
    group = []
    while left or group:
        if policy == "BSATF":
            if not group:
                group, left = left[:window], left[window:]
            seen = group
        else:
            seen = left[:window]
        chosen = choose(disk, head, seen, policy)
        (group if policy == "BSATF" else left).remove(chosen)
        seek, rotation = disk.access(head, chosen)
        track, begin = disk.begins[chosen]
        head = (track, (begin + disk.lengths[chosen]) % disk.circle)
        per_unit = disk.ticks_per_degree * disk.speed
        done.append(
            (chosen, *(float(x / per_unit) for x in (seek, rotation, disk.lengths[chosen])))
        )
    return done


def choose(disk, head, seen, policy):
    """The first request of those that are the best."""
    if policy == "FIFO":
        return seen[0]
    best = None
    for sector in seen:
        seek, rotation = disk.access(head, sector)
        tracks = abs(disk.begins[sector][0] - head[0])
        worth = (tracks, seek + rotation) if policy == "SSTF" else (seek + rotation,)
        if best is None or worth < best[0]:
            best = (worth, sector)
    return best[1]
