"""A calibrated profile as a file: every value that was found says from what and how sure it is."""

from typing import Any

from platterlab.calibration.job import Calibration
from platterlab.calibration.platter.mean_period import NORMAL, mean_period_error_ms
from platterlab.calibration.platter.seek_scatter import scatter_override
from platterlab.documents import Overrides

_OVERRIDDEN = {"kind": "assumed", "from": "override"}


def profile_text(found: Calibration, trace: str) -> str:
    """The profile's text, with the calibration as the source of what it found."""
    profile = found.profile.with_overrides(scatter_override(found.scatter))
    source = f"calibration on the first {found.fitted} requests of {trace}"
    stated = profile.stated()
    entries = stated.get("provenance", {})
    keys = [key for key, origin in entries.items() if origin == _OVERRIDDEN]
    # What is said of a table replaces what is said of its parts, so that comes first.
    for key in sorted(keys, key=lambda key: key.count(".")):
        value, origin = _value(stated, key), _origin(found, key, source)
        profile = profile.with_overrides({key: value}, {key: origin})
        for inner, (same, own) in _as_in_start(found, key, value).items():
            profile = profile.with_overrides({inner: same}, {inner: own})
    return (profile if found.scatter else profile.with_overrides(*found.own_scatter)).to_toml()


def _as_in_start(found: Calibration, key: str, value: object) -> dict[str, tuple[float, Overrides]]:
    """The numbers of a table that are the start's own, with their source there."""
    before = found.start.stated()
    table, entries = before.get(key), before.get("provenance", {})
    if not isinstance(table, dict) or not isinstance(value, dict):
        return {}
    source = entries.get(key, before["source"])
    return {
        f"{key}.{name}": (number, entries.get(f"{key}.{name}", source))
        for name, number in value.items()
        if isinstance(number, float) and number > 0 and table.get(name) == number
    }


def _value(stated: dict[str, Any], key: str) -> Any:
    value: Any = stated
    for step in key.split("."):
        value = value[step]
    return value


def _origin(found: Calibration, key: str, source: str) -> dict[str, Any]:
    """What is known of where a value comes from."""
    origin: dict[str, Any] = {"kind": "fitted", "from": source}
    interval = intervals(found).get(key)
    if interval:
        origin["ci95"] = list(interval)
    elif key == "spindle" and found.angles is not None:
        error_ms = found.angles.errors["rotation_ms"] + mean_period_error_ms(found.angles) / NORMAL
        error = 1e6 * error_ms / found.angles.rotation_ms
        origin["note"] = f"rotation_ms to {error:.3f} ppm (standard error)"
    return origin


def intervals(found: Calibration) -> dict[str, tuple[float, float]]:
    """95 % confidence intervals by key, of the single numbers that have one."""
    angles = found.angles
    if angles is None:
        return {}
    known = {"bus.read_sector_ms": "sector_ms", "cache.read_fence_share": "read_share"}
    bounds = {}
    for key, name in known.items():
        value = found.overrides.get(key)
        if value:
            reach = 1.96 * angles.errors[name]
            bounds[key] = (max(0.0, value - reach), value + reach)
    return bounds
