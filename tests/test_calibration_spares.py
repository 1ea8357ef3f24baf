"""Spares that a drive has and its profile does not state: found where there are some."""

import tomllib
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import in_soak, sampled
from made_up_drives import (
    REQUESTS,
    UNSTATED,
    asked,
    data_sheet,
    laid_out,
    made_up,
    read,
    traced,
    without_skews,
)
from measured_trace import written
from platterlab._core import Profile, Requests
from platterlab.calibration.job import Job
from platterlab.calibration.judged.zone_spares import moved_zones, open_begins
from platterlab.calibration.overrides import skew_turns
from platterlab.calibration.platter import cylinder_spares
from platterlab.calibration.platter.cylinder_spares import with_cylinder_spares
from platterlab.calibration.platter.laid_out import CYLINDERS, EDGES
from platterlab.calibration.platter.laid_out import laid_out as stages_layout
from platterlab.calibration.platter.moved_reads import by_first_zone
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slipped_layout import Layout, near_share
from platterlab.calibration.stages import _followed
from platterlab.calibration.trace.observed import stated_of

ZONES = 3
"""Of a made-up drive, that many are enough."""


def drive(*, spares: dict[str, Any] | None, surfaces: int = 4) -> Profile:
    """One of three zones of as many addresses a track, whatever spares there are beside them."""
    base = made_up(3)
    zone = tomllib.loads(base.to_toml())["zone"][0]
    width = 300
    more = spares["sectors"] if spares and spares["kind"] == "track" else 0
    zones = [
        zone
        | {"cylinders": [at * width, at * width + width - 1]}
        | {"sectors_per_track": zone["sectors_per_track"] - 30 * at + more}
        | ({"sparing": spares} if spares else {})
        for at in range(ZONES)
    ]
    geometry = {"surfaces": surfaces, "cylinders": ZONES * width}
    return base.with_overrides({"geometry": geometry, "zone": zones})


def quietly(_what: str, _share: float) -> None:
    """Progress that nobody looks at."""


def with_spares(plain: Layout) -> Layout:
    """The layout with spares that are not by cylinder, where requests tell of some."""
    return stages_layout(plain, quietly, frozenset({CYLINDERS, EDGES}), slips=False).layout


def found(truth: Profile, path: Path) -> list[dict[str, Any]]:
    """What each zone has, found under a profile that knows of none."""
    trace = traced(truth, path, read_share=0.66, think_ms=30.0, seed=3)
    bare = drive(spares=None)
    sheet = data_sheet(bare).with_overrides({"zone": without_skews(bare)})
    plain = laid_out(trace, sheet)
    layout = with_spares(with_cylinder_spares(plain))
    return [zone.get("sparing", {}) for zone in layout.stated["zone"]]


def test_a_spare_on_each_track(tmp_path: Path) -> None:
    spares = {"kind": "track", "sectors": 2}
    assert found(drive(spares=spares), tmp_path / "drive.trace") == [spares] * ZONES


def test_a_spare_on_each_track_of_surfaces_that_differ(tmp_path: Path) -> None:
    bare, spares = drive(spares=None), {"kind": "track", "sectors": 2}

    def zones(more: int) -> list[dict[str, Any]]:
        told = []
        for zone in without_skews(bare):
            most = zone["sectors_per_track"] + more
            lengths = [most - less for less in (0, 5, 3, 8)]
            told.append(zone | {"sectors_per_track": most, "surface_sectors_per_track": lengths})
        return told

    turned = {"track_skew_turns": 0.21, "cylinder_skew_turns": 0.27, "sparing": spares}
    truth = bare.with_overrides({"zone": [one | turned for one in zones(2)]})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    sheet = data_sheet(bare).with_overrides({"zone": zones(0)})
    layout = with_spares(laid_out(trace, sheet))
    told = [(one["sparing"], one["surface_sectors_per_track"]) for one in layout.stated["zone"]]
    assert told == [(spares, one["surface_sectors_per_track"]) for one in zones(2)]


SEEKS_FIRST = {"order": "surface-serpentine", "serpentine_skew_turns": 0.19}
IN_PASSES = SEEKS_FIRST | {"serpentine_cylinders": 60}
SAID_NONE = {"sparing": {"kind": "none"}}
SAMPLE = [
    ({}, 0, {}), (SEEKS_FIRST, 3, {}), (IN_PASSES, 1, SAID_NONE),
]  # fmt: skip
"""Each order, each number of spares and each saying is in one of them."""


@pytest.mark.parametrize(
    ("order", "sectors", "said"),
    sampled(product(({}, SEEKS_FIRST, IN_PASSES), (0, 1, 3), ({}, SAID_NONE)), SAMPLE),
)
def test_spares_on_each_track_of_as_many_sectors_as_stated(
    order: dict[str, Any], sectors: int, said: dict[str, Any], tmp_path: Path
) -> None:
    """Under a sheet that says nothing of spares, or that there are none, and states no skews."""
    bare, spares = drive(spares=None), {"kind": "track", "sectors": sectors}
    skews = order | ({"cylinder_skew_turns": 0.23} if order else {"track_skew_turns": 0.21})
    own = skews | ({"sparing": spares} if sectors else {})
    truth = bare.with_overrides({"zone": [zone | own for zone in without_skews(bare)]})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    told = {key: value for key, value in order.items() if "skew" not in key} | said
    sheet = data_sheet(bare)
    sheet = sheet.with_overrides({"zone": [zone | told for zone in without_skews(bare)]})
    stated = stated_of(sheet)
    reading, angles = _followed(Job(trace, sheet, rough=True), stated, read(trace, sheet))
    layout = with_spares(with_cylinder_spares(Layout(sheet, stated, reading, angles, {})))
    found = [zone.get("sparing", {}) for zone in layout.stated["zone"]]
    assert found == [spares if sectors else {}] * ZONES


def test_spares_at_the_end_of_each_zone(tmp_path: Path) -> None:
    zones = found(drive(spares={"kind": "zone", "sectors": 190}), tmp_path / "drive.trace")
    assert [zone["kind"] for zone in zones[:-1]] == ["zone"] * (ZONES - 1)
    # Of so few requests, one in a hundred lies where a sector more or less makes a difference.
    assert [zone["sectors"] for zone in zones[:-1]] == pytest.approx([190, 190], abs=10)


def _of_one_surface(sectors: int, path: Path) -> Layout:
    """The layout without spares at the end of zones, and requests of which many go over tracks."""
    spares = {"kind": "zone", "sectors": sectors} if sectors else None
    truth, bare = (drive(spares=one, surfaces=1) for one in (spares, None))
    rng = np.random.default_rng(5)
    lba = rng.integers(0, truth.capacity_sectors - 64, REQUESTS)
    write, waits = rng.random(REQUESTS) < 0.4, np.full(REQUESTS, 30.0)
    reading = read(asked(truth, path, (lba, np.full(REQUESTS, 64)), write, waits), bare)
    stated = stated_of(bare)
    return Layout(bare, stated, reading, angles_of(reading, stated), {})


@pytest.mark.parametrize("sectors", [0, 40])
def test_spares_at_the_end_of_zones_of_one_surface(sectors: int, tmp_path: Path) -> None:
    """Whole tracks more agree as well there."""
    layout = with_spares(_of_one_surface(sectors, tmp_path / "drive.trace"))
    told = [zone.get("sparing", {}).get("sectors", 0) for zone in layout.stated["zone"][:-1]]
    # Which sector of a request is the first of a zone only those tell that go over the zone's end.
    assert np.cumsum(told) == pytest.approx([sectors, 2 * sectors], abs=64 if sectors else 0)
    assert near_share(layout.reading, layout.angles) > 0.9


@pytest.mark.parametrize("tracked", [False, True])
def test_the_first_zone_tells_where_the_platter_is(tracked: bool, tmp_path: Path) -> None:
    """What requests of zones that lie elsewhere have it drift by is of no use."""
    plain = _of_one_surface(40, tmp_path / "drive.trace")
    end_ms = np.sort(plain.reading.seen.end_ms)
    drift = end_ms, 4.0 * np.sin(np.arange(len(end_ms)))
    angles = replace(plain.angles, drift_ms=drift, tracked=tracked)
    found = by_first_zone(replace(plain, angles=angles))
    if not tracked:
        assert found is angles
        return
    assert np.ptp(found.drift_ms[1]) < 0.2
    assert found.spread_turns < 0.002


@pytest.mark.parametrize(("kind", "sectors"), [("cylinder", 7), *in_soak(("zone", 329))])
def test_spares_of_which_others_explain_a_part(kind: str, sectors: int, tmp_path: Path) -> None:
    """Ranges of cylinders explain some of what spares of zones do, and the platter is not lost."""
    base, spares = made_up(3), {"sparing": {"kind": kind, "sectors": sectors}}
    geometry = {"surfaces": 8, "cylinders": 1_282}
    zones = [
        {"cylinders": [first, last], "sectors_per_track": around}
        | {"track_skew_sectors": skew, "cylinder_skew_sectors": far}
        for first, last, around, skew, far in (
            (0, 426, 276, 68, 156), (427, 853, 233, 50, 137), (854, 1_281, 190, 46, 99)
        )
    ]  # fmt: skip
    truth, sheet = (
        base.with_overrides({"geometry": geometry, "zone": [zone | more for zone in zones]} | told)
        for more, told in ((spares, {}), ({}, UNSTATED))
    )
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    plain = laid_out(trace, sheet)
    layout = stages_layout(plain, quietly).layout
    # Nothing tells of spares behind the last zone.
    told = [zone.get("sparing", {}) for zone in layout.stated["zone"]][:-1]
    assert [one["kind"] for one in told] == [kind] * 2
    assert [one["sectors"] for one in told] == pytest.approx([sectors] * 2, abs=0.02 * sectors)


@pytest.mark.parametrize("sectors", [12, *in_soak(1, 7)])
def test_spares_at_the_end_of_each_cylinder(tmp_path: Path, sectors: int) -> None:
    spares = {"kind": "cylinder", "sectors": sectors}
    assert found(drive(spares=spares), tmp_path / "drive.trace") == [spares] * ZONES


@pytest.mark.parametrize("off_sectors", [2, *in_soak(0)])
def test_spares_under_skews_that_are_not_quite_the_drives(off_sectors: int, tmp_path: Path) -> None:
    spares = {"kind": "cylinder", "sectors": 7}
    truth, bare = drive(spares=spares), drive(spares=None)
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    zones = [
        zone | {name: zone[name] + off_sectors for name in zone if name.endswith("r_skew_sectors")}
        for zone in tomllib.loads(bare.to_toml())["zone"]
    ]
    sheet = data_sheet(bare).with_overrides({"zone": zones})
    layout = with_cylinder_spares(laid_out(trace, sheet))
    told = [zone.get("sparing", {}) for zone in layout.stated["zone"]]
    assert told == [spares] * ZONES


@pytest.mark.parametrize("missing", [1, *in_soak(None)])
def test_spares_of_a_zone_by_the_skews_that_are_stated(missing: int | None, tmp_path: Path) -> None:
    """On few cylinders, and from behind a zone that nothing was asked of."""
    spares = {"kind": "cylinder", "sectors": 7}
    truth, bare = drive(spares=spares), drive(spares=None)
    size = truth.capacity_sectors // ZONES
    rng = np.random.default_rng(4)
    zones = np.array([zone for zone in range(ZONES) if zone != missing])
    # Around a few places of each zone.
    near = rng.integers(0, size - 20_000, (ZONES, 3)) // 2 * 2
    at = rng.choice(zones, REQUESTS)
    lba = at * size + near[at, rng.integers(0, 3, REQUESTS)] + rng.integers(0, 9_000, REQUESTS)
    none = np.zeros(REQUESTS, dtype=bool)
    trace = asked(
        truth, tmp_path / "drive.trace", (lba, np.full(REQUESTS, 8)), none, np.full(REQUESTS, 30.0)
    )
    sheet = data_sheet(bare).with_overrides({"zone": tomllib.loads(bare.to_toml())["zone"]})
    layout = with_cylinder_spares(laid_out(trace, sheet))
    told = [zone.get("sparing", {}) for zone in layout.stated["zone"]]
    assert told == [spares] * ZONES


def _turned(truth: Profile) -> list[dict[str, Any]]:
    """Its zones, with the angles of their first tracks in turns."""
    zones = tomllib.loads(truth.to_toml())["zone"]
    turned = [zone | {"first_track_skew_turns": skew_turns(zone, "first_track")} for zone in zones]
    return [
        {key: value for key, value in zone.items() if key != "first_track_skew_sectors"}
        for zone in turned
    ]


def test_zones_are_not_moved_beyond_what_is_asked_for(tmp_path: Path) -> None:
    truth = drive(spares={"kind": "zone", "sectors": 190})
    lba = np.random.default_rng(1).integers(0, truth.capacity_sectors - 8, 500)
    lba[-1] = truth.capacity_sectors - 8
    none, waits = np.zeros(500, dtype=bool), np.full(500, 30.0)
    trace = asked(truth, tmp_path / "drive.trace", (lba, np.full(500, 8)), none, waits)
    assert moved_zones(truth, read(trace, truth), {"zone": _turned(truth)}) == {}


def test_where_zones_begin_to_a_sector(tmp_path: Path) -> None:
    """Some sectors off, all but the requests over a track's end take what they do."""
    spares = {"kind": "zone", "sectors": 190}
    truth = drive(spares=spares)
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    reading = read(trace, truth)
    turned = _turned(truth)
    told = moved_zones(truth, reading, {"zone": turned})
    assert told == {}
    begins = open_begins(truth, reading, turned)
    assert begins[0] == (0, 0)
    assert all(one is not None and -6 <= one[0] <= 0 <= one[1] <= 6 for one in begins), begins
    # On a drive whose requests are not near, another number may make up for something else.
    far = truth.with_overrides({"controller.read_ms": 3.0, "controller.write_ms": 3.0})
    assert open_begins(far, reading, turned) == [(0, 0)] + [None] * (ZONES - 1)
    moved = [
        zone | {"sparing": spares | {"sectors": 190 + by}}
        for zone, by in zip(turned, (9, -4, 0), strict=True)
    ]
    for number, by in ((1, 9), (2, 5)):
        zone = moved[number]
        angle = zone["first_track_skew_turns"] - by / zone["sectors_per_track"]
        moved[number] = zone | {"first_track_skew_turns": angle % 1.0}
    found = moved_zones(truth.with_overrides({"zone": moved}), reading, {"zone": moved})
    assert [zone["sparing"]["sectors"] for zone in found["zone"]] == [190, 190, 190]


def test_spares_of_a_few_cylinders(tmp_path: Path) -> None:
    spares = {"kind": "cylinders", "cylinders": 6, "sectors": 31}
    zones = found(drive(spares=spares), tmp_path / "drive.trace")
    # So many in all that the next zone begins where it should, to within a few sectors.
    lost = [-(-300 // zone.get("cylinders", 1)) * zone["sectors"] for zone in zones]
    assert lost == pytest.approx([50 * 31] * ZONES, abs=60)


@pytest.mark.parametrize(("turned", "off_sectors"), [(0.37, 2), *in_soak((0.0, 0), (0.37, 0))])
def test_spares_of_ranges_that_begin_at_an_angle_of_their_own(
    turned: float, off_sectors: int, tmp_path: Path
) -> None:
    """To a sector, although an angle more to each range makes up for most of a sector more."""
    spares = {"kind": "cylinders", "cylinders": 5, "sectors": 8}
    plain, bare = drive(spares=spares), drive(spares=None)
    zones = tomllib.loads(plain.to_toml())["zone"]
    truth = plain.with_overrides({"zone": [zone | {"range_skew_turns": turned} for zone in zones]})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    stated_zones = [
        zone | {name: zone[name] + off_sectors for name in zone if name == "track_skew_sectors"}
        for zone in tomllib.loads(bare.to_toml())["zone"]
    ]
    sheet = data_sheet(bare).with_overrides({"zone": stated_zones})
    layout = with_cylinder_spares(laid_out(trace, sheet))
    assert [zone.get("sparing", {}) for zone in layout.stated["zone"]] == [spares] * ZONES


def test_a_drive_without_spares_gets_none(tmp_path: Path) -> None:
    assert found(drive(spares=None), tmp_path / "drive.trace") == [{}] * ZONES


@pytest.mark.parametrize("shorter", [None, "surface_sectors_per_track", "surface_data_sectors"])
def test_cylinders_are_counted_by_one_length_of_all_tracks(
    shorter: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = traced(
        drive(spares={"kind": "cylinder", "sectors": 7}),
        tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3,
    )  # fmt: skip
    bare = drive(spares=None)
    zones = without_skews(bare)
    if shorter:
        zones = [zone | {shorter: [zone["sectors_per_track"] - at for at in (0, 1, 2, 1)]}
                 for zone in zones]  # fmt: skip
    sheet = data_sheet(bare).with_overrides({"zone": zones})
    asked_for: list[Layout] = []
    monkeypatch.setattr(cylinder_spares, "_views", lambda layout: asked_for.append(layout) or [])
    with_cylinder_spares(laid_out(trace, sheet))
    assert bool(asked_for) == (shorter is None)


def test_the_period_where_sparing_ranges_are_turned(tmp_path: Path) -> None:
    ranges = {"kind": "cylinders", "cylinders": 5, "sectors": 8}
    plain = drive(spares=ranges)
    zones = tomllib.loads(plain.to_toml())["zone"]
    turned = [zone | {"range_skew_turns": 0.37} for zone in zones]
    truth = plain.with_overrides({"zone": turned})
    requests = Requests.generate(
        truth, 3_000, read_share=1.0, sequential_share=0.0, local_share=0.0,
        local_distance_sectors=500, mean_sectors=8, max_sectors=16, align_sectors=2, think_ms=30.0,
        seed=3,
    )  # fmt: skip
    trace = written(
        requests.replay(truth, timing="closed"), tmp_path / "drive.trace", truth.sector_bytes
    )
    reading = read(trace, data_sheet(plain))
    assert reading.period.is_locked
    rotation_ms = tomllib.loads(truth.to_toml())["spindle"]["rotation_ms"]
    assert reading.period.rotation_ms == pytest.approx(rotation_ms, rel=1e-5)
