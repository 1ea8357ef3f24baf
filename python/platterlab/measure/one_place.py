"""What a look at the start of a drive alone makes likely: a profile takes it and is not sure."""

from platterlab.answers import Extraction
from platterlab.measure.advice import Quantity
from platterlab.measure.origins import Origins

STATED: dict[Quantity, tuple[str, ...]] = {
    "surfaces": ("geometry.surfaces", "geometry.cylinders", "zone[0].cylinders"),
    "track_skew_ms": ("zone[0].track_skew_sectors",),
    "cylinder_skew_ms": ("zone[0].cylinder_skew_sectors",),
    "head_switch_ms": ("switch.head_ms",),
    "cylinder_switch_ms": ("switch.track_ms",),
    "mtm_ms": ("controller.read_ms", "controller.write_ms"),
}
"""What no map of the tracks confirms, with the keys of a profile that state it."""


def likely(found: Extraction) -> Extraction:
    """The extraction with those values as if they were sure."""
    taken = found.copy()
    for name in STATED:
        if found[name]["status"] == "ambiguous":
            taken[name] = {**found[name], "status": "ok"}
    return taken


def doubt(known: Origins, found: Extraction) -> None:
    """Says of what they were taken for that it is assumed."""
    for name, keys in STATED.items():
        for key in keys:
            entry = known.entries.get(key)
            if found[name]["status"] == "ambiguous" and entry and entry["kind"] == "measured":
                known.assumed(key, f"{entry['from']}; not sure: {found[name]['note']}")
