"""Random hosts: the grain of their clocks, gathered interrupts, and how their times scatter."""

from dataclasses import asdict, dataclass
from random import Random


@dataclass(frozen=True)
class Host:
    """What stands between a drive and the one who measures it."""

    overhead_us: float
    """Of each request, on its way down and up together."""
    jitter_us: float
    """Standard deviation of that."""
    tail_share: float
    """Share of requests that are late by `tail_us` in the mean, exponentially."""
    tail_us: float
    stall_share: float
    """Share that are late by 10 to 100 ms, as after a recalibration."""
    clock_grain_us: float
    """What the clock counts in; 0 counts in nanoseconds."""
    interrupt_grain_us: float
    """Completions are seen at the next multiple of this; 0 sees each at once."""

    def figures(self) -> dict[str, float]:
        """All of it by name."""
        return asdict(self)


def draw(seed: int) -> Host:
    """The host of a seed."""
    rng = Random(f"unseen host {seed}")  # noqa: S311
    return Host(
        overhead_us=round(rng.uniform(5, 60), 2),
        jitter_us=round(rng.choice((1, 3, 5, 10, 20, 40)) * rng.uniform(0.7, 1.3), 2),
        tail_share=rng.choice((0.0, 0.001, 0.01, 0.03)),
        tail_us=round(rng.uniform(50, 1000), 1),
        stall_share=rng.choice((0.0, 0.0001, 0.001)),
        clock_grain_us=rng.choices((0.0, 1.0, 10.0, 100.0, 1000.0), (0.4, 0.25, 0.17, 0.09, 0.09))[
            0
        ],
        interrupt_grain_us=rng.choices(
            (0.0, 20.0, 50.0, 125.0, 250.0), (0.7, 0.1, 0.1, 0.05, 0.05)
        )[0],
    )
