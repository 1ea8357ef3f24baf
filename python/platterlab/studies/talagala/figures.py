"""Figures 3, 8, 10, 12 and 13 to 21 of the paper, from our own measurements."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from platterlab.datasheet import MIB
from platterlab.output import save_figure
from platterlab.plot_style import STYLE
from platterlab.report.sawtooth import COLOURS, Lines, steps
from platterlab.studies.talagala.table3 import Measured

INK, LINE, QUIET, PAPER = "#1d2530", "#1f6fb2", "#96a3b3", "#d1662c"

Column = NDArray[np.float64]


def draw(mock: Measured, drives: Sequence[Measured], out: Path) -> list[Path]:
    """Every figure, as PNG files in a folder that exists."""
    by_key = {drive.published.key: drive for drive in drives}
    with matplotlib.rc_context(STYLE):
        drawn = [
            _single(mock, _skippy, "fig03-mock-disk", "Figure 3: mock disk", out),
            _single(by_key["ultrastar"], _skippy, "fig08-ultrastar-skippy", "Figure 8", out),
            _single(by_key["ultrastar"], _zoned, "fig10-ultrastar-zoned", "Figure 10", out),
            _single(by_key["barracuda"], _seeker, "fig12-barracuda-seeker", "Figure 12", out),
        ]
        drawn += [_triple(drive, out) for drive in drives]
    return drawn


def _single(drive: Measured, panel: Any, name: str, title: str, out: Path) -> Path:
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    ax = figure.subplots()
    panel(ax, drive, legend=True)
    figure.suptitle(f"{title}: {drive.published.name}" if "mock" not in title else title)
    return _save(figure, out / f"{name}.png")


def _triple(drive: Measured, out: Path) -> Path:
    figure = Figure(figsize=(12.0, 3.6), layout="constrained")
    axes = figure.subplots(1, 3)
    for ax, panel, name in zip(
        axes, (_skippy, _zoned, _seeker), ("SKIPPY", "ZONED", "SEEKER"), strict=True
    ):
        panel(ax, drive, legend=False)
        ax.set_title(name, fontsize=9, loc="left")
    number = drive.published.figure
    figure.suptitle(f"Figure {number}: {drive.published.name} (simulated)")
    return _save(figure, out / f"fig{number:02}-{drive.published.key}.png")


def _skippy(ax: Axes, drive: Measured, *, legend: bool) -> None:
    run = next(run for run in drive.runs if run.probe == "skippy")
    distance, took_ms, direction = steps(run)
    lines = Lines(drive.found, direction)
    shown = distance <= 1.05 * lines.count
    kinds = np.array(lines.kinds(distance, took_ms))
    for kind, colour in COLOURS.items():
        mine = shown & (kinds == kind)
        if mine.any():
            ax.plot(distance[mine], took_ms[mine], "o", ms=2.6, color=colour, label=kind)
    every = np.arange(0.0, min(float(distance.max()), 1.05 * lines.count))
    for kind in lines.skews:
        reach = every[every <= lines.count] if "same" in kind else every
        ms = lines.at(reach, kind)
        jumps = np.abs(np.diff(ms, prepend=ms[0])) > lines.rotation_ms / 2
        ax.plot(reach, np.where(jumps, np.nan, ms), "-", lw=0.9, color=COLOURS[kind], alpha=0.6)
    stm = drive.found["stm_sectors"]["value"]
    if stm is not None and lines.access_ms is not None:
        text = f"MTM point\n{stm:.0f} sectors, {lines.access_ms:.2f} ms"
        at = (stm, lines.access_ms)
        ax.annotate(text, at, (6, -16), textcoords="offset points", fontsize=7.5, color=INK)
    ax.set(xlabel="step size, sectors", ylabel="latency, ms")
    ax.set_ylim(0.0, None)
    ax.set_xlim(0.0, None)
    paper = drive.published
    words = f"paper: MTM {paper.mtm_ms:g} ms, revolution {paper.rotation_ms:g} ms"
    ax.set_title(words, fontsize=7.5, loc="right", color=PAPER)
    if legend:
        ax.legend(frameon=False, fontsize=8, loc="upper left", ncols=2)
        low, high = ax.get_ylim()
        ax.set_ylim(low, high + 0.16 * (high - low))


def _zoned(ax: Axes, drive: Measured, *, legend: bool) -> None:
    rates = drive.found["rates"]
    lba = np.array([rate["lba"] for rate in rates], np.float64)
    mib_s = np.array([rate["sectors_per_ms"] for rate in rates]) * 1e3 * 512 / MIB
    gb = lba * 512 / 1e9
    ax.plot(gb, mib_s, "-", lw=1.4, color=LINE, label="measured")
    ax.set(xlabel="position, GB", ylabel="bandwidth, MiB/s")
    ax.set_ylim(0.0, 1.2 * float(mib_s.max()))
    ax.set_xlim(0.0, None)
    _printed(ax, (drive.published.outer_mib_s, drive.published.inner_mib_s))
    if not legend:
        ax.legend(frameon=False, fontsize=8, loc="lower left")
        return
    share = (lba - lba[0]) / (lba[-1] - lba[0])
    for fit in drive.found["bandwidth_fits"]:
        if fit["two_point"] or fit["coefficients"] is None:
            continue
        slope, offset = fit["coefficients"]
        values = slope * (share**2 if fit["curve"] == "quadratic" else share) + offset
        if fit["curve"] == "square-root":
            values = np.sqrt(np.maximum(values, 0.0))
        label = f"{fit['curve']}, RMS {fit['rms_mib_s']:.2f}"
        ax.plot(gb, values, "--", lw=1.0, label=label)
    for zone in drive.found["zones"]:
        start, count = zone["first_lba"]["value"], zone["sectors_per_track"]["value"]
        if start is not None and count is not None:
            at = (start * 512 / 1e9, zone["mib_s"]["value"])
            ax.annotate(f"{count:.0f}", at, (3, 5), textcoords="offset points", fontsize=8)
    ax.legend(frameon=False, fontsize=8, loc="lower left")


def _seeker(ax: Axes, drive: Measured, *, legend: bool) -> None:
    seeks = drive.found["seeks"]
    mtm_ms = drive.found["mtm_ms"]["value"] or 0.0
    distance = np.array([point["distance_sectors"] for point in seeks], np.float64) / 1e6
    times = np.array([point["seek_ms"] for point in seeks])
    ax.plot(distance, times + mtm_ms, "o-", ms=3, lw=0.9, color=LINE, label="with MTM, as drawn")
    ax.plot(distance, times, "o-", ms=2, lw=0.7, color=QUIET, label="seek alone")
    ax.set(xlabel="distance, millions of sectors", ylabel="time, ms")
    ax.set_ylim(0.0, None)
    ax.set_xlim(0.0, None)
    _printed(ax, (drive.published.seek_max_ms, drive.published.seek_min_ms))
    ax.legend(frameon=False, fontsize=8, loc="lower right")
    if legend:
        ax.set_title("from sector 0", fontsize=9, loc="left")


def _printed(ax: Axes, values: Sequence[float | None]) -> None:
    """The paper's values of Table 3 as lines."""
    printed = [value for value in values if value is not None]
    for number, value in enumerate(printed):
        ax.axhline(value, color=PAPER, lw=0.9, ls=":", label=None if number else "paper, Table 3")


def _save(figure: Figure, path: Path) -> Path:
    save_figure(figure, path)
    return path
