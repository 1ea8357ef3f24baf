"""True values for a blind extraction, worked out from the profile that was simulated."""

import math
from dataclasses import dataclass

from platterlab._core import Profile
from platterlab.datasheet import MIB
from platterlab.documents import Json

HOST_MS = 0.020
"""The typical host: 8 us on the way in, 12 us on the way out."""


def truth(profile: Profile) -> dict[str, float]:
    """The values of a drive by the names of Table 3, writes being what is measured.

    The data of a write comes over the bus while the arm moves, so that much of a movement does
    not show; and it comes before the media can take it, so it is part of the minimum time to
    media.
    """
    shown = profile.facts()
    derived = shown["derived"]
    values = {value["key"]: value["value"] for value in shown["values"]}
    rotation_ms = derived["rotation_ms"]
    outer = values["zone[0].sectors_per_track"]
    sector_ms = rotation_ms / outer
    bus_ms = _bus_ms(values)
    overhead_ms = values["controller.write_ms"] + values.get("controller.write_completion_ms", 0.0)
    rates = [streaming_mib_s(values, rotation_ms, index) for index in (0, last_zone(values))]
    return {
        "surfaces": float(derived["surfaces"]),
        "sectors_per_track": float(outer),
        "rotation_ms": rotation_ms,
        "mtm_ms": HOST_MS + overhead_ms + bus_ms,
        "track_skew_ms": values["zone[0].track_skew_sectors"] * sector_ms,
        "cylinder_skew_ms": values["zone[0].cylinder_skew_sectors"] * sector_ms,
        "outer_mib_s": rates[0],
        "inner_mib_s": rates[1],
        "seek_max_ms": max(derived["write_seek_first_to_last_sector_ms"] - bus_ms, 0.0),
        "seek_min_ms": max(derived["write_seek_single_cylinder_ms"] - bus_ms, 0.0),
    }


def zone_sectors(profile: Profile) -> list[int]:
    """Sectors per track of every zone."""
    values = {value["key"]: value["value"] for value in profile.facts()["values"]}
    return [values[f"zone[{index}].sectors_per_track"] for index in range(last_zone(values) + 1)]


@dataclass(frozen=True)
class ZoneTruth:
    """A zone of the profile: first address, sectors per track and bandwidth."""

    first_lba: int
    sectors_per_track: int
    mib_s: float


def zones(profile: Profile) -> list[ZoneTruth]:
    """All zones of a drive without spares, outermost first."""
    shown = profile.facts()
    values = {value["key"]: value["value"] for value in shown["values"]}
    surfaces, rotation_ms = values["geometry.surfaces"], shown["derived"]["rotation_ms"]
    made, lba = [], 0
    for index in range(last_zone(values) + 1):
        count = values[f"zone[{index}].sectors_per_track"]
        made.append(ZoneTruth(lba, count, streaming_mib_s(values, rotation_ms, index)))
        first, last = values[f"zone[{index}].cylinders"]
        lba += (last - first + 1) * surfaces * count
    return made


def last_zone(values: Json) -> int:
    """The index of the innermost zone."""
    index = 0
    while f"zone[{index + 1}].sectors_per_track" in values:
        index += 1
    return index


def streaming_mib_s(values: Json, rotation_ms: float, zone: int) -> float:
    """Reading whole cylinders one after the other, or what the bus lets through.

    A switch that takes longer than its skew costs a revolution.
    """
    surfaces = values["geometry.surfaces"]
    count = values[f"zone[{zone}].sectors_per_track"]
    head_ms = values["switch.head_ms"]
    track_ms = values.get("switch.track_ms", 0.0)
    if values[f"zone[{zone}].order"] == "traditional":
        track_ms = max(track_ms, head_ms)

    def turns(skew: str, switch_ms: float) -> float:
        part = float(values[f"zone[{zone}].{skew}"] / count)
        return part + max(math.ceil(switch_ms / rotation_ms - part), 0)

    skews = (surfaces - 1) * turns("track_skew_sectors", head_ms)
    skews += turns("cylinder_skew_sectors", track_ms)
    time_ms = rotation_ms * (surfaces + skews)
    media = surfaces * count * 512 / time_ms * 1e3 / MIB
    if values["bus.kind"] == "off":
        return float(media)
    return float(min(media, values["bus.read_mb_s"] * 1e6 / MIB))


def _bus_ms(values: Json) -> float:
    if values["bus.kind"] == "off":
        return 0.0
    return float(512 / (values["bus.write_mb_s"] * 1e6) * 1e3)
