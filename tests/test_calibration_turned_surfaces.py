"""Surfaces that are each turned by an angle of their own, and the lengths of runs of tracks."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_up_drives import data_sheet, laid_out, made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.platter.seek_scatter import _cut
from platterlab.calibration.platter.slipped_layout import near_share
from platterlab.calibration.platter.track_order import in_order_of_runs
from platterlab.calibration.platter.turned_surfaces import turned_surfaces
from platterlab.calibration.trace.observed import stated_of

TURNED = np.array([0.0, 0.53, 0.8, 0.9, 0.24, 0.01, 0.07, 0.4])
"""Of each surface, in turns."""


@pytest.mark.parametrize("turned", [TURNED, 0.19 * np.arange(8)], ids=["each", "evenly"])
def test_each_surface_tells_how_far_it_is_turned(turned: np.ndarray) -> None:
    rng = np.random.default_rng(3)
    surface, step = rng.integers(8, size=400), rng.integers(500, size=400)
    late = 0.3 + turned[surface] + 0.21 * step + 0.003 * rng.normal(size=400)
    found = turned_surfaces(late, surface, step, 8, 0.4)
    assert found is not None
    off = (found - turned + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() < 0.02
    # On an even turn they agree as well.
    assert turned_surfaces(late, surface, step, 8, 0.95) is None
    assert turned_surfaces(rng.random(400), surface, step, 8, 0.3) is None


def test_zones_of_turned_surfaces_are_all_on_the_lattice(tmp_path: Path) -> None:
    base = made_up(6)
    geometry = stated_of(base)["geometry"]
    turns = np.random.default_rng(2).random(geometry["surfaces"]).tolist()
    truth = base.with_overrides({"geometry": geometry | {"surface_offset_turns": turns}})
    trace = traced(truth, tmp_path / "d.trace", read_share=0.7, think_ms=20.0, seed=3)
    layout = laid_out(trace, data_sheet(base))
    assert near_share(layout.reading, layout.angles) > 0.95


def test_groups_of_like_distances_have_requests() -> None:
    told = np.ones(90, dtype=bool)
    groups = list(_cut(told, np.full(90, 5.0), 4))
    assert [int(group.sum()) for group in groups] == [90]
    distances = np.arange(90.0)
    assert [int(group.sum()) for group in _cut(told, distances, 3)] == [30, 30, 30]


WIDTH = 20


def _drive(order: dict[str, Any]) -> Profile:
    base = made_up(3)
    cylinders = 1_200
    zone = {"cylinders": [0, cylinders - 1], "sectors_per_track": 160, "cylinder_skew_turns": 0.31}
    geometry = stated_of(base)["geometry"] | {"cylinders": cylinders}
    return base.with_overrides({"geometry": geometry, "zone": [zone | order]})


PASSES = {
    "order": "surface-serpentine",
    "serpentine_cylinders": WIDTH,
    "serpentine_skew_turns": 0.42,
}


@pytest.mark.parametrize("passes", [True, False], ids=["passes", "heads first"])
def test_the_width_of_passes_that_a_sheet_knows_nothing_of(passes: bool, tmp_path: Path) -> None:
    truth = _drive(PASSES if passes else {"track_skew_turns": 0.19})
    trace = traced(truth, tmp_path / "d.trace", read_share=0.7, think_ms=20.0, seed=3)
    (bare,) = stated_of(data_sheet(truth))["zone"]
    heads_first = {key: bare[key] for key in ("cylinders", "sectors_per_track")}
    sheet = data_sheet(truth).with_overrides({"zone": [heads_first]})
    found = in_order_of_runs(sheet, read(trace, sheet), 0.6)
    assert (found is not None) == passes
    if found is not None:
        (zone,) = stated_of(found)["zone"]
        assert zone["order"] == "surface-serpentine"
        assert zone["serpentine_cylinders"] == WIDTH
    own = data_sheet(truth)
    assert in_order_of_runs(own, read(trace, own), 0.6) is None
