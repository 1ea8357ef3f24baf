"""A made-up drive as a profile file: as it is, and as on a data sheet."""

from collections.abc import Sequence

from .drive import Drive, Seek, Zone
from .sheet import Sheet


def text(drive: Drive, sheet: Sheet | None) -> str:
    """The profile in TOML: what a data sheet says, or, without one, all that a profile can say."""
    rotation_ms = drive.rotation_ms if sheet is None else sheet.rotation_ms
    lines = [
        f'id = "made-up-{drive.seed}"',
        f'name = "made-up drive {drive.seed}"',
        "[source]",
        'kind = "assumed"',
        'from = "drawn at random"',
        "[geometry]",
        f"surfaces = {drive.surfaces}",
        f"cylinders = {drive.cylinders}",
    ]
    if sheet is None and any(drive.surface_offsets):
        lines.append(f"surface_offset_turns = {_list(drive.surface_offsets)}")
    lines += [f"[spindle]\nrotation_ms = {rotation_ms:.9f}"]
    if sheet is None:
        lines.append(f"phase_turns = {drive.phase:.9f}")
    lines += _seeks(drive, sheet) + _controller(drive, sheet) + _bus(drive, sheet)
    lines += _cache(drive, sheet)
    for number, zone in enumerate(drive.zones):
        lines += _zone(drive, zone, sheet, number)
    if sheet is None or sheet.slips:
        lines += [
            f'[[defect]]\nkind = "slipped"\nat = [{place[0]}, {place[1]}, {place[2]}]'
            for place in drive.slips
        ]
    return "\n".join(lines) + "\n"


def _seeks(drive: Drive, sheet: Sheet | None) -> list[str]:
    if sheet is not None:
        return sheet.seek
    lines = ["[seek]", 'kind = "table"', f"points = {_points(drive.seek, drive.cylinders, 0.0)}"]
    if drive.seek.back_ms:
        back = _points(drive.seek, drive.cylinders, drive.seek.back_ms)
        lines += ["[seek_back]", 'kind = "table"', f"points = {back}"]
    return lines


def _points(seek: Seek, cylinders: int, more_ms: float) -> str:
    """Close points of the law; a sawtooth on it falls between them."""
    at = sorted({*range(1, 60), *(round(1.03**k) for k in range(138, 400)), cylinders - 1})
    inside = [distance for distance in at if distance < cylinders]
    points = (f"[{distance}, {seek.at(distance) + more_ms:.6f}]" for distance in inside)
    return "[" + ", ".join(points) + "]"


def _controller(drive: Drive, sheet: Sheet | None) -> list[str]:
    costs = drive.costs
    if sheet is not None:
        return [
            "[switch]",
            f"head_ms = {sheet.head_ms:.4f}",
            "[controller]",
            f"read_ms = {sheet.overhead_ms:.4f}",
            f"write_ms = {sheet.overhead_ms:.4f}",
        ]
    return [
        "[switch]",
        f"head_ms = {drive.head_ms}",
        f"settle_write_ms = {drive.settle_write_ms}",
        "[controller]",
        f"read_ms = {costs.read:.4f}",
        f"write_ms = {costs.write:.4f}",
        f"read_completion_ms = {costs.read_done:.4f}",
        f"write_completion_ms = {costs.write_done:.4f}",
        f"hit = {{ read_ms = {costs.read_hit:.4f}, write_ms = {costs.write_hit:.4f} }}",
        f"hit_after_write = {{ read_ms = {costs.read_hit:.4f}, write_ms = {costs.write_hit:.4f} }}",
        f"after_write = {{ read_ms = {costs.read_after_write:.4f}, "
        f"write_ms = {costs.write_after_write:.4f} }}",
    ]


def _bus(drive: Drive, sheet: Sheet | None) -> list[str]:
    bus = drive.bus
    if sheet is not None:
        return [
            "[bus]",
            'kind = "rate"',
            f"read_mb_s = {sheet.bus_mb_s:.3f}",
            f"write_mb_s = {sheet.bus_mb_s:.3f}",
        ]
    lines = [
        "[bus]",
        'kind = "rate"',
        f"read_sector_ms = {bus.read_ms:.9f}",
        f"write_sector_ms = {bus.write_ms:.9f}",
        f"reconnect_ms = {bus.reconnect_ms}",
    ]
    if bus.burst:
        lines += [f"burst_sectors = {bus.burst}", f"burst_drains = {_word(bus.drains)}"]
    return lines


def _cache(drive: Drive, sheet: Sheet | None) -> list[str]:
    buffer, bus = drive.buffer, drive.bus
    if sheet is not None:
        if not sheet.cache or not buffer.segments:
            return []
        return [
            "[cache]",
            f"segments = {sheet.segments}",
            f"segment = {512 * sheet.segment}",
            f'read_ahead = "{sheet.read_ahead}"',
        ]
    lines = [
        "[cache]",
        f"read_fence = {512 * bus.fence}",
        f"read_fence_share = {bus.fence_share}",
        f"write_fence = {512 * buffer.write_fence}",
        f'write_report = "{buffer.report}"',
    ]
    if buffer.segments:
        lines += [
            f"segments = {buffer.segments}",
            f"segment = {512 * buffer.segment}",
            f'read_ahead = "{buffer.read_ahead}"',
            f'read_ahead_on_hit = "{buffer.on_hit}"',
            f"read_ahead_over_requested = {_word(buffer.over_requested)}",
            f"keep_after_hit = {_word(buffer.keep_after_hit)}",
            f"hits_in_flight = {_word(buffer.hits_in_flight)}",
            f"hits_on_written = {_word(buffer.hits_on_written)}",
            'overwritten = "dropped"',
        ]
    return lines


def _zone(drive: Drive, zone: Zone, sheet: Sheet | None, number: int) -> list[str]:
    # A zone may have lost all of its spares to the drawing: then it has no sparing to state.
    kind = zone.sparing if zone.spares and (sheet is None or sheet.spares) else "none"
    hidden = zone.spares if kind == "none" and zone.sparing == "track" else 0
    length = max(zone.sectors) - hidden
    lines = [
        "[[zone]]",
        f"cylinders = [{zone.first}, {zone.last}]",
        f"sectors_per_track = {length}",
        f'order = "{drive.order}"',
    ]
    if len(set(zone.sectors)) > 1 and drive.order != "listed":
        lines.append(f"surface_sectors_per_track = {list(zone.sectors)}")
    if kind == "range":
        lines.append(
            f'sparing = {{ kind = "cylinders", cylinders = {zone.range_cylinders}, '
            f"sectors = {zone.spares} }}"
        )
    elif kind != "none":
        lines.append(f'sparing = {{ kind = "{kind}", sectors = {zone.spares} }}')
    return lines + _skews(drive, zone, sheet, number)


def _skews(drive: Drive, zone: Zone, sheet: Sheet | None, number: int) -> list[str]:
    """The zone's skews; what a data sheet is silent about is left out."""
    off = 0.0 if sheet is None else sheet.skew_error[number]
    told = sheet is None or sheet.skews
    lines = []
    if sheet is None or sheet.zone_starts:
        lines.append(f"first_track_skew_turns = {zone.first_skew % 1.0:.9f}")
    if drive.order == "listed":
        lines.append(f"group_cylinders = {drive.group}")
        if sheet is None:
            lines.append(f"group_skew_turns = {zone.pass_skew % 1.0:.9f}")
        for one in zone.passes:
            lines += [
                "[[zone.pass]]",
                f"surface = {one.surface}",
                f"cylinders = [{one.first}, {one.last}]",
                f"sectors_per_track = {zone.sectors[one.surface]}",
            ]
            if told:
                lines.append(f"track_skew_turns = {(one.skew + off) % 1.0:.9f}")
            if sheet is None:
                lines.append(f"first_track_skew_turns = {one.first_skew % 1.0:.9f}")
        return lines
    if not told:
        if drive.group:
            lines.append(f"serpentine_cylinders = {drive.group}")
        return lines
    if drive.group:
        lines.append(f"serpentine_cylinders = {drive.group}")
        lines.append(f"serpentine_skew_turns = {(zone.pass_skew + off) % 1.0:.9f}")
    else:
        lines.append(f"track_skew_turns = {(zone.track_skew + off) % 1.0:.9f}")
    lines.append(f"cylinder_skew_turns = {(zone.cylinder_skew + off) % 1.0:.9f}")
    if zone.range_cylinders and zone.range_skew and sheet is None:
        lines.append(f"range_skew_turns = {zone.range_skew:.9f}")
    return lines


def _list(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{value:.9f}" for value in values) + "]"


def _word(value: bool) -> str:
    return "true" if value else "false"
