"""Bandwidth and seeks over the whole drive, drawn."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np

from platterlab.answers import Extraction
from platterlab.datasheet import MIB
from platterlab.measure.samples import Run
from platterlab.report.style import (
    INK,
    MEASURED,
    NOTE,
    QUIET,
    SIMULATED,
    WIDTH,
    Records,
    Spec,
    finished,
    plot,
)

CURVES = {"step": SIMULATED, "linear": QUIET, "quadratic": "#2e8b57", "square-root": MEASURED}


def bandwidth(found: Extraction, sector_bytes: int) -> Spec | None:
    """Bandwidth over position with zones and fits; None where nothing was read."""
    if not found["rates"]:
        return None
    gb = sector_bytes / 1e9
    places = [
        {
            "gb": rate["lba"] * gb,
            "mib_s": rate["sectors_per_ms"] * 1e3 * sector_bytes / MIB,
            "lba": rate["lba"],
        }
        for rate in found["rates"]
    ]
    rates = [place["mib_s"] for place in places]
    spread = max(rates) - min(rates)
    margin = max(0.15 * spread, 0.05 * max(rates))
    y = alt.Y(
        "mib_s:Q",
        title="bandwidth, MiB/s",
        scale=alt.Scale(domain=[max(min(rates) - margin, 0.0), max(rates) + margin], nice=False),
    )
    x = alt.X("gb:Q", title="position, GB from the first sector", scale=alt.Scale(nice=False))
    layers = [_fit_layer(_fits(found, places), x, y), _places(places, x, y)]
    layers += _zone_layers(found, gb, places[-1]["gb"], x)
    return finished(alt.layer(*layers).properties(width=WIDTH, height=320))


def _places(places: Records, x: alt.X, y: alt.Y) -> Any:
    return (
        plot(places)
        .mark_circle(size=16, color=INK, opacity=0.75, clip=True)
        .encode(
            x,
            y,
            tooltip=[
                alt.Tooltip("lba:Q", format=",", title="first sector"),
                alt.Tooltip("mib_s:Q", format=".4f", title="MiB/s"),
            ],
        )
        .interactive()
    )


def _fits(found: Extraction, places: Records) -> Records:
    first, last = places[0], places[-1]
    share = np.linspace(0.0, 1.0, 120)
    records: Records = []
    for fit in found["bandwidth_fits"]:
        if fit["two_point"] or fit["coefficients"] is None:
            continue
        slope, offset = fit["coefficients"]
        over = share**2 if fit["curve"] == "quadratic" else share
        values = slope * over + offset
        if fit["curve"] == "square-root":
            values = np.sqrt(np.maximum(values, 0.0))
        records += [
            {"gb": first["gb"] + s * (last["gb"] - first["gb"]), "mib_s": v, "curve": fit["curve"]}
            for s, v in zip(share.tolist(), values.tolist(), strict=True)
        ]
    return records + _steps(found, places)


def _steps(found: Extraction, places: Records) -> Records:
    zones = [zone for zone in found["zones"] if zone["mib_s"]["value"] is not None]
    if not zones:
        return []
    scale = places[-1]["gb"] / max(places[-1]["lba"], 1)
    starts = [zone["first_lba"]["value"] or 0.0 for zone in zones] + [places[-1]["lba"]]
    return [
        {"gb": at * scale, "mib_s": zone["mib_s"]["value"], "curve": "step"}
        for zone, ends in zip(zones, pairwise(starts), strict=True)
        for at in ends
    ]


def _fit_layer(records: Records, x: alt.X, y: alt.Y) -> Any:
    chosen = alt.selection_point(fields=["curve"], bind="legend")
    scale = alt.Scale(domain=list(CURVES), range=list(CURVES.values()))
    return (
        plot(records)
        .mark_line(strokeWidth=1.6, clip=True)
        .encode(
            x,
            y,
            alt.Color("curve:N", scale=scale),
            opacity=alt.condition(chosen, alt.value(0.9), alt.value(0.08)),
        )
        .add_params(chosen)
    )


def _zone_layers(found: Extraction, gb: float, last_gb: float, x: alt.X) -> list[Any]:
    places = [(zone, zone["first_lba"]["value"]) for zone in found["zones"]]
    begun = [(zone, lba * gb) for zone, lba in places if lba is not None]
    ends = [start for _, start in begun[1:]] + [last_gb]
    records = []
    for (zone, start), end in zip(begun, ends, strict=False):
        count = zone["sectors_per_track"]["value"]
        text = f"{count:.0f}" if count is not None else "?"
        records.append({"gb": start, "middle": (start + end) / 2, "text": text})
    if not records:
        return []
    base = plot(records)
    rules = base.mark_rule(color=QUIET, strokeDash=[3, 3], opacity=0.7, clip=True).encode(x)
    texts = base.mark_text(style=NOTE, color=INK, fontSize=11, fontWeight="bold", clip=True).encode(
        alt.X("middle:Q"), alt.Y(value=12), alt.Text("text:N")
    )
    title = plot([{}]).mark_text(
        style=NOTE, text="sectors per track", color=QUIET, fontSize=10, align="right", clip=True
    )
    title = title.encode(x=alt.value("width"), y=alt.value(26))
    return [rules, texts, title]


def seeks(found: Extraction) -> Spec | None:
    """The seek curve, over cylinders where the model knows them; None where none was timed."""
    model = found["model"]
    by_cylinder = model["seeks"] if model else []
    points = [
        {
            "cylinders": point["distance_cylinders"],
            "sectors": point["distance_sectors"] / 1e6,
            "ms": point["seek_ms"],
            "low": point["seek_ms"] - point["half_width_ms"],
            "high": point["seek_ms"] + point["half_width_ms"],
        }
        for point in by_cylinder or found["seeks"]
    ]
    if not points:
        return None
    if all(point["cylinders"] is not None for point in points):
        return finished(_curve(points, "cylinders", "distance, cylinders"))
    return finished(_curve(points, "sectors", "distance, millions of sectors"))


def _curve(points: Records, key: str, title: str) -> Any:
    x = alt.X(f"{key}:Q", title=title)
    # Room for the note at the highest point.
    domain = [0.0, 1.1 * max(point["high"] for point in points)]
    y = alt.Y("ms:Q", title="seek, ms", scale=alt.Scale(domain=domain, nice=False))
    base = plot(points)
    line = base.mark_line(color=SIMULATED, strokeWidth=1.2, opacity=0.5, clip=True).encode(x, y)
    bars = base.mark_errorbar(color=INK, ticks=alt.MarkConfig(color=INK, size=7), clip=True).encode(
        x, alt.Y("low:Q", title="seek, ms"), alt.Y2("high:Q")
    )
    dots = base.mark_circle(size=34, color=SIMULATED, opacity=1, clip=True).encode(
        x,
        alt.Y("ms:Q"),
        tooltip=[
            alt.Tooltip("cylinders:Q", format=",", title="cylinders"),
            alt.Tooltip("sectors:Q", format=",.4f", title="million sectors"),
            alt.Tooltip("ms:Q", format=".4f", title="ms"),
        ],
    )
    ends = sorted(points, key=lambda point: point["ms"])
    marks = [
        {**ends[index], "text": f"{word} {ends[index]['ms']:.3f} ms", "align": align}
        for index, word, align in ((0, "least", "left"), (-1, "most", "right"))
    ]
    texts = [
        plot([mark])
        .mark_text(
            style=NOTE,
            align=mark["align"],
            dx=8 if mark["align"] == "left" else -8,
            dy=4 if mark["align"] == "left" else -6,
            color=INK,
            fontSize=11.5,
            fontWeight="bold",
        )
        .encode(x, alt.Y("ms:Q"), alt.Text("text:N"))
        for mark in marks
    ]
    return (
        alt.layer(line, bars, dots, *texts)
        .properties(width=WIDTH, height=300)
        .interactive(name=f"zoom_{key}")
    )


def answers(runs: Sequence[Run]) -> Spec:
    """What each request took, in order: for drives on which nothing else can be drawn."""
    records = []
    number = 0
    for run in runs:
        for took in run.elapsed_ms.tolist():
            records.append({"request": number, "ms": took, "probe": run.probe})
            number += 1
    chart = (
        plot(records)
        .mark_circle(size=14, opacity=0.7, clip=True)
        .encode(
            alt.X("request:Q", title="request"),
            alt.Y("ms:Q", title="elapsed, ms"),
            alt.Color("probe:N"),
            tooltip=["request:Q", alt.Tooltip("ms:Q", format=".4f"), "probe:N"],
        )
        .properties(width=WIDTH, height=280)
        .interactive()
    )
    return finished(chart)
