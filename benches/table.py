"""The rows of the benchmark table, and how they are shown."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One case's figures."""

    id: str
    what: str
    per_s: float
    """Requests per second of processor time; of `end-to-end-`, `serve-` and
    `sweep-` cases, whose requests are experiments, by the clock."""
    peak_rss_mib: float
    disksim_per_s: float | None = None
    """The same of DiskSim on the same workload, where it was measured."""
    instructions_per_request: float | None = None
    """None where nothing counts them."""
    ms: float | None = None
    """Of a processor, for the whole command; None where only the rate counts."""
    of_core: float | None = None
    """`per_s` over that of the core alone in the same run: of `lab-simulate` over
    `hp97560-cache`, of others over `c2200a-week`."""
    lateness_us: dict[str, float] | None = None
    """Of a drive served in real time: how late its answers left."""


@dataclass(frozen=True)
class Scaling:
    """Replications on one thread and on two, whole processes, the fastest of some runs each."""

    what: str
    requests: int
    wall_s: tuple[float, float]
    cpu_s: tuple[float, float]
    """Of all threads: what it grows by is what they take from each other."""
    speed_up: float
    """By the clock: other work on the machine takes from it."""


def show(rows: list[Row], both: Scaling) -> None:
    """The table for people."""
    # Not before it is wanted: a child's peak memory begins with that of the process it came from.
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("case", no_wrap=True)
    table.add_column("what")
    for heading in ("requests/s", "DiskSim's", "peak MiB", "instructions", "ms", "of the core"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        per_request = row.instructions_per_request
        table.add_row(
            row.id,
            row.what,
            f"{row.per_s:,.0f}",
            "–" if row.disksim_per_s is None else f"{row.disksim_per_s:,.0f}",
            f"{row.peak_rss_mib:,.0f}",
            "–" if per_request is None else f"{per_request:,.0f}",
            "–" if row.ms is None else f"{row.ms:,.0f}",
            "–" if row.of_core is None else f"{row.of_core:.2f}",
        )
    console = Console(highlight=False)
    console.print(table)
    console.print(
        f"\n{both.what}, {both.requests:,} requests: {both.wall_s[0]:.1f} s on one thread, "
        f"{both.wall_s[1]:.1f} s on two, {both.speed_up:.2f} times as fast; "
        f"{both.cpu_s[0]:.1f} s and {both.cpu_s[1]:.1f} s of processors"
    )
