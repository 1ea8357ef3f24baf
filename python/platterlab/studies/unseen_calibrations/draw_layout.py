"""The layout of a made-up drive: zones, orders, skews, spares and slips."""

from dataclasses import dataclass
from itertools import pairwise
from random import Random

from .drive import Pass, Sparing, Zone


@dataclass(frozen=True)
class Layout:
    """Where the sectors are."""

    cylinders: int
    order: str
    group: int
    zones: tuple[Zone, ...]
    surface_offsets: tuple[float, ...]
    slips: tuple[tuple[int, int, int], ...]


def layout(
    rng: Random,
    era: str,
    surfaces: int,
    cylinders: int,
    outer: int,
    rotation_ms: float,
    head_ms: float,
) -> Layout:
    """Draws all of it; zones are of constant linear density."""
    order = rng.choices(
        (
            "traditional",
            "cylinder-serpentine",
            "surface-serpentine",
            "hybrid-serpentine",
            "listed",
        ),
        (0.64, 0.12, 0.08, 0.06, 0.1) if era != "early" else (0.85, 0.1, 0.02, 0.0, 0.03),
    )[0]
    head_first = order in ("traditional", "cylinder-serpentine")
    group = 0 if head_first else rng.randint(20, 120)
    unit = group or 1
    cylinders -= cylinders % unit
    edges = _edges(rng, era, cylinders, unit)
    differ = not head_first and rng.random() < 0.3
    tilt = [rng.uniform(-0.05, 0.05) if differ else 0.0 for _ in range(surfaces)]
    ratio = rng.uniform(0.5, 0.75)
    sparing = _sparing(rng, head_first=head_first, differ=differ)
    if order == "listed":
        sparing = "none"
    share = max(rng.uniform(0.05, 0.3), (head_ms + 0.2) / rotation_ms)
    indexed = rng.random() < 0.4
    ranged = sparing == "range" and rng.random() < 0.5
    passes = _passes(rng, surfaces, group, share) if order == "listed" else ()
    zones = []
    for first, end in pairwise(edges):
        nominal = outer * (1 - (1 - ratio) * first / cylinders)
        sectors = tuple(max(24, round(nominal * (1 + each))) for each in tilt)
        length = max(sectors)
        spares, width = _spares(rng, sparing, length, surfaces, end - first)
        track = round(share * length) / length
        cylinder = round(share * length * rng.uniform(1.2, 2.2)) / length % 1.0
        zones.append(
            Zone(
                first=first,
                last=end - 1,
                sectors=sectors,
                track_skew=track,
                cylinder_skew=cylinder if head_first else track,
                pass_skew=round(rng.random() * length) / length,
                first_skew=0.0 if indexed else rng.random(),
                sparing=sparing,
                spares=spares,
                range_cylinders=width,
                range_skew=round(rng.random() * length) / length if ranged and width else 0.0,
                passes=passes,
            )
        )
    turned = rng.random() < 0.25
    offsets = tuple(
        rng.uniform(-0.02, 0.02) if turned and surface else 0.0 for surface in range(surfaces)
    )
    if order == "listed":
        offsets = (0.0,) * surfaces
    slips = _slips(rng, zones, surfaces) if head_first else ()
    return Layout(cylinders, order, group, tuple(zones), offsets, slips)


def _edges(rng: Random, era: str, cylinders: int, unit: int) -> list[int]:
    """First cylinders of the zones, and the end; no zone is narrower than a fortieth."""
    count = rng.choice((1, 4, 8, 8, 11, 14)) if era == "early" else rng.randint(7, 24)
    wide = cylinders / count
    cuts = [round((k + rng.uniform(-0.3, 0.3)) * wide / unit) * unit for k in range(1, count)]
    return [0, *sorted({cut for cut in cuts if unit <= cut <= cylinders - unit}), cylinders]


def _sparing(rng: Random, *, head_first: bool, differ: bool) -> Sparing:
    if differ:
        return "none"
    if not head_first:
        return rng.choice(("none", "zone"))
    kinds: tuple[Sparing, ...] = ("none", "track", "cylinder", "range", "zone")
    return rng.choices(kinds, (0.25, 0.15, 0.25, 0.2, 0.15))[0]


def _spares(
    rng: Random, sparing: Sparing, length: int, surfaces: int, cylinders: int
) -> tuple[int, int]:
    """Spares of each domain, and the cylinders of a range."""
    if sparing == "none":
        return 0, 0
    if sparing == "track":
        return rng.randint(1, 2), 0
    if sparing == "cylinder":
        return rng.randint(1, max(2, min(12, surfaces * length // 40))), 0
    if sparing == "zone":
        return rng.randint(60, 400) % (length * surfaces), 0
    return rng.randint(5, min(90, length - 1)), min(cylinders, rng.randint(3, 12))


def _passes(rng: Random, surfaces: int, group: int, share: float) -> tuple[Pass, ...]:
    """Each surface once, in an order and with directions that no rule has."""
    heads = list(range(surfaces))
    rng.shuffle(heads)
    found, angle = [], 0.0
    for surface in heads:
        back = rng.random() < 0.5
        skew = share * rng.uniform(0.95, 1.05)
        ends = (group - 1, 0) if back else (0, group - 1)
        found.append(Pass(surface, *ends, first_skew=angle % 1.0, skew=skew))
        angle += skew * (group - 1) + rng.random()
    return tuple(found)


def _slips(rng: Random, zones: list[Zone], surfaces: int) -> tuple[tuple[int, int, int], ...]:
    """Defects of the factory: at most a few of each domain's spares are gone."""
    if zones[0].sparing == "none" or rng.random() < 0.3:
        return ()
    many = rng.choices((12, 60, 160), (0.5, 0.3, 0.2))[0]
    used: dict[tuple[int, int], int] = {}
    found = set()
    for _ in range(many):
        number = rng.randrange(len(zones))
        zone = zones[number]
        cylinder = rng.randint(zone.first, zone.last)
        surface = rng.randrange(surfaces)
        domain = {
            "track": cylinder * surfaces + surface,
            "cylinder": cylinder,
            "range": (cylinder - zone.first) // max(1, zone.range_cylinders),
            "zone": 0,
        }[zone.sparing]
        key = (number, domain)
        # A last range may be short of cylinders; its spares are as many.
        if used.get(key, 0) >= zone.spares:
            continue
        place = (cylinder, surface, rng.randrange(zone.sectors[surface]))
        if place not in found:
            found.add(place)
            used[key] = used.get(key, 0) + 1
    return tuple(sorted(found))
