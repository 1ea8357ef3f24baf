"""The study's pictures."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from platterlab._core import demerit_ms
from platterlab.output import save_figure
from platterlab.plot_style import STYLE

Column = NDArray[np.float64]

MEASURED, SIMULATED, QUIET = "#d1662c", "#1f6fb2", "#96a3b3"
NONE_PRINTED: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Strengths:
    """How well phases agree, from 0 to 1, over track and cylinder skew in sectors."""

    track: NDArray[np.int64]
    by_track: Column
    cylinder: NDArray[np.int64]
    by_cylinder: Column


def ladder(
    simulated: dict[str, Column],
    reference_ms: Column,
    reference: str,
    target: Path,
    title: str,
    paper_pct: Mapping[str, float] = NONE_PRINTED,
) -> Path:
    """A distribution plot per rung over its reference curve, as in Figure 4.

    Args:
        simulated: service times of each rung, in milliseconds.
        reference_ms: their reference.
        reference: what that is, for the legend: `measured`, `full model`.
        target: the picture's file.
        title: over all plots.
        paper_pct: demerits that the paper prints of these rungs, in % of the mean.
    """
    across = 2 if len(simulated) <= 4 else 3
    down = -(-len(simulated) // across)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.2 * across, 2.9 * down), layout="constrained")
        axes = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).ravel()
        limit = float(np.quantile(reference_ms, 0.998))
        for ax in axes[len(simulated) :]:
            ax.set_visible(False)
        for ax, (step, times) in zip(axes, simulated.items(), strict=False):
            share = np.linspace(0.0, 1.0, 2000)
            ax.plot(
                np.quantile(reference_ms, share), share, color=MEASURED, lw=1.6, label=reference
            )
            ax.plot(np.quantile(times, share), share, color=SIMULATED, lw=1.2, label="rung")
            demerit = demerit_ms(times, reference_ms)
            text = f"{step}\n{demerit:.2f} ms, {100 * demerit / reference_ms.mean():.1f} %"
            ax.text(0.97, 0.08, text, transform=ax.transAxes, ha="right", color="#3c4654")
            if step in paper_pct:
                words = f"paper {paper_pct[step]:g} %"
                ax.text(0.97, 0.01, words, transform=ax.transAxes, ha="right", color=MEASURED)
            ax.set_xlim(0.0, limit)
            ax.set_ylim(0.0, 1.0)
        axes[0].legend(loc="upper left", frameon=False)
        figure.supxlabel("service time, ms")
        figure.supylabel("share of requests")
        figure.suptitle(title)
        return _save(figure, target)


def seeks(curve_ms: Column, line_ms: Column, paper_ms: float, out: Path) -> Path:
    """Figure 5: seek times over distance, the line between their ends, and how far they part."""
    mean_ms = float(np.abs(curve_ms - line_ms).mean())
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(5.8, 3.2), layout="constrained")
        ax = figure.subplots()
        distance = np.arange(1, len(curve_ms) + 1)
        ax.plot(distance, curve_ms, color=SIMULATED, lw=1.4, label="curve of Table 2")
        ax.plot(distance, line_ms, color=QUIET, lw=1.2, label="line")
        text = f"mean difference {mean_ms:.2f} ms"
        ax.text(0.97, 0.12, text, transform=ax.transAxes, ha="right", color="#3c4654")
        words = f"paper {paper_ms:g} ms"
        ax.text(0.97, 0.05, words, transform=ax.transAxes, ha="right", color=MEASURED)
        ax.set_xlabel("distance, cylinders")
        ax.set_ylabel("seek, ms")
        ax.legend(loc="upper left", frameon=False)
        figure.suptitle("Figure 5: seeks of the HP C2200A")
        return _save(figure, out / "hp-c2200a-seeks.png")


def single_requests(simulated_ms: Column, measured_ms: Column, out: Path) -> Path:
    """The fitted rung on unseen requests: the error of each, as a histogram and along time."""
    error = simulated_ms - measured_ms
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 3.0), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.6])
        left.hist(error, bins=np.linspace(-20, 20, 201).tolist(), color=SIMULATED, log=True)
        left.set_xlabel("simulated - measured, ms")
        left.set_ylabel("requests")
        right.plot(np.clip(error, -20, 20), ".", ms=1.2, color=SIMULATED, alpha=0.35)
        right.set_xlabel("request of the second half")
        right.set_ylabel("simulated - measured, ms")
        right.set_ylim(-20, 20)
        inside = 100 * np.mean(np.abs(error) <= 0.5)
        figure.suptitle(f"HP C2200A, unseen half: {inside:.1f} % of requests within 0.5 ms")
        return _save(figure, out / "hp-c2200a-single-requests.png")


def skews(strengths: Strengths, out: Path) -> Path:
    """What the phases of completions say about the skews."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 2.8), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        cases = (
            (
                left,
                strengths.track,
                strengths.by_track,
                "track skew",
                {12: "header", 34: "Table 2"},
            ),
            (
                right,
                strengths.cylinder,
                strengths.by_cylinder,
                "cylinder skew",
                {43: "Table 2", 46: "34 + 12"},
            ),
        )
        for ax, skew, strength, label, marks in cases:
            ax.bar(skew, strength, color=[SIMULATED if k in marks else QUIET for k in skew])
            for mark, word in marks.items():
                height = float(strength[skew == mark][0])
                ax.annotate(f"{mark}: {word}", (mark, height), (0, 3), ha="center",
                            textcoords="offset points", fontsize=8)  # fmt: skip
            ax.set_xlabel(f"{label}, sectors")
        left.set_ylabel("agreement of phases")
        figure.suptitle("HP C2200A: completions of the first half against the platter")
        return _save(figure, out / "hp-c2200a-skews.png")


def _save(figure: Figure, path: Path) -> Path:
    save_figure(figure, path)
    return path
