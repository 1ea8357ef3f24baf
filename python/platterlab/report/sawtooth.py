"""SKIPPY drawn: latency over distance, with the lines that the extracted values predict."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from platterlab.answers import Extraction
from platterlab.documents import Json
from platterlab.measure.origins import ok
from platterlab.measure.samples import Run
from platterlab.report.style import INK, NOTE, WIDTH, Records, Spec, finished, plot

COLOURS = {
    "same track (L1, L2)": "#1f6fb2",
    "next track (L3)": "#d1662c",
    "next cylinder (L4)": "#2e8b57",
    "two boundaries": "#b58bc4",
    "disturbed": "#b9c0ca",
}

NEAR_AXIS = 0.05
"""Below this part of a revolution a note has no room under its point."""

Column = NDArray[np.float64]


def steps(run: Run) -> tuple[Column, Column, float]:
    """Distances in sectors, latencies in ms, and 1 or -1 for the direction, of a SKIPPY run."""
    distance = run.columns["distance_sectors"].astype(np.float64)[1:]
    took_ms = run.elapsed_ms[1:]
    if run.plan["walk"] == "restart":
        distance, took_ms = distance[1::2], took_ms[1::2]
    direction = -1.0 if run.plan["walk"] == "backwards" else 1.0
    return np.abs(distance), took_ms, direction


class Lines:
    """The lines L1 to L4 of a drive, from its extracted values."""

    def __init__(self, found: Extraction, direction: float) -> None:
        self.rotation_ms = found["rotation_ms"]["value"] or 0.0
        count = ok(found["sectors_per_track"]) or ok(found["skippy_sectors_per_track"])
        self.sector_ms = self.rotation_ms / count if count else 0.0
        # Where it is doubted it still tells about where the lines begin.
        self.access_ms = found["access_ms"]["value"]
        self.direction = direction
        self.count = count or 0.0
        self.skews: dict[str, tuple[float, float]] = {"same track (L1, L2)": (0.0, 0.0)}
        layout = found["layout"]
        seeks_first = layout is not None and layout["class"]["value"] == "seek-first"
        next_track = found["cylinder_switch_ms" if seeks_first else "head_switch_ms"]
        for name, skew, switch in (
            ("next track (L3)", found["track_skew_ms"], next_track),
            ("next cylinder (L4)", found["cylinder_skew_ms"], found["cylinder_switch_ms"]),
        ):
            if (skew_ms := ok(skew)) is not None:
                self.skews[name] = (direction * skew_ms, ok(switch) or 0.0)

    @property
    def are_one(self) -> bool:
        """Whether the lines of the next track and of the next cylinder lie on each other."""
        skews = [skew for skew, _ in self.skews.values()][1:]
        return len(skews) == 2 and abs(skews[0] - skews[1]) < self.sector_ms / 2

    def at(self, distance: Column, line: str) -> Column:
        """What a request takes on a line, in ms."""
        skew_ms, switch_ms = self.skews[line]
        least_ms = (self.access_ms or 0.0) + switch_ms
        angle_ms = self.direction * distance * self.sector_ms + skew_ms
        taken: Column = least_ms + np.mod(angle_ms - least_ms, self.rotation_ms)
        return taken

    def kinds(self, distance: Column, took_ms: Column) -> list[str]:
        """The line that each request is on."""
        single = [(name, skew) for name, (skew, _) in self.skews.items()]
        double = [("two boundaries", single[1][1] + skew) for _, skew in single[1:]]
        names = [name for name, _ in single + double]
        angle_ms = took_ms - self.direction * distance * self.sector_ms
        half = self.rotation_ms / 2
        apart = np.array(
            [
                np.abs(np.mod(angle_ms - skew + half, self.rotation_ms) - half)
                for _, skew in single + double
            ]
        )
        # A whole track away there is no way around a boundary, and short of it never two.
        far = distance > self.count
        apart[0, far] = np.inf
        apart[len(single) :, ~far] = np.inf
        nearest = apart.argmin(axis=0)
        margin = max(self.sector_ms / 2, 0.03)
        limit = self.rotation_ms + (self.access_ms or 0.0)
        limit += 2 * max(abs(skew) for skew, _ in self.skews.values()) + margin
        odd = (apart.min(axis=0) > margin) | (took_ms > limit)
        return ["disturbed" if wrong else names[i] for i, wrong in zip(nearest, odd, strict=True)]


def sawtooth(found: Extraction, runs: Sequence[Run]) -> Spec | None:
    """The chart of the first SKIPPY run; None where there is none to read."""
    run = next((run for run in runs if run.probe == "skippy"), None)
    if run is None or found["rotation_ms"]["status"] != "ok":
        return None
    distance, took_ms, direction = steps(run)
    lines = Lines(found, direction)
    if not lines.sector_ms or not len(distance):
        return None
    dots = _dots(distance, took_ms, lines.kinds(distance, took_ms))
    last = min(float(distance.max()), 1.2 * lines.count)
    layers = [_line_layer(_segments(lines, last), last), _dot_layer(dots)]
    marks = _marks(found, lines, last)
    layers += [_rule_layer(marks), *_text_layers(marks)]
    chart = alt.layer(*layers).properties(width=WIDTH, height=400).interactive()
    return finished(chart)


def _dots(distance: Column, took_ms: Column, kinds: Sequence[str]) -> Records:
    return [
        {"sectors": int(d), "ms": round(float(ms), 5), "kind": kind}
        for d, ms, kind in zip(distance, took_ms, kinds, strict=True)
    ]


def _segments(lines: Lines, last: float) -> Records:
    """Each line as points, broken where it jumps by a revolution."""
    records: Records = []
    for name in lines.skews:
        reach = min(last, lines.count) if name == "same track (L1, L2)" else last
        distance = np.arange(0.0, reach + 1.0)
        ms = lines.at(distance, name)
        breaks = np.cumsum(np.abs(np.diff(ms, prepend=ms[0])) > lines.rotation_ms / 2)
        records += [
            {"sectors": float(d), "ms": float(y), "kind": name, "piece": f"{name} {piece}"}
            for d, y, piece in zip(distance, ms, breaks, strict=True)
        ]
    return records


def _colour() -> alt.Color:
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    return alt.Color("kind:N", scale=scale)


_X_TITLE = "from one request's start to the next, sectors"
_X = alt.X("sectors:Q", title=_X_TITLE)


def _line_layer(records: Records, last: float) -> Any:
    x = alt.X("sectors:Q", title=_X_TITLE, scale=alt.Scale(domain=[0, last], nice=False))
    return (
        plot(records)
        .mark_line(strokeWidth=1.2, opacity=0.55, clip=True)
        .encode(x, alt.Y("ms:Q", title="latency, ms"), _colour(), alt.Detail("piece:N"))
    )


def _dot_layer(records: Records) -> Any:
    return (
        plot(records)
        .mark_circle(size=22, opacity=0.9, clip=True)
        .encode(
            _X,
            alt.Y("ms:Q"),
            _colour(),
            tooltip=[
                alt.Tooltip("sectors:Q", title="sectors"),
                alt.Tooltip("ms:Q", format=".4f", title="ms"),
                alt.Tooltip("kind:N", title="line"),
            ],
        )
    )


def _marks(found: Extraction, lines: Lines, last: float) -> Records:
    """Where each value was read off: a rule from `low` to `high` at `sectors`, and a text."""
    marks: Records = []

    below = "left" if lines.direction > 0 else "over"

    def mark(sectors: float, low: float, high: float, text: str, side: str = below) -> None:
        marks.append({"sectors": sectors, "low": low, "high": high, "text": text, "side": side})

    count = lines.rotation_ms / lines.sector_ms
    span = min(last, count)
    rotation = lines.rotation_ms
    mark(0.0, rotation, rotation, f"rotation {rotation:.4f} ms")
    near_axis = False
    if lines.access_ms is not None and found["access_ms"]["status"] == "ok":
        stm = ok(found["stm_sectors"])
        at = lines.access_ms / lines.sector_ms if stm is None else stm
        at = at if lines.direction > 0 else count - at
        text = f"MTM point: {at:.0f} sectors, {lines.access_ms:.3f} ms"
        near_axis = lines.direction > 0 and lines.access_ms < NEAR_AXIS * rotation
        mark(at, lines.access_ms, lines.access_ms, text, "beside" if near_axis else below)
    places = {"next track (L3)": 0.52, "next cylinder (L4)": 0.62}
    names = {"next track (L3)": "track skew", "next cylinder (L4)": "cylinder skew"}
    if lines.are_one:
        names["next track (L3)"] = "track and cylinder skew"
        del places["next cylinder (L4)"]
    for line, share in places.items():
        if line in lines.skews:
            at = round(share * span)
            low = float(lines.at(np.array([float(at)]), "same track (L1, L2)")[0])
            skew = lines.skews[line][0]
            side = "before" if line == "next cylinder (L4)" and below == "left" else below
            mark(at, low, low + skew, f"{names[line]} {abs(skew):.3f} ms", side)
    if (ok(found["surfaces"]) or 0) > 1 and "cylinder" in marks[-1]["text"] and not lines.are_one:
        marks[-1]["text"] += f", one boundary in {found['surfaces']['value']:.0f}"
    # Beside the label of an MTM point near the axis there is no room for another.
    at = round((0.12 if lines.direction < 0 else 0.6 if near_axis else 0.3) * span)
    low = float(lines.at(np.array([float(at)]), "same track (L1, L2)")[0])
    text = f"slope {lines.sector_ms * 1e3:.2f} µs a sector: {count:.0f} a track"
    mark(at, low, low, text)
    labels = ["L1", "L2", "L3", "L4"]
    if lines.are_one:
        labels[2:] = ["L3, L4"]
    for label, (line, at) in zip(labels, _label_places(lines, span), strict=False):
        ms = float(lines.at(np.array([at]), line)[0])
        mark(at, ms, ms, label, "above")
    return marks


def _label_places(lines: Lines, span: float) -> list[tuple[str, float]]:
    """Where the names of the lines go, L1 first: L1 and L2 to either side of the MTM point."""
    same, *others = lines.skews
    ms = lines.at(np.arange(0.0, span), same)
    jump = float(np.abs(np.diff(ms)).argmax()) if len(ms) > 1 else 0.0
    sides = [0.5 * jump, jump + 0.12 * (span - jump)]
    if lines.direction < 0:
        sides.reverse()
    return [(same, at) for at in sides] + [(line, 0.9 * span) for line in others]


def _rule_layer(marks: Records) -> Any:
    return (
        plot(marks)
        .mark_rule(color=INK, strokeWidth=2, clip=True)
        .encode(_X, alt.Y("low:Q"), alt.Y2("high:Q"))
    )


def _text_layers(marks: Records) -> list[Any]:
    looks: dict[str, Json] = {
        "left": {"align": "left", "dx": 7, "dy": 14},
        "over": {"align": "left", "dx": 7, "dy": -9},
        "beside": {"align": "left", "dx": 24},
        "before": {"align": "right", "dx": -7},
        "above": {"align": "center", "dy": -12, "fontStyle": "italic"},
    }
    layers = []
    for side, look in looks.items():
        chosen = [mark for mark in marks if mark["side"] == side]
        if not chosen:
            continue
        layers.append(
            plot(chosen)
            .mark_text(style=NOTE, color=INK, fontSize=11.5, fontWeight="bold", clip=True, **look)
            .encode(
                _X,
                alt.Y("high:Q" if side in ("before", "above") else "low:Q"),
                alt.Text("text:N"),
            )
        )
    return layers
