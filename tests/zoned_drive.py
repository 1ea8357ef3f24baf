"""A drive of three surfaces without a cache, of zones that a test writes."""

from platterlab._core import Profile

COUNTS = (900, 800, 700, 600)
"""Sectors per track of its zones."""

REST = """
[spindle]
speed_rpm = 7200
[seek]
kind = "table"
points = [[1, 1.2], [10, 1.6], [100, 2.6], [1000, 6.5], [7000, 15.0]]
[switch]
head_ms = 0.6
[controller]
read_ms = 0.2
write_ms = 0.2
[bus]
kind = "off"
[cache]
segments = 0
"""


def zoned(zones: str, cylinders: int) -> Profile:
    """The drive with these `zone` tables and so many cylinders."""
    text = f"""id = "zoned"
name = "Zoned"
[source]
kind = "assumed"
from = "made up"
[geometry]
surfaces = 3
cylinders = {cylinders}
sector_bytes = 512
"""
    return Profile.parse(text + zones + REST, "zoned")
