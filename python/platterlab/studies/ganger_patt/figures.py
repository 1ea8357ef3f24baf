"""The study's pictures."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from platterlab.output import save_figure
from platterlab.plot_style import STYLE
from platterlab.studies.row import Row

SYSTEM, OPEN, CLOSED, PAPER = "#1f6fb2", "#d1662c", "#96a3b3", "#3c4654"


def _value(rows: Sequence[Row], row_id: str) -> float:
    return next(row.ours for row in rows if row.id == row_id)


def schedulers(rows: Sequence[Row], path: Path) -> Path:
    """Figure 1: what three models say of a change of scheduler, both ways."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 3.2), layout="constrained")
        places = figure.subplots(1, 2)
        for place, (before, after) in zip(
            places, (("fcfs", "c-look"), ("c-look", "fcfs")), strict=True
        ):
            models = (("open", OPEN), ("system", SYSTEM), ("closed", CLOSED))
            values = [_value(rows, f"figure-1/{before}-to-{after}/{name}") for name, _ in models]
            bars = place.bar([name for name, _ in models], values, color=[c for _, c in models])
            place.bar_label(bars, fmt="%+.0f %%", padding=2)
            place.axhline(0.0, color=PAPER, lw=0.8)
            place.margins(y=0.15)
            place.set_title(f"{before.upper()} → {after.upper()}", loc="left", fontsize=10)
            place.set_ylabel("mean response, change in %")
        save_figure(figure, path)
    return path


def criticality(rows: Sequence[Row], path: Path) -> Path:
    """Figure 3: elapsed time and response on one list and on two, the paper's beside ours."""
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
