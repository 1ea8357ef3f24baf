"""Values and their intervals in words, to the digits that are known."""

from math import floor, log10

from platterlab.answers import Estimate, Extraction
from platterlab.answers import Zone as ZoneFound
from platterlab.measure.advice import NOT_THE_MEDIAS, is_limited

_USUAL, _SHORT, _MOST = 4, 6, 9


def decimals(estimate: Estimate, most: int = _SHORT) -> int:
    """Digits behind the point: two of the interval's, and as many of the value's."""
    value, half = estimate["value"] or 0.0, half_width(estimate)
    if half == 0.0 or (value.is_integer() and half.is_integer()):
        return 0 if value.is_integer() else _USUAL
    return min(max(1 - floor(log10(half)), 0), most)


def half_width(estimate: Estimate) -> float:
    """Of the interval; 0 of an exact value, and where none is known."""
    low, high = estimate["ci95"] or (0.0, 0.0)
    # What the arithmetic leaves of a whole number is no digit of it.
    return round((high - low) / 2, _MOST)


def value(estimate: Estimate, unit: str) -> str:
    """A value with its unit."""
    if estimate["value"] is None:
        return "–"
    return f"{estimate['value']:,.{decimals(estimate)}f} {unit}".rstrip()


def width(estimate: Estimate) -> str:
    """Half the width of the interval: `exact` of a count, nothing where it is not known."""
    if estimate["ci95"] is None or estimate["value"] is None:
        return ""
    if not (half := half_width(estimate)):
        return "exact" if float(estimate["value"]).is_integer() else ""
    digits = decimals(estimate)
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if half < least else f"{half:,.{digits}f}"


def bounds(estimate: Estimate) -> str:
    """Both ends of the interval, likewise."""
    if estimate["ci95"] is None or not half_width(estimate):
        return width(estimate) or "–"
    digits = decimals(estimate, _MOST)
    return " … ".join(f"{bound:,.{digits}f}" for bound in estimate["ci95"])


def status(estimate: Estimate) -> str:
    """A status, with the label of a bandwidth that something else than the media limits."""
    labelled = estimate["status"] == "ok" and is_limited(estimate["note"])
    return f"ok, {NOT_THE_MEDIAS}" if labelled else estimate["status"]


def sectors_per_track(zone: ZoneFound) -> str:
    """A zone's, of each surface where they differ."""
    if by_surface := zone["surface_sectors_per_track"]:
        return "/".join(f"{count}" for count in by_surface)
    count = zone["sectors_per_track"]["value"]
    return "?" if count is None else f"{count:.0f}"


def outermost(found: Extraction, unit: str = "") -> str:
    """Sectors per track where the drive begins."""
    zones = found["zones"]
    if found["sectors_per_track"]["value"] is not None and zones:
        first = sectors_per_track(zones[0])
        if "/" in first:
            return first
    return value(found["sectors_per_track"], unit)
