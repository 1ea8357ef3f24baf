"""The host that measured: when it issues, how late it sees the end, what its clock counts in."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Host:
    """All in ms."""

    late_ms: float
    """Standard deviation of how late a completion is seen."""
    tail_share: float
    tail_ms: float
    """Mean of the exponential by which that share is later still."""
    stall_share: float
    """Of requests that take 10 to 100 ms more, as in a recalibration."""
    grain_ms: float
    """What its clock counts in."""
    tick_ms: float
    """Requests are issued at multiples of this only; 0 is no such tick."""
    wander_ppm: float
    """How far its clock and the spindle drift apart, as a slow wave over the trace."""
    gap: str
    """`before` or `after` the request in whose row it stands."""

    def lateness_ms(self, rng: Random) -> float:
        """Of one completion."""
        late = abs(rng.gauss(0.0, self.late_ms))
        if rng.random() < self.tail_share:
            late += rng.expovariate(1.0 / self.tail_ms)
        if rng.random() < self.stall_share:
            late += rng.uniform(10.0, 100.0)
        return late


def draw(seed: int) -> Host:
    """The host of a seed."""
    rng = Random(f"unseen calibration host {seed}")  # noqa: S311
    return Host(
        late_ms=round(rng.choice((0.005, 0.01, 0.02, 0.03, 0.04)) * rng.uniform(0.7, 1.3), 4),
        tail_share=rng.choice((0.0, 0.001, 0.005, 0.01, 0.03)),
        tail_ms=round(rng.uniform(0.1, 1.5), 3),
        stall_share=rng.choices((0.0, 0.0005), (0.85, 0.15))[0],
        grain_ms=rng.choices((0.00001, 0.001, 0.01, 0.1, 1.0), (0.2, 0.5, 0.15, 0.09, 0.06))[0],
        tick_ms=rng.choices((0.0, 1.0, 10.0), (0.82, 0.08, 0.1))[0],
        wander_ppm=rng.choices((0.0, 0.1, 1.0), (0.6, 0.25, 0.15))[0],
        gap=rng.choice(("before", "after")),
    )
