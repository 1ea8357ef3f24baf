"""A calibrated profile as a file: every value that was found says from what and how sure it is."""

from platterlab.calibrate.procedure import Calibration

_OVERRIDDEN = 'kind = "assumed"\nfrom = "override"'


def profile_text(found: Calibration, trace: str) -> str:
    """The profile's text, with the calibration as the source of what it found."""
    source = f"calibration on the first {found.fitted} requests of {trace}"
    blocks = found.profile.to_toml().split("\n\n")
    return "\n\n".join(_sourced(block, source, found) for block in blocks)


def _sourced(block: str, source: str, found: Calibration) -> str:
    if not block.startswith("[provenance.") or _OVERRIDDEN not in block:
        return block
    key = block.split("\n", 1)[0].removeprefix("[provenance.").rstrip("]").strip('"')
    fitted = f'kind = "fitted"\nfrom = "{source}"'
    interval = intervals(found).get(key)
    if interval:
        fitted += f"\nci95 = [{interval[0]!r}, {interval[1]!r}]"
    elif key == "spindle" and found.angles is not None:
        error = 1e6 * found.angles.errors["rotation_ms"] / found.angles.rotation_ms
        fitted += f'\nnote = "rotation_ms to {error:.3f} ppm (standard error)"'
    return block.replace(_OVERRIDDEN, fitted)


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
