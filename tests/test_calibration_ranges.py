"""Ranges at angles of their own: strays say nothing of them, and platter or bus sets the pace."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from made_up_drives import data_sheet, made_up, read, traced
from platterlab import library
from platterlab.calibration import choices
from platterlab.calibration.choices import _spares
from platterlab.calibration.platter.cylinder_spares import _turned, _views
from platterlab.calibration.platter.regression import wrapped
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slipped_layout import Layout
from platterlab.calibration.platter.spared_zone import Spares, Zone

RANGES = Spares(35, 11)


class Told:
    """A zone whose requests agree so much with spares by cylinder, and with ranges."""

    per_track = 90

    def __init__(self, alone: float, ranged: float) -> None:
        self.alone, self.ranged = alone, ranged

    def by_cylinder(self) -> list[Spares]:
        return [Spares(0)]

    def agreement(self, *_spares: float) -> tuple[float, float]:
        return self.alone, 0.1

    def turned_agreement(self, spares: Spares) -> float:
        return self.ranged if spares == RANGES else 0.3

    def near_agreement(self, _spares: Spares, _least: float) -> float:
        return 0.3


def told(alone: float, ranged: float, top: float) -> Spares | None:
    """The ranges that are told of it."""
    found = _turned(cast(Zone, Told(alone, ranged)), [RANGES, Spares(9, 2)], [], 0.77, top)
    return found[0] if found else None


def test_what_no_zone_agrees_on_is_not_asked_of_ranges() -> None:
    assert told(0.85, 0.92, top=1.0) is None
    assert told(0.85, 0.92, top=0.94) == RANGES
    assert told(0.85, 0.89, top=0.94) is None


def test_ranges_say_more_than_spares_of_each_cylinder() -> None:
    assert told(0.95, 0.945, top=0.94) is None
    assert told(0.95, 0.96, top=0.94) is None


@pytest.mark.parametrize("share", [0.8, 1.3])
def test_reads_are_as_late_as_platter_or_bus_have_it(share: float, tmp_path: Path) -> None:
    """Over a bus that takes such a share of the time in which a sector passes."""
    base = made_up(3)
    stated = tomllib.loads(base.to_toml())
    zone = stated["zone"][0] | {"cylinders": [0, stated["geometry"]["cylinders"] - 1]}
    sector_ms = share * stated["spindle"]["rotation_ms"] / zone["sectors_per_track"]
    bus = {"kind": "rate", "read_sector_ms": sector_ms, "write_sector_ms": sector_ms}
    truth = base.with_overrides({"zone": [zone], "bus": bus, "cache": {}})
    trace = traced(truth, tmp_path / "drive.trace", read_share=1.0, think_ms=30.0, seed=3)
    sheet = data_sheet(truth).with_overrides({"bus": bus})
    stated, reading = tomllib.loads(sheet.to_toml()), read(trace, sheet)
    angles = angles_of(reading, stated)
    _, (_, first) = _views(Layout(sheet, stated, reading, angles, {}))
    turns = first.end_ms / angles.rotation_ms - first.turns
    places, rows = reading.seen.first, first.which
    late = wrapped(turns - angles.track(places, rows) - places.from_zero[rows])
    off = np.abs(wrapped(late - np.median(late)))
    assert np.median(off) < 0.002


def test_spares_of_every_kind_are_listed_and_what_requests_leave_open_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = library.load("seagate-hawk")
    kinds: list[dict[str, Any]] = [
        {"kind": "cylinders", "sectors": 13, "cylinders": 20}, {"kind": "zone", "sectors": 92},
    ]  # fmt: skip
    bare = [
        {key: it for key, it in zone.items() if key != "sparing"} for zone in start.stated()["zone"]
    ]
    zones = [zone | {"sparing": kind} for zone, kind in zip(bare, kinds, strict=False)]
    found: Any = SimpleNamespace(
        start=start.with_overrides({"zone": bare}), overrides={"zone": zones}, profile=start,
        reading=None,
    )  # fmt: skip
    whole = "; so many and whole cylinders more or fewer"
    for following, said in (
        ((-2, 3), "92 (89 to 95)"), ((0, 0), "92 (91 to 92)"), (None, "92 (not sure)"),
    ):  # fmt: skip
        begins = [(0, 0), (0, 1), following]
        monkeypatch.setattr(choices, "open_begins", lambda *_, begins=begins: begins)
        ranged, zoned = _spares(found)
        assert ranged.endswith("by cylinders that the start does not have: 13 in 20")
        assert f"have: {said}{whole}" in zoned
    found.overrides = {}
    assert _spares(found) == []
