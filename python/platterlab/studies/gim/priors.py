"""Values of disk, host and file systems that the paper does not print, with the range of each."""

from platterlab.studies.constants import Constant

TRACK_KB = Constant(
    "track_kb",
    65.536,
    (32.768, 150.0, 277.8),
    "a track in Figure 2, whose equations need one: 64 KiB is the power of two with which five "
    "streams fit, chosen for that; half of it, and what passes at the printed 25 MB/s in a "
    "revolution at 10,000 and 5400 rpm",
)
STREAM_SEEK_MS = Constant(
    "stream_seek_ms", 8.9, (4.0, 12.0), "a seek for each stream in Figure 2, typical of such drives"
)
SEEK_SINGLE_MS = Constant(
    "seek_single_ms", 0.8, (0.5, 1.5), "Disk1's seek to the next cylinder, typical of such drives"
)
SEEK_AVERAGE_MS = Constant(
    "seek_average_ms",
    8.9,
    (8.0, 11.0),
    "Disk1's average seek, typical of 3.5-inch drives at 5400 rpm; chosen with Figure 4's mean "
    "known",
)
OVERHEAD_MS = Constant(
    "overhead_ms",
    0.3,
    (0.1, 1.0),
    "Disk1's controller for a read (Ruemmler and Wilkes: 0.3 to 1 ms); chosen with Figure 4's "
    "mean known",
)
HOST_SPREAD_TURNS = Constant(
    "host_spread_turns",
    1.0,
    (0.0, 0.5),
    "how late the host hands an I/O over, up to: a revolution leaves no stream locked "
    "to the platter",
)
INDIRECT = Constant(
    "indirect_blocks",
    1.0,
    (0.0, 2.0),
    "what ext3 reads to find its blocks: 0 is in memory; 1 a block for each 4 MiB, as ext3 maps; "
    "2 one at each break, which comes nearest to Figure 5 and is not how ext3 works",
)
DEFECT_SHARE = Constant(
    "defect_share",
    0.1,
    (0.02, 0.5),
    "tracks with a defect each in the rows of section 6; the paper tells neither how many nor "
    "where another disk keeps its spares: near the innermost track",
)
CONSTANTS = (
    TRACK_KB,
    STREAM_SEEK_MS,
    SEEK_SINGLE_MS,
    SEEK_AVERAGE_MS,
    OVERHEAD_MS,
    HOST_SPREAD_TURNS,
    INDIRECT,
    DEFECT_SHARE,
)
