"""Whether one order of tracks goes through a drive: another one in some zones leaves it open."""

import pytest

from platterlab._core import Profile
from platterlab.studies.unseen_drives import trial
from zoned_drive import COUNTS, zoned

CYLINDERS = (800, 1200, 4000, 1600)


def of_equal_skews(order: str, *skews: str):
    """Zones in an order, in which these skews are as long."""

    def zone(first: int, end: int, count: int) -> str:
        each = "\n".join(f"{name}_skew_sectors = {round(0.12 * count)}" for name in skews)
        return f"""
[[zone]]
cylinders = [{first}, {end - 1}]
sectors_per_track = {count}
{order}
{each}
"""

    return zone


by_cylinders = of_equal_skews('order = "traditional"', "track", "cylinder")
by_passes = of_equal_skews(
    'order = "surface-serpentine"\nserpentine_cylinders = 20', "cylinder", "serpentine"
)


def by_passes_of(surfaces: int):
    """Passes of 20 cylinders over the first so many of three surfaces."""

    def zone(first: int, end: int, count: int) -> str:
        skew = round(0.12 * count) / count
        over = skew * 20
        passes = ", ".join(
            f"{{ surface = {number}, cylinders = {[0, 19] if number % 2 == 0 else [19, 0]}, "
            f"first_track_skew_turns = {round(min(number, surfaces - 1) * over % 1, 9)}, "
            f"track_skew_turns = {skew}{', data_sectors = 0' * (number >= surfaces)} }}"
            for number in range(3)
        )
        return f"""
[[zone]]
cylinders = [{first}, {end - 1}]
sectors_per_track = {count}
order = "listed"
group_cylinders = 20
group_skew_turns = {round(surfaces * over % 1, 9)}
pass = [{passes}]
"""

    return zone


def drive(orders) -> Profile:
    zones, first = "", 0
    for order, count, cylinders in zip(orders, COUNTS, CYLINDERS, strict=True):
        zones += order(first, first + cylinders, count)
        first += cylinders
    return zoned(zones, first)


THREE, TWO = by_passes_of(3), by_passes_of(2)


@pytest.mark.parametrize(
    ("orders", "kind", "surfaces"),
    [
        ((by_cylinders,) * 4, "head-first", 3),
        ((by_cylinders, by_cylinders, by_passes, by_passes), None, None),
        ((by_passes,) * 4, "seek-first", 3),
        ((by_passes, by_passes, by_cylinders, by_cylinders), None, None),
        ((THREE,) * 4, "seek-first", 3),
        ((THREE, THREE, TWO, TWO), None, None),
    ],
)
def test_an_order_is_sure_where_other_zones_have_it_too(orders, kind, surfaces):
    measurement = trial.measured(drive(orders), 3, writes=False, tracks="fast", time_s=900.0)
    layout = measurement.track_map()["layout"]
    assert layout["class"]["value"] == kind
    known = layout["surfaces"]["value"] if layout["surfaces"]["status"] == "ok" else None
    assert known == surfaces
