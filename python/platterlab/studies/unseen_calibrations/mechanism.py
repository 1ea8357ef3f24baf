"""The arm and the platter: when the sectors of a transfer have passed under a head."""

from dataclasses import dataclass
from random import Random

from .drive import Drive
from .platter import Platter, Run


@dataclass(frozen=True)
class Passed:
    """Sectors of one piece, one after the other: when the first began to pass, and how fast."""

    count: int
    start: float
    sector: float
    cylinder: int
    surface: int
    there: float
    """When the head had come to the track, in ms."""

    @property
    def end(self) -> float:
        """When the last had passed, in ms."""
        return self.start + self.count * self.sector


class Mechanism:
    """One arm over one pack of platters that turns for ever.

    `chance` is that of single seeks; without it all of them take what the law says.
    """

    def __init__(self, drive: Drive, platter: Platter, chance: Random | None) -> None:
        self.drive = drive
        self.platter = platter
        self.cylinder = 0
        self.surface = 0
        self._chance = chance

    def move_ms(self, cylinder: int, surface: int, *, write: bool) -> float:
        """The time to another track; seeks and switches of heads continue together."""
        distance = abs(cylinder - self.cylinder)
        settle = self.drive.settle_write_ms if write else 0.0
        if distance:
            seek = self._seek_ms(distance, back=cylinder < self.cylinder)
            head = self.drive.head_ms if surface != self.surface else 0.0
            return max(seek, head) + settle
        return self.drive.head_ms + settle if surface != self.surface else 0.0

    def _seek_ms(self, distance: int, *, back: bool) -> float:
        law = self.drive.seek
        time = law.at(distance) + (law.back_ms if back else 0.0)
        if self._chance is None:
            return time
        if law.noise_ms:
            time += abs(self._chance.gauss(0.0, law.noise_ms))
        if law.scatter is not None:
            share, near, far, most = law.scatter
            if near <= distance <= far and self._chance.random() < share:
                time += self._chance.uniform(0.0, most)
        return time

    def angle(self, time: float) -> float:
        """How far the platter has turned, in turns from 0 to 1."""
        return (time / self.drive.rotation_ms + self.drive.phase) % 1.0

    def take(self, run: Run, time: float, *, write: bool, data: float = 0.0) -> Passed:
        """Goes to a piece and takes it as it passes; a write not before it has `data`."""
        arrived = time + self.move_ms(run.cylinder, run.surface, write=write)
        self.cylinder, self.surface = run.cylinder, run.surface
        there = max(arrived, data)
        turn = (run.angle - self.angle(there)) % 1.0
        # What rounding makes of a sector that begins just now is not a revolution.
        turn = 0.0 if turn > 1.0 - 1e-9 else turn
        rotation = self.drive.rotation_ms
        return Passed(
            run.count,
            there + turn * rotation,
            run.turns * rotation,
            run.cylinder,
            run.surface,
            arrived,
        )

    def transfer(
        self, lba: int, count: int, time: float, *, write: bool, data: float = 0.0
    ) -> list[Passed]:
        """All pieces of a transfer, one after the other."""
        found: list[Passed] = []
        for run in self.platter.runs(lba, count):
            found.append(self.take(run, time, write=write, data=data))
            time = found[-1].end
        return found
