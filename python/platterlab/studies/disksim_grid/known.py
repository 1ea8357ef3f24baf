"""Systems that are known not to come out as DiskSim has them, and why."""

DEEP = (
    "after an answer from the buffer with nothing read for long DiskSim's drive chooses otherwise: "
    "what it reckons from then is not known (docs/disksim-conventions.md)"
)
BURSTS = (
    "of bursts of 32 in the drive a quarter of all requests is answered alike: how DiskSim's drive "
    "chooses among so many, of 16 and 48 sectors, is not understood (docs/disksim-conventions.md)"
)
CHOICE = (
    "in a queue of two, what its driver takes for the arm's place while a command waits in the "
    "drive is not known; what is answered from the buffer agrees (docs/disksim-conventions.md)"
)
ORDER = (
    "of two disks that wait with data DiskSim now and then serves the later one first: no order "
    "tried explains it (docs/disksim-conventions.md)"
)

KNOWN: dict[str, str] = {
    "grid/Qd_2/*": BURSTS,
    "grid/Qd_8/*": DEEP,
    "grid/Qd_10/*": CHOICE,
    "grid/Bd_9/*": ORDER,
    "grid/Q/within_2_pct": f"Qd_2: {BURSTS}; Qd_8: {DEEP}; Qd_10: {CHOICE}",
    "grid/B/within_2_pct": f"Bd_9: {ORDER}",
}
