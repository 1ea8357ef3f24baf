"""What DiskSim 4.0 answers for its own system checks: mean response times."""

from dataclasses import dataclass


@dataclass(frozen=True)
class System:
    """One of DiskSim's own systems.

    Attributes:
        id: of the row.
        what: for people.
        file: the parameter file.
        mean_ms: DiskSim's mean response time.
        of_commands: whether it is that of the driver's commands to disks, not of requests.
        trace: what is replayed, below the data's folder; None for the file's generators.
    """

    id: str
    what: str
    file: str
    mean_ms: float
    trace: str | None = None
    of_commands: bool = False


SYSTEMS: tuple[System, ...] = (
    System("open", "open workload, three disks", "synthopen.parv", 10.94),
    System("closed", "closed workload", "synthclosed.parv", 87.8),
    System("mixed", "mixed workload", "synthmixed.parv", 22.09),
    System("raid5", "RAID 5 of nine disks, commands", "synthraid5.parv", 22.86, of_commands=True),
    System("raid5/requests", "RAID 5 of nine disks, requests", "synthraid5.parv", 35.75),
    System("arrays", "a set of four arrays", "syntharrays.parv", 34.27),
    System(
        "arrays/commands",
        "a set of four arrays, commands",
        "syntharrays.parv",
        26.85,
        of_commands=True,
    ),
    System("cachemem", "cache in a controller's memory", "synthcachemem.parv", 24.65),
    System("cachedev", "cache on a disk", "synthcachedev.parv", 28.94),
    System("simpledisk", "disk without mechanics", "synthsimpledisk.parv", 13.71),
    System("3disks", "three disks on one bus", "3disks.parv", 10.94),
    System("hplajw", "HP trace of a week", "hplajw.parv", 48.79, "hp-week/ajw.1week.srt"),
    System("ascii", "trace of 18 disks", "ascii.parv", 13.767, "disksim/ascii.trace"),
)


@dataclass(frozen=True)
class Burst:
    """Bursts of requests under one policy of the driver.

    Attributes:
        id: of the row.
        number: DiskSim's number of the policy.
        answers: what DiskSim's answers are called.
        mean_ms: DiskSim's mean response time.
        least_same: the share of DiskSim's choices that ours is to make as well.
    """

    id: str
    number: int
    answers: str
    mean_ms: float
    least_same: float


BURSTS: tuple[Burst, ...] = (
    Burst("burst/fcfs", 1, "FCFS", 124.360, 0.999),
    Burst("burst/look", 2, "ELEVATOR_LBN", 120.535, 0.999),
    Burst("burst/c-look", 3, "CYCLE_LBN", 110.959, 0.999),
    Burst("burst/sstf", 4, "SSTF_LBN", 119.441, 0.999),
    Burst("burst/sptf", 8, "SPTF_OPT", 117.081, 0.95),
)
