"""A process flow over time: what computes, who waits, and which requests are outstanding."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

from platterlab.answers import Timeline
from platterlab.output import save_figure

_PANELS: Sequence[tuple[str, str, Sequence[tuple[str, str, str]]]] = (
    (
        "processes",
        "processes",
        (
            ("compute", "computing", "#4c78a8"),
            ("storage", "waiting for storage", "#e45756"),
            ("throttled", "throttled", "#f2a900"),
            ("other", "waiting in the system", "#b279a2"),
            ("runnable", "waiting for a CPU", "#9d9d9d"),
        ),
    ),
    (
        "requests",
        "requests outstanding",
        (
            ("time_critical", "time-critical", "#e45756"),
            ("time_limited", "time-limited", "#f2a900"),
            ("time_noncritical", "time-noncritical", "#72b7b2"),
        ),
    ),
)


def draw_timeline(timeline: Timeline, title: str, target: Path) -> None:
    """Draws the sums of `timeline` as two stacked areas, each the mean number in its stretch."""
    mpl.use("Agg")
    from matplotlib import pyplot

    series = timeline["series"]
    length = max([len(values) for values in series.values()], default=1)
    seconds = np.arange(length) * timeline["bin_ms"] / 1e3
    figure, panels = pyplot.subplots(2, 1, figsize=(10, 6), sharex=True, layout="constrained")
    for panel, (_, label, names) in zip(panels, _PANELS, strict=True):
        shown = [(words, color, series[name]) for name, words, color in names if name in series]
        if shown:
            panel.stackplot(
                seconds,
                [_padded(values, length) / timeline["bin_ms"] for _, _, values in shown],
                labels=[words for words, _, _ in shown],
                colors=[color for _, color, _ in shown],
                step="post",
            )
            panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        panel.set_ylabel(label)
        panel.margins(x=0)
        panel.spines[["top", "right"]].set_visible(False)
    panels[-1].set_xlabel("s")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    save_figure(figure, target, dpi=150)
    pyplot.close(figure)


def _padded(values: Sequence[float], length: int) -> np.ndarray:
    return np.pad(np.asarray(values, dtype=float), (0, length - len(values)))
