"""Spare tracks, and spares of any size by zone, of which a sheet says nothing."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from made_up_drives import data_sheet, fitted, laid_out, made_up, traced
from platterlab._core import Profile
from platterlab.calibration.job import Job
from platterlab.calibration.platter.laid_out import SLIPS, SPARES, LaidOut
from platterlab.calibration.platter.laid_out import laid_out as found_in
from platterlab.calibration.platter.slipped_layout import Layout
from platterlab.calibration.platter.spare_tracks import with_spare_tracks

REQUESTS = 8_000


def drive(spares: dict[str, Any] | None, **more: Any) -> Profile:
    """One of five surfaces and four zones."""
    base = made_up(5)
    zones = tomllib.loads(base.to_toml())["zone"][:4]
    spared = [zone | ({"sparing": spares} if spares else {}) for zone in zones]
    geometry = {"surfaces": 5, "cylinders": zones[-1]["cylinders"][1] + 1}
    return base.with_overrides({"geometry": geometry, "zone": spared} | more)


def on_sheet(truth: Profile, path: Path) -> Layout:
    """The layout of a sheet that knows of no spares."""
    trace = traced(truth, path, read_share=0.66, think_ms=30.0, seed=3, requests=REQUESTS)
    return laid_out(trace, data_sheet(drive(None)))


def quietly(_what: str, _share: float) -> None:
    """Progress that nobody looks at."""


def looked_for(layout: Layout) -> LaidOut:
    """All ways to what is skipped."""
    return found_in(layout, quietly)


@pytest.mark.parametrize(
    ("spares", "told"),
    [
        ({"kind": "tracks", "tracks": 7}, {"kind": "tracks", "tracks": 7}),
        ({"kind": "zone", "sectors": 200}, None),
        (None, None),
    ],
    ids=["tracks", "sectors", "none"],
)
def test_spare_tracks_are_found_where_there_are_some(
    spares: dict[str, Any] | None, told: dict[str, Any] | None, tmp_path: Path
) -> None:
    layout = on_sheet(drive(spares), tmp_path / "drive.trace")
    found = looked_for(layout)
    kinds = {zone.get("sparing", {}).get("kind") for zone in found.layout.stated["zone"][:-1]}
    assert ("tracks" in kinds) == (told is not None)
    if told:
        tracks = with_spare_tracks(layout).stated["zone"][:-1]
        assert [zone.get("sparing") for zone in tracks] == [told] * 3
    assert found.is_met


def test_more_spares_by_zone_than_a_track_has_sectors(tmp_path: Path) -> None:
    found = looked_for(on_sheet(drive({"kind": "zone", "sectors": 1_500}), tmp_path / "t.trace"))
    assert found.ways & set(SPARES) == {"spares of any size by zone"}
    assert found.near > 0.95


def test_what_was_not_found_is_not_looked_for_again(tmp_path: Path) -> None:
    layout = on_sheet(drive({"kind": "tracks", "tracks": 7}), tmp_path / "drive.trace")
    ways = looked_for(layout).ways
    again = found_in(layout, quietly, frozenset({*SPARES, SLIPS}) - ways)
    assert again.ways == ways
    assert again.layout.stated == looked_for(layout).layout.stated


BUSY = {"read_before_ms": 1.0, "write_before_ms": 0.5, "after_ms": 0.8}


def test_a_busy_track_end_is_no_slip_where_nothing_may_slip(tmp_path: Path) -> None:
    controller = tomllib.loads(made_up(5).to_toml())["controller"] | {"track_end": BUSY}
    cache = {"segments": 4, "segment": 131_072, "read_ahead": "track"}
    truth = drive(None, controller=controller, cache=cache)
    trace = traced(truth, tmp_path / "t.trace", read_share=0.66, think_ms=30.0, seed=3)
    sheet = truth.with_overrides({"controller": {"read_ms": 1.0, "write_ms": 1.0}})
    found = fitted(Job(trace, sheet, slips=False), to_the_end=True)
    assert "defect" not in found.overrides
    table = found.overrides["controller"]["track_end"]
    assert table["read_before_ms"] == pytest.approx(1.0, abs=0.1)
    assert table["after_ms"] == pytest.approx(0.8, abs=0.1)
