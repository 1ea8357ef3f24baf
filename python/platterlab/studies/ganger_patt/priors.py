"""Values of tasks and computer that the paper does not print, with the range of each."""

from platterlab.studies.constants import Constant
from platterlab.studies.ganger_patt.interrupts import TICK_MS

OF_TASKS = (
    Constant(
        "gap_sectors",
        32.0,
        (0.0, 16.0, 48.0),
        "between two blocks of a file; Berkeley's fast file system: a rotational delay of 4 ms, in "
        "whole blocks of 8 KB, 0 on drives with a buffer. Chosen with Tables 3 and 6 and then with "
        "Figures 1, 2 and Table 5 in view",
    ),
    Constant(
        "inodes_per_block",
        32.0,
        (8.0, 1.0),
        "neighbouring inodes of 128 bytes in a block of 4 KB: 32 where a directory's files were "
        "made one after the other, fewer on a file system that has aged",
    ),
    Constant(
        "stride_thousandths",
        618.0,
        (0.0, 382.0),
        "steps in which the syncer goes through its part of memory, as page frames lie in any "
        "order: the golden section, its other side, and page after page",
    ),
    Constant(
        "interrupt_ms",
        1.0,
        (0.5, 1.5),
        "of a request's interrupt and driver on a 33 MHz 80486; chosen with Table 6's other CPU "
        "time in view",
    ),
)
"""What the tasks and their computer are made of."""

TICK = Constant(
    "tick_ms",
    TICK_MS,
    (0.02, 0.2),
    "of a tick of the clock, in the rows of external interrupts: about 1,500 instructions of a "
    "33 MHz 80486",
)
CONSTANTS = (*OF_TASKS, TICK)
