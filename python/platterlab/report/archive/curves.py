"""Charts over the drives of one model, side by side: zones, bandwidth, seeks, values."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import altair as alt

from platterlab.datasheet import MIB
from platterlab.documents import Json
from platterlab.measure.advice import TITLES
from platterlab.measure.documents import ZoneFound
from platterlab.report.archive.measured import Measured, interval, shown, standing
from platterlab.report.archive.style import HOLLOW, bars, dots, drawn, tint
from platterlab.report.style import QUIET, WIDTH, Records, Spec, finished, plot

Chart = tuple[str, str, Spec]

_MOST_PLACES = 150
_MOST_ZONES = 400
_VALUES = (
    "rotation_ms", "mtm_ms", "track_skew_ms", "cylinder_skew_ms", "head_switch_ms",
    "cylinder_switch_ms",
)  # fmt: skip
_ROOM = alt.Scale(zero=False, nice=False, padding=9)
"""Up and down, so that no dot is cut."""
_LBA = "LBA, millions of sectors"
_WHO = [alt.Tooltip("label:N", title="bundle"), alt.Tooltip("status:N")]


def charts(every: Sequence[Measured]) -> list[Chart]:
    """Those for which anything was measured."""
    some = drawn(every)
    said = "" if len(some) == len(every) else f" {len(some)} of {len(every):,} are drawn."
    found = [
        (
            "Zone map",
            f"Sectors per track against the address at which a zone begins. {HOLLOW}{said}",
            _zones(some),
        ),
        (
            "Bandwidth",
            "Sequential reads over the drive, and the mean of each zone with its 95 % interval. "
            f"{HOLLOW}{said}",
            _bandwidth(some),
        ),
        (
            "Seek curve",
            "Least time to move and settle, without the minimum time to media, with its 95 % "
            f"interval.{said}",
            _seeks(some),
        ),
        (
            "Rotation, skews and switches",
            "With their 95 % intervals. Where the samples say nothing, that stands in the place of "
            f"a dot. {HOLLOW}{said}",
            _values(some),
        ),
    ]
    return [(title, about, spec) for title, about, spec in found if spec is not None]


def _zones(some: Sequence[Measured]) -> Spec | None:
    records = [record for one in some for record in [*_found(one), *_mapped(one)]]
    if not records:
        return None
    color = tint(some)
    x = alt.X("from:Q", title=_LBA, scale=alt.Scale(nice=False, zero=True))
    y = alt.Y("value:Q", title="sectors per track", scale=_ROOM)
    lines = plot(records).mark_rule(size=2.5, opacity=0.6, clip=True)
    middle = alt.X("middle:Q")
    tips = [*_WHO, alt.Tooltip("value:Q", title="sectors per track")]
    layers = [
        lines.encode(x, y, alt.X2("to:Q"), color=color, tooltip=tips),
        *bars(records, middle, alt.Y("low:Q", scale=_ROOM), color, alt.Y2("high:Q")),
        *dots(records, middle, y, color, tips),
    ]
    return _layered(layers, 300)


def _found(one: Measured) -> Records:
    """The zones of a measured drive."""
    records = []
    for zone, first, end in _stretches(one):
        if shown(zone.sectors_per_track):
            low, high = interval(zone.sectors_per_track)
            records.append(
                {
                    **_stretch(one, first, end),
                    "value": zone.sectors_per_track.value,
                    "low": low,
                    "high": high,
                    "status": _worse(zone),
                }
            )
    return records


def _stretches(one: Measured) -> Iterator[tuple[ZoneFound, float, float]]:
    """Each zone whose beginning was found, and from where to where it reaches."""
    zones = [zone for zone in one.curves.zones[:_MOST_ZONES] if shown(zone.first_lba)]
    starts = [float(zone.first_lba.value or 0) for zone in zones]
    ends = [*starts[1:], float(one.capacity_sectors)]
    # Without a zone there is an end too many.
    yield from zip(zones, starts, ends, strict=False)


def _worse(zone: ZoneFound) -> str:
    statuses = {zone.first_lba.status, zone.sectors_per_track.status}
    return "ok" if statuses == {"ok"} else "ambiguous"


def _mapped(one: Measured) -> Records:
    """The stretches of tracks of one length, in a map of tracks."""
    pieces = one.curves.pieces
    records: Records = []
    for piece, after in pairwise([*pieces, None]):
        if piece is None:
            continue
        end = after.first_lba if after else piece.first_lba + piece.cycles * sum(piece.sectors)
        most = max(piece.sectors)
        if records and records[-1]["value"] == most:
            records[-1] |= _stretch(one, records[-1]["from"] * 1e6, end)
            continue
        stretch = _stretch(one, piece.first_lba, end)
        records.append({**stretch, "value": most, "low": most, "high": most, "status": "ok"})
    return records[:_MOST_ZONES]


def _stretch(one: Measured, first: float, end: float) -> Json:
    first, end = first / 1e6, end / 1e6
    return {"label": one.label, "from": first, "to": end, "middle": (first + end) / 2}


def _bandwidth(some: Sequence[Measured]) -> Spec | None:
    places: Records = []
    means: Records = []
    for one in some:
        by = 1e3 * one.sector_bytes / MIB
        rates = one.curves.rates
        for rate in rates[:: max(1, -(-len(rates) // _MOST_PLACES))]:
            value = rate.sectors_per_ms * by
            places.append({"label": one.label, "lba": rate.lba / 1e6, "value": value})
        means += _zone_means(one)
    if not places and not means:
        return None
    color = tint(some)
    x = alt.X("lba:Q", title=_LBA, scale=alt.Scale(nice=False, zero=True))
    y = alt.Y("value:Q", title="bandwidth, MiB/s", scale=_ROOM)
    layers = []
    if places:
        dust = plot(places).mark_circle(size=9, opacity=0.4, clip=True)
        layers.append(dust.encode(x, y, color=color))
    tips = [*_WHO, alt.Tooltip("value:Q", title="MiB/s", format=".4f")]
    layers += [
        *bars(means, x, alt.Y("low:Q", scale=_ROOM), color, alt.Y2("high:Q")),
        *dots(means, x, y, color, tips),
    ]
    return _layered(layers, 300)


def _zone_means(one: Measured) -> Records:
    records = []
    for zone, first, end in _stretches(one):
        if shown(zone.mib_s):
            low, high = interval(zone.mib_s)
            records.append(
                {
                    "label": one.label,
                    "lba": (first + end) / 2e6,
                    "value": zone.mib_s.value,
                    "low": low,
                    "high": high,
                    "status": standing(zone.mib_s),
                }
            )
    return records


def _seeks(some: Sequence[Measured]) -> Spec | None:
    points = [(one, seek) for one in some for seek in one.curves.seeks[:_MOST_ZONES]]
    if not points:
        return None
    in_cylinders = all(seek.distance_cylinders is not None for _, seek in points)
    records = [
        {
            "label": one.label,
            "distance": seek.distance_cylinders if in_cylinders else seek.distance_sectors / 1e6,
            "value": seek.seek_ms,
            "low": seek.seek_ms - abs(seek.half_width_ms),
            "high": seek.seek_ms + abs(seek.half_width_ms),
            "status": "ok",
        }
        for one, seek in points
    ]
    color = tint(some)
    title = "distance, cylinders" if in_cylinders else "distance, millions of sectors"
    x = alt.X("distance:Q", title=title)
    y = alt.Y("value:Q", title="seek, ms", scale=_ROOM)
    lines = plot(records).mark_line(strokeWidth=1.2, opacity=0.5, clip=True)
    tips = [
        alt.Tooltip("label:N", title="bundle"),
        alt.Tooltip("distance:Q", title=title, format=",.6~f"),
        alt.Tooltip("value:Q", title="ms", format=".4f"),
    ]
    layers = [
        lines.encode(x, y, detail="label:N", color=color),
        *bars(records, x, alt.Y("low:Q", scale=_ROOM), color, alt.Y2("high:Q")),
        *dots(records, x, y, color, tips),
    ]
    return _layered(layers, 320)


def _values(some: Sequence[Measured]) -> Spec | None:
    panels = [panel for key in _VALUES if (panel := _panel(some, key)) is not None]
    return finished(alt.vconcat(*panels, spacing=12)) if panels else None


def _panel(some: Sequence[Measured], key: str) -> Any | None:
    records: Records = []
    silent: Records = []
    for one in some:
        estimate = one.estimate(key)
        if not shown(estimate):
            silent.append({"label": one.label, "text": estimate.status})
            continue
        low, high = interval(estimate)
        values = {"value": estimate.value, "low": low, "high": high, "status": standing(estimate)}
        records.append({"label": one.label, **values})
    if not records:
        return None
    name, unit = TITLES[key]
    color = alt.value(tint([])["value"])
    order = [one.label for one in some]
    scale = alt.Scale(domain=_domain(records), nice=False, zero=False)
    x = alt.X("value:Q", title=f"{name}, {unit}", scale=scale, axis=alt.Axis(tickCount=5))
    y = alt.Y(
        "label:N", title=None, sort=order, scale=alt.Scale(domain=order),
        axis=alt.Axis(labelLimit=150),
    )  # fmt: skip
    tips = [*_WHO, alt.Tooltip("value:Q", title=unit, format=".6~f")]
    layers = [
        *bars(records, alt.X("low:Q", scale=scale), y, color, alt.X2("high:Q")),
        *dots(records, x, y, color, tips),
    ]
    if silent:
        words = plot(silent).mark_text(align="left", color=QUIET, fontSize=10)
        layers.append(words.encode(y, x=alt.value(4), text="text:N"))
    return alt.layer(*layers).properties(width=WIDTH - 110, height=alt.Step(20))


def _domain(records: Records) -> list[float]:
    """Around all intervals; where there is one value and no interval, a percent of it."""
    low, high = min(one["low"] for one in records), max(one["high"] for one in records)
    room = 0.12 * (high - low) or 0.01 * abs(high) or 1.0
    return [low - room, high + room]


def _layered(layers: list[Any], height: int) -> Spec:
    chart = alt.layer(*layers).properties(width=WIDTH, height=height)
    return finished(chart.interactive())
