"""Zones that begin some cylinders from where the data sheet has them: found where they do."""

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak
from made_up_drives import asked, data_sheet, made_up, traced, without_skews
from made_up_drives import laid_out as on_sheet
from platterlab._core import Profile
from platterlab.calibration.platter import zone_edges
from platterlab.calibration.platter.laid_out import laid_out
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.platter.zone_edges import with_zone_edges

SURFACES = 5
BEGUN = [0, 300, 640, 910]
"""First cylinders of the zones."""
END = 1200
OFF, FAR_OFF = [0, -1, 2, 1], [0, 20, -15, 19]
"""Cylinders by which a sheet has them begin later; others are whole tracks from the latter."""
SPARES = {"kind": "cylinder", "sectors": 3}


def drive(begun: list[int], spares: dict[str, Any] | None = None) -> Profile:
    """One of four zones that begin so."""
    base = made_up(3)
    first = tomllib.loads(base.to_toml())["zone"][0]
    zones = [
        first
        | {"cylinders": [start, end - 1]}
        | {"sectors_per_track": first["sectors_per_track"] - 17 * number}
        | ({"sparing": spares} if spares else {})
        for number, (start, end) in enumerate(zip(begun, [*begun[1:], END], strict=True))
    ]
    return base.with_overrides(
        {"geometry": {"surfaces": SURFACES, "cylinders": END}, "zone": zones}
    )


def in_passes(drive: Profile) -> Profile:
    """The same drive with passes of ten cylinders under each head."""
    along = {"order": "hybrid-serpentine", "serpentine_cylinders": 10}
    zones = tomllib.loads(drive.to_toml())["zone"]
    for zone in zones:
        zone |= along | {"serpentine_skew_sectors": zone.pop("track_skew_sectors")}
    return drive.with_overrides({"zone": zones})


def under(sheet: Profile, truth: Profile, path: Path) -> Layout:
    """The trace of a drive on the layout of a sheet that states no skews."""
    trace = traced(truth, path / "drive.trace", read_share=0.7, think_ms=20.0, seed=5)
    return on_sheet(trace, data_sheet(sheet).with_overrides({"zone": without_skews(sheet)}))


def begun(layout: Layout) -> list[int]:
    """Where its zones begin."""
    return [zone["cylinders"][0] for zone in layout.stated["zone"]]


@pytest.mark.parametrize(
    ("spares", "off"),
    [(SPARES, FAR_OFF), *in_soak((None, OFF), (None, FAR_OFF), (SPARES, OFF))],
)
def test_zones_that_begin_elsewhere(
    spares: dict[str, Any] | None, off: list[int], tmp_path: Path
) -> None:
    sheet = drive([start + by for start, by in zip(BEGUN, off, strict=True)], spares)
    plain = under(sheet, drive(BEGUN, spares), tmp_path)
    assert near_share(plain.reading, plain.angles) < 0.9
    layout = laid_out(plain, lambda _what, _share: None).layout
    assert begun(layout) == BEGUN
    assert near_share(layout.reading, layout.angles) > 0.97
    assert [zone.get("sparing") for zone in layout.stated["zone"]] == [spares] * len(BEGUN)


def test_zones_of_passes_that_begin_elsewhere(tmp_path: Path) -> None:
    sheet, truth = (
        in_passes(drive([start + by for start, by in zip(BEGUN, off, strict=True)]))
        for off in (FAR_OFF, [0] * len(BEGUN))
    )
    plain = under(sheet, truth, tmp_path)
    assert near_share(plain.reading, plain.angles) < 0.9
    assert begun(laid_out(plain, lambda _what, _share: None).layout) == BEGUN
    right = under(truth, truth, tmp_path)
    assert with_zone_edges(right) is right


def test_reads_over_track_ends_tell_a_cylinder_that_moves_sectors_by_a_skew(
    tmp_path: Path,
) -> None:
    # One more before a zone moves all that is behind it by as many sectors as its skews have.
    base = made_up(3)
    first = tomllib.loads(base.to_toml())["zone"][0]

    def of(start: int) -> Profile:
        zones = [
            first
            | {"cylinders": list(cylinders), "sectors_per_track": per_track}
            | {"track_skew_sectors": 6, "cylinder_skew_sectors": 6}
            for cylinders, per_track in (((0, start - 1), 60), ((start, 599), 57))
        ]
        geometry = {"surfaces": 2, "cylinders": 600}
        return base.with_overrides({"geometry": geometry, "zone": zones})

    rng, count = np.random.default_rng(7), 3_000
    extents = rng.integers(0, of(304).capacity_sectors - 24, count), rng.choice([8, 16, 24], count)
    reads = np.zeros(count, dtype=bool), rng.exponential(20.0, count)
    trace = asked(of(301), tmp_path / "drive.trace", extents, *reads)
    plain = on_sheet(trace, data_sheet(of(304)))
    told = zone_edges._ways(plain)[-1]
    right, beside = (told.agreement([0, moved], 1, zone_edges.NEAR) for moved in (-3, -4))
    assert right > 0.99
    assert beside < right - 5 * zone_edges.ALIKE


def test_zones_of_few_requests_are_not_begun_far_away_by_chance(tmp_path: Path) -> None:
    count, wide = 24, 40
    first = tomllib.loads(made_up(3).to_toml())["zone"][0]

    def of(off: int) -> Profile:
        edges = [0, *(number * wide + off for number in range(1, count)), count * wide]
        zones = [
            first
            | {"cylinders": [start, end - 1]}
            | {"sectors_per_track": first["sectors_per_track"] - number}
            for number, (start, end) in enumerate(pairwise(edges))
        ]
        geometry = {"surfaces": SURFACES, "cylinders": count * wide}
        return made_up(3).with_overrides({"geometry": geometry, "zone": zones})

    layout = laid_out(under(of(2), of(0), tmp_path), lambda _what, _share: None).layout
    assert near_share(layout.reading, layout.angles) > 0.99


def test_spares_that_the_sheet_lacks_are_no_cylinders(tmp_path: Path) -> None:
    spares = {"kind": "zone", "sectors": 133}
    layout = laid_out(under(drive(BEGUN), drive(BEGUN, spares), tmp_path), lambda *_: None).layout
    assert begun(layout) == BEGUN
    # Nothing tells of those of the last zone, and nearly as many are as near with requests on one
    # track.
    told = [zone.get("sparing", {}) for zone in layout.stated["zone"]][:-1]
    assert [one["kind"] for one in told] == ["zone"] * len(told)
    assert [one["sectors"] for one in told] == pytest.approx([133] * len(told), abs=8)


def test_nothing_is_asked_of_zones_that_begin_where_they_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[object] = []
    monkeypatch.setattr(zone_edges, "_moved", lambda told, _most: asked_for.append(told) or [])
    plain = under(drive(BEGUN), drive(BEGUN), tmp_path)
    assert with_zone_edges(plain) is plain
    assert not asked_for
