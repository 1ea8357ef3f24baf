"""Distributions, and single errors against time: phase lock and its loss can be seen there."""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from platterlab.output import save_figure
from platterlab.plot_style import STYLE
from platterlab.studies.disksim_validation.runs import Drive
from platterlab.studies.ruemmler_wilkes.figures import MEASURED, QUIET, SIMULATED


def _grid(count: int) -> tuple[Figure, Any]:
    figure = Figure(figsize=(9.0, 2.6 * -(-count // 2)), layout="constrained")
    axes = figure.subplots(-(-count // 2), 2, squeeze=False).ravel()
    for spare in axes[count:]:
        spare.set_visible(False)
    return figure, axes


def distributions(drives: list[Drive], target: Path) -> Path:
    """The distribution of service times of each unseen half: drive, DiskSim and ours."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _grid(len(drives))
        for axis, drive in zip(axes, drives, strict=False):
            run = drive.unseen
            shares = (np.arange(len(run.ours_ms)) + 0.5) / len(run.ours_ms)
            for times, color, width, label in (
                (run.measured_ms, MEASURED, 2.4, "drive"),
                (run.disksim_ms, QUIET, 1.2, "DiskSim"),
                (run.ours_ms, SIMULATED, 1.0, "calibrated"),
            ):
                axis.plot(np.sort(times), shares, color=color, linewidth=width, label=label)
            axis.set_xlim(0, float(np.quantile(run.measured_ms, 0.995)))
            axis.set_title(drive.which.what, loc="left")
            axis.set_xlabel("service time, ms")
        for axis in axes[::2]:
            axis.set_ylabel("share of requests")
        axes[0].legend(frameon=False)
        save_figure(figure, target)
    return target


def errors_in_time(drives: list[Drive], target: Path) -> Path:
    """The error of each request of the unseen halves against the time of its issue."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _grid(len(drives))
        for axis, drive in zip(axes, drives, strict=False):
            run = drive.unseen
            for times, color, size, label in (
                (run.disksim_ms, QUIET, 1.5, "DiskSim"),
                (run.ours_ms, SIMULATED, 2.5, "calibrated"),
            ):
                error = times - run.measured_ms
                axis.plot(
                    run.at_s, error, ".", color=color, markersize=size, label=label,
                    markeredgewidth=0,
                )  # fmt: skip
            reach = 1.3 * drive.found.reading.period.rotation_ms
            axis.set_ylim(-reach, reach)
            axis.set_title(drive.which.what, loc="left")
            axis.set_xlabel("time, s")
        for axis in axes[::2]:
            axis.set_ylabel("simulated - measured, ms")
        # Points lie everywhere; the legend has to stand before them.
        axes[0].legend(frameon=True, framealpha=0.9, edgecolor="none", markerscale=4)
        save_figure(figure, target)
    return target
