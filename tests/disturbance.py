"""What else the machine did while a test ran: the host's timing is not an error of the code."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

IDLE, IOWAIT, STEAL = 3, 4, 7
"""Fields of the first line of /proc/stat, in ticks since the start of the machine."""
GUEST = 8
"""This field and the next are counted in the first two again."""


@dataclass(frozen=True)
class Moment:
    """The counters at one time."""

    at_s: float
    busy_s: float
    """Processor time of everything on this machine."""
    steal_s: float
    """Processor time that the machine wanted and its host gave to others."""
    own_s: float
    """Processor time of this process and of the children it has waited for."""


@dataclass(frozen=True)
class Disturbance:
    """What happened between two moments, as shares of one processor."""

    others_percent: float
    steal_percent: float
    load: float
    """The load average over a minute, at the end."""

    def __str__(self) -> str:
        return (
            f"others used {self.others_percent:.0f} % of a processor, "
            f"steal {self.steal_percent:.1f} %, load {self.load:.2f}"
        )


def now() -> Moment:
    """Reads the counters. Those of the machine count in ticks, of 10 ms as a rule."""
    ticks_per_s = os.sysconf("SC_CLK_TCK")
    first = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
    ticks = [int(field) for field in first.split()[1:]]
    busy = sum(ticks[:GUEST]) - ticks[IDLE] - ticks[IOWAIT] - ticks[STEAL]
    own = os.times()
    return Moment(
        at_s=time.monotonic(),
        busy_s=busy / ticks_per_s,
        steal_s=ticks[STEAL] / ticks_per_s,
        own_s=own.user + own.system + own.children_user + own.children_system,
    )


def since(begin: Moment) -> Disturbance:
    """What happened since then."""
    end = now()
    took_s = max(end.at_s - begin.at_s, 1e-3)
    others_s = (end.busy_s - begin.busy_s) - (end.own_s - begin.own_s)
    return Disturbance(
        others_percent=100 * max(others_s, 0.0) / took_s,
        steal_percent=100 * (end.steal_s - begin.steal_s) / took_s,
        load=os.getloadavg()[0],
    )
