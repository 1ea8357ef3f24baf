"""The page around a scene: what is drawn live, and the same in words and tables."""

import json
from html import escape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

from platterlab import manifest
from platterlab.documents import Json
from platterlab.html_table import table
from platterlab.output import write_text
from platterlab.show.scene import SPANS

_SPEEDS = (
    (0.03, "1/32"),
    (0.0625, "1/16"),
    (0.125, "1/8"),
    (0.25, "1/4"),
    (0.5, "1/2"),
    (1, "1"),
    (3, "3"),
)
_USUAL = 0.125
_ABOUT = {
    "overhead": "the drive's controller",
    "wait": "for earlier work of the drive",
    "seek": "of the arm, and settling",
    "rotation": "until the first sector comes around",
    "transfer": "while sectors pass under the head",
    "bus": "what is left of the way to the host",
}


def write(target: Path, scene: Json) -> int:
    """Writes the page and gives its size in bytes.

    Raises:
        InputError: the target's folder does not exist.
    """
    numbered = [{"number": number, **one} for number, one in enumerate(scene["requests"])]
    text = _page({**scene, "requests": numbered})
    write_text(target, text)
    return len(text.encode())


def _page(scene: Json) -> str:
    package = files("platterlab")
    style = "".join(
        (package / name).read_text(encoding="utf-8")
        for name in ("report/page.css", "show/platter.css")
    )
    script = (package / "show/platter.js").read_text(encoding="utf-8")
    data = json.dumps(scene, separators=(",", ":")).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(scene['drive'])}: a platter in motion – Platterlab</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n{_head(scene)}{_stage()}"
        f"{_tables(scene)}{_made_by(scene)}"
        f'<script type="application/json" id="scene">{data}</script>\n'
        f'<script type="module">\n{script}</script>\n</body>\n</html>\n'
    )


def _head(scene: Json) -> str:
    figures = [
        ("scheduler", scene["scheduler"]),
        ("requests", f"{len(scene['requests']):,}"),
        ("one revolution", f"{scene['rotation_ms']:,.6g} {scene['unit']}"),
        ("cylinders", f"{scene['cylinders']:,}"),
        ("surfaces", f"{scene['surfaces']:,}"),
    ]
    items = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in figures
    )
    return (
        f"<header>\n<h1>{escape(scene['drive'])}</h1>\n<p>{escape(scene['about'])}</p>\n"
        f'<dl class="figures">{items}</dl>\n</header>\n'
    )


def _stage() -> str:
    speeds = "".join(
        f'<option value="{speed}"{" selected" if speed == _USUAL else ""}>'
        f"{word} revolution/s</option>"
        for speed, word in _SPEEDS
    )
    parts = "".join(
        f'<span id="part-{name}" style="--of: var(--{name})"><i></i></span>' for name in SPANS
    )
    keys = "".join(
        f'<li title="{_ABOUT[name]}"><i style="--of: var(--{name})"></i>{name}'
        f'<b id="value-{name}">–</b></li>'
        for name in SPANS
    )
    return (
        '<main class="stage">\n<div>\n'
        '<canvas id="platter" role="img" aria-label="The platter from above, turning to the left '
        'under the head; what the drive does now is said in words next to it."></canvas>\n'
        '<canvas id="times" role="img" aria-label="The requests in time: above, how long '
        'each waits; below, what the drive does."></canvas>\n'
        '<input id="at" type="range" min="0" step="any" value="0" aria-label="Moment">\n'
        '<div class="controls">\n<button id="play">Play</button>\n'
        '<button id="back">Back</button>\n<button id="next">Step</button>\n'
        '<button id="next-request">Next request</button>\n'
        '<button id="start">To the start</button>\n'
        f'<label>Speed <select id="speed">{speeds}</select></label>\n'
        '<label><input id="skip" type="checkbox" checked> Leave out idle time</label>\n</div>\n'
        "</div>\n<div>\n"
        '<p id="clock"></p>\n<p id="now"></p>\n'
        f'<h2>Where its time goes</h2>\n<div class="split">{parts}</div>\n'
        f'<ul class="key">{keys}</ul>\n'
        '<h2>Queue: <span id="waiting">0</span> waiting</h2>\n<ul id="queue"></ul>\n'
        '<p id="said" role="status" aria-live="polite"></p>\n'
        "<p>Keys: <kbd>Space</kbd> plays and pauses, <kbd>→</kbd> and <kbd>←</kbd> go to the next "
        "moment and the one before, <kbd>N</kbd> to the next request, <kbd>+</kbd> and "
        "<kbd>−</kbd> change the speed, <kbd>Home</kbd> and <kbd>End</kbd> go to the ends.</p>\n"
        "</div>\n</main>\n"
    )


def _tables(scene: Json) -> str:
    digits = scene["digits"]
    names = ("request", "sector", "asked at", "queue", *SPANS, "done at")
    body = []
    for one in scene["requests"]:
        times = one["times_ms"]
        spans = [until - since for since, until in pairwise(times)]
        cells = [
            f"{one['number'] + 1}, {one['operation']}", f"{one['lba']:,}",
            *(f"{value:,.{digits}f}" for value in (times[0], *spans, times[-1])),
        ]  # fmt: skip
        body.append(
            "".join(
                f'<td data-heading="{name}">{escape(cell)}</td>'
                for name, cell in zip(names, cells, strict=True)
            )
        )
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = "".join(f"<tr>{cells}</tr>\n" for cells in body)
    return (
        f"<section>\n<details>\n<summary>All requests, in {escape(scene['units'])}</summary>\n"
        f'<div class="scroll"><table class="dense"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody></table></div>\n</details>\n"
        f"<details>\n<summary>What is exact here</summary>\n{_exact(scene)}</details>\n</section>\n"
    )


def _made_by(scene: Json) -> str:
    made = [[name, value] for name, value in manifest.lines(scene["made_by"])]
    return table("Made by", "What it takes to get the same again.", [], made, "made")


def _exact(scene: Json) -> str:
    told, alike = scene["phase_told_by"], scene["phase_alike"]
    turning = (
        f"Of the {told:,} requests that waited for the platter, {alike:,} say the same of where it "
        "stood at the beginning, to a thousandth of a revolution; the others begin elsewhere than "
        "with their first sector."
        if scene["phase_turns"] is not None
        else "These rows do not say where the platter stands, and so it is drawn at rest."
    )
    return (
        "<p>Every time here is of the simulation's own rows, and the script only draws between "
        "them: the platter evenly, the arm evenly from the begin of a seek to its end, though a "
        "real arm speeds up and slows down. "
        "Where an arm is pale, the drive read ahead or wrote back since, and the rows say no more "
        f"than where it was found. {turning}</p>\n"
    )
