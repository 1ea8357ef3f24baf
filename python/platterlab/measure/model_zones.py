"""Zones of the drive that the self-check simulated, as a profile states them."""

from typing import Any

from platterlab.measure.origins import Origins, ok

Table = dict[str, Any]


def whole(found: Table) -> Table | None:
    """The model of a drive that has every zone that was found; None where some are not in it."""
    model: Table | None = found.get("model")
    if model is None:
        return None
    begun = [zone for zone in found["zones"] if zone["first_lba"]["value"] is not None]
    return model if len(model["zones"]) == max(len(begun), 1) else None


def tables(known: Origins, found: Table, model: Table) -> list[Table]:
    """The `zone` tables of a profile."""
    for index, zone in enumerate(model["zones"]):
        _origins_of_places(known, found, index, zone)
        _origins_of_skews(known, found, model, index)
    outer, *inner = model["zones"]
    first = "first_track_skew_turns"
    return [_table(outer), *(_table(zone) | {first: zone[first]} for zone in inner)]


def _table(zone: Table) -> Table:
    around = zone["sectors_per_track"]
    skews = ["cylinder_skew"]
    skews += ["track_skew" if zone["serpentine_cylinders"] is None else "serpentine_skew"]
    table: Table = {
        "cylinders": list(zone["cylinders"]),
        "sectors_per_track": around,
        "order": zone["order"],
        "sparing": _sparing(zone),
    }
    table |= {f"{skew}_sectors": round(zone[f"{skew}_turns"] * around) % around for skew in skews}
    stated = ["surface_sectors_per_track", "serpentine_cylinders"]
    stated += ["skip_first_sectors", "skip_last_sectors"]
    return table | {key: zone[key] for key in stated if zone[key]}


def _sparing(zone: Table) -> Table:
    for kind in ("track", "cylinder"):
        if zone[f"{kind}_spare_sectors"]:
            return {"kind": kind, "sectors": zone[f"{kind}_spare_sectors"]}
    return {"kind": "none"}


def _origins_of_places(known: Origins, found: Table, index: int, zone: Table) -> None:
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


def _origins_of_order(known: Origins, found: Table, at: str, zone: Table) -> None:
    layout = found.get("layout") or {}
    order = layout.get("order")
    if ok(found["surfaces"]) == 1.0:
        known.measured(f"{at}.order", found["surfaces"]["method"])
    elif order and order["status"] == "ok":
        known.measured(f"{at}.order", order["method"])
    else:
        words = ", ".join(order["alternatives"]) if order else ""
        reason = f"one of {words}" if words else "the usual one, as none is known"
        known.assumed(f"{at}.order", reason)
    if zone["serpentine_cylinders"] is not None:
        known.measured(f"{at}.serpentine_cylinders", layout["serpentine_cylinders"]["method"])


def _origins_of_skews(known: Origins, found: Table, model: Table, index: int) -> None:
    at, zone = f"zone[{index}]", model["zones"][index]
    seeks_first = zone["serpentine_cylinders"] is not None
    share = f"{model['angles_right']:,} of {model['angles']:,} angles between two sectors"
    far = "whole sectors next to it; over many tracks the angle is not known"
    for key in ("cylinder_skew", "serpentine_skew" if seeks_first else "track_skew"):
        estimate = found["cylinder_skew_ms" if key == "serpentine_skew" else f"{key}_ms"]
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
