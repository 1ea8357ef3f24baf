"""Maps of drives whose groups of cylinders end with spares: they come back, and are leapt over."""

import numpy as np
import pytest

from platterlab._core import Measurement, Profile, tracks
from platterlab.measure.run import measure_all

SURFACES, GROUP = 6, 100
SECTORS = {"alike": (534,) * 6, "its own for each surface": (534, 520, 528, 541, 515, 530)}
DEFECT = """
[[defect]]
kind = "slipped"
at = [{cylinder}, 2, 7]
"""


def sparing(spares: int) -> str:
    kind = f'kind = "cylinders", cylinders = {GROUP}, sectors = {spares}'
    return f"sparing = {{ {kind} }}" if spares else ""


def drive(groups: int, surfaces: str, spares: int, defect: str = "") -> Profile:
    """Two zones of so many groups, each of which is short of its spares at the end."""
    zones = ""
    for number in range(2):
        first = number * groups * GROUP
        sectors = [length - 40 * number for length in SECTORS[surfaces]]
        zones += f"""
[[zone]]
cylinders = [{first}, {first + groups * GROUP - 1}]
sectors_per_track = {sectors[0]}
surface_sectors_per_track = {sectors}
order = "hybrid-serpentine"
serpentine_cylinders = {GROUP}
cylinder_skew_deg = 27.4
serpentine_skew_deg = 212.0
{sparing(spares + 20 * number if spares else 0)}
"""
    text = f"""
id = "large"
name = "Large"
[source]
kind = "assumed"
from = "made up"
[geometry]
surfaces = {SURFACES}
cylinders = {2 * groups * GROUP}
{zones}
[spindle]
speed_rpm = 7200
[seek]
kind = "three-point"
single_ms = 0.42
average_ms = 8.1
full_ms = 16.4
[switch]
head_ms = 0.55
[controller]
read_ms = 0.05
write_ms = 0.06
[bus]
kind = "rate"
read_mb_s = 550.0
write_mb_s = 550.0
{defect}"""
    return Profile.parse(text, "large.toml")


def mapped(profile: Profile) -> float:
    """Checks each track of the map of a drive; the seconds that it took."""
    measurement = Measurement.simulated(profile, seed=3, writes=False, tracks="fast", time_s=None)
    took_s = sum(run.drive_time_s for run in measure_all(measurement))
    found = measurement.track_map()
    assert found["seen_tracks"] < found["tracks"] / 10
    # The rule of three, over no more samples than tracks that were looked at.
    assert 0.9 * 300 / found["seen_tracks"] < found["most_missed_pct"] < 10.0
    pieces = [np.tile(piece["sectors"], piece["cycles"]) for piece in found["pieces"]]
    lengths = np.concatenate(pieces)
    firsts = np.cumsum(lengths) - lengths
    true = tracks(profile, firsts.tolist())
    assert np.array_equal(true["track_first_lba"], firsts)
    assert np.array_equal(true["track_data_sectors"], lengths)
    return took_s


@pytest.mark.parametrize("surfaces", SECTORS)
@pytest.mark.parametrize("spares", [0, 95, 166])
def test_twice_as_many_groups_take_little_longer(surfaces: str, spares: int) -> None:
    assert mapped(drive(48, surfaces, spares)) < 1.3 * mapped(drive(24, surfaces, spares))


def test_a_group_that_is_not_like_the_others_is_not_leapt_over() -> None:
    defect = DEFECT.format(cylinder=17 * GROUP + 31)
    assert mapped(drive(24, "alike", 166, defect)) > mapped(drive(24, "alike", 166))
