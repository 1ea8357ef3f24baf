"""A drawn drive as a profile file."""

from .drive import Drive, Zone

Value = object


def text(drive: Drive) -> str:
    """The profile of the drive, in TOML."""
    short, long = drive.short_ms, drive.long_ms
    lines = [
        f'id = "unseen-{drive.seed}"',
        f'name = "unseen {drive.seed}"',
        "[source]",
        'kind = "assumed"',
        'from = "drawn at random"',
        "[geometry]",
        f"surfaces = {drive.surfaces}",
        f"cylinders = {drive.cylinders}",
        f"sector_bytes = {drive.sector_bytes}",
        f"[spindle]\nrotation_ms = {drive.rotation_ms:.9f}",
        "[seek]",
        'kind = "two-piece"',
        f"short_ms = [{short[0]}, {short[1]:.8f}]",
        f"long_ms = [{long[0]}, {long[1]:.10f}]",
        f"boundary_cylinders = {drive.boundary}",
        "[switch]",
        f"head_ms = {drive.head_ms}",
        f"settle_write_ms = {drive.settle_write_ms}",
        "[controller]",
        f"read_ms = {drive.read_ms}",
        f"write_ms = {drive.write_ms}",
        "[bus]",
        'kind = "rate"',
        f"read_mb_s = {drive.bus_mb_s:.4f}",
        f"write_mb_s = {drive.bus_mb_s:.4f}",
    ]
    if drive.cache:
        lines += ["[cache]", *(f"{key} = {_literal(value)}" for key, value in drive.cache.items())]
    for zone in drive.zones:
        lines += _zone(drive, zone)
    for defect in drive.defects:
        lines += ["[[defect]]", *(f"{key} = {_literal(value)}" for key, value in defect.items())]
    return "\n".join(lines) + "\n"


def _zone(drive: Drive, zone: Zone) -> list[str]:
    lines = [
        "[[zone]]",
        f"cylinders = [{zone.first}, {zone.last}]",
        f"sectors_per_track = {max(zone.sectors)}",
        f'order = "{drive.order}"',
    ]
    # Skews stay the same time all over the drive, rounded to the sectors of each zone.
    scale = max(zone.sectors) / drive.zones[0].sectors[0]
    if drive.seek_first:
        lines.append(f"serpentine_cylinders = {drive.group_cylinders}")
        lines.append(f"serpentine_skew_sectors = {round(drive.pass_skew * scale)}")
    else:
        lines.append(f"track_skew_sectors = {round(drive.track_skew * scale)}")
    lines.append(f"cylinder_skew_sectors = {round(drive.cylinder_skew * scale)}")
    if len(set(zone.sectors)) > 1:
        lines.append(f"surface_sectors_per_track = {list(zone.sectors)}")
    if zone.spare_kind != "none":
        count = "tracks" if zone.spare_kind == "tracks" else "sectors"
        lines.append(f'sparing = {{ kind = "{zone.spare_kind}", {count} = {zone.spares} }}')
    return lines


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_literal(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_literal(each) for each in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
