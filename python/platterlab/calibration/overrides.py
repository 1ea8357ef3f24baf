"""What was found, in the keys of a profile."""

from typing import Any

import numpy as np

from platterlab.calibration.buffer.read_completion import (
    ROUND_SHARES,
    AtFence,
    AtMark,
    AtShare,
    BeforeEnd,
    InBursts,
    Streamed,
)
from platterlab.calibration.platter.positioning import Data, Positioning
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.platter.told_effects import is_open
from platterlab.calibration.trace.observed import Floats, Observed, Whole
from platterlab.calibration.trace.reading import Reading, stated_write_share
from platterlab.datasheet import SKEW_USED

NO_SHARE = 0.1
"""A share of the request below this is no water mark: the bus starts with the first sector."""

LEAST_RULE_MS = 0.02
"""An overhead that differs by less has no rule of its own."""

BETWEEN = 4
"""Points of the seek table from one knot to the next: the curve is linear in the root."""


def joined(answered: dict[str, Any], media: dict[str, Any]) -> dict[str, Any]:
    """What was found of the buffer's answers and of the media, with the overhead rules of both."""
    rules = [*answered.get("controller.rules", []), *media.get("controller.rules", [])]
    return answered | media | ({"controller.rules": rules} if rules else {})


def answered_at_once(controller: dict[str, Any]) -> dict[str, Any]:
    """The same with all that an answered write costs before its data.

    What comes after the data was found of the media's writes; an answer's cost is the whole of it.
    """
    rules = controller.get("rules", [])
    write_ms = controller.get("hit", {}).get("write_ms")
    if write_ms is not None:
        rules = [*rules, {"operation": "write", "hit": True, "ms": write_ms}]
    told: list[dict[str, Any]] = []
    for rule in rules:
        answer = rule["operation"] == "write" and rule.get("hit")
        rule = rule | {"completion_ms": 0.0} if answer else rule
        told += [] if rule in told else [rule]
    return controller | {"rules": told}


def completed_later(controller: dict[str, Any], more_ms: float) -> dict[str, Any]:
    """The same with more time after a read's data; the buffer's answers cost what they did."""
    after_ms = controller.get("read_completion_ms", 0.0) + more_ms
    found = controller | {"read_completion_ms": after_ms}
    for name in ("hit", "hit_after_write"):
        if "read_ms" in (table := controller.get(name, {})):
            found[name] = table | {"read_ms": max(table["read_ms"] - more_ms, 0.0)}
    if rules := controller.get("rules"):
        found["rules"] = [
            rule | {"ms": max(rule["ms"] - more_ms, 0.0)} if is_answered_read(rule) else rule
            for rule in rules
        ]
    return found


def is_answered_read(rule: dict[str, Any]) -> bool:
    """Whether an overhead rule is of reads that the buffer answers."""
    return rule.get("operation") == "read" and bool(rule.get("hit"))


def with_controller(overrides: dict[str, Any], stated: dict[str, Any]) -> dict[str, Any]:
    """The same with the controller as one table: rules that are not found anew do not stay.

    An answer's cost that was found is the whole of it, whatever comes after a write on the media.
    """
    anew = ("rules", "track_end")
    controller = {
        key: value for key, value in stated.get("controller", {}).items() if key not in anew
    }
    rest = {}
    for key, value in overrides.items():
        table, _, name = key.partition(".")
        if table == "controller" and name:
            controller[name] = value
        else:
            rest[key] = value
    if controller.get("write_completion_ms") and "controller.hit" in overrides:
        controller = answered_at_once(controller)
    return rest | {"controller": controller}


def layout_overrides(
    stated: dict[str, Any], seen: Observed, angles: Angles, reconnect_ms: float
) -> dict[str, Any]:
    """Zones with their angles, and the surfaces'.

    Args:
        stated: the profile as its file states it.
        seen: the trace.
        angles: as found, over the time at which the bus starts.
        reconnect_ms: of the bus, which delays every read.
    """
    zones = []
    heads, started = seen.surfaces, started_sectors(seen, angles)
    for number, zone in enumerate(stated["zone"]):
        if number >= len(angles.known) or not angles.known[number]:
            zones.append(zone)
            continue
        late = reconnect_ms / angles.rotation_ms + started / zone["sectors_per_track"]
        if seen.own.zones[number]:
            first = float(angles.offset[number]) - late + skew_turns(zone, "first_track")
            kept = {key: value for key, value in zone.items() if "first_track_skew" not in key}
            zones.append(kept | {"first_track_skew_turns": first % 1.0})
            continue
        kept = {key: value for key, value in zone.items() if "_skew_" not in key}
        if seen.own.legs:
            kept["first_track_skew_turns"] = float(angles.offset[number] - late) % 1.0
            zones.append(kept | _listed_angles(zone, number, angles))
            continue
        head, step = float(angles.head[number]), float(angles.step[number])
        if along := int(seen.own.passes[number]):
            kept["cylinder_skew_turns"] = step % 1.0
            kept["serpentine_skew_turns"] = (head - (along - 1) * step) % 1.0
        else:
            kept["track_skew_turns"] = head % 1.0
            kept["cylinder_skew_turns"] = (step - (heads - 1) * head) % 1.0
        kept["first_track_skew_turns"] = float(angles.offset[number] - late) % 1.0
        if width := int(angles.group_steps[number]):
            group = float(angles.group[number]) - width * step
            kept["range_skew_turns"] = group % 1.0
        zones.append(kept)
    return {"zone": zones, "geometry.surface_offset_turns": angles.surface.tolist()}


def _listed_angles(zone: dict[str, Any], number: int, angles: Angles) -> dict[str, Any]:
    """A zone's groups and passes with their angles."""
    passes = []
    for leg, one in enumerate(zone["pass"]):
        kept = {key: value for key, value in one.items() if "_skew_" not in key}
        kept["first_track_skew_turns"] = float(angles.leg[leg]) % 1.0
        kept["track_skew_turns"] = float(angles.step[number] + angles.along[leg]) % 1.0
        passes.append(kept)
    return {"group_skew_turns": float(angles.head[number]) % 1.0, "pass": passes}


def skew_turns(zone: dict[str, Any], name: str) -> float:
    """One of a zone's skews as the profile states it; 0 where it states none."""
    sectors = zone.get(f"{name}_skew_sectors", 0) / zone["sectors_per_track"]
    degrees = zone.get(f"{name}_skew_deg", 0.0) / 360.0
    return float(zone.get(f"{name}_skew_turns", 0.0) + sectors + degrees)


def started_sectors(seen: Observed, angles: Angles) -> float:
    """Sectors that have passed when the bus starts, beyond those `angles` has, on average."""
    match angles.reads:
        case Streamed() | AtFence() | AtMark() | InBursts():
            return 0.0
        case BeforeEnd(left):
            return left - _whole(left)
    share = water_mark(angles)
    sectors, per_track = seen.sectors[~seen.write], seen.first.per_track[~seen.write]
    if not len(sectors):
        return 0.0
    marks = np.maximum(np.floor(share * sectors + 1e-9), 1.0)
    return float(np.mean(marks - angles.passed(sectors, per_track)))


def _whole(left: float) -> int:
    """Whole sectors before a read's end at which the bus is asked for."""
    return max(0, round(left))


def water_mark(angles: Angles) -> float:
    """The share of a read in the buffer when the bus starts; 0 for its first sector."""
    if isinstance(angles.reads, AtMark):
        return angles.reads.share
    if not isinstance(angles.reads, AtShare) or angles.reads.share < NO_SHARE:
        return 0.0
    share = angles.reads.share
    near = min(ROUND_SHARES, key=lambda one: abs(one - share))
    reach = 3 * angles.errors["read_share"] + 0.01
    return near if abs(near - share) < reach else min(1.0, share)


def waits_for_all(angles: Angles) -> bool:
    """Whether a read is on the bus once all of it has passed."""
    at_end = isinstance(angles.reads, BeforeEnd) and not _whole(angles.reads.sectors)
    return at_end or water_mark(angles) == 1.0


def bus_overrides(
    reading: Reading,
    angles: Angles,
    reconnect_ms: float,
    data: Data | None,
    stated: dict[str, Any],
) -> dict[str, Any]:
    """Time of a sector over the bus, when the bus starts, and how much data a write waits for."""
    media_ms = max(float(angles.sector_ms), 0.0)
    sector_ms = reading.hits.sector_ms if reading.hits else media_ms
    # What answers to writes cost beside their data was found with the time that they show.
    write_ms = write_sector_ms(reading, angles, stated)
    if data and not reading.reported:
        write_ms = data.sector_ms
    share = water_mark(angles)
    # What else the profile says of its bus was part of how it explained the same times.
    bus = {
        "kind": "rate",
        "read_sector_ms": media_ms if share else sector_ms,
        "write_sector_ms": write_ms,
        "reconnect_ms": reconnect_ms,
    }
    if isinstance(angles.reads, BeforeEnd):
        bus["reconnect_before_end"] = _whole(angles.reads.sectors)
    if isinstance(angles.reads, InBursts):
        bus["burst_sectors"] = angles.reads.burst
        if angles.reads.drains:
            bus["burst_drains"] = True
    sector_bytes = stated["geometry"].get("sector_bytes", 512)
    fence = sector_bytes * data.fence if data else 0
    found = {"bus": bus, "cache.read_fence_share": share, "cache.write_fence": fence}
    if isinstance(angles.reads, AtFence) and angles.reads.fence > 1:
        found["cache.read_fence"] = sector_bytes * angles.reads.fence
    return found


def write_sector_ms(reading: Reading, angles: Angles, stated: dict[str, Any]) -> float:
    """Bus time of a write's sector: by answers of the buffer, or else as that of a read's."""
    if reading.reported:
        return reading.reported.sector_ms
    read_ms = reading.hits.sector_ms if reading.hits else max(float(angles.sector_ms), 0.0)
    return read_ms * stated_write_share(stated)


def answering_bus(reading: Reading, stated: dict[str, Any]) -> dict[str, Any]:
    """The bus that the buffer's answers show by themselves; nothing where it answers nothing.

    Their overheads are what is left beside it, so the profile's own bus cannot stay.
    """
    line = reading.hits or reading.reported
    if line is None:
        return {}
    write_ms = line.sector_ms * stated_write_share(stated)
    write_ms = reading.reported.sector_ms if reading.reported else write_ms
    bus = {
        "kind": "rate",
        "read_sector_ms": line.sector_ms,
        "write_sector_ms": write_ms,
        "reconnect_ms": float(stated.get("bus", {}).get("reconnect_ms", 0.0)),
    }
    return {"bus": bus}


def bus_delays(
    stated: dict[str, Any], seen: Observed, angles: Angles, writes_wait: bool
) -> tuple[float, float]:
    """To take the bus again for a read, and from a write's last sector on, in milliseconds.

    Reads and writes tell only how much more the one is than the other.
    """
    reconnect_ms = float(stated.get("bus", {}).get("reconnect_ms", 0.0))
    if isinstance(angles.reads, AtFence | InBursts) and angles.reads.reconnect:
        reconnect_ms = float(angles.reads.reconnect) * angles.sector_ms
    if not writes_wait:
        return reconnect_ms, 0.0
    # A write's end is its last sector's, or so much later as reads have it earlier.
    sector_ms = angles.rotation_ms / float(np.median(seen.first.per_track))
    more_ms = started_sectors(seen, angles) * sector_ms + angles.write_turns * angles.rotation_ms
    return max(reconnect_ms, -more_ms), max(0.0, reconnect_ms + more_ms)


def spindle_overrides(stated: dict[str, Any], rotation_ms: float) -> dict[str, Any]:
    """The period alone: the phase lies in the zones' offsets."""
    spindle: dict[str, Any] = {"rotation_ms": float(rotation_ms), "phase_turns": 0.0}
    if "latency" in stated["spindle"]:
        spindle["latency"] = "tracked"
    return {"spindle": spindle}


def switch_room_ms(angles: Angles, passes: Whole) -> tuple[float, float]:
    """How long the platter takes over the smallest skew, from head to head and from cylinder on.

    Within a request a drive goes on to the next track in less, as that is what skews are for. To
    begin a command on another track can take it longer.

    Args:
        angles: where tracks begin.
        passes: by zone, cylinders of a pass, as in `OwnAngles`.
    """
    head, cylinder = (np.min(turns, initial=1.0) for turns in skews_turns(angles, passes))
    used_ms = SKEW_USED * angles.rotation_ms
    return used_ms * float(head), used_ms * float(cylinder)


def skews_turns(angles: Angles, passes: Whole) -> tuple[Floats, Floats]:
    """From head to head, and from a cylinder or a listed pass on, wherever both are known.

    Arguments as in `switch_room_ms`.
    """
    by_step = angles.known & ((angles.head != 0.0) | (angles.step != 0.0))
    heads, steps, surface = angles.head[by_step], angles.step[by_step], angles.surface
    if len(angles.leg) > 1:
        # From one listed pass to the next any angle may lie.
        return np.ones(0), np.ravel(steps[:, None] + angles.along[None, :]) % 1.0
    width = passes[: len(by_step)][by_step]
    # From pass to pass, and along one; or from head to head, and from the last one to the first.
    switches = np.where(width > 0, heads - (width - 1) * steps, heads)[:, None]
    switches = switches + np.diff(surface)[None, :]
    on = steps - (len(surface) - 1) * heads + surface[0] - surface[-1]
    return np.ravel(switches) % 1.0, np.where(width > 0, steps, on) % 1.0


def positioning_overrides(
    found: Positioning,
    writes_wait: bool,
    room_ms: tuple[float, float],
    settling_ms: float = 0.0,
) -> dict[str, Any]:
    """Overheads, head switch, seek curve and settling.

    Args:
        found: the sums.
        writes_wait: whether writes tell of the mechanism.
        room_ms: no head switch takes longer, nor going on to the next cylinder within a write.
        settling_ms: what of the time on the same track is settling and not overhead.
    """
    effects, settling_write_ms = found.effects, settling_ms
    if found.data:
        # What passes until data comes is overhead, the rest of the time on a track is settling.
        same_track = effects["read"] + effects["write"] + effects["write_after_write"]
        settling_write_ms = max(same_track - found.data.overhead_ms, 0.0)
    # Each sum by itself: what one cannot have less is no part of another.
    read = effects["read"] - settling_ms
    write = effects["read"] + effects["write"] - settling_write_ms if writes_wait else read
    after_write = max(read + effects["read_after_write"], 0.0)
    write_after = max(write + effects["write_after_write"], 0.0)
    # Few writes move no arm: what their overhead cannot have less, their arm has.
    less = min(write, 0.0)
    read, write = max(read, 0.0), max(write, 0.0)
    head = float(np.clip(effects["head_read"] + settling_ms, 0.0, room_ms[0]))
    head_write = float(np.clip(effects["head_write"] + settling_write_ms + less, 0.0, room_ms[0]))
    settle_write = max(effects["settle_write"] + settling_write_ms - settling_ms + less, 0.0)
    if not found.tells("head_read") or is_open(found, "head_read"):
        head = float(found.stated.get("head_ms", 0.0))
    if not found.tells("head_write") or is_open(found, "head_write"):
        head_write = float(found.stated.get("head_write_ms", head + settle_write))
    values: dict[str, Any] = {
        "controller.read_ms": read,
        "controller.write_ms": write,
        "controller.after_write": {"read_ms": after_write, "write_ms": write_after},
        "switch": {
            "head_ms": head,
            "head_write_ms": head_write if writes_wait else head,
            "resettle_read_ms": settling_ms,
            "resettle_write_ms": settling_write_ms,
            "settle_write_ms": settle_write,
        },
        "seek": _table(found, settling_ms, 0.0),
    }
    single_ms = values["seek"]["points"][0][1]
    if writes_wait and single_ms + settle_write > room_ms[1] > settle_write:
        values["switch"]["track_ms"] = room_ms[1] - settle_write
    if abs(effects["read_continued"]) > LEAST_RULE_MS:
        continued = max(read + effects["read_continued"], 0.0)
        rule = {"operation": "read", "hit": False, "run": 1, "ms": continued}
        values["controller.rules"] = [rule]
    if effects["back"] or effects["back_far"]:
        values["seek_back"] = _table(found, settling_ms + effects["back"], effects["back_far"])
    return values


def _table(found: Positioning, more_ms: float, more_far_ms: float) -> dict[str, Any]:
    """The curve as points, between which a table is linear."""
    roots = np.sqrt(found.distances.astype(float))
    fine = np.interp(
        np.arange((len(roots) - 1) * BETWEEN + 1) / BETWEEN, np.arange(len(roots)), roots
    )
    distances = np.unique(np.round(fine**2).astype(np.int64))
    times = np.interp(np.sqrt(distances), roots, found.seek_ms)
    times = times + more_ms + more_far_ms * np.sqrt(distances) / 50.0
    points = [[int(d), max(float(t), 0.0)] for d, t in zip(distances, times, strict=True)]
    return {"kind": "table", "points": points}
