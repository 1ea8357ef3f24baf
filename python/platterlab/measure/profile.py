"""From what was extracted to a drive profile: every value with its source."""

from platterlab._core import Profile, profile_id
from platterlab.answers import DriveModel, Estimate, Extraction, MeasuredDevice
from platterlab.datasheet import MIB
from platterlab.documents import Overrides
from platterlab.measure import arm_tables, model_zones, one_place, zone_tables
from platterlab.measure.geometry import Zone, zones
from platterlab.measure.origins import Origins, ok, rounded

NATIVE_BYTES = 4_096
"""The sector of a drive that takes no smaller piece (4Kn)."""

SEGMENT_BYTES = 512 * 1024
"""A usual segment, but for what is no whole sector."""

ANOTHER_TURN = 1.9
"""Turns that reads lose from which on more than missing read-ahead is behind it."""

_NOT_THE_BUS = "The bus is not sure: lost turns may limit it."


def draft(found: Extraction, device: MeasuredDevice, bundle_id: str, label: str) -> str | None:
    """The profile of a measured drive, as a file that the core has checked.

    Args:
        found: the extraction.
        device: what the core knew of the device beforehand.
        bundle_id: of the bundle that holds the samples.
        label: a short name of the drive.

    Returns:
        None where rotation or sectors per track were not found: too little to simulate.
    """
    rotation_ms, outer = ok(found["rotation_ms"]), ok(found["sectors_per_track"])
    if rotation_ms is None or outer is None:
        return None
    known, measured = Origins(f"bundle {bundle_id}"), found
    if not device["whole"]:
        found = one_place.likely(measured)
    model, plan = model_zones.whole(found), zones(found, device, rotation_ms, outer)
    loses, limited = _pace(found)
    bus_ms = _bus_sector_ms(found, device) if limited else 0.0
    values = {
        **_head(device, label, bundle_id),
        "geometry": _geometry(known, found, model, plan),
        "zone": model_zones.tables(known, found, model)
        if model
        else zone_tables.tables(known, found, plan),
        "spindle": _spindle(known, found),
        "seek": arm_tables.seek(known, found, model, bus_ms),
        **arm_tables.seek_scatter(known, found),
        "switch": arm_tables.switch(known, found, model, bus_ms, streams=_streams(found)),
        "controller": _controller(known, found, model, device, bus_ms),
        "cache": _cache(known, found, (limited, loses), plan[0].sector_bytes),
        "bus": _bus(known, found, limited),
    }
    if not device["whole"]:
        one_place.doubt(known, measured)
    return Profile.draft(rounded(values), known.entries, "profile.toml").to_toml()


def _head(device: MeasuredDevice, label: str, bundle_id: str) -> Overrides:
    kind = profile_id(label)
    name = device["name"].replace("\n", " ")
    return {
        "id": f"measured-{kind}" if kind else "measured",
        "name": f"{name}, measured",
        "notes": "Made of measurements through a block interface. What they cannot show is "
        "assumed, with the reason next to it.",
        "source": {"kind": "measured", "from": f"bundle {bundle_id}"},
    }


def _geometry(
    known: Origins, found: Extraction, model: DriveModel | None, plan: list[Zone]
) -> Overrides:
    surfaces = ok(found["surfaces"])
    last = model["zones"][-1]["cylinders"][1] if model else plan[-1].last_cylinder
    table = {
        "surfaces": model["surfaces"] if model else int(surfaces or 1),
        "cylinders": last + 1,
        "sector_bytes": plan[0].sector_bytes,
    }
    if surfaces is None:
        known.assumed("geometry.surfaces", f"not determined: {found['surfaces']['note']}")
        known.assumed("geometry.cylinders", "what holds the capacity with so many surfaces")
    else:
        known.measured("geometry.surfaces", found["surfaces"]["method"], found["surfaces"]["ci95"])
        if found["zones"]:
            known.measured("geometry.cylinders", "what holds the capacity in the zones found")
        else:
            known.assumed("geometry.cylinders", model_zones.NO_ZONES)
    known.measured("geometry.sector_bytes", "as the device says")
    if plan[0].sector_bytes == NATIVE_BYTES:
        # The device takes no less; a profile that is silent would emulate smaller ones.
        table["logical_sector_bytes"] = NATIVE_BYTES
        known.measured("geometry.logical_sector_bytes", "as the device says")
    return table


def _spindle(known: Origins, found: Extraction) -> Overrides:
    estimate = found["rotation_ms"]
    known.measured("spindle.rotation_ms", estimate["method"], estimate["ci95"])
    known.measured("spindle.latency", "completions follow the platter")
    return {"rotation_ms": estimate["value"], "latency": "tracked"}


def _controller(
    known: Origins,
    found: Extraction,
    model: DriveModel | None,
    device: MeasuredDevice,
    bus_ms: float,
) -> Overrides:
    host_ms = device["host_overhead_us"] / 1e3
    estimate, still_ms = found["mtm_ms"], model["still_ms"] if model else None
    table: Overrides = {}
    less = f"less the host's {host_ms:.4f} ms" + (" and the bus." if bus_ms else ".")
    if still_ms is not None:
        table["read_ms"] = max(still_ms - host_ms - bus_ms, 0.0)
        how = "least times of reads on the track where the head rests"
        if bus_ms and found["slowed_by"] != "interface":
            known.assumed("controller.read_ms", f"{how}, {less} {_NOT_THE_BUS}")
        else:
            known.measured("controller.read_ms", how, None, f"Without transfer, {less}")
    used = "write" if device["writes"] else "read"
    if (value := ok(estimate)) is not None:
        table = {f"{used}_ms": max(value - host_ms - bus_ms, 0.0)} | table
        ci95 = [max(bound - host_ms - bus_ms, 0.0) for bound in estimate["ci95"] or ()]
        if used == "write" or still_ms is None:
            known.measured(f"controller.{used}_ms", estimate["method"], ci95, f"MTM {less}")
    if not table:
        return _unknown_controller(known, found, host_ms + bus_ms)
    for key in {"read_ms", "write_ms"} - set(table):
        (told,) = table.values()
        known.assumed(f"controller.{key}", "as for the other kind, which was measured")
        table[key] = told
    return table | _hits(known, found["overhead_ms"], host_ms + bus_ms)


def _unknown_controller(known: Origins, found: Extraction, less_ms: float) -> Overrides:
    cached = ok(found["overhead_ms"])
    instead = "none" if cached is None else "that of an answer from the cache"
    note = found["mtm_ms"]["note"] or "MTM was not measured"
    cost = max((cached or 0.0) - less_ms, 0.0)
    for key in ("read_ms", "write_ms"):
        known.assumed(f"controller.{key}", f"not determined: {note}; here {instead}")
    return {"read_ms": cost, "write_ms": cost}


def _hits(known: Origins, estimate: Estimate, host_ms: float) -> Overrides:
    """What a read from the drive's cache costs, where one was seen."""
    value = ok(estimate)
    if value is None:
        return {}
    ci95 = [max(bound - host_ms, 0.0) for bound in estimate["ci95"] or ()]
    note = f"Less the host's {host_ms:.4f} ms."
    known.measured("controller.hit.read_ms", estimate["method"], ci95, note)
    return {"hit": {"read_ms": max(value - host_ms, 0.0)}}


def _cache(
    known: Origins, found: Extraction, pace: tuple[bool, bool], sector_bytes: int
) -> Overrides:
    limited, loses = pace
    if not found["cached"]:
        why = "no cache answered: each read took the platter"
        if loses:
            known.measured("cache.segments", why)
        else:
            known.assumed("cache.segments", why)
        known.assumed("cache", "without a read cache nothing is read ahead")
        return {"segments": 0, "read_ahead": "none", "write_report": "media"}
    if ok(found["outer_mib_s"]) is None:
        known.assumed("cache", "a cache answers, so it may read ahead: no bandwidth tells")
    elif loses:
        known.assumed("cache", "each sequential read lost a revolution, so it does not read ahead")
    else:
        ran = "the interface's speed" if limited else "the media's speed"
        known.assumed(
            "cache", f"sequential reads ran at {ran}, so it reads ahead; the rest is usual"
        )
    return {
        "segments": 1,
        "segment": SEGMENT_BYTES // sector_bytes * sector_bytes,
        "read_fence": sector_bytes,
        "read_ahead": "none" if loses else "aggressive",
        "partial_hits": True,
        "write_report": "media",
    }


def _bus(known: Origins, found: Extraction, limited: bool) -> Overrides:
    if not limited:
        reason = "faster than the media; what it costs a request is in the controller's"
        known.assumed("bus", reason)
        return {"kind": "off"}
    rate_mb_s = ok(found["outer_mib_s"]) or 1.0
    rate_mb_s *= MIB / 1e6
    how = "bandwidth, which is below what the geometry allows"
    if found["slowed_by"] == "interface":
        known.measured("bus.read_mb_s", how)
    else:
        known.assumed("bus.read_mb_s", f"{how}. {_NOT_THE_BUS}")
    known.assumed("bus.write_mb_s", "as for reads")
    return {"kind": "rate", "read_mb_s": rate_mb_s, "write_mb_s": rate_mb_s}


def _pace(found: Extraction) -> tuple[bool, bool]:
    """Whether reads lose turns that the platter explains, and whether the rate limits them.

    A turn a read is what a drive without read-ahead loses, and a turn a track is what late heads
    do; of others the rate says all. Where nothing shows the cause, it is the rate's only behind a
    cache: without one, reads lose something before any interface limits them.
    """
    by, lost = found["slowed_by"], found["lost_turns"] or 0.0
    loses = by in ("read", "track") or 0 < lost < ANOTHER_TURN
    known = ok(found["outer_mib_s"]) is not None and ok(found["predicted_outer_mib_s"]) is not None
    limits = by in ("interface", "turns") or (by == "unknown" and found["cached"])
    return loses, known and limits and not loses


def _streams(found: Extraction) -> bool:
    """Whether sequential reads are known to be as fast as the media."""
    both = (found["outer_mib_s"], found["predicted_outer_mib_s"])
    return all(ok(rate) is not None for rate in both) and found["slowed_by"] is None


def _bus_sector_ms(found: Extraction, device: MeasuredDevice) -> float:
    rate = ok(found["outer_mib_s"]) or 1.0
    return float(device["logical_sector_bytes"] / (rate * MIB) * 1e3)
