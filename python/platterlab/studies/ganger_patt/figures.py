"""The study's pictures."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from platterlab.output import save_figure
from platterlab.plot_style import STYLE
from platterlab.studies.ganger_patt.bands import Bands
from platterlab.studies.row import Row

SYSTEM, OPEN, CLOSED, PAPER = "#1f6fb2", "#d1662c", "#96a3b3", "#3c4654"


def _value(rows: Sequence[Row], row_id: str) -> float:
    return next(row.ours for row in rows if row.id == row_id)


def draw(rows: Sequence[Row], bands: Bands, out: Path) -> list[Path]:
    """Figures 1 to 3, in a folder that exists; Figure 1 with what other constants make of it."""
    return [
        schedulers(rows, bands, out / "ganger-patt-figure-1.svg"),
        cache_awareness(rows, out / "ganger-patt-figure-2.svg"),
        criticality(rows, out / "ganger-patt-figure-3.svg"),
        all_tasks(rows, out / "ganger-patt-criticality.svg"),
    ]


def cache_awareness(rows: Sequence[Row], path: Path) -> Path:
    """Figure 2: what cache awareness adds to the mean response, open and system, paper and ours."""
    names = {
        "open, scale 1": "figure-2/open/1",
        "system, scale 1": "figure-2/system_change",
        "open, scale 2": "figure-2/open/2",
        "system, scale 2": "figure-2/speed-2/system_change",
        "open, scale 4": "figure-2/open/4",
    }
    return _beside(rows, names, "SPTF to SPCTF, compress: mean response, change in %", path)


def all_tasks(rows: Sequence[Row], path: Path) -> Path:
    """Two lists for each task, as they are and with what mends them."""
    ends = {"strict": "", "promotion": "_with_promotion", "anticipation": "_with_anticipation"}
    names = {
        f"{task}\n{word}": f"criticality/{task}/elapsed_change{end}"
        for task in ("compress", "uncompress", "copytree", "removetree")
        for word, end in ends.items()
    }
    return _beside(rows, names, "two lists: elapsed time, change in %", path)


def _beside(rows: Sequence[Row], names: dict[str, str], title: str, path: Path) -> Path:
    """Bars of rows with their intervals, and the paper's figures."""
    found = {row.id: row for row in rows}
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 3.2), layout="constrained")
        place = figure.subplots()
        for number, row_id in enumerate(names.values()):
            row = found[row_id]
            low, high = row.interval or (row.ours, row.ours)
            place.bar(number, row.ours, 0.5, color=SYSTEM, label="ours" if number == 0 else None)
            place.errorbar(number, row.ours, [[row.ours - low], [high - row.ours]], color=PAPER)
            if row.paper is not None:
                place.plot([number - 0.35, number + 0.35], [row.paper] * 2, color=OPEN, lw=2)
        place.plot([], [], color=OPEN, lw=2, label="paper")
        place.axhline(0.0, color=PAPER, lw=0.8)
        place.set_xticks(range(len(names)), list(names), fontsize=6.5)
        place.set_title(title, loc="left", fontsize=10)
        place.legend(frameon=False)
        save_figure(figure, path)
    return path


def schedulers(rows: Sequence[Row], bands: Bands, path: Path) -> Path:
    """Figure 1: what three models say of a change of scheduler, both ways."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 3.2), layout="constrained")
        places = figure.subplots(1, 2)
        for place, (before, after) in zip(
            places, (("fcfs", "c-look"), ("c-look", "fcfs")), strict=True
        ):
            models = (("open", OPEN), ("system", SYSTEM), ("closed", CLOSED))
            ids = [f"figure-1/{before}-to-{after}/{name}" for name, _ in models]
            values = [_value(rows, row_id) for row_id in ids]
            bars = place.bar([name for name, _ in models], values, color=[c for _, c in models])
            place.bar_label(bars, fmt="%+.0f %%", padding=2)
            _banded(bands, ids, place)
            _printed(rows, ids, place)
            place.axhline(0.0, color=PAPER, lw=0.8)
            place.margins(y=0.15)
            place.set_title(f"{before.upper()} → {after.upper()}", loc="left", fontsize=10)
            place.set_ylabel("mean response, change in %")
        save_figure(figure, path)
    return path


def _banded(bands: Bands, names: Sequence[str], place: Axes) -> None:
    """Beside bars in this order, how far they move where constants are assumed otherwise."""
    for number, name in enumerate(names):
        label = "other constants" if number == 0 else "_"
        place.vlines(number + 0.3, *bands[name], color=PAPER, lw=5, alpha=0.35, label=label)
    place.legend(frameon=False)


def _printed(rows: Sequence[Row], names: Sequence[str], place: Axes) -> None:
    """The paper's figures, where it prints them, over bars in this order."""
    found = {row.id: row.paper for row in rows}
    for number, name in enumerate(names):
        paper = found[name]
        if paper is not None:
            place.plot([number - 0.4, number + 0.4], [paper] * 2, color=PAPER, lw=2)
            words = f"paper {paper:+.0f} %"
            place.annotate(words, (number, paper), (0, 3), textcoords="offset points", ha="center")


def criticality(rows: Sequence[Row], path: Path) -> Path:
    """Figure 3: elapsed time and response on one list and on two, the paper's and ours."""
    lists = (("one-list", "C-LOOK"), ("two-lists", "by criticality"))
    parts = (("false_idle_s", "false idle", "#d1662c"), ("other_s", "other CPU", "#96a3b3"))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 3.4), layout="constrained")
        left, right = figure.subplots(1, 2)
        for number, (key, _) in enumerate(lists):
            found = {
                row.id.rsplit("/", 1)[1]: row
                for row in rows
                if row.id.startswith(f"table-6/{key}/")
            }
            for shift, source in ((-0.2, "paper"), (0.2, "ours")):
                at = number + shift
                bottom = 0.0
                whole = float(getattr(found["elapsed_s"], source) or 0.0)
                for name, what, colour in parts:
                    height = float(getattr(found[name], source) or 0.0)
                    left.bar(at, height, 0.36, bottom=bottom, color=colour,
                             label=what if (number, source) == (0, "paper") else None)  # fmt: skip
                    bottom += height
                first = (number, source) == (0, "paper")
                left.bar(at, whole - bottom, 0.36, bottom=bottom, color=SYSTEM,
                         label="the task" if first else None)  # fmt: skip
                left.annotate(source, (at, whole), (0, 2), textcoords="offset points", ha="center")
                response = float(getattr(found["response_ms"], source) or 0.0)
                right.bar(at, response, 0.36, color=PAPER if source == "paper" else SYSTEM,
                          label=source if number == 0 else None)  # fmt: skip
        for place, title in ((left, "elapsed time of the task, s"), (right, "mean response, ms")):
            place.set_xticks(range(len(lists)), [label for _, label in lists])
            place.set_title(title, loc="left", fontsize=10)
            place.legend(frameon=False)
        right.set_yscale("log")
        left.margins(y=0.12)
        save_figure(figure, path)
    return path
