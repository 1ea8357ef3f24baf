"""Values of its drives and its host that the paper does not print, with the range of each."""

from platterlab.studies.constants import Constant

JITTER_US = Constant(
    "host_jitter_us", 5.0, (0.0, 20.0), "of a request's way through the host: a Pentium II of 1998"
)
TAIL_SHARE = Constant(
    "host_tail_share", 0.01, (0.0, 0.05), "requests that something on the host delays, by 20 us"
)
STALL_SHARE = Constant(
    "stall_share",
    0.0001,
    (0.0, 0.001),
    "requests that meet the drive's own business, such as a thermal recalibration",
)
PARABOLA = Constant(
    "zone_parabola",
    1.0,
    (0.5, 0.0),
    "how the sectors of the assumed zones fall (Hawk, Barracuda, Micropolis, 9ZX): 1 along "
    "section 5.2's parabola, 0 along a line. The paper says the parabola fits better, so rows "
    "that tell the two apart follow from it",
)
CONSTANTS = (JITTER_US, TAIL_SHARE, STALL_SHARE, PARABOLA)
