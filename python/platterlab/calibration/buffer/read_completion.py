"""How the completions of reads follow the platter: a few ways, of which a drive has one.

Each says how many of a read's sectors have to pass before its end, the bus time of all its sectors
aside. The bus time of a sector is given as a share of the time in which it passes.
"""

from dataclasses import dataclass

import numpy as np

from platterlab.calibration.trace.observed import Flags, Floats

ROUND_SHARES = tuple(sorted({part / whole for whole in (8, 10) for part in range(1, whole + 1)}))
"""Water marks that people set; one within the error of what is found is taken for it."""

ROUNDING = 1e-6
"""Of a sector: whole ones are known as closely."""


@dataclass(frozen=True)
class AtShare:
    """The bus starts once a share of the sectors has passed; 0 for the first of them."""

    share: float

    def passed(self, sectors: Floats, _bus_share: Floats) -> Floats:
        """How many of so many sectors a completion waits for."""
        return self.share * sectors

    def columns(self, sectors: Floats, _bus_share: Floats) -> tuple[Floats, Floats]:
        """By how many bus times a completion is later for each sector's, and what this number adds.

        The latter in sectors that pass, for a unit more of it.
        """
        return sectors, sectors

    def moved(self, by: float) -> "AtShare":
        """The same with more or less of its number."""
        return AtShare(self.share + by)


@dataclass(frozen=True)
class BeforeEnd:
    """The bus starts when so many sectors are left."""

    sectors: float

    @property
    def share(self) -> float:
        """Of the sectors that count: all."""
        return 1.0

    def passed(self, sectors: Floats, _bus_share: Floats) -> Floats:
        """As in `AtShare`."""
        return sectors - self.sectors

    def columns(self, sectors: Floats, _bus_share: Floats) -> tuple[Floats, Floats]:
        """As in `AtShare`."""
        return sectors, -np.ones(len(sectors))

    def moved(self, by: float) -> "BeforeEnd":
        """The same with more or less of its number."""
        return BeforeEnd(self.sectors + by)


@dataclass(frozen=True)
class Streamed:
    """Each sector is on the bus once it has passed and the one before it is off.

    The slower of platter and bus sets the pace, which may be the one in some zones and the other in
    others. There is no number to it.
    """

    @property
    def share(self) -> float:
        """The bus starts with the first sector."""
        return 0.0

    def passed(self, sectors: Floats, bus_share: Floats) -> Floats:
        """As in `AtShare`."""
        return 1 + (sectors - 1) * np.maximum(1 - bus_share, 0.0)

    def columns(self, sectors: Floats, bus_share: Floats) -> tuple[Floats, Floats]:
        """As in `AtShare`."""
        return np.where(bus_share < 1, 1.0, sectors), np.zeros(len(sectors))

    def moved(self, _by: float) -> "Streamed":
        """The same."""
        return self


@dataclass(frozen=True)
class AtFence:
    """The bus starts once so many sectors have passed, or all.

    Attributes:
        fence: sectors.
        reconnect: time to take the bus then, in bus times of a sector; what waits for the last
            sector anyhow does not wait for it. A column of several is for a bus share a row.
    """

    fence: int
    reconnect: float | Floats = 0.0

    @property
    def share(self) -> float:
        """The bus does not wait for a share."""
        return 0.0

    def passed(self, sectors: Floats, bus_share: Floats) -> Floats:
        """As in `AtShare`: the fence, or what a faster bus waits for at the end."""
        taking = self.reconnect * bus_share
        return np.asarray(self._late(sectors, bus_share) - taking, dtype=np.float64)

    def columns(self, sectors: Floats, bus_share: Floats) -> tuple[Floats, Floats]:
        """As in `AtShare`."""
        caught_up = self._late(sectors, bus_share) > self._started(sectors, bus_share)
        return np.where(caught_up, 1.0, sectors), np.zeros(len(sectors))

    def _started(self, sectors: Floats, bus_share: Floats) -> Floats:
        return np.asarray(np.minimum(sectors, self.fence) + self.reconnect * bus_share)

    def _late(self, sectors: Floats, bus_share: Floats) -> Floats:
        last = sectors - (sectors - 1) * bus_share
        return np.asarray(np.maximum(self._started(sectors, bus_share), last))

    def moved(self, _by: float) -> "AtFence":
        """The same."""
        return self


@dataclass(frozen=True)
class AtMark:
    """The bus starts at a share of the sectors, whole ones, and waits for the last if it is faster.

    So it is in the drive; `AtShare` is what leads there.
    """

    share: float

    def passed(self, sectors: Floats, bus_share: Floats) -> Floats:
        """As in `AtShare`."""
        caught_up = sectors - (sectors - 1) * bus_share
        return np.asarray(np.maximum(self._mark(sectors), caught_up))

    def columns(self, sectors: Floats, bus_share: Floats) -> tuple[Floats, Floats]:
        """As in `AtShare`."""
        caught_up = sectors - (sectors - 1) * bus_share > self._mark(sectors)
        return np.where(caught_up, 1.0, sectors), np.zeros(len(sectors))

    def _mark(self, sectors: Floats) -> Floats:
        return np.asarray(np.maximum(np.floor(self.share * sectors + 1e-9), 1.0))

    def moved(self, _by: float) -> "AtMark":
        """The same."""
        return self


@dataclass(frozen=True)
class InBursts:
    """The bus sends so many sectors at a time, each burst once all of it has passed.

    What is left of a read for its last burst goes over the bus after its end, so that the time from
    there to the completion is a sawtooth in the size.

    Attributes:
        burst: sectors.
        reconnect: time to take the bus again where the next burst has not passed by the end of the
            one before, in bus times of a sector. The first time it is every read's. A column of
            several is for a bus share a row.
        drains: a burst goes on with what passes meanwhile until the buffer is empty, and the bus is
            taken again for each.
    """

    burst: int
    reconnect: float | Floats = 0.0
    drains: bool = False

    @property
    def share(self) -> float:
        """Of the sectors that count: all."""
        return 1.0

    def passed(self, sectors: Floats, bus_share: Floats) -> Floats:
        """As in `AtShare`."""
        if self.drains:
            last = self._last_drained(sectors, bus_share)
            begun = np.minimum(sectors - last + self.burst, sectors)
            return np.asarray(begun + (last - sectors) * bus_share, dtype=np.float64)
        sent, _ = self._whole(sectors, bus_share)
        left = self._left(sectors)
        again = sectors + self.reconnect * bus_share + left * bus_share
        done = np.where(self._waits(sectors, sent), again, sent + left * bus_share)
        return np.asarray(done - (self.reconnect + sectors) * bus_share, dtype=np.float64)

    def columns(self, sectors: Floats, bus_share: Floats) -> tuple[Floats, Floats]:
        """As in `AtShare`."""
        if self.drains:
            return self._last_drained(sectors, bus_share), np.zeros(len(sectors))
        sent, since = self._whole(sectors, bus_share)
        left = self._left(sectors)
        on_bus = np.where(self._waits(sectors, sent), left, since + left)
        return on_bus, np.zeros(len(sectors))

    def _last_drained(self, sectors: Floats, bus_share: Floats) -> Floats:
        """Sectors in the last burst of a read, where bursts go on until the buffer is empty.

        The bus gains as much on the platter with each sector, and each burst begins as far behind.
        """
        behind = self.burst - 1 + self.reconnect * bus_share
        gained = 1 - bus_share
        with np.errstate(divide="ignore", invalid="ignore"):
            sent = np.floor(behind / gained) + 1
        sent = np.where(gained > 0, np.minimum(sent, sectors), sectors)
        return np.asarray((sectors - 1) % sent + 1, dtype=np.float64)

    def _left(self, sectors: Floats) -> Floats:
        """Sectors in the last burst of a read."""
        return np.asarray((sectors - 1) % self.burst + 1, dtype=np.float64)

    def _whole(self, sectors: Floats, bus_share: Floats) -> tuple[Floats, Floats]:
        """When the bursts before the last are sent, in sectors that have passed by then.

        And how many sectors of them were sent since the bus was taken. Between takes lie as many
        bursts each time: what the platter gains on the bus in them is the time to take it.
        """
        before = np.ceil(sectors / self.burst) - 1
        gained = self.burst * np.maximum(1 - bus_share, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            between = np.floor(self.reconnect * bus_share / gained) + 1
        between = np.where(gained > 0, np.minimum(between, before + 1), before + 1)
        taken = 1 + between * np.floor(np.maximum(before - 1, 0) / between)
        since = np.maximum(before - taken + 1, 0) * self.burst
        sent = taken * self.burst + (self.reconnect + since) * bus_share
        return np.where(before > 0, sent, 0.0), np.asarray(since, dtype=np.float64)

    def _waits(self, sectors: Floats, sent: Floats) -> Flags:
        """Whether the last burst has not passed when those before it are sent."""
        return np.asarray(sectors > sent)

    def moved(self, _by: float) -> "InBursts":
        """The same."""
        return self


Following = AtShare | BeforeEnd | Streamed | AtFence | AtMark | InBursts


def waited_for(reads: Following, sectors: Floats, bus_share: Floats) -> Floats:
    """The sector of each read, from 0, after which its completion waits for the bus alone."""
    on_bus, _ = reads.columns(sectors, bus_share)
    passed = reads.passed(sectors, bus_share) + (sectors - on_bus) * bus_share
    return np.asarray(np.clip(np.ceil(passed - ROUNDING) - 1, 0.0, sectors - 1))
