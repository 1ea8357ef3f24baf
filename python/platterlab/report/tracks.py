"""The report of a map of tracks: their lengths, the seek profile, the layout."""

from collections.abc import Iterable, Sequence

import altair as alt

from platterlab import __version__, manifest
from platterlab.answers import TrackMap
from platterlab.measure import environment, tracks
from platterlab.measure.bundle import REPORT, Bundle
from platterlab.measure.environment import Described
from platterlab.measure.origins import ok
from platterlab.measure.track_path import path
from platterlab.report import page, track_places
from platterlab.report.style import INK, MEASURED, SIMULATED, WIDTH, Spec, finished, plot

_ABOUT = {
    "complete": "The map is whole.",
    "partial": "The map is not whole; the notes say why.",
    "unsupported": "No rotation was found, and so no tracks.",
}


def build(
    found: TrackMap, bundle: Bundle, bundle_id: str, status: str, warned: Sequence[str]
) -> int:
    """Draws a bundle as one HTML file that needs no network; gives its size in bytes.

    Args:
        found: the map.
        bundle: with the environment; the report is written into it.
        bundle_id: of the bundle.
        status: how much was found.
        warned: what a reader has to know.

    Raises:
        InputError: the bundle cannot be read.
    """
    made_by, about = bundle.environment(), f"Bundle {bundle_id}. {_ABOUT[status]}"
    if found["tracks"]:
        about = f"{about} Of the tracks, {tracks.seen(found)}."
    body = _body(found, made_by, about, warned)
    return page.write(bundle.path(REPORT), made_by["device"]["name"], body)


def _body(found: TrackMap, made_by: Described, about: str, warned: Sequence[str]) -> Iterable[str]:
    device = made_by["device"]
    yield page.header(device["name"], about, _figures(found))
    yield page.notices("Before you use these values", warned)
    if found["pieces"]:
        yield page.chart(
            "Lengths of tracks",
            "Sectors that hold data on a track, over the drive; a line for each length.",
            _lengths(found, device["logical_sector_bytes"]),
        )
    if found["seeks"]:
        yield page.chart(
            "Seek profile",
            "Least time from a track in the middle to another, by their distance in tracks in the "
            "order of addresses: seek, overhead and one sector, with what the resolution leaves "
            "open.",
            _seeks(found),
        )
    if (way := path(found["layout"])) is not None:
        about, turns = way
        yield page.chart("Order of tracks", about, track_places.path(turns))
    yield page.table("Layout", "", ("", "found", "confidence", "from"), _layout(found), "values")
    rows = [
        (
            f"{zone['first_lba']:,}",
            f"{zone['first_track']:,}",
            f"{zone['tracks']:,}",
            " ".join(map(str, zone["sectors"])),
            f"{zone['odd_tracks']:,}",
        )
        for zone in tracks.zones(found)[:200]
    ]
    yield page.table(
        "Tracks",
        "Stretches of tracks of one length; odd tracks lack some sectors to defects or spares. "
        f"Of the tracks, {tracks.seen(found)}. tracks.csv has all.",
        ("first sector", "first track", "tracks", "sectors", "odd tracks"),
        rows,
    )
    yield page.table(
        "How it was made",
        "",
        ("", ""),
        [
            ("requests", f"{made_by['requests']:,}, all of them reads"),
            ("drive time", f"{made_by['drive_time_s']:,.1f} s"),
            ("report by", f"Platterlab {__version__}"),
            *manifest.lines(environment.manifest(made_by)),
        ],
        "made",
    )


def _figures(found: TrackMap) -> list[tuple[str, str]]:
    figures = [("tracks", f"{found['tracks']:,}")]
    for estimate, name, unit in (
        (found["rotation_ms"], "a revolution", "ms"),
        (found["track_switch_ms"], "track switch", "ms"),
        (found["track_switch_pct"], "of a revolution", "%"),
    ):
        if (value := ok(estimate)) is not None:
            figures.append((name, f"{value:.3f} {unit}"))
    return figures


def _layout(found: TrackMap) -> list[tuple[str, str, str, str]]:
    layout = found["layout"]
    rows = []
    for key, name in tracks.FINDINGS:
        finding = layout[key]
        sure = f"{finding['confidence']:.2f}" if finding["value"] else finding["status"]
        rows.append((name, tracks.worded(finding), sure, finding["method"]))
    for of, name in tracks.ESTIMATES:
        estimate = layout[of]
        value = "–" if estimate["value"] is None else f"{estimate['value']:,.0f}"
        why = estimate["note"] or estimate["method"]
        rows.append((name, value, estimate["status"], why))
    return rows


def _lengths(found: TrackMap, sector_bytes: int) -> Spec:
    gb = sector_bytes / 1e9
    values = [
        {"from": first * gb, "to": end * gb, "sectors": sectors}
        for first, end, sectors in tracks.lengths_by_lba(found)[:5000]
    ]
    chart = (
        plot(values)
        .mark_rule(size=3, color=SIMULATED)
        .encode(
            alt.X("from:Q", title="position, GB from the first sector"),
            alt.X2("to:Q"),
            alt.Y("sectors:Q", title="sectors per track", scale=alt.Scale(zero=False)),
            tooltip=[alt.Tooltip("sectors:Q", title="sectors per track")],
        )
        .interactive()
    )
    return finished(chart.properties(width=WIDTH, height=260))


def _seeks(found: TrackMap) -> Spec:
    values = [
        {
            "tracks": seek["distance_tracks"],
            "ms": seek["time_ms"],
            "low": seek["time_ms"] - seek["half_width_ms"],
            "high": seek["time_ms"] + seek["half_width_ms"],
        }
        for seek in found["seeks"]
    ]
    x = alt.X("tracks:Q", title="tracks away, by address", scale=alt.Scale(type="log"))
    base = plot(values)
    bars = base.mark_rule(color=INK).encode(x, alt.Y("low:Q", title="ms"), alt.Y2("high:Q"))
    dots = base.mark_circle(size=30, color=MEASURED).encode(
        x,
        alt.Y("ms:Q", title="ms"),
        tooltip=[alt.Tooltip("tracks:Q", format=","), alt.Tooltip("ms:Q", format=".3f")],
    )
    return finished(alt.layer(bars, dots.interactive()).properties(width=WIDTH, height=280))
