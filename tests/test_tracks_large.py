"""Maps of drives whose groups of cylinders end with spares: they come back, and are leapt over."""

import numpy as np
import pytest

from platterlab._core import Measurement, Profile, tracks
from platterlab.measure.run import measure_all

GROUP = 100
SECTORS = {"alike": (534,) * 6, "its own for each surface": (534, 520, 528, 541, 515, 530)}
DEFECT = """
[[defect]]
kind = "slipped"
at = [{cylinder}, 2, 7]
"""


def sparing(width: int, spares: int) -> str:
    kind = f'kind = "cylinders", cylinders = {width}, sectors = {spares}'
    return f"sparing = {{ {kind} }}" if spares else ""


def drive(groups: int, surfaces: str, spares: int, defect: str = "") -> Profile:
    """Two zones of so many groups, each of which is short of its spares at the end."""
    lengths = SECTORS[surfaces]
    zones = [[length - 40 * number for length in lengths] for number in range(2)]
    return profile(zones, (groups, GROUP), spares, defect)


def profile(
    zones: list[list[int]], groups: tuple[int, int], spares: int, defect: str = ""
) -> Profile:
    """Zones with tracks of each surface, and in each so many groups of so many cylinders."""
    count, width = groups
    text = ""
    for number, sectors in enumerate(zones):
        first = number * count * width
        text += f"""
[[zone]]
cylinders = [{first}, {first + count * width - 1}]
sectors_per_track = {sectors[0]}
surface_sectors_per_track = {sectors}
order = "hybrid-serpentine"
serpentine_cylinders = {width}
cylinder_skew_deg = 27.4
serpentine_skew_deg = 212.0
{sparing(width, spares + 20 * number if spares else 0)}
"""
    text = f"""
id = "large"
name = "Large"
[source]
kind = "assumed"
from = "made up"
[geometry]
surfaces = {len(zones[0])}
cylinders = {len(zones) * count * width}
{text}
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


def mapped(profile: Profile, surfaces: int = 6, *, sure: bool = True) -> float:
    """Checks each track of the map of a drive; the seconds that it took."""
    measurement = Measurement.simulated(profile, seed=3, writes=False, tracks="fast", time_s=None)
    took_s = sum(run.drive_time_s for run in measure_all(measurement))
    found = measurement.track_map()
    counted = found["layout"]["surfaces"]
    assert counted["value"] == surfaces or counted["status"] == "ambiguous"
    assert found["status"] == counted["status"] == "ok" or not sure
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
    # Passes over surfaces of their own that end with spares are no passes of one width: not sure.
    sure = surfaces == "alike" or spares == 0
    took_s = [mapped(drive(groups, surfaces, spares), sure=sure) for groups in (24, 48)]
    assert took_s[1] < 1.3 * took_s[0]


def test_a_group_that_is_not_like_the_others_is_not_leapt_over() -> None:
    defect = DEFECT.format(cylinder=17 * GROUP + 31)
    assert mapped(drive(24, "alike", 166, defect)) > mapped(drive(24, "alike", 166))


@pytest.mark.soak
def test_ten_million_tracks_are_mapped_in_half_an_hour() -> None:
    zones = [[630 - 13 * number] * 18 for number in range(24)]
    assert mapped(profile(zones, (58, 400), 40), 18) < 1_800
