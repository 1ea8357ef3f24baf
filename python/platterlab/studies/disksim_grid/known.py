"""Systems that are known not to come out as DiskSim has them, and why."""

CHOICE = (
    "in a queue of two, what its driver takes for the arm's place while a command waits in the "
    "drive is not known; what is answered from the buffer agrees (docs/disksim-conventions.md)"
)
ORDER = (
    "of two disks that wait with data DiskSim now and then serves the later one first: no order "
    "tried explains it (docs/disksim-conventions.md)"
)

KNOWN: dict[str, str] = {
    "grid/Qd_10/*": CHOICE,
    "grid/Bd_9/*": ORDER,
    "grid/Q/within_2_pct": f"Qd_10: {CHOICE}",
    "grid/B/within_2_pct": f"Bd_9: {ORDER}",
}
