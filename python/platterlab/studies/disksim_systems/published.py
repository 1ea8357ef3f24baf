"""Answers of DiskSim 4.0 for its own system checks: mean response times."""

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
        mean_ms: DiskSim's mean response time.
        answers: what DiskSim's answers are called; None where its mean alone is known.
        least_same: the share of DiskSim's choices that ours is to make as well.
        weight: what age weighs; None for that of the file, which is 6.
    """

    id: str
    number: int
    mean_ms: float
    answers: str | None = None
    least_same: float = 0.0
    weight: int | None = None


BURSTS: tuple[Burst, ...] = (
    Burst("burst/fcfs", 1, 124.360, "FCFS", 0.999),
    Burst("burst/look", 2, 120.535, "ELEVATOR_LBN", 0.999),
    Burst("burst/c-look", 3, 110.959, "CYCLE_LBN", 0.999),
    Burst("burst/sstf", 4, 119.441, "SSTF_LBN", 0.999),
    Burst("burst/sptf", 8, 117.081, "SPTF_OPT", 0.95),
    Burst("burst/spctf", 9, 113.210),
    Burst("burst/asptf-6", 14, 117.178),
    Burst("burst/asptf-100", 14, 117.21, weight=100),
    Burst("burst/asptf-600", 14, 116.89, weight=600),
    Burst("burst/v-scan", 17, 119.441),
)
