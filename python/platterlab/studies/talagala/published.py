"""Tables 2 and 3 of the paper, as printed. Times in ms, bandwidths in MiB/s.

The paper writes MB/s; geometry and bandwidth of its own rows agree if that is 2^20 bytes.
"""

from dataclasses import dataclass

from platterlab.measure.advice import Quantity


@dataclass(frozen=True)
class Published:
    """One row of Table 3, and where the drive is drawn. None where the paper prints `?`."""

    key: str
    profile: str
    name: str
    figure: int
    rotation_ms: float
    mtm_ms: float
    sectors_per_track: float
    surfaces: int
    track_skew_ms: float
    cylinder_skew_ms: float
    outer_mib_s: float
    inner_mib_s: float
    seek_max_ms: float | None
    seek_min_ms: float | None


# fmt: off
DRIVES = (
    Published("hawk", "seagate-hawk", "Seagate Hawk", 13,
              11.22, 1.93, 142.37, 9, 1.16, 2.29, 5.51, 3.18, 19.72, 4.78),
    Published("barracuda", "seagate-barracuda-st15150w", "Seagate Barracuda", 14,
              8.43, 2.01, 123.35, 21, 0.76, 1.32, 6.70, 4.38, 15.64, 1.33),
    Published("micropolis", "micropolis-3391ss", "Micropolis", 15,
              8.41, 3.78, 201.72, 22, 1.50, 2.62, 10.12, 5.65, 14.42, 0.76),
    Published("ultrastar", "ibm-ultrastar-xp", "IBM UltraStar", 16,
              8.39, 2.10, 181.90, 18, 0.87, 2.19, 9.68, 6.29, 16.95, 2.33),
    Published("9zx", "ibm-9zx", "IBM 9ZX", 17,
              6.06, 1.40, 224.69, 12, 0.79, 1.91, 16.15, 10.06, 16.17, 1.37),
    Published("fireball", "quantum-fireball", "Quantum Fireball", 18,
              11.40, 1.25, 356.35, 2, 2.19, 2.89, 1.98, 1.98, None, None),
    Published("dtta", "ibm-dtta", "IBM DTTA", 19,
              11.04, 1.02, 330.01, 6, 1.93, 3.81, 1.95, 1.95, 16.41, 3.24),
    Published("hp97560", "hp-97560", "HP 97560", 20,
              14.78, 3.12, 70.99, 19, 1.67, 3.75, 2.10, 2.10, 21.87, 4.38),
    Published("rz26", "dec-rz26", "DEC RZ26", 21,
              10.82, 3.09, 60.33, 14, 1.70, 5.13, 2.28, 2.28, 17.95, 2.12),
)
# fmt: on

ULTRASTAR_ZONES = (187.36, 179.85, 167.66, 155.82, 147.76, 142.10, 134.14, 120.39)
"""Section 4.2: sectors per track of the eight zones, as extracted."""

QUANTITIES: tuple[tuple[Quantity, str, str], ...] = (
    ("surfaces", "surfaces", ""),
    ("sectors_per_track", "sectors per track", ""),
    ("rotation_ms", "rotation", "ms"),
    ("mtm_ms", "MTM", "ms"),
    ("track_skew_ms", "track skew", "ms"),
    ("cylinder_skew_ms", "cylinder skew", "ms"),
    ("outer_mib_s", "bandwidth, outer", "mib_s"),
    ("inner_mib_s", "bandwidth, inner", "mib_s"),
    ("seek_max_ms", "seek, most", "ms"),
    ("seek_min_ms", "seek, least", "ms"),
)
WHOLE = ("surfaces", "sectors_per_track")
"""Counts, of which nothing is near enough."""

BUS_BOUND = ("fireball", "dtta")
"""Drives whose bandwidth is their bus's."""
