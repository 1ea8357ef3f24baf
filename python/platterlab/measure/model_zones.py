"""Zones of the drive that the self-check simulated, as a profile states them."""

from typing import Literal

from platterlab.answers import DriveModel, Extraction, ModelZone
from platterlab.documents import Overrides
from platterlab.measure.origins import Origins, ok

_Skew = Literal["track_skew", "cylinder_skew", "serpentine_skew"]

_SPARES_OPEN = "Angles come out by other counts of spares of each track, too."
NO_ZONES = "no zones are known: all of the drive as its first tracks"
"""Why what follows from the zones is assumed."""
_WHOLE = 1e-6
"""A skew that is no farther from whole sectors is counted in them."""


def whole(found: Extraction) -> DriveModel | None:
    """The model of a drive that has every zone that was found; None where some are not in it."""
    model = found["model"]
    if model is None:
        return None
    begun = [zone for zone in found["zones"] if zone["first_lba"]["value"] is not None]
    return model if len(model["zones"]) == max(len(begun), 1) else None


def tables(known: Origins, found: Extraction, model: DriveModel) -> list[Overrides]:
    """The `zone` tables of a profile."""
    for index, zone in enumerate(model["zones"]):
        _origins_of_places(known, found, index, zone)
        _origins_of_skews(known, found, model, index)
    outer, *inner = model["zones"]
    return [
        _table(outer),
        *(_table(one) | {"first_track_skew_turns": one["first_track_skew_turns"]} for one in inner),
    ]


def _table(zone: ModelZone) -> Overrides:
    own: _Skew = "track_skew" if zone["serpentine_cylinders"] is None else "serpentine_skew"
    stated = {
        "surface_sectors_per_track": zone["surface_sectors_per_track"],
        "serpentine_cylinders": zone["serpentine_cylinders"],
        "skip_first_sectors": zone["skip_first_sectors"],
        "skip_last_sectors": zone["skip_last_sectors"],
    }
    return {
        "cylinders": list(zone["cylinders"]),
        "sectors_per_track": zone["sectors_per_track"],
        "order": zone["order"],
        "sparing": _sparing(zone),
        **dict([_skew(zone, "cylinder_skew"), _skew(zone, own)]),
        **{key: value for key, value in stated.items() if value},
    }


def _skew(zone: ModelZone, name: _Skew) -> tuple[str, int | float]:
    """The key and the value of a skew: whole sectors, or else turns."""
    around, turns = zone["sectors_per_track"], _turns(zone, name)
    sectors = round(turns * around)
    if abs(turns * around - sectors) <= _WHOLE:
        return f"{name}_sectors", sectors % around
    return f"{name}_turns", turns


def _turns(zone: ModelZone, name: _Skew) -> float:
    if name == "track_skew":
        return zone["track_skew_turns"]
    along = name == "cylinder_skew"
    return zone["cylinder_skew_turns" if along else "serpentine_skew_turns"]


def _sparing(zone: ModelZone) -> Overrides:
    if (cylinders := zone["spare_cylinders"]) > 1:
        sectors = zone["cylinder_spare_sectors"]
        return {"kind": "cylinders", "cylinders": cylinders, "sectors": sectors}
    for kind in ("track", "cylinder"):
        if spares := zone["track_spare_sectors" if kind == "track" else "cylinder_spare_sectors"]:
            return {"kind": kind, "sectors": spares}
    return {"kind": "none"}


def _origins_of_places(known: Origins, found: Extraction, index: int, zone: ModelZone) -> None:
    at = f"zone[{index}]"
    listed = found["zones"][index] if found["zones"] else None
    begin = listed["first_lba"] if listed else None
    count = listed["sectors_per_track"] if listed else found["sectors_per_track"]
    if begin is None:
        known.assumed(f"{at}.cylinders", NO_ZONES)
    elif ok(begin) is None:
        known.assumed(f"{at}.cylinders", f"not sure: {begin['note']}")
    elif ok(found["surfaces"]) is None:
        known.assumed(f"{at}.cylinders", "with so many surfaces, which are not sure")
    else:
        known.measured(f"{at}.cylinders", begin["method"])
    if ok(count) is None:
        known.assumed(f"{at}.sectors_per_track", f"counted, and not sure: {count['note']}")
    else:
        around = float(zone["sectors_per_track"])
        spares = "; with the spares that its pace shows" if zone["track_spare_sectors"] else ""
        how = f"{count['method']}{spares}"
        if zone["track_spares_agree"]:
            known.measured(f"{at}.sectors_per_track", how, [around, around])
        elif zone["track_spare_sectors"]:
            known.assumed(f"{at}.sectors_per_track", f"{how}. {_SPARES_OPEN}")
        else:
            known.measured(f"{at}.sectors_per_track", how, None, _SPARES_OPEN)
    if zone["track_spare_sectors"] and not zone["track_spares_agree"]:
        known.assumed(f"{at}.sparing", f"as the pace of sectors shows it. {_SPARES_OPEN}")
    elif (zone["track_spare_sectors"] or zone["cylinder_spare_sectors"]) and not listed:
        known.assumed(f"{at}.sparing", f"shorter tracks; {NO_ZONES}")
    elif zone["track_spare_sectors"] or zone["cylinder_spare_sectors"]:
        known.measured(f"{at}.sparing", "shorter tracks, and the pace of sectors on them")
    else:
        known.assumed(f"{at}.sparing", "no spare sectors show")
    _origins_of_order(known, found, at, zone)


def assumed_order(found: Extraction) -> str:
    """A sentence on the order that a profile has without knowing it; empty where it is known."""
    model, layout = whole(found), found["layout"]
    words = layout["order"]["alternatives"] if layout else []
    if not model or not words or ok(found["surfaces"]) == 1.0:
        return ""
    order = model["zones"][0]["order"]
    others = " or ".join(word for word in words if word != order)
    if order not in words:
        known, why = "not known: the profile assumes", f"though movements allow {others} alone"
    elif others:
        known, why = "not known: the profile assumes", f"which may as well be {others}"
    else:
        known, why = "not sure: the profile has", "as movements contradict all others"
    return f"The order of tracks is {known} {order}, {why}."


def _origins_of_order(known: Origins, found: Extraction, at: str, zone: ModelZone) -> None:
    layout = found["layout"]
    order = layout["order"] if layout else None
    if ok(found["surfaces"]) == 1.0:
        known.measured(f"{at}.order", found["surfaces"]["method"])
    elif order and order["status"] == "ok":
        known.measured(f"{at}.order", order["method"])
    else:
        words = ", ".join(order["alternatives"]) if order else ""
        reason = f"one of {words}" if words else "the usual one, as none is known"
        known.assumed(f"{at}.order", reason)
    if layout and zone["serpentine_cylinders"] is not None:
        width = layout["serpentine_cylinders"]
        if ok(width) is None:
            known.assumed(f"{at}.serpentine_cylinders", f"not sure: {width['note']}")
        else:
            known.measured(f"{at}.serpentine_cylinders", width["method"])


def _is_confirmed(found: Extraction, index: int, name: _Skew) -> bool:
    """Whether the skew that the extraction has of a zone is sure, as far as it has some."""
    if not found["zones"]:
        return True
    zone = found["zones"][index]
    return ok(zone["track_skew_ms" if name == "track_skew" else "cylinder_skew_ms"]) is not None


def _origins_of_skews(known: Origins, found: Extraction, model: DriveModel, index: int) -> None:
    at, zone = f"zone[{index}]", model["zones"][index]
    seeks_first = zone["serpentine_cylinders"] is not None
    share = f"{model['angles_right']:,} of {model['angles']:,} angles between two sectors"
    names: tuple[_Skew, ...] = ("cylinder_skew", "serpentine_skew" if seeks_first else "track_skew")
    for name in names:
        estimate = found["track_skew_ms" if name == "track_skew" else "cylinder_skew_ms"]
        key = _skew(zone, name)[0]
        shape = "whole sectors" if key.endswith("_sectors") else "angles"
        far = f"{shape} next to it; over many tracks the angle is not known"
        how = f"{shape} by which angles over many tracks come out; {share} do"
        if zone["skews_agree"] and _is_confirmed(found, index, name):
            known.measured(f"{at}.{key}", how)
        elif zone["skews_agree"]:
            known.assumed(f"{at}.{key}", f"{how}. Nothing else confirms it: the zone's is not sure")
        elif name == "serpentine_skew":
            known.assumed(f"{at}.{key}", f"as some passes show it, to {far}")
        elif ok(estimate) is None:
            known.assumed(f"{at}.{key}", f"not determined: {estimate['note']}")
        elif index:
            known.assumed(f"{at}.{key}", f"as long as in the first zone, in time; {far}")
        else:
            known.measured(f"{at}.{key}", estimate["method"], None, f"The {far}.")
    if index and zone["first_track_agrees"]:
        known.measured(f"{at}.first_track_skew_turns", "angles from zone to zone")
    elif index:
        known.assumed(f"{at}.first_track_skew_turns", "as at the index mark: no angle shows it")
