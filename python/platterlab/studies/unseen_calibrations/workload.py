"""What the host asks a made-up drive for, and the trace that it keeps."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import ceil, floor, pi, sin
from random import Random

from .drive import Drive
from .host import Host
from .machine import Machine
from .platter import Platter

KINDS = ("random", "local", "runs", "mixed", "sparse", "bursts")


@dataclass(frozen=True)
class Asked:
    """A request, and how long after the one before it the host thinks of it, in ms."""

    read: bool
    lba: int
    count: int
    think_ms: float


@dataclass(frozen=True)
class Seen:
    """A row of the trace, in ms, and what served it."""

    asked: Asked
    gap_ms: float
    """From the completion before it."""
    service_ms: float
    how: str


@dataclass(frozen=True)
class Mix:
    """A workload: shares of what follows what, sizes, and pauses."""

    kind: str
    reads: float
    sequential: float
    local: float
    sizes: tuple[int, ...]
    think_ms: float
    spots: int
    """Addresses that it keeps coming back to; 0 is all of the drive."""


def draw(seed: int) -> Mix:
    """The workload of a seed."""
    rng = Random(f"unseen calibration workload {seed}")  # noqa: S311
    kind = rng.choices(KINDS, (0.2, 0.1, 0.15, 0.35, 0.08, 0.12))[0]
    sequential, local = {
        "random": (0.02, 0.0),
        "local": (0.05, 0.8),
        "runs": (0.75, 0.1),
        "mixed": (0.2, 0.3),
        "sparse": (0.1, 0.3),
        "bursts": (0.25, 0.3),
    }[kind]
    sizes = rng.choice(
        (
            (4, 4, 4, 8, 8, 12, 16),
            (8, 8, 16),
            (16,),
            tuple(range(1, 65)),
            (2, 4, 8, 16, 32, 64, 128),
        )
    )
    return Mix(
        kind=kind,
        reads=rng.choice((0.5, 0.66, 0.66, 0.8, 1.0)),
        sequential=sequential,
        local=local,
        sizes=sizes,
        think_ms=rng.choice((8.0, 20.0, 45.0)),
        spots=24 if kind == "sparse" else 0,
    )


def requests(mix: Mix, capacity: int, seed: int) -> Iterator[Asked]:
    """Requests without an end."""
    rng = Random(f"unseen calibration requests {seed}")  # noqa: S311
    spots = [rng.randrange(capacity) for _ in range(mix.spots)]
    at, read = 0, True
    for number in range(1 << 62):
        count = rng.choice(mix.sizes)
        chance = rng.random()
        if chance < mix.sequential:
            lba = at
        elif chance < mix.sequential + mix.local:
            lba = at + round(rng.gauss(0.0, 0.003) * capacity)
            read = rng.random() < mix.reads
        else:
            lba = rng.choice(spots) + rng.randrange(2000) if spots else rng.randrange(capacity)
            read = rng.random() < mix.reads
        if not 0 <= lba <= capacity - count:
            lba = rng.randrange(capacity - count)
        yield Asked(read, lba, count, _think_ms(mix, rng, number))
        at = lba + count


def _think_ms(mix: Mix, rng: Random, number: int) -> float:
    if mix.kind == "sparse" and number % 60 == 0:
        return rng.uniform(0.2, 1.0) * 1_800_000
    if mix.kind == "bursts":
        return rng.uniform(100, 1000) if number % 12 == 0 else rng.uniform(0.03, 1.5)
    if mix.kind == "runs" and rng.random() < 0.5:
        return rng.uniform(0.05, 3.0)
    return 0.05 + rng.expovariate(1.0 / mix.think_ms)


def measure(drive: Drive, platter: Platter, host: Host, mix: Mix, count: int) -> list[Seen]:
    """What the host writes down of this many requests."""
    rng = Random(f"unseen calibration noise {drive.seed}")  # noqa: S311
    machine = Machine(drive, platter, Random(f"unseen calibration chance {drive.seed}"))  # noqa: S311
    whole_ms = count * (mix.think_ms + 10.0)

    def clock(time: float) -> float:
        wave = host.wander_ppm * 1e-6 * whole_ms / pi * sin(pi * time / whole_ms)
        return floor((time + wave) / host.grain_ms + 1e-6) * host.grain_ms

    rows: list[Seen] = []
    now, before = 0.0, 0.0
    for asked in islice(requests(mix, platter.capacity, drive.seed), count):
        issued = now + asked.think_ms
        if host.tick_ms:
            issued = ceil(issued / host.tick_ms) * host.tick_ms
        answer = machine.serve(issued, read=asked.read, lba=asked.lba, count=asked.count)
        now = answer.done + host.lateness_ms(rng)
        start, end = clock(issued), clock(now)
        rows.append(Seen(asked, start - before if rows else 0.0, end - start, answer.how))
        before = end
    return rows


def replay_ms(drive: Drive, platter: Platter, rows: list[Seen]) -> list[float]:
    """What the drive itself, without chance, predicts in a closed loop over these gaps, in ms."""
    machine = Machine(drive, platter)
    now, found = 0.0, []
    for row in rows:
        issued = now + row.gap_ms
        asked = row.asked
        done = machine.serve(issued, read=asked.read, lba=asked.lba, count=asked.count).done
        found.append(done - issued)
        now = done
    return found


def trace_text(rows: list[Seen], gap: str) -> str:
    """The rows as DiskSim's `validate` has them: times in µs, gaps before or after."""
    gaps = [row.gap_ms for row in rows]
    if gap == "after":
        gaps = [*gaps[1:], 0.0]
    lines = []
    for row, idle_ms in zip(rows, gaps, strict=True):
        asked = row.asked
        letter = "R" if asked.read else "W"
        lines.append(
            f"{letter} Hit {asked.lba} {asked.count} {row.service_ms * 1e3:.2f} {idle_ms * 1e3:.2f}"
        )
    return "\n".join(lines) + "\n"
