"""Zones of the drive that the self-check simulated, as a profile states them."""

from platterlab.answers import DriveModel, Extraction, ModelZone
from platterlab.documents import Overrides
from platterlab.measure.origins import Origins, ok


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
    around = zone["sectors_per_track"]
    own, turns = "track_skew_sectors", zone["track_skew_turns"]
    if zone["serpentine_cylinders"] is not None:
        own, turns = "serpentine_skew_sectors", zone["serpentine_skew_turns"]
    stated = {
        "surface_sectors_per_track": zone["surface_sectors_per_track"],
        "serpentine_cylinders": zone["serpentine_cylinders"],
        "skip_first_sectors": zone["skip_first_sectors"],
        "skip_last_sectors": zone["skip_last_sectors"],
    }
    return {
        "cylinders": list(zone["cylinders"]),
        "sectors_per_track": around,
        "order": zone["order"],
        "sparing": _sparing(zone),
        "cylinder_skew_sectors": round(zone["cylinder_skew_turns"] * around) % around,
        own: round(turns * around) % around,
        **{key: value for key, value in stated.items() if value},
    }


def _sparing(zone: ModelZone) -> Overrides:
    for kind in ("track", "cylinder"):
        if spares := zone["track_spare_sectors" if kind == "track" else "cylinder_spare_sectors"]:
            return {"kind": kind, "sectors": spares}
    return {"kind": "none"}


def _origins_of_places(known: Origins, found: Extraction, index: int, zone: ModelZone) -> None:
    at = f"zone[{index}]"
    listed = found["zones"][index] if found["zones"] else None
    begin = listed["first_lba"] if listed else None
    count = listed["sectors_per_track"] if listed else found["sectors_per_track"]
    if begin is None or ok(begin) is not None:
        known.measured(f"{at}.cylinders", begin["method"] if begin else "from sector 0")
    else:
        known.assumed(f"{at}.cylinders", f"not sure: {begin['note']}")
    if ok(count) is None:
        known.assumed(f"{at}.sectors_per_track", f"counted, and not sure: {count['note']}")
    else:
        around = float(zone["sectors_per_track"])
        spares = "; with the spares that its pace shows" if zone["track_spare_sectors"] else ""
        known.measured(f"{at}.sectors_per_track", f"{count['method']}{spares}", [around, around])
    if zone["track_spare_sectors"] or zone["cylinder_spare_sectors"]:
        known.measured(f"{at}.sparing", "shorter tracks, and the pace of sectors on them")
    else:
        known.assumed(f"{at}.sparing", "no spare sectors show")
    _origins_of_order(known, found, at, zone)


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
        known.measured(f"{at}.serpentine_cylinders", layout["serpentine_cylinders"]["method"])


def _origins_of_skews(known: Origins, found: Extraction, model: DriveModel, index: int) -> None:
    at, zone = f"zone[{index}]", model["zones"][index]
    seeks_first = zone["serpentine_cylinders"] is not None
    share = f"{model['angles_right']:,} of {model['angles']:,} angles between two sectors"
    far = "whole sectors next to it; over many tracks the angle is not known"
    for key in ("cylinder_skew", "serpentine_skew" if seeks_first else "track_skew"):
        estimate = found["track_skew_ms" if key == "track_skew" else "cylinder_skew_ms"]
        if zone["skews_agree"]:
            how = f"whole sectors by which angles over many tracks come out; {share} do"
            known.measured(f"{at}.{key}_sectors", how)
        elif key == "serpentine_skew":
            known.assumed(f"{at}.{key}_sectors", f"as some passes show it, to {far}")
        elif ok(estimate) is None:
            known.assumed(f"{at}.{key}_sectors", f"not determined: {estimate['note']}")
        elif index:
            known.assumed(f"{at}.{key}_sectors", f"as long as in the first zone, in time; {far}")
        else:
            known.measured(f"{at}.{key}_sectors", estimate["method"], None, f"The {far}.")
    if index and zone["first_track_agrees"]:
        known.measured(f"{at}.first_track_skew_turns", "angles from zone to zone")
    elif index:
        known.assumed(f"{at}.first_track_skew_turns", "as at the index mark: no angle shows it")
