"""External interrupts: what nothing in the flow caused, during a task (sections 3 and 5.3.1)."""

from platterlab.studies.ganger_patt import published
from platterlab.studies.ganger_patt.laboratory import (
    TASKS_ONLY,
    Laboratory,
    change_row,
    mean_row,
)
from platterlab.studies.row import Row

CLOCK_HZ = 100.0
"""Ticks in a second of UNIX System V Release 4."""

TICK_MS = 0.05
"""Of a tick's handler: about 1,500 instructions of a 33 MHz 80486. Registered in `priors.py`."""

GROUP = "Section 5.3.1: external interrupts, compress with a clock"


def external(laboratory: Laboratory) -> list[Row]:
    """Compress on a computer whose clock ticks, and on one whose does not."""
    tick_ms = laboratory.settings.get("tick_ms", TICK_MS)
    without = laboratory.runs("compress", "c-look")
    ticking = laboratory.runs("compress", "c-look", clock_hz=CLOCK_HZ, tick_ms=tick_ms)
    return [
        mean_row(
            "external-interrupts/interrupts",
            f"interrupts, {CLOCK_HZ:g} of them a second the clock's",
            published.TABLE_4["interrupts"],
            [float(run.host["interrupts"]) for run in ticking],
            "",
            group=GROUP,
            evidence="blind",
            used=TASKS_ONLY,
        ),
        mean_row(
            "external-interrupts/cpu_utilization",
            "CPU utilization",
            published.TABLE_4["cpu_utilization"],
            [run.utilization_pct for run in ticking],
            "%",
            group=GROUP,
        ),
        change_row(
            "external-interrupts/elapsed_change",
            "elapsed time with the clock, of that without",
            None,
            ([run.elapsed_s for run in without], [run.elapsed_s for run in ticking]),
            group=GROUP,
            evidence="blind",
            used=TASKS_ONLY,
        ),
    ]
