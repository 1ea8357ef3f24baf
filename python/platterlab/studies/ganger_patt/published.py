"""What Ganger and Patt (1998) print: Tables 3, 5 and 6, Figures 1 and 2."""

from dataclasses import dataclass

SEEDS = 5
"""Every figure is the mean over so many instances of a task (section 5.3.2 traced several)."""


@dataclass(frozen=True)
class Task:
    """A line of Table 3: times in s, the response in ms."""

    elapsed_s: float
    computation_s: float
    wait_s: float
    requests: int
    response_ms: float


TASKS = {
    "compress": Task(198.0, 162.0, 25.6, 10_844, 53.3),
    "uncompress": Task(144.0, 91.0, 47.1, 10_983, 1_076.0),
    "copytree": Task(89.5, 17.6, 69.7, 8_995, 147.0),
    "removetree": Task(18.2, 3.05, 14.9, 1_176, 15.6),
}

TABLE_5 = {"elapsed": 10.4, "response": 65.2, "access": 17.8}
"""What C-LOOK improves for uncompress, in % of FCFS, as simulated and measured."""

COPYTREE_OPEN_INCREASE_PCT = 955.0
"""What the open model says of C-LOOK to FCFS (Figure 1b)."""

CACHE_AWARE_PCT = {1.0: 21.0, 2.0: 17.0}
"""What cache awareness adds to the mean response by the system-level model (section 6.3)."""

CACHE_AWARE_CLOSED_PCT = -0.6
"""The same by the closed model."""

POPULATIONS = (4, 8, 16, 32)
"""The closed model's, in section 6.3."""


@dataclass(frozen=True)
class Criticality:
    """A column of Table 6."""

    elapsed_s: float
    false_idle_s: float
    other_s: float
    wait_s: float
    response_ms: float
    noncritical_ms: float
    limited_ms: float
    critical_ms: float
    met_pct: float
    limit_ms: float
    service_ms: float
    hits_pct: float
    seek_cylinders: float


ONE_LIST = Criticality(
    147.5, 39.6, 17.6, 51.0, 903.4, 1_207.0, 42.5, 62.7, 95.9, 31.0, 8.0, 22.4, 31.0
)
TWO_LISTS = Criticality(
    103.8, 3.9, 9.6, 4.3, 11_256.0, 15_300.0, 19.3, 29.1, 86.5, 33.8, 12.1, 8.2, 217.0
)
