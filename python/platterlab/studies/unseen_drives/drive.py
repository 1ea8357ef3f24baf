"""Random drives: track orders, densities, skews, spares and caches as drives have had them.

Drawn from what papers and data sheets report, without a look at how the extraction works:
Talagala's nine drives, Ruemmler and Wilkes' two, Wong's seventeen with his taxonomy of layouts,
DiskSim's twelve, Gim's five.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

HEAD_FIRST = ("traditional", "cylinder-serpentine", "cylinder-serpentine-reversed")
SEEK_FIRST = (
    "surface-serpentine",
    "hybrid-serpentine",
    "alternating-surface-serpentine",
    "alternating-hybrid-serpentine",
)


@dataclass(frozen=True)
class Zone:
    """A zone: its cylinders, sectors around a track of each surface, and what holds no address."""

    first: int
    last: int
    sectors: tuple[int, ...]
    spare_kind: str
    spares: int

    @property
    def addressable(self) -> tuple[int, ...]:
        """Sectors with an address on an unharmed track of each surface."""
        spare = self.spares if self.spare_kind == "track" else 0
        return tuple(count - spare for count in self.sectors)

    def lengths(self, surfaces: int) -> tuple[int, ...]:
        """Sectors that a usual track can be said to have."""
        if self.spare_kind == "cylinder" and surfaces == 1:
            return (self.sectors[0] - self.spares,)
        return self.addressable

    @property
    def capacity(self) -> int:
        """All its addresses."""
        cylinders = self.last - self.first + 1
        whole = cylinders * sum(self.addressable)
        if self.spare_kind == "cylinder":
            return whole - cylinders * self.spares
        if self.spare_kind == "zone":
            return whole - self.spares
        if self.spare_kind == "tracks":
            return whole - self.spares * self.sectors[0]
        return whole


@dataclass
class Drive:
    """A drawn drive: what is written into its profile, and so the truth."""

    seed: int
    era: str
    rotation_ms: float
    surfaces: int
    cylinders: int
    sector_bytes: int
    order: str
    group_cylinders: int
    zones: list[Zone]
    track_skew: int
    cylinder_skew: int
    pass_skew: int
    head_ms: float
    settle_write_ms: float
    short_ms: tuple[float, float]
    long_ms: tuple[float, float]
    boundary: int
    read_ms: float
    write_ms: float
    bus_mb_s: float
    cache: dict[str, object] = field(default_factory=dict)
    defects: list[dict[str, object]] = field(default_factory=list)

    @property
    def seek_first(self) -> bool:
        """Whether its addresses change cylinders before heads."""
        return self.order in SEEK_FIRST

    @property
    def per_surface(self) -> bool:
        """Whether tracks of one cylinder differ in length."""
        return len(set(self.zones[0].sectors)) > 1

    @property
    def bus_sector_ms(self) -> float:
        """Time of one sector over the bus."""
        return self.sector_bytes / self.bus_mb_s / 1000

    def seek_ms(self, distance: int) -> float:
        """Time of a seek over this many cylinders."""
        a, b = self.short_ms if distance < self.boundary else self.long_ms
        return a + b * (distance**0.5 if distance < self.boundary else distance)


def draw(seed: int) -> Drive:
    """The drive of a seed."""
    rng = Random(f"unseen drive {seed}")  # noqa: S311
    era = rng.choices(("old", "middle", "new"), (0.4, 0.35, 0.25))[0]
    rotation_ms = 60_000 / _speed_rpm(rng, era)
    surfaces = _surfaces(rng, era)
    cylinders = {
        "old": lambda: rng.randint(600, 4000),
        "middle": lambda: rng.randint(4000, 30_000),
        "new": lambda: rng.randint(60_000, 200_000),
    }[era]()
    sector_bytes = 4096 if era == "new" and rng.random() < 0.5 else 512
    order, group = _order(rng, era, surfaces)
    zones = _zones(rng, era, surfaces, cylinders, sector_bytes, group)
    outer = zones[0].sectors[0]
    overhead = {"old": (0.3, 2.5), "middle": (0.1, 0.6), "new": (0.03, 0.2)}[era]
    read_ms = round(rng.uniform(*overhead), 4)
    head_ms = round(rng.uniform(0.03, 1.0) * (1.0 if era != "old" else 1.5), 3)
    skews = _skews(rng, order, outer)
    least = round(rng.uniform(0.5, 3.5 if era == "old" else 1.8), 3)
    short_ms, long_ms, boundary = _seek(rng, era, least, cylinders)
    drive = Drive(
        seed=seed,
        era=era,
        rotation_ms=rotation_ms,
        surfaces=surfaces,
        cylinders=cylinders,
        sector_bytes=sector_bytes,
        order=order,
        group_cylinders=group,
        zones=zones,
        track_skew=skews[0],
        cylinder_skew=skews[1],
        pass_skew=skews[2],
        head_ms=head_ms,
        settle_write_ms=rng.choice((0.0, round(rng.uniform(0.05, 0.7), 3))),
        short_ms=short_ms,
        long_ms=long_ms,
        boundary=boundary,
        read_ms=read_ms,
        write_ms=round(read_ms * rng.choice((1.0, 1.0, rng.uniform(1.0, 3.0))), 4),
        bus_mb_s={
            "old": rng.uniform(3, 20),
            "middle": rng.uniform(16, 160),
            "new": rng.uniform(150, 600),
        }[era],
    )
    drive.cache = _cache(rng, era, drive)
    drive.defects = _defects(rng, drive)
    return drive


def _speed_rpm(rng: Random, era: str) -> float:
    nominal = {
        "old": (3600, 4002, 4500, 5400, 5400, 6400, 7200, 7200),
        "middle": (5400, 5400, 7200, 7200, 7200, 10_000, 15_000),
        "new": (5400, 5900, 7200, 7200, 7200, 10_000, 15_000),
    }[era]
    return rng.choice(nominal) * (1 + rng.gauss(0, 0.0015))


def _surfaces(rng: Random, era: str) -> int:
    if era == "old":
        return rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 17, 18, 19, 21))
    if era == "middle":
        return rng.choice((1, 2, 2, 3, 4, 5, 6, 8, 10, 12))
    return rng.choice((1, 2, 2, 3, 4, 5, 6, 8, 10, 18))


def _order(rng: Random, era: str, surfaces: int) -> tuple[str, int]:
    """The order of tracks, and the cylinders of a pass; 0 where heads come first."""
    seek_first = {"old": 0.08, "middle": 0.45, "new": 0.95}[era]
    if surfaces == 1 or rng.random() >= seek_first:
        return rng.choices(HEAD_FIRST, (0.65, 0.25, 0.1))[0], 0
    group = rng.randint(20, 60) if era == "old" else rng.randint(50, 400)
    return rng.choice(SEEK_FIRST), group


def _zones(
    rng: Random, era: str, surfaces: int, cylinders: int, sector_bytes: int, group: int
) -> list[Zone]:
    if era == "old":
        outer, count = rng.randint(26, 200), rng.choice((1, 1, 2, 4, 8, 11, 14))
    elif era == "middle":
        outer, count = rng.randint(180, 1100), rng.randint(5, 24)
    else:
        outer = rng.randint(1100, 3700) // (8 if sector_bytes == 4096 else 1)
        count = rng.randint(10, 30)
    ratio = rng.uniform(0.45, 0.8)
    spare_kind = rng.choices(
        ("none", "track", "cylinder", "zone", "tracks"), (0.3, 0.2, 0.15, 0.2, 0.15)
    )[0]
    spares = {"none": 0, "track": rng.randint(1, 2), "cylinder": rng.randint(1, 12)}.get(
        spare_kind, rng.randint(1, 40 if spare_kind == "zone" else 6)
    )
    if spare_kind == "cylinder":
        spares = min(spares, outer // 4)
    per_surface = surfaces > 1 and rng.random() < {"old": 0.0, "middle": 0.15, "new": 0.6}[era]
    tilt = [rng.uniform(-0.06, 0.06) if per_surface else 0.0 for _ in range(surfaces)]
    if per_surface:
        spare_kind, spares = "none", 0
    unit = max(group, 1)
    cuts = (
        sorted(rng.sample(range(1, max(count, cylinders // unit)), count - 1)) if count > 1 else []
    )
    edges = [0, *(cut * unit for cut in cuts if cut * unit < cylinders - unit), cylinders]
    zones: list[Zone] = []
    for first, end in pairwise(edges):
        # Constant linear density: sectors fall with the radius, and that with the cylinder.
        nominal = outer * (1 - (1 - ratio) * first / cylinders)
        sectors = tuple(max(16, round(nominal * (1 + each))) for each in tilt)
        if zones and zones[-1].sectors == sectors:
            zones[-1] = Zone(zones[-1].first, end - 1, sectors, spare_kind, spares)
        else:
            zones.append(Zone(first, end - 1, sectors, spare_kind, spares))
    return zones


def _skews(rng: Random, order: str, outer: int) -> tuple[int, int, int]:
    """Skews in sectors: from track to track, from cylinder to cylinder, from pass to pass."""
    share = rng.uniform(0.06, 0.36)
    small = max(1, round(share * outer))
    kind = rng.choices(("usual", "equal", "tiny", "none"), (0.78, 0.12, 0.07, 0.03))[0]
    if kind == "none":
        return 0, 0, 0
    if kind == "tiny":
        return rng.choice((0, 1)), rng.randint(1, 2), rng.randint(1, 3)
    large = small if kind == "equal" else max(small + 1, round(rng.uniform(1.1, 2.6) * small))
    large %= outer
    around = round(outer * rng.choice((0.5, 0.5625, share, rng.uniform(0.1, 0.9)))) % outer
    if order in SEEK_FIRST:
        return 0, small, small if kind == "equal" else around
    return small, large, 0


def _seek(
    rng: Random, era: str, least: float, cylinders: int
) -> tuple[tuple[float, float], tuple[float, float], int]:
    full = rng.uniform(14, 28) if era != "new" else rng.uniform(7, 22)
    boundary = max(3, round(cylinders * rng.uniform(0.15, 0.4)))
    knee = least + (full - least) * rng.uniform(0.45, 0.65)
    b = (knee - least) / boundary**0.5
    e = (full - knee) / max(1, cylinders - 1 - boundary)
    return (round(least, 4), round(b, 8)), (round(knee - e * boundary, 6), round(e, 10)), boundary


def _cache(rng: Random, era: str, drive: Drive) -> dict[str, object]:
    """What stays on although the host asked for it to be off."""
    kind = rng.choices(
        ("off", "read-ahead", "on-arrival", "write-back", "immediate"), (0.55, 0.18, 0.1, 0.1, 0.07)
    )[0]
    if kind == "off":
        return {}
    most = max(zone.sectors[0] for zone in drive.zones)
    segments = rng.choice((1, 2, 4, 8)) if era == "old" else rng.choice((8, 16, 64))
    cache: dict[str, object] = {
        "segments": segments,
        "segment": str(2 * most * drive.sector_bytes // 512 * 512)
        if kind == "on-arrival"
        else "128k",
        "read_ahead": rng.choice(("track", "aggressive", "cylinder")),
        "keep_after_hit": True,
        "hits_on_written": rng.random() < 0.3,
    }
    if kind == "on-arrival":
        cache["read_ahead"] = "on-arrival"
    if kind == "write-back":
        cache["write_report"] = "buffer"
        cache["write_back"] = {
            "capacity": "64k" if era == "old" else "1M",
            "extents": rng.choice((4, 16, 64)),
        }
    if kind == "immediate":
        cache["write_report"] = "immediate"
    return cache


def _defects(rng: Random, drive: Drive) -> list[dict[str, object]]:
    """Slips where each track has spares; a drive without spares has none that an address shows."""
    if drive.zones[0].spare_kind != "track" or drive.seek_first:
        return []
    places = sorted(
        {
            (rng.randrange(drive.cylinders), rng.randrange(drive.surfaces))
            for _ in range(rng.randint(0, 12))
        }
    )
    found: list[dict[str, object]] = []
    for cylinder, surface in places:
        zone = next(each for each in drive.zones if each.first <= cylinder <= each.last)
        sector = rng.randrange(zone.addressable[0])
        if rng.random() < 0.6:
            found.append({"kind": "slipped", "at": [cylinder, surface, sector]})
        else:
            spare = [cylinder, surface, zone.sectors[0] - 1]
            found.append({"kind": "remapped", "from": [cylinder, surface, sector], "to": spare})
    return found
