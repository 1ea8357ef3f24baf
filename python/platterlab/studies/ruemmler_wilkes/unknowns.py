"""Parameters that the C2200A's data sheet leaves open, in the order of the search for them."""

import math

from platterlab.studies.ruemmler_wilkes.fit import Stage
from platterlab.studies.ruemmler_wilkes.parameter import Curve, Scalar

DISTANCES = (1, 2, 4, 10, 25, 50, 100, 200, 300, 450, 605, 900, 1448)
BOUNDARY = 616


def _published_seek_ms(distance: int) -> float:
    """Table 2's curve."""
    if distance < BOUNDARY:
        return 3.45 + 0.597 * math.sqrt(distance)
    return 10.8 + 0.012 * distance


_SPEED = [Scalar("spindle.speed_error_ppm", 0.0, -100.0, 100.0)]

_FIXED = [
    Scalar("controller.read_ms", 5.1, 1.0, 8.0),
    Scalar("controller.write_ms", 5.1, 1.0, 8.0),
    Scalar("bus.reconnect_ms", 0.0, 0.0, 3.0),
    Scalar("bus.read_mb_s", 1.0, 0.7, 1.3),
    Scalar("bus.write_mb_s", 1.2, 0.9, 1.6),
    Scalar("bus.write_delay_ms", 0.0, 0.0, 4.0),
    Scalar("switch.head_ms", 2.5, 0.5, 5.0),
    Scalar("switch.head_write_ms", 2.5, 0.5, 6.0),
    Scalar("switch.settle_read_ms", 0.0, 0.0, 4.0),
    Scalar("switch.settle_write_ms", 0.0, 0.0, 4.0),
    Scalar("switch.resettle_write_ms", 0.0, 0.0, 5.0),
]

_PUBLISHED = tuple(_published_seek_ms(distance) for distance in DISTANCES)
_SEEKS = [Curve("seek", DISTANCES, _PUBLISHED), Curve("seek_back", DISTANCES, _PUBLISHED)]

STAGES = (
    Stage(_SPEED, 30),
    Stage(_FIXED, 2000, everywhere=True),
    Stage(_FIXED, 400),
    Stage(_SEEKS, 900),
    Stage(_FIXED + _SPEED, 400),
    Stage(_SEEKS, 900),
    Stage(_FIXED, 300),
)
