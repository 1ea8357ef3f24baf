"""From what was extracted to a drive profile: every value with its source."""

import json
import tomllib
from dataclasses import dataclass, field
from typing import Any

from platterlab._core import Profile
from platterlab.measure.advice import quantity
from platterlab.measure.geometry import Zone, zones
from platterlab.measure.seek_table import seek_points

ROOM = 0.95
"""How much of a skew a switch takes that is not known but has to fit."""

NATIVE_BYTES = 4_096
"""The sector of a drive that takes no smaller piece (4Kn)."""

ANOTHER_TURN = 1.9
"""Turns that reads lose from which on more than missing read-ahead is behind it."""
LIMITED = 0.97
"""A bandwidth below this share of what the geometry predicts is limited by the interface."""


@dataclass
class _Draft:
    """A profile file in the making."""

    lines: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    source: str = ""

    def table(self, heading: str) -> None:
        self.lines += ["", heading]

    def value(self, key: str, value: Any) -> None:
        self.lines.append(f"{key} = {_toml(value)}")

    def measured(self, key: str, how: str, ci95: list[float] | None = None, note: str = "") -> None:
        self.origin(key, "measured", f"{self.source}: {how}", ci95, note)

    def assumed(self, key: str, reason: str) -> None:
        self.origin(key, "assumed", reason, None, "")

    def origin(self, key: str, kind: str, source: str, ci95: list[float] | None, note: str) -> None:
        self.origins += ["", f'[provenance."{key}"]', f'kind = "{kind}"', f"from = {_toml(source)}"]
        if ci95:
            self.origins.append(f"ci95 = {_toml(ci95)}")
        if note:
            self.origins.append(f"note = {_toml(note)}")

    def text(self) -> str:
        return "\n".join([*self.lines, *self.origins]) + "\n"


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
    made = _Draft(source=f"bundle {bundle_id}")
    plan = zones(found, device)
    # A turn is what a drive without read-ahead loses; where it is more, the rate says all of it.
    loses = 0 < (found.get("lost_turns") or 0) < ANOTHER_TURN
    limited = _is_limited(found) and not loses
    _head(made, device, label, bundle_id)
    _geometry(made, found, plan)
    _spindle(made, found)
    bus_ms = _bus_sector_ms(found, device) if limited else 0.0
    _seek(made, found, bus_ms)
    _switch(made, found, bus_ms, limited or loses)
    _controller(made, found, device, bus_ms)
    _cache(made, (limited, loses), plan[0].sector_bytes)
    _bus(made, found, limited)
    text = made.text()
    Profile.parse(text, "profile.toml")
    return text


def ok(estimate: dict[str, Any]) -> float | None:
    """The value of an estimate that can be used; None for any other."""
    value = estimate["value"] if estimate["status"] == "ok" else None
    return None if value is None else float(value)


def _head(made: _Draft, device: dict[str, Any], label: str, bundle_id: str) -> None:
    kind = "".join(letter if letter.isalnum() else "-" for letter in label.lower()).strip("-")
    name = device["name"].replace("\n", " ")
    made.lines += [
        f"id = {_toml(f'measured-{kind}' if kind else 'measured')}",
        f"name = {_toml(f'{name}, measured')}",
        "notes = "
        + _toml(
            "Made of measurements through a block interface. What they cannot show is assumed, "
            "with the reason beside it."
        ),
    ]
    made.table("[source]")
    made.value("kind", "measured")
    made.value("from", f"bundle {bundle_id}")


def _geometry(made: _Draft, found: dict[str, Any], plan: list[Zone]) -> None:
    surfaces = ok(found["surfaces"])
    made.table("[geometry]")
    made.value("surfaces", int(surfaces or 1))
    made.value("cylinders", plan[-1].last_cylinder + 1)
    made.value("sector_bytes", plan[0].sector_bytes)
    native = plan[0].sector_bytes == NATIVE_BYTES
    if native:
        # The device takes no less; a profile that is silent would emulate smaller ones.
        made.value("logical_sector_bytes", NATIVE_BYTES)
    if surfaces is None:
        made.assumed("geometry.surfaces", f"not determined: {found['surfaces']['note']}")
    else:
        made.measured("geometry.surfaces", found["surfaces"]["method"], found["surfaces"]["ci95"])
    made.measured("geometry.cylinders", "what holds the capacity in the zones found")
    made.measured("geometry.sector_bytes", "as the device says")
    if native:
        made.measured("geometry.logical_sector_bytes", "as the device says")
    for index, zone in enumerate(plan):
        _zone(made, found, index, zone)


def _zone(made: _Draft, found: dict[str, Any], index: int, zone: Zone) -> None:
    made.table("[[zone]]")
    made.value("cylinders", [zone.first_cylinder, zone.last_cylinder])
    made.value("sectors_per_track", zone.sectors_per_track)
    if zone.surface_sectors_per_track:
        made.value("surface_sectors_per_track", zone.surface_sectors_per_track)
    order = _order(found)
    made.value("order", order.word)
    if order.serpentine_cylinders:
        made.value("serpentine_cylinders", order.serpentine_cylinders)
        made.value("serpentine_skew_sectors", zone.cylinder_skew_sectors)
    else:
        made.value("track_skew_sectors", zone.track_skew_sectors)
    made.value("cylinder_skew_sectors", zone.cylinder_skew_sectors)
    made.value("sparing", {"kind": "none"})
    if zone.skip_last_sectors:
        made.value("skip_last_sectors", zone.skip_last_sectors)
    at = f"zone[{index}]"
    made.measured(f"{at}.cylinders", zone.where)
    if zone.doubt:
        made.assumed(f"{at}.sectors_per_track", zone.doubt)
    else:
        count = float(zone.sectors_per_track)
        made.measured(f"{at}.sectors_per_track", zone.how, [count, count])
    if order.doubt:
        made.assumed(f"{at}.order", order.doubt)
    else:
        made.measured(f"{at}.order", order.how)
    if order.serpentine_cylinders:
        made.measured(f"{at}.serpentine_cylinders", order.how)
        made.assumed(f"{at}.serpentine_skew_sectors", "as from cylinder to cylinder")
    made.assumed(f"{at}.sparing", "spare sectors do not show through a block interface")
    for key in (
        ("cylinder_skew",) if order.serpentine_cylinders else ("track_skew", "cylinder_skew")
    ):
        estimate = found[f"{key}_ms"]
        if ok(estimate) is None:
            made.assumed(f"{at}.{key}_sectors", f"not determined: {estimate['note']}")
        elif index:
            made.assumed(f"{at}.{key}_sectors", "as long as in the first zone, in time")
        else:
            made.measured(f"{at}.{key}_sectors", estimate["method"])


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


def _spindle(made: _Draft, found: dict[str, Any]) -> None:
    estimate = found["rotation_ms"]
    made.table("[spindle]")
    made.value("rotation_ms", estimate["value"])
    made.value("latency", "tracked")
    made.measured("spindle.rotation_ms", estimate["method"], estimate["ci95"])
    made.measured("spindle.latency", "completions follow the platter")


def _seek(made: _Draft, found: dict[str, Any], bus_ms: float) -> None:
    made.table("[seek]")
    points = seek_points(found["seeks"], max(bus_ms, _hidden_ms(found)))
    if points:
        made.value("kind", "table")
        made.value("points", [list(point) for point in points])
        note = "Points that fell with distance, by less than their errors, were levelled."
        made.measured("seek", "least positioning times, MTM removed", None, note)
        return
    made.value("kind", "constant")
    time_ms = ok(found["cylinder_switch_ms"])
    if time_ms is None:
        time_ms = ok(found["cylinder_skew_ms"]) or 0.0
    made.value("time_ms", max(time_ms, 0.0))
    reason = found["seek_max_ms"]["note"] or "seeks were not measured"
    made.assumed("seek", f"not determined: {reason}; here the time to the next cylinder")


def _hidden_ms(found: dict[str, Any]) -> float:
    """What the least and the longest seek take more than the curve has at its ends.

    Of a write, that is the transfer over the interface while the arm moves.
    """
    curve = seek_points(found["seeks"], 0.0)
    ends = [(found["seek_min_ms"], curve[0]), (found["seek_max_ms"], curve[-1])] if curve else []
    sure = [(ok(printed), time_ms) for printed, (_, time_ms) in ends]
    more_ms = [printed - time_ms for printed, time_ms in sure if printed is not None]
    return min(more_ms, default=0.0) if curve and curve[0][0] == 1 else 0.0


def _switch(made: _Draft, found: dict[str, Any], bus_ms: float, slow: bool) -> None:
    made.table("[switch]")
    for key, name, skew in (
        ("head_ms", "head_switch_ms", "track_skew_ms"),
        ("track_ms", "cylinder_switch_ms", "cylinder_skew_ms"),
    ):
        estimate, limit = found[name], ok(found[skew])
        value, ci95, note = ok(estimate), estimate["ci95"], ""
        if value is None:
            made.value(key, ROOM * (limit or 0.0))
            reason = estimate["note"] or "it was not measured"
            made.assumed(f"switch.{key}", f"not determined: {reason}; here a little below the skew")
            continue
        value += bus_ms
        ci95 = [bound + bus_ms for bound in ci95] if ci95 else None
        if limit is not None and value > limit and not slow:
            value, ci95 = ROOM * limit, None
            note = "Below the skew, as sequential reads lose no revolution at a boundary."
        made.value(key, max(value, 0.0))
        made.measured(f"switch.{key}", estimate["method"], ci95, note)
    for key in ("settle_read_ms", "settle_write_ms"):
        made.value(key, 0)
        made.assumed(f"switch.{key}", "in the seek curve and the switch times")


def _controller(made: _Draft, found: dict[str, Any], device: dict[str, Any], bus_ms: float) -> None:
    host_ms = device["host_overhead_us"] / 1e3
    estimate = found["mtm_ms"]
    value = ok(estimate)
    used, other = ("write", "read") if device["writes"] else ("read", "write")
    cached = ok(quantity(found, "overhead_ms"))
    cost = max((value or cached or 0.0) - host_ms - bus_ms, 0.0)
    made.table("[controller]")
    made.value("read_ms", cost)
    made.value("write_ms", cost)
    if value is None:
        instead = "none" if cached is None else "that of an answer from the cache"
        reason = f"not determined: {estimate['note'] or 'MTM was not measured'}; here {instead}"
        made.assumed("controller.read_ms", reason)
        made.assumed("controller.write_ms", reason)
        return
    ci95 = [max(bound - host_ms - bus_ms, 0.0) for bound in estimate["ci95"]]
    note = f"MTM less the host's {host_ms:.4f} ms" + (" and the bus." if bus_ms else ".")
    made.measured(f"controller.{used}_ms", estimate["method"], ci95, note)
    made.assumed(f"controller.{other}_ms", f"as for {used}s, which were measured")
    _hits(made, quantity(found, "overhead_ms"), host_ms + bus_ms)


def _hits(made: _Draft, estimate: dict[str, Any], host_ms: float) -> None:
    """What a read from the drive's cache costs, where one was seen."""
    value = ok(estimate)
    if value is None:
        return
    made.table("[controller.hit]")
    made.value("read_ms", max(value - host_ms, 0.0))
    ci95 = [max(bound - host_ms, 0.0) for bound in estimate["ci95"]]
    note = f"Less the host's {host_ms:.4f} ms."
    made.measured("controller.hit.read_ms", estimate["method"], ci95, note)


def _cache(made: _Draft, pace: tuple[bool, bool], sector_bytes: int) -> None:
    limited, loses = pace
    made.table("[cache]")
    for key, value in (
        ("segments", 1),
        ("segment", "512k"),
        ("read_fence", sector_bytes),
        ("read_ahead", "none" if loses else "aggressive"),
        ("partial_hits", True),
        ("write_report", "media"),
    ):
        made.value(key, value)
    if loses:
        made.assumed("cache", "each sequential read lost a turn, so it does not read ahead")
        return
    ran = "the interface's speed" if limited else "the media's speed"
    made.assumed("cache", f"sequential reads ran at {ran}, so it reads ahead; the rest is usual")


def _bus(made: _Draft, found: dict[str, Any], limited: bool) -> None:
    made.table("[bus]")
    if not limited:
        made.value("kind", "off")
        made.assumed("bus", "faster than the media; what it costs a request is in the controller's")
        return
    rate_mb_s = ok(found["outer_mib_s"]) or 1.0
    rate_mb_s *= (1 << 20) / 1e6
    made.value("kind", "rate")
    made.value("read_mb_s", rate_mb_s)
    made.value("write_mb_s", rate_mb_s)
    made.measured("bus.read_mb_s", "bandwidth, which is below what the geometry allows")
    made.assumed("bus.write_mb_s", "as for reads")


def _is_limited(found: dict[str, Any]) -> bool:
    outer, predicted = ok(found["outer_mib_s"]), ok(found["predicted_outer_mib_s"])
    return outer is not None and predicted is not None and outer < LIMITED * predicted


def _bus_sector_ms(found: dict[str, Any], device: dict[str, Any]) -> float:
    rate = ok(found["outer_mib_s"]) or 1.0
    return float(device["logical_sector_bytes"] / (rate * (1 << 20)) * 1e3)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(round(value, 9))
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    text = json.dumps(value, ensure_ascii=False)
    # What JSON and TOML write alike.
    assert tomllib.loads(f"x = {text}")["x"] == value  # noqa: S101
    return text
