"""The drive of a seed: drawn from what drives of 1990 to 2005 were like.

From Ruemmler and Wilkes' two, Talagala's nine, Worthington's and DiskSim's parameter files, and
Wong's layouts. Drawn without a look at how a calibration works.
"""

from random import Random

from .draw_layout import layout
from .drive import Buffer, Bus, Costs, Drive, Law, Seek

ERAS = {
    # Years: speeds in rpm, cylinders, surfaces, outer sectors, bus in MB/s, overheads in ms.
    "early": (
        (4002, 4500, 5400, 5400, 6400),
        (900, 2700),
        (2, 4, 5, 8, 9, 13, 17, 19),
        (56, 110),
        (3.0, 10.0),
        (0.4, 2.2),
    ),
    "middle": (
        (5400, 7200, 7200, 7200),
        (2700, 7500),
        (2, 3, 4, 5, 8, 10, 18),
        (108, 230),
        (5.0, 20.0),
        (0.2, 1.0),
    ),
    "late": (
        (7200, 10_000, 10_000, 15_000),
        (6500, 16_000),
        (2, 3, 4, 5, 6, 8, 10, 12),
        (240, 520),
        (20.0, 80.0),
        (0.1, 0.5),
    ),
}


def draw(seed: int) -> Drive:
    """The drive of a seed."""
    rng = Random(f"unseen calibration drive {seed}")  # noqa: S311
    era = rng.choices(tuple(ERAS), (0.35, 0.35, 0.3))[0]
    speeds, cylinders_of, surfaces_of, outer_of, rate_of, cost_of = ERAS[era]
    rotation_ms = 60_000 / (rng.choice(speeds) * (1 + rng.uniform(-0.005, 0.005)))
    surfaces = rng.choice(surfaces_of)
    cylinders = rng.randint(*cylinders_of)
    outer = rng.randint(*outer_of)
    head_ms = round(rng.uniform(0.1, 1.2), 3)
    place = layout(rng, era, surfaces, cylinders, outer, rotation_ms, head_ms)
    seek = _seek(rng, era, place.cylinders, rotation_ms)
    bus = _bus(rng, rng.uniform(*rate_of), rotation_ms / outer)
    beyond = []
    if seek.scatter is not None:
        beyond.append("seeks that scatter by distance")
    if seek.ripple_ms:
        beyond.append("a sawtooth on the seek curve")
    return Drive(
        seed=seed,
        era=era,
        rotation_ms=rotation_ms,
        phase=rng.random(),
        surfaces=surfaces,
        cylinders=place.cylinders,
        order=place.order,
        group=place.group,
        zones=place.zones,
        surface_offsets=place.surface_offsets,
        slips=place.slips,
        seek=seek,
        head_ms=head_ms,
        settle_write_ms=rng.choice((0.0, round(rng.uniform(0.05, 0.7), 3))),
        bus=bus,
        buffer=_buffer(rng, era, outer, slow=bus.write_ms > 0.9 * rotation_ms / outer),
        costs=_costs(rng, cost_of),
        beyond=tuple(beyond),
    )


def _seek(rng: Random, era: str, cylinders: int, rotation_ms: float) -> Seek:
    """Laws with concave starts; single cylinders in 0.6 to 3.5 ms, full strokes in 10 to 25."""
    single = rng.uniform(1.0, 3.5) if era == "early" else rng.uniform(0.6, 2.0)
    full = rng.uniform(15.0, 25.0) if era != "late" else rng.uniform(8.0, 16.0)
    laws: tuple[Law, ...] = ("two-piece", "three-point", "root-line", "linear")
    law = rng.choices(laws, (0.4, 0.25, 0.25, 0.1))[0]
    span = cylinders - 2
    if law == "two-piece":
        edge = round(cylinders * rng.uniform(0.15, 0.4))
        knee = single + (full - single) * rng.uniform(0.5, 0.7)
        root = (knee - single) / (edge**0.5 - 1)
        line = (full - knee) / (cylinders - 1 - edge)
        values: tuple[float, ...] = (single - root, root, knee - line * edge, line, float(edge))
    elif law == "three-point":
        share = rng.uniform(0.4, 0.8)
        values = (share * (full - single) / span**0.5, (1 - share) * (full - single) / span, single)
    elif law == "root-line":
        share = rng.uniform(0.3, 0.7)
        root = share * (full - single) / ((span + 1) ** 0.5 - 1)
        line = (1 - share) * (full - single) / span
        values = (single - root - line, root, line)
    else:
        values = (single, (full - single) / span)
    scatter = None
    if rng.random() < 0.1:
        near = round(cylinders * rng.uniform(0.02, 0.1))
        far = round(cylinders * rng.uniform(0.2, 0.6))
        scatter = (round(rng.uniform(0.1, 0.3), 3), near, far, round(0.3 * rotation_ms, 3))
    ripple = rng.random() < 0.06
    return Seek(
        law=law,
        values=values,
        ripple_ms=round(rng.uniform(0.1, 0.4), 3) if ripple else 0.0,
        ripple_cylinders=rng.randint(8, 40) if ripple else 1,
        back_ms=round(rng.uniform(0.05, 0.4), 3) if rng.random() < 0.15 else 0.0,
        noise_ms=rng.choice((0.0, 0.0, 0.02, 0.05, 0.1)),
        scatter=scatter,
    )


def _bus(rng: Random, rate_mb_s: float, sector_ms: float) -> Bus:
    """A SCSI bus: as a rule faster than the media, seldom as fast for writes as for reads."""
    read_ms = min(512 / rate_mb_s / 1000, 0.95 * sector_ms)
    if rng.random() < 0.08:
        # HP-IB: slower than the media.
        read_ms = sector_ms * rng.uniform(1.1, 2.0)
    write_ms = read_ms * rng.choice((1.0, 1.0, rng.uniform(0.8, 1.2)))
    kind = rng.choices(("plain", "fence", "share", "burst", "drain"), (0.4, 0.2, 0.22, 0.13, 0.05))[
        0
    ]
    reconnect = rng.choice((0.0, round(rng.uniform(0.05, 0.25), 3)))
    if kind == "burst" or kind == "drain":
        return Bus(
            read_ms=read_ms,
            write_ms=write_ms,
            burst=rng.choice((8, 16, 20, 24, 32, 48)),
            drains=kind == "drain",
            reconnect_ms=round(rng.uniform(0.1, 0.4), 3),
        )
    return Bus(
        read_ms=read_ms,
        write_ms=write_ms,
        fence=rng.choice((4, 8, 16)) if kind == "fence" else 0,
        fence_share=rng.choice((0.25, 0.5, 0.75, 1.0)) if kind == "share" else 0.0,
        reconnect_ms=reconnect,
    )


def _buffer(rng: Random, era: str, outer: int, *, slow: bool) -> Buffer:
    """From none at all to sixteen segments of 256 KB."""
    # Where the bus is slower than the media a write has all of its data first.
    fence = 256 if slow else rng.choice((2, 16, 256))
    if rng.random() < 0.2:
        return Buffer(write_fence=fence)
    segments = rng.choice((1, 2, 2, 4) if era == "early" else (2, 3, 4, 8, 16))
    # A segment holds the longest request; a track buffer holds a track.
    segment = rng.choice((128, 192, 256) if era == "early" else (256, 384, 512))
    return Buffer(
        segments=segments,
        segment=max(segment, outer + 64 if rng.random() < 0.5 else 0),
        read_ahead=rng.choices(("none", "track", "cylinder", "aggressive"), (0.1, 0.25, 0.15, 0.5))[
            0
        ],
        over_requested=rng.random() < 0.7,
        on_hit="extend" if rng.random() < 0.7 else "ignore",
        keep_after_hit=rng.random() < 0.7,
        hits_in_flight=rng.random() < 0.85,
        hits_on_written=rng.random() < 0.3,
        report=rng.choices(("media", "immediate", "buffer"), (0.5, 0.2, 0.3))[0],
        write_fence=fence,
    )


def _costs(rng: Random, cost_of: tuple[float, float]) -> Costs:
    """Overheads by command; a tenth of the drives has those of Ruemmler and Wilkes' slow writes."""
    read = round(rng.uniform(*cost_of), 4)
    write = round(read * rng.choice((1.0, rng.uniform(1.0, 1.6), rng.uniform(0.7, 3.0))), 4)
    hit = round(read * rng.choice((1.0, rng.uniform(0.4, 1.2))), 4)
    write_hit = round(write * rng.choice((1.0, rng.uniform(0.5, 1.0))), 4)
    later = round(rng.uniform(0.02, 0.3), 4) if rng.random() < 0.3 else 0.0
    return Costs(
        read=read,
        write=write,
        read_hit=hit,
        write_hit=write_hit,
        read_after_write=read + later,
        write_after_write=write,
        read_done=round(rng.choice((0.0, rng.uniform(0.01, 0.15))), 4),
        write_done=round(rng.choice((0.0, rng.uniform(0.01, 0.15))), 4),
    )
