"""Zones of a profile where no simulation of the drive has all that were found."""

from dataclasses import dataclass

from platterlab.answers import Extraction
from platterlab.documents import Overrides
from platterlab.measure.geometry import Zone
from platterlab.measure.origins import Origins, ok


def tables(known: Origins, found: Extraction, plan: list[Zone]) -> list[Overrides]:
    """The `zone` tables of a profile."""
    return [_zone(known, found, index, zone) for index, zone in enumerate(plan)]


def _zone(known: Origins, found: Extraction, index: int, zone: Zone) -> Overrides:
    order = _order(found)
    table: Overrides = {
        "cylinders": [zone.first_cylinder, zone.last_cylinder],
        "sectors_per_track": zone.sectors_per_track,
        "order": order.word,
        "cylinder_skew_sectors": zone.cylinder_skew_sectors,
        "sparing": {"kind": "none"},
    }
    if zone.surface_sectors_per_track:
        table["surface_sectors_per_track"] = zone.surface_sectors_per_track
    if order.serpentine_cylinders:
        table["serpentine_cylinders"] = order.serpentine_cylinders
        table["serpentine_skew_sectors"] = zone.cylinder_skew_sectors
    else:
        table["track_skew_sectors"] = zone.track_skew_sectors
    if zone.skip_last_sectors:
        table["skip_last_sectors"] = zone.skip_last_sectors
    _zone_origins(known, found, index, zone)
    return table


def _zone_origins(known: Origins, found: Extraction, index: int, zone: Zone) -> None:
    order, at = _order(found), f"zone[{index}]"
    if ok(found["surfaces"]) is None:
        known.assumed(f"{at}.cylinders", f"{zone.where}, with so many surfaces")
    else:
        known.measured(f"{at}.cylinders", zone.where)
    if zone.doubt:
        known.assumed(f"{at}.sectors_per_track", zone.doubt)
    else:
        count = float(zone.sectors_per_track)
        known.measured(f"{at}.sectors_per_track", zone.how, [count, count])
    if order.doubt:
        known.assumed(f"{at}.order", order.doubt)
    else:
        known.measured(f"{at}.order", order.how)
    if order.serpentine_cylinders:
        known.measured(f"{at}.serpentine_cylinders", order.how)
        known.assumed(f"{at}.serpentine_skew_sectors", "as from cylinder to cylinder")
    known.assumed(f"{at}.sparing", "spare sectors do not show through a block interface")
    for key in (
        ("cylinder_skew",) if order.serpentine_cylinders else ("track_skew", "cylinder_skew")
    ):
        estimate = found["track_skew_ms" if key == "track_skew" else "cylinder_skew_ms"]
        if ok(estimate) is None:
            known.assumed(f"{at}.{key}_sectors", f"not determined: {estimate['note']}")
        elif index:
            known.assumed(f"{at}.{key}_sectors", "as long as in the first zone, in time")
        else:
            known.measured(f"{at}.{key}_sectors", estimate["method"])


@dataclass(frozen=True)
class _Order:
    """The order of tracks of a profile."""

    word: str
    serpentine_cylinders: int = 0
    how: str = ""
    doubt: str = "the usual one; samples that agree with it may agree with others"


def _order(found: Extraction) -> _Order:
    """The order that a survey of the tracks found, or the first of those it left."""
    layout = found["layout"]
    if not layout or ok(found["surfaces"]) is None or layout["class"]["status"] != "ok":
        return _Order("traditional")
    if layout["class"]["value"] == "one-surface":
        return _Order("traditional", 0, layout["class"]["method"], "")
    width = 0
    if layout["class"]["value"] == "seek-first":
        cylinders = ok(layout["serpentine_cylinders"])
        if cylinders is None:
            return _Order("traditional")
        width = int(cylinders)
    order = layout["order"]
    if order["status"] == "ok":
        return _Order(str(order["value"]), width, order["method"], "")
    words = [str(word) for word in order["alternatives"]]
    if not words:
        return _Order("traditional")
    return _Order(words[0], width, order["method"], f"one of {', '.join(words)}")
