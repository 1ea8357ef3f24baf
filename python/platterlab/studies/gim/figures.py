"""The study's pictures."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from platterlab._core import Profile
from platterlab.av.play import Played
from platterlab.layout_picture import walk
from platterlab.output import save_figure
from platterlab.plot_style import STYLE
from platterlab.studies.gim import toys
from platterlab.studies.study import Outcome, Request

OURS, PAPER, QUIET = "#1f6fb2", "#d1662c", "#96a3b3"
SHADES = ("#9ecae1", "#4292c6", "#084594")

Column = NDArray[np.float64]


@contextmanager
def _drawing(path: Path, width: float, height: float) -> Iterator[Figure]:
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        save_figure(figure, path)


def response_by_size(
    sizes: NDArray[np.int64], times_ms: Column, split_bytes: int, out: Path
) -> Path:
    """Figure 1: response against I/O size, and its differences."""
    path = out / "figure-1.png"
    with _drawing(path, 8.4, 3.2) as figure:
        left, right = figure.subplots(1, 2)
        kib = sizes / 1024
        left.plot(kib, times_ms, ".-", ms=2.5, lw=0.8, color=OURS)
        left.set_ylabel("response, ms")
        steps = np.diff(times_ms)
        right.bar(kib[1:], steps, width=3.4, color=OURS)
        right.set_ylabel("more than the size before, ms")
        right.annotate("two commands", (split_bytes / 1024 + 4, float(steps.max())), (-8, -4),
                       ha="right", textcoords="offset points", color=PAPER)  # fmt: skip
        usual = float(np.median(steps))
        found = np.flatnonzero((steps > 4 * usual) & (steps < 0.5 * steps.max()))
        for index in found:
            right.annotate("track switch", (kib[index + 1], steps[index]), (4, 4), ha="left",
                           textcoords="offset points", color=PAPER)  # fmt: skip
        for ax in (left, right):
            ax.set_xlabel("I/O size, KiB")
        figure.suptitle("Figure 1: Disk2, reads from the start of a track")
    return path


def buffers(curves: dict[tuple[str, int], list[float]], out: Path) -> Path:
    """Figure 2: minimum buffer against streams."""
    path = out / "figure-2.png"
    with _drawing(path, 5.6, 3.6) as figure:
        ax = figure.subplots()
        for (kind, rpm), curve in curves.items():
            index = sorted({speed for _, speed in curves}).index(rpm)
            finite = [bytes_ / 1e6 if np.isfinite(bytes_) else np.nan for bytes_ in curve]
            ax.plot(range(1, len(curve) + 1), finite, "o-" if kind == "aligned" else "s--", ms=3.5,
                    lw=1.2, color=(SHADES if kind == "aligned" else
                                   ("#fdae6b", "#f16913", "#a63603"))[index],
                    label=f"{kind}, {rpm} rpm")  # fmt: skip
        ax.set_yscale("log")
        originals = [curve for (kind, _), curve in curves.items() if kind == "original"]
        most = min(int(np.isfinite(curve).sum()) for curve in originals)
        ax.axvline(most + 0.5, color=QUIET, lw=0.8, ls=":")
        ax.annotate("the original fails", (most + 0.6, ax.get_ylim()[0] * 1.6), color=QUIET)
        ax.set_xlabel("streams of 19.2 Mbit/s")
        ax.set_ylabel("least buffer, MB")
        ax.legend(frameon=False, fontsize=7.5)
        figure.suptitle("Figure 2: least buffer, 25 MB/s, track switch 2 ms")
    return path


def layouts(request: Request) -> Outcome:
    """Figure 3: four layouts, and the two others of their family."""
    if request.out is None:
        return Outcome([])
    path = request.out / "figure-3.png"
    with _drawing(path, 8.6, 4.8) as figure:
        for ax, (title, profile) in zip(
            figure.subplots(2, 3).ravel(), toys.layouts().items(), strict=True
        ):
            _layout(ax, title, profile)
        figure.suptitle("Figure 3: the order of tracks on 3 surfaces and 8 cylinders")
    return Outcome([], [path])


def _layout(ax: Axes, title: str, profile: Profile) -> None:
    order = walk(profile, 24)
    x, y = order.cylinder.astype(float), order.surface.astype(float)
    ax.plot(x, y, "-", color=QUIET, lw=0.8, zorder=1)
    ax.scatter(x, y, c=order.number, cmap="viridis", s=90, zorder=2)
    for number, column, row in zip(order.number, x, y, strict=True):
        light = number > 12
        ax.text(column, row, str(int(number)), ha="center", va="center", fontsize=6,
                color="black" if light else "white", zorder=3)  # fmt: skip
    ax.set_title(title, fontsize=9)
    ax.set_ylim(2.5, -0.5)
    ax.set_yticks([0, 1, 2], ["surface 0", "1", "2"])
    ax.set_xlabel("cylinder")
    ax.grid(visible=False)


def responses(
    name: str,
    means: Sequence[float],
    single_ms: Column,
    papers: tuple[float, float],
    out: Path,
) -> Path:
    """Figure 4: the means of runs and the paper's, and how single responses spread.

    `single_ms` has a row for each of the four streams.
    """
    path = out / "figure-4.png"
    mean_ms = float(np.mean(means))
    with _drawing(path, 8.4, 3.2) as figure:
        left, right = figure.subplots(1, 2)
        left.plot(range(1, len(means) + 1), means, "o", color=OURS, label="ours, a run each")
        for value, label, style in zip(papers, ("paper, simulated", "paper, real"), ("-", "--"),
                                       strict=True):  # fmt: skip
            left.axhline(value, color=PAPER, lw=1, ls=style, label=f"{label}: {value} ms")
        left.axhline(mean_ms, color=OURS, lw=1, label=f"ours: {mean_ms:.2f} ms")
        left.set_ylim(mean_ms - 1.5, mean_ms + 1.5)
        left.set_xlabel("run")
        left.set_ylabel("mean response, ms")
        left.legend(frameon=False, fontsize=7.5)
        for number, of_stream in enumerate(single_ms):
            shares = 100.0 * np.arange(1, len(of_stream) + 1) / len(of_stream)
            right.step(np.sort(of_stream), shares, lw=1,
                       color=matplotlib.colormaps["viridis"](number / 4),
                       label=("outermost", "2/3", "1/3", "innermost")[number])  # fmt: skip
        right.set_title("each I/O; index blocks in memory", loc="left", fontsize=9)
        right.set_xlabel("response, ms")
        right.set_ylabel("I/Os, %")
        right.legend(frameon=False, fontsize=7.5)
        figure.suptitle(f"Figure 4: {name}, four HDTV streams of 512 KB I/Os")
    return path


def levels(played: Played, out: Path) -> Path:
    """The buffers of four streams over the first two seconds."""
    path = out / "buffers.png"
    with _drawing(path, 8.4, 2.8) as figure:
        ax = figure.subplots()
        table = played.levels
        for number in range(4):
            mine = (table["session"] == number) & (table["time_ms"] < 2000.0)
            time = np.repeat(table["time_ms"][mine], 2)
            level = np.column_stack([table["before"][mine], table["after"][mine]]).ravel()
            ax.plot(time, level, lw=1, color=matplotlib.colormaps["viridis"](number / 4),
                    label=("outermost", "2/3", "1/3", "innermost")[number])  # fmt: skip
        ax.set_xlabel("time, ms")
        ax.set_ylabel("buffer, I/Os")
        ax.legend(frameon=False, ncols=4, fontsize=7.5, loc="upper right")
        ax.set_ylim(0, 2.6)
        figure.suptitle("Buffers of four HDTV streams on Disk1")
    return path


def gains(
    curves: dict[tuple[int, str], list[float]],
    shares: tuple[float, ...],
    share: float,
    out: Path,
) -> Path:
    """Figure 5: gains of the three models, and over the fragmentation ratio."""
    path = out / "figure-5.png"
    sizes = list(dict.fromkeys(size for _, size in curves))
    with _drawing(path, 8.4, 3.4) as figure:
        left, right = figure.subplots(1, 2)
        for model in (1, 2, 3):
            bars = [curves[model, size][shares.index(share)] + 100 for size in sizes]
            where = np.arange(len(sizes)) + 0.27 * (model - 2)
            left.bar(where, bars, width=0.25, color=SHADES[model - 1], label=f"model {model}")
            for x, height in zip(where, bars, strict=True):
                left.annotate(f"{height:.1f}", (x, height), (0, 2), ha="center", fontsize=7,
                              textcoords="offset points")  # fmt: skip
            for size, style in zip(sizes, ("o-", "s--"), strict=True):
                right.plot([100 * one for one in shares], curves[model, size], style, ms=3, lw=1.2,
                           color=SHADES[model - 1], label=f"model {model}, {size}")  # fmt: skip
        for x, paper in enumerate((120.0, 116.0)):
            left.plot([x + 0.13, x + 0.41], [paper, paper], color=PAPER, lw=2,
                      label="paper, model 3" if x == 0 else None)  # fmt: skip
        left.axhline(100, color=QUIET, lw=0.8)
        left.set_ylim(90, 130)
        left.set_xticks(range(len(sizes)), sizes)
        left.set_xlabel("I/O size, 15 % fragmentation")
        left.set_ylabel("gain, original = 100 %")
        left.legend(frameon=False, fontsize=7.5, ncols=2)
        right.axhline(0, color=QUIET, lw=0.8)
        right.set_xlabel("I/Os with a break, %")
        right.set_ylabel("gain, %")
        right.legend(frameon=False, fontsize=7.5)
        figure.suptitle("Figure 5: Disk1, four HDTV streams, response against the original layout")
    return path


def later(curves: dict[str, dict[int, float]], worth_pct: float, out: Path) -> Path:
    """Gains of later drives against I/O size."""
    path = out / "later-drives.png"
    with _drawing(path, 5.8, 3.4) as figure:
        ax = figure.subplots()
        for number, (name, gain) in enumerate(curves.items()):
            ax.plot(list(gain), list(gain.values()), "o-", ms=3.5, lw=1.2, label=name,
                    color=matplotlib.colormaps["viridis"](number / len(curves)))  # fmt: skip
        ax.axhline(worth_pct, color=QUIET, lw=0.8, ls=":")
        ax.axhline(0, color=QUIET, lw=0.8)
        ax.set_xscale("log", base=2)
        ax.set_xticks(list(next(iter(curves.values()))), [f"{size}" for size in
                                                        next(iter(curves.values()))])  # fmt: skip
        ax.set_xlabel("I/O size, KiB")
        ax.set_ylabel("gain of model 3, %")
        ax.legend(frameon=False, fontsize=7.5)
        figure.suptitle("Aligned tracks on later drives, whole files, four streams")
    return path
