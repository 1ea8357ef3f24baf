"""From what was extracted to a drive profile: every value with its source."""

from dataclasses import dataclass, field
from typing import Any

from platterlab._core import Profile, profile_id
from platterlab.datasheet import MIB, SKEW_USED
from platterlab.measure.advice import quantity
from platterlab.measure.geometry import Zone, zones
from platterlab.measure.seek_table import seek_points

NATIVE_BYTES = 4_096
"""The sector of a drive that takes no smaller piece (4Kn)."""

ANOTHER_TURN = 1.9
"""Turns that reads lose from which on more than missing read-ahead is behind it."""
LIMITED = 0.97
"""A bandwidth below this share of what the geometry predicts is limited by the interface."""


@dataclass
class _Origins:
    """Where values come from, by dotted key."""

    source: str
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)

    def measured(self, key: str, how: str, ci95: list[float] | None = None, note: str = "") -> None:
        entry = {"kind": "measured", "from": f"{self.source}: {how}"}
        known = {"ci95": _rounded(ci95) if ci95 else None, "note": note}
        self.entries[key] = entry | {name: value for name, value in known.items() if value}

    def assumed(self, key: str, reason: str) -> None:
        self.entries[key] = {"kind": "assumed", "from": reason}


def draft(found: dict[str, Any], device: dict[str, Any], bundle_id: str, label: str) -> str | None:
    """The profile of a measured drive, as a file that the core has checked.

    Args:
        found: the extraction.
        device: what the core knew of the device beforehand.
        bundle_id: of the bundle that holds the samples.
        label: a short name of the drive.

    Returns:
        None where rotation or sectors per track were not found: too little to simulate.
    """
    if ok(found["rotation_ms"]) is None or ok(found["sectors_per_track"]) is None:
        return None
    known = _Origins(f"bundle {bundle_id}")
    plan = zones(found, device)
    # A turn is what a drive without read-ahead loses; where it is more, the rate says all of it.
    loses = 0 < (found.get("lost_turns") or 0) < ANOTHER_TURN
    limited = _is_limited(found) and not loses
    bus_ms = _bus_sector_ms(found, device) if limited else 0.0
    values = {
        **_head(device, label, bundle_id),
        "geometry": _geometry(known, found, plan),
        "zone": [_zone(known, found, index, zone) for index, zone in enumerate(plan)],
        "spindle": _spindle(known, found),
        "seek": _seek(known, found, bus_ms),
        "switch": _switch(known, found, bus_ms, limited or loses),
        "controller": _controller(known, found, device, bus_ms),
        "cache": _cache(known, (limited, loses), plan[0].sector_bytes),
        "bus": _bus(known, found, limited),
    }
    return Profile.draft(_rounded(values), known.entries, "profile.toml").to_toml()


def ok(estimate: dict[str, Any]) -> float | None:
    """The value of an estimate that can be used; None for any other."""
    value = estimate["value"] if estimate["status"] == "ok" else None
    return None if value is None else float(value)


def _head(device: dict[str, Any], label: str, bundle_id: str) -> dict[str, Any]:
    kind = profile_id(label)
    name = device["name"].replace("\n", " ")
    return {
        "id": f"measured-{kind}" if kind else "measured",
        "name": f"{name}, measured",
        "notes": "Made of measurements through a block interface. What they cannot show is "
        "assumed, with the reason beside it.",
        "source": {"kind": "measured", "from": f"bundle {bundle_id}"},
    }


def _geometry(known: _Origins, found: dict[str, Any], plan: list[Zone]) -> dict[str, Any]:
    surfaces = ok(found["surfaces"])
    table = {
        "surfaces": int(surfaces or 1),
        "cylinders": plan[-1].last_cylinder + 1,
        "sector_bytes": plan[0].sector_bytes,
    }
    if surfaces is None:
        known.assumed("geometry.surfaces", f"not determined: {found['surfaces']['note']}")
    else:
        known.measured("geometry.surfaces", found["surfaces"]["method"], found["surfaces"]["ci95"])
    known.measured("geometry.cylinders", "what holds the capacity in the zones found")
    known.measured("geometry.sector_bytes", "as the device says")
    if plan[0].sector_bytes == NATIVE_BYTES:
        # The device takes no less; a profile that is silent would emulate smaller ones.
        table["logical_sector_bytes"] = NATIVE_BYTES
        known.measured("geometry.logical_sector_bytes", "as the device says")
    return table


def _zone(known: _Origins, found: dict[str, Any], index: int, zone: Zone) -> dict[str, Any]:
    order = _order(found)
    table: dict[str, Any] = {
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


def _zone_origins(known: _Origins, found: dict[str, Any], index: int, zone: Zone) -> None:
    order, at = _order(found), f"zone[{index}]"
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
        estimate = found[f"{key}_ms"]
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


def _order(found: dict[str, Any]) -> _Order:
    """The order that a survey of the tracks found, or the first of those it left."""
    layout = found.get("layout")
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


def _spindle(known: _Origins, found: dict[str, Any]) -> dict[str, Any]:
    estimate = found["rotation_ms"]
    known.measured("spindle.rotation_ms", estimate["method"], estimate["ci95"])
    known.measured("spindle.latency", "completions follow the platter")
    return {"rotation_ms": estimate["value"], "latency": "tracked"}


def _seek(known: _Origins, found: dict[str, Any], bus_ms: float) -> dict[str, Any]:
    points = seek_points(found["seeks"], max(bus_ms, _hidden_ms(found)))
    if points:
        note = "Points that fell with distance, by less than their errors, were levelled."
        known.measured("seek", "least positioning times, MTM removed", None, note)
        return {"kind": "table", "points": [list(point) for point in points]}
    time_ms = ok(found["cylinder_switch_ms"])
    if time_ms is None:
        time_ms = ok(found["cylinder_skew_ms"]) or 0.0
    reason = found["seek_max_ms"]["note"] or "seeks were not measured"
    known.assumed("seek", f"not determined: {reason}; here the time to the next cylinder")
    return {"kind": "constant", "time_ms": max(time_ms, 0.0)}


def _hidden_ms(found: dict[str, Any]) -> float:
    """What the least and the longest seek take more than the curve has at its ends.

    Of a write, that is the transfer over the interface while the arm moves.
    """
    curve = seek_points(found["seeks"], 0.0)
    ends = [(found["seek_min_ms"], curve[0]), (found["seek_max_ms"], curve[-1])] if curve else []
    sure = [(ok(printed), time_ms) for printed, (_, time_ms) in ends]
    more_ms = [printed - time_ms for printed, time_ms in sure if printed is not None]
    return min(more_ms, default=0.0) if curve and curve[0][0] == 1 else 0.0


def _switch(known: _Origins, found: dict[str, Any], bus_ms: float, slow: bool) -> dict[str, float]:
    table = {}
    for key, name, skew in (
        ("head_ms", "head_switch_ms", "track_skew_ms"),
        ("track_ms", "cylinder_switch_ms", "cylinder_skew_ms"),
    ):
        estimate, limit = found[name], ok(found[skew])
        value, ci95, note = ok(estimate), estimate["ci95"], ""
        if value is None:
            table[key] = SKEW_USED * (limit or 0.0)
            reason = estimate["note"] or "it was not measured"
            known.assumed(
                f"switch.{key}", f"not determined: {reason}; here a little below the skew"
            )
            continue
        value += bus_ms
        ci95 = [bound + bus_ms for bound in ci95] if ci95 else None
        if limit is not None and value > limit and not slow:
            value, ci95 = SKEW_USED * limit, None
            note = "Below the skew, as sequential reads lose no revolution at a boundary."
        table[key] = max(value, 0.0)
        known.measured(f"switch.{key}", estimate["method"], ci95, note)
    for key in ("settle_read_ms", "settle_write_ms"):
        table[key] = 0.0
        known.assumed(f"switch.{key}", "in the seek curve and the switch times")
    return table


def _controller(
    known: _Origins, found: dict[str, Any], device: dict[str, Any], bus_ms: float
) -> dict[str, Any]:
    host_ms = device["host_overhead_us"] / 1e3
    estimate = found["mtm_ms"]
    value = ok(estimate)
    used, other = ("write", "read") if device["writes"] else ("read", "write")
    cached = ok(quantity(found, "overhead_ms"))
    cost = max((value or cached or 0.0) - host_ms - bus_ms, 0.0)
    table = {"read_ms": cost, "write_ms": cost}
    if value is None:
        instead = "none" if cached is None else "that of an answer from the cache"
        reason = f"not determined: {estimate['note'] or 'MTM was not measured'}; here {instead}"
        known.assumed("controller.read_ms", reason)
        known.assumed("controller.write_ms", reason)
        return table
    ci95 = [max(bound - host_ms - bus_ms, 0.0) for bound in estimate["ci95"]]
    note = f"MTM less the host's {host_ms:.4f} ms" + (" and the bus." if bus_ms else ".")
    known.measured(f"controller.{used}_ms", estimate["method"], ci95, note)
    known.assumed(f"controller.{other}_ms", f"as for {used}s, which were measured")
    return table | _hits(known, quantity(found, "overhead_ms"), host_ms + bus_ms)


def _hits(known: _Origins, estimate: dict[str, Any], host_ms: float) -> dict[str, Any]:
    """What a read from the drive's cache costs, where one was seen."""
    value = ok(estimate)
    if value is None:
        return {}
    ci95 = [max(bound - host_ms, 0.0) for bound in estimate["ci95"]]
    note = f"Less the host's {host_ms:.4f} ms."
    known.measured("controller.hit.read_ms", estimate["method"], ci95, note)
    return {"hit": {"read_ms": max(value - host_ms, 0.0)}}


def _cache(known: _Origins, pace: tuple[bool, bool], sector_bytes: int) -> dict[str, Any]:
    limited, loses = pace
    if loses:
        known.assumed("cache", "each sequential read lost a turn, so it does not read ahead")
    else:
        ran = "the interface's speed" if limited else "the media's speed"
        known.assumed(
            "cache", f"sequential reads ran at {ran}, so it reads ahead; the rest is usual"
        )
    return {
        "segments": 1,
        "segment": "512k",
        "read_fence": sector_bytes,
        "read_ahead": "none" if loses else "aggressive",
        "partial_hits": True,
        "write_report": "media",
    }


def _bus(known: _Origins, found: dict[str, Any], limited: bool) -> dict[str, Any]:
    if not limited:
        reason = "faster than the media; what it costs a request is in the controller's"
        known.assumed("bus", reason)
        return {"kind": "off"}
    rate_mb_s = ok(found["outer_mib_s"]) or 1.0
    rate_mb_s *= MIB / 1e6
    known.measured("bus.read_mb_s", "bandwidth, which is below what the geometry allows")
    known.assumed("bus.write_mb_s", "as for reads")
    return {"kind": "rate", "read_mb_s": rate_mb_s, "write_mb_s": rate_mb_s}


def _is_limited(found: dict[str, Any]) -> bool:
    outer, predicted = ok(found["outer_mib_s"]), ok(found["predicted_outer_mib_s"])
    return outer is not None and predicted is not None and outer < LIMITED * predicted


def _bus_sector_ms(found: dict[str, Any], device: dict[str, Any]) -> float:
    rate = ok(found["outer_mib_s"]) or 1.0
    return float(device["logical_sector_bytes"] / (rate * MIB) * 1e3)


def _rounded(value: Any) -> Any:
    """To picoseconds: digits beyond are of the arithmetic."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
