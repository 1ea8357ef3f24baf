"""Orders of tracks and seeks, on drives that have what misleads and on others that have not."""

from dataclasses import replace

import pytest

from platterlab import library
from platterlab._core import Measurement, Profile
from platterlab.measure.run import measure_all
from platterlab.studies.unseen_drives import drive, host, profile, truth


@pytest.mark.parametrize(
    ("name", "kind", "surfaces", "width"),
    [
        # Cylinders begin elsewhere behind each of its spare regions.
        ("hp-97560", "head-first", 19, None),
        ("micropolis-3391ss", "head-first", 22, None),
        # All seeks take the same time: far and near differ in that alone.
        ("mock", "head-first", 15, None),
        # Cycles of a few tracks, and seeks that hardly grow over them.
        ("quantum-fireball", "head-first", 2, None),
        ("hitachi-320g-disk5", "head-first", 4, None),
        # A pass could be a way there and back.
        ("samsung-120g-disk1", "seek-first", 4, 512),
    ],
)
def test_the_order_is_known(name, kind, surfaces, width):
    measurement = Measurement.simulated(library.load(name), writes=False, tracks="fast")
    measure_all(measurement)
    layout = measurement.track_map()["layout"]
    assert layout["class"]["value"] == kind
    assert layout["surfaces"]["value"] == surfaces
    assert layout["surfaces"]["status"] == "ok"
    assert layout["serpentine_cylinders"]["value"] == width


def seeks(seed: int, **changes: float) -> dict[str, str]:
    """Verdicts on the seeks of a made-up drive behind its host, with changes."""
    drawn = drive.draw(seed)
    behind = replace(host.draw(seed), **changes)
    measurement = Measurement.simulated(
        Profile.parse(profile.text(drawn), f"drive {seed}"),
        host=behind.figures(),
        seed=seed,
        writes=False,
        time_s=900.0,
    )
    measure_all(measurement)
    verdicts = truth.judge(drawn, measurement.extraction())
    return {name: verdicts[name] for name in ("seek_min_ms", "seek_max_ms")}


def test_a_seek_is_no_better_known_than_the_clock():
    assert seeks(209, clock_grain_us=100.0)["seek_min_ms"] == "unknown"
    assert seeks(209, clock_grain_us=0.0) == {"seek_min_ms": "right", "seek_max_ms": "right"}


def test_read_ahead_that_stops_with_the_cylinder_is_no_seek():
    drawn = drive.draw(129)
    assert drawn.cache["read_ahead"] == "cylinder"
    assert "wrong" not in seeks(129).values()
