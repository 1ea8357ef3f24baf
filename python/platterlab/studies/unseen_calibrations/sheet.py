"""What a data sheet says of a made-up drive, and where it is wrong.

Speeds are the nominal ones, seeks up to 20 % off; skews, spares, slips and the cache are stated,
stated inexactly or not stated.
"""

from dataclasses import dataclass
from random import Random

from .drive import Drive

NOMINAL_RPM = (4002, 4500, 5400, 6400, 7200, 10_000, 15_000)


@dataclass(frozen=True)
class Sheet:
    """What is printed."""

    rotation_ms: float
    seek: list[str]
    head_ms: float
    overhead_ms: float
    bus_mb_s: float
    skews: bool
    skew_error: tuple[float, ...]
    """Of each zone's skews, in turns."""
    zone_starts: bool
    slips: bool
    spares: bool
    cache: bool
    segments: int
    segment: int
    read_ahead: str
    rough: bool
    """Whether the one who calibrates says that it is no more than a data sheet."""

    def silent_on(self, drive: Drive) -> list[str]:
        """What it lacks, in words for people."""
        found = {
            "no skews": not self.skews,
            "skews inexact": self.skews and any(self.skew_error),
            "no slips": bool(drive.slips) and not self.slips,
            "no spares": drive.zones[0].sparing != "none" and not self.spares,
            "no cache": drive.buffer.segments > 0 and not self.cache,
            "rough": self.rough,
        }
        return [name for name, so in found.items() if so]


def draw(drive: Drive) -> Sheet:
    """The sheet of a drive."""
    rng = Random(f"unseen calibration sheet {drive.seed}")  # noqa: S311
    rpm = 60_000 / drive.rotation_ms
    nominal = min(NOMINAL_RPM, key=lambda each: abs(each / rpm - 1))
    extracted = rng.random() < 0.35
    error = 0.05 if extracted else 0.2
    skews = extracted or rng.random() < 0.6
    exact = rng.random() < 0.5
    zones = len(drive.zones)
    skew_error = tuple(
        0.0 if exact else rng.randint(-4, 4) / max(drive.zones[k].sectors) for k in range(zones)
    )
    known = rng.random() < 0.88
    buffer = drive.buffer
    return Sheet(
        rotation_ms=60_000 / nominal,
        seek=_seek(rng, drive, error),
        head_ms=drive.head_ms * rng.uniform(1 - error, 1 + error),
        overhead_ms=drive.costs.read * rng.uniform(0.5, 1.2),
        bus_mb_s=512 / (drive.bus.read_ms * 1000) * rng.uniform(1.0, 1.3),
        skews=skews,
        skew_error=skew_error,
        zone_starts=extracted and rng.random() < 0.6,
        slips=rng.random() < 0.55 and known,
        spares=known,
        cache=rng.random() < 0.75,
        segments=buffer.segments if rng.random() < 0.7 else rng.choice((1, 2, 4, 8)),
        segment=buffer.segment,
        read_ahead="aggressive" if rng.random() < 0.5 else buffer.read_ahead,
        rough=not extracted and (not skews or rng.random() < 0.5),
    )


def _seek(rng: Random, drive: Drive, error: float) -> list[str]:
    """Three times, each wrong by as much, or a curve that is wrong by one factor at each end."""
    cylinders = drive.cylinders
    single, full = (drive.seek.at(d) for d in (1, cylinders - 1))
    # Mean over all pairs of cylinders: distances are as frequent as they are possible.
    step = max(1, cylinders // 400)
    weights = [(cylinders - d, drive.seek.at(d)) for d in range(1, cylinders, step)]
    average = sum(w * t for w, t in weights) / sum(w for w, _ in weights)
    single, average, full = (t * rng.uniform(1 - error, 1 + error) for t in (single, average, full))
    average = min(max(average, single + 0.45 * (full - single)), single + 0.75 * (full - single))
    kind = rng.choice(("linear", "three-point", "table"))
    if kind == "linear":
        return ["[seek]", 'kind = "linear"', f"single_ms = {single:.3f}", f"full_ms = {full:.3f}"]
    if kind == "three-point":
        return [
            "[seek]",
            'kind = "three-point"',
            f"single_ms = {single:.3f}",
            f"average_ms = {average:.3f}",
            f"full_ms = {full:.3f}",
        ]
    near, far = (rng.uniform(1 - error, 1 + error) for _ in range(2))
    at = sorted({max(1, round(cylinders**share)) for share in (k / 14 for k in range(14))})
    points = [f"[{d}, {drive.seek.at(d) * (near + (far - near) * d / cylinders):.3f}]" for d in at]
    return ["[seek]", 'kind = "table"', "points = [" + ", ".join(points) + "]"]
