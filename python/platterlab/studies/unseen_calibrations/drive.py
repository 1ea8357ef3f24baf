"""A made-up drive in plain values, and the words that distinguish its mechanisms.

Nothing here knows the simulator. Times are in milliseconds, angles in turns, sizes in sectors.
"""

from dataclasses import dataclass, field
from typing import Literal

ReadAhead = Literal["none", "track", "cylinder", "aggressive"]
Law = Literal["two-piece", "three-point", "linear", "root-line"]
Report = Literal["media", "immediate", "buffer"]
Sparing = Literal["none", "track", "cylinder", "range", "zone"]


@dataclass(frozen=True)
class Pass:
    """One pass of a listed order: tracks of one surface, cylinder after cylinder."""

    surface: int
    first: int
    last: int
    first_skew: float
    """Of its first track against the group's first, in turns."""
    skew: float
    """From each of its tracks to the next, in turns."""


@dataclass(frozen=True)
class Zone:
    """Cylinders that are formatted alike; both edges belong to it."""

    first: int
    last: int
    sectors: tuple[int, ...]
    """Around a track of each surface."""
    track_skew: float
    cylinder_skew: float
    pass_skew: float
    first_skew: float
    """Of the zone's first track against the index, in turns, as the others."""
    sparing: Sparing = "none"
    spares: int = 0
    range_cylinders: int = 0
    range_skew: float = 0.0
    passes: tuple[Pass, ...] = ()


@dataclass(frozen=True)
class Seek:
    """Time against distance: a law, a ripple on it, and what chance does."""

    law: Law
    values: tuple[float, ...]
    ripple_ms: float = 0.0
    """Height of the sawtooth that a controller's table of power leaves."""
    ripple_cylinders: int = 1
    back_ms: float = 0.0
    """How much longer one towards lower cylinders takes."""
    noise_ms: float = 0.0
    """Standard deviation of every one."""
    scatter: tuple[float, int, int, float] | None = None
    """Share of seeks that take longer, from and to which distance, and by how much at most."""

    def at(self, cylinders: int) -> float:
        """The time over a distance of at least 1, before chance and direction, in ms."""
        v = self.values
        if self.law == "two-piece":
            base = v[0] + v[1] * cylinders**0.5 if cylinders < v[4] else v[2] + v[3] * cylinders
        elif self.law == "three-point":
            base = v[0] * (cylinders - 1) ** 0.5 + v[1] * (cylinders - 1) + v[2]
        elif self.law == "linear":
            base = v[0] + v[1] * (cylinders - 1)
        else:
            base = v[0] + v[1] * cylinders**0.5 + v[2] * cylinders
        if self.ripple_ms and cylinders > 2 * self.ripple_cylinders:
            base += self.ripple_ms * (cylinders % self.ripple_cylinders) / self.ripple_cylinders
        return base


@dataclass(frozen=True)
class Bus:
    """What data costs on its way, in ms a sector, and how a read's data takes it."""

    read_ms: float
    write_ms: float
    fence: int = 0
    """Sectors in the buffer before a read's first goes out."""
    fence_share: float = 0.0
    """The same as a share of the request."""
    burst: int = 0
    """Sectors that go at once; 0 lets all go as they come."""
    drains: bool = False
    """Whether a burst continues until the buffer is empty, rather than end with its count."""
    reconnect_ms: float = 0.0


@dataclass(frozen=True)
class Buffer:
    """What the memory keeps."""

    segments: int = 0
    segment: int = 0
    read_ahead: ReadAhead = "none"
    over_requested: bool = True
    on_hit: Literal["ignore", "extend"] = "extend"
    keep_after_hit: bool = True
    hits_in_flight: bool = True
    hits_on_written: bool = False
    report: Report = "media"
    write_fence: int = 0
    """Sectors in it before a write's first goes to the media; all of a smaller one."""


@dataclass(frozen=True)
class Costs:
    """The controller's, in ms: of a command on its way in, and of reporting that it is done."""

    read: float
    write: float
    read_hit: float
    write_hit: float
    read_after_write: float
    write_after_write: float
    read_done: float
    write_done: float


@dataclass(frozen=True)
class Drive:
    """A drive as it is."""

    seed: int
    era: str
    rotation_ms: float
    phase: float
    surfaces: int
    cylinders: int
    order: str
    group: int
    zones: tuple[Zone, ...]
    surface_offsets: tuple[float, ...]
    slips: tuple[tuple[int, int, int], ...]
    """Cylinder, surface and sector of each that cannot be used."""
    seek: Seek
    head_ms: float
    settle_write_ms: float
    bus: Bus
    buffer: Buffer
    costs: Costs
    beyond: tuple[str, ...] = field(default=())
    """What of it no profile can say."""

    def mechanisms(self) -> list[str]:
        """What it has beyond the plainest drive, in words for people."""
        found = {
            self.order: self.order != "traditional",
            "zones": len(self.zones) > 1,
            f"sparing by {self.zones[0].sparing}": self.zones[0].sparing != "none",
            "skew between ranges": any(zone.range_skew for zone in self.zones),
            "surfaces turned": any(self.surface_offsets),
            "surfaces of different lengths": len(set(self.zones[0].sectors)) > 1,
            f"{len(self.slips)} slips": bool(self.slips),
            f"seek {self.seek.law}": True,
            "seek ripple": self.seek.ripple_ms > 0,
            "seek back": self.seek.back_ms > 0,
            "seek noise": self.seek.noise_ms > 0,
            "seek scatter": self.seek.scatter is not None,
            "write settling": self.settle_write_ms > 0,
            "bursts by count": self.bus.burst > 0 and not self.bus.drains,
            "bursts that drain": self.bus.burst > 0 and self.bus.drains,
            "fence": self.bus.fence > 1 or self.bus.fence_share > 0,
            f"{self.buffer.segments} segments": self.buffer.segments > 0,
            f"read-ahead {self.buffer.read_ahead}": self.buffer.read_ahead != "none",
            f"writes {self.buffer.report}": self.buffer.report != "media",
            "overheads after writes": self.costs.read_after_write != self.costs.read,
        }
        return [name for name, there in found.items() if there]
