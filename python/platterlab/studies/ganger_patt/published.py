"""Figures of Ganger and Patt (1998): Tables 3 to 6, Figures 1 and 2, and their sentences."""

from dataclasses import dataclass

INSTANCES = 23
"""Runs in each mean of Figures 1 and 2, which run storage alone too, and of what mends criticality.

They cost most of the study's time. Section 5.3.2 traced several instances of each task.
"""

TASK_INSTANCES = 92
"""Runs in each figure of tasks by themselves (Tables 3 to 6, strict priority)."""


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

TABLE_4 = {
    "elapsed": 198.0,
    "cpu_utilization": 81.3,
    "interrupts": 61_225.0,
    "requests": 10_844.0,
    "waits": 370.0,
    "mean_wait": 69.2,
    "access": 6.43,
    "response": 53.3,
}
"""The column of what was measured."""

TABLE_5 = {"elapsed": 10.4, "response": 65.2, "access": 17.8}
"""What C-LOOK improves for uncompress, in % of FCFS, as simulated and measured."""

OPEN_INCREASE_PCT = 955.0
"""What the open model says of copytree's change from C-LOOK to FCFS (Figure 1b)."""

FIGURE_1_POPULATIONS = {"fcfs": 9, "c-look": 5}
"""Of the closed model in Figure 1, from the averages observed."""

CLASS_SHARES_PCT = {
    "critical": (1.0, 95.0),
    "limited": (0.0, 70.0),
    "noncritical": (5.0, 74.0),
}
"""The least and the most over the four tasks (section 5.3.2)."""

CACHE_AWARE_PCT = {1.0: 21.0, 2.0: 17.0}
"""What cache awareness adds to the mean response by the system-level model (section 6.3)."""

CACHE_AWARE_OPEN_PCT = {1.0: 17.0, 2.0: -8.0, 4.0: None}
"""The same by the open model."""

CACHE_AWARE_CLOSED_PCT = -0.6
"""The same by the closed model."""

POPULATIONS = (4, 8, 16, 32)
"""The closed model's, in section 6.3."""

RATES_PER_S = {1.0: (33.0, 34.0), 2.0: (67.0, 70.0)}
"""Arrivals at each scale, by the open and by the system-level model."""

NO_PREFETCH_PCT = {"sptf": 3.0, "spctf_over_sptf": -1.0}
"""What it costs not to prefetch after hits, and what cache awareness is worth then."""

CRITICALITY_PCT = -30.0
"""What two lists change in uncompress' elapsed time; "the same" in the others' (section 7)."""


@dataclass(frozen=True)
class Criticality:
    """A column of Table 6."""

    elapsed_s: float
    computation_s: float
    false_idle_s: float
    other_s: float
    wait_s: float
    critical_requests: int
    critical_ms: float
    critical_max_ms: float
    limited_requests: int
    limited_ms: float
    limited_max_ms: float
    limit_ms: float
    met_pct: float
    noncritical_requests: int
    noncritical_ms: float
    noncritical_max_ms: float
    requests: int
    response_ms: float
    service_ms: float
    hits_pct: float
    seek_cylinders: float
    seek_ms: float


# fmt: off
ONE_LIST = Criticality(
    147.5, 90.3, 39.6, 17.6, 51.0, 153, 62.7, 6_165.0, 2_693, 42.5, 11_000.0, 31.0, 95.9,
    7_989, 1_207.0, 10_500.0, 10_835, 903.4, 8.0, 22.4, 31.0, 1.5,
)
TWO_LISTS = Criticality(
    103.8, 90.3, 3.9, 9.6, 4.3, 153, 29.1, 95.1, 2_693, 19.3, 73.6, 33.8, 86.5,
    7_989, 15_300.0, 69_700.0, 10_835, 11_256.0, 12.1, 8.2, 217.0, 4.2,
)
# fmt: on
