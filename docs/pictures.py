"""Draws the pictures of docs/concepts from simulations: `make docs`."""

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import platterlab as pl

IMAGES = Path(__file__).resolve().parent / "images" / "concepts"
SPANS = {
    "queue": "#c3cbd5", "overhead": "#8795a6", "wait": "#b3a0c8", "seek": "#d98200",
    "rotation": "#2f7fc1", "transfer": "#12936c", "bus": "#c2679b",
}  # fmt: skip


def where_time_goes(axes: Axes) -> None:
    """Fourteen requests of a busy drive, each as a bar of the parts of its time."""
    drive = pl.Drive("hp-97560")
    draw = np.random.default_rng(5)
    count = 14
    trace = pl.Trace.of({
        "arrival_ms": np.sort(draw.uniform(0, 300, count)),
        "lba": draw.integers(0, drive.capacity_sectors - 64, count), "sectors": [16] * count,
        "operation": ["read"] * count,
    })  # fmt: skip
    rows = pl.simulate(drive, trace, rows=True).rows
    left = np.zeros(count)
    for name, color in SPANS.items():
        width = rows.column(f"{name}_ms").to_numpy()
        axes.barh(np.arange(count), width, left=left, color=color, label=name)
        left += width
    axes.invert_yaxis()
    axes.set(xlabel="ms since the request came", ylabel="request", yticks=range(count))
    axes.legend(ncols=7, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, fontsize=8)


def what_skippy_sees(axes: Axes) -> None:
    """Writes at rising steps, and the time from the end of one to the end of the next."""
    drive = pl.Drive("mock")
    steps = np.arange(1, 260)
    lba = np.cumsum(steps)
    trace = pl.Trace.of({
        "arrival_ms": np.zeros(len(lba)), "lba": lba, "sectors": [1] * len(lba),
        "operation": ["write"] * len(lba), "think_ms": np.zeros(len(lba)),
    })  # fmt: skip
    rows = pl.simulate(drive, trace, timing="closed", rows=True).rows
    axes.plot(steps, rows.column("service_ms").to_numpy(), ".", ms=3, color=SPANS["rotation"])
    axes.axvline(36, color=SPANS["seek"], lw=1)
    axes.annotate("the least step that needs no extra turn", (38, 1.2), color=SPANS["seek"])
    axes.set(xlabel="step, sectors", ylabel="time of a write, ms", ylim=(0, None))


def open_arrivals(axes: Axes) -> None:
    """The same requests, on time whatever the drive does, or each after the one before."""
    drive = pl.Drive("hp-97560")
    draw = np.random.default_rng(2)
    count = 4000
    gaps = draw.exponential(1.0, count)
    common = {
        "lba": draw.integers(0, drive.capacity_sectors - 16, count), "sectors": [16] * count,
        "operation": ["read"] * count,
    }  # fmt: skip
    means = np.array([200, 100, 60, 45, 36, 32, 29, 27, 25.5, 24.5])
    lines: dict[str, list[float]] = {"open": [], "closed": []}
    for mean in means:
        arrivals = np.cumsum(gaps * mean)
        for timing in lines:
            trace = pl.Trace.of({**common, "arrival_ms": arrivals, "think_ms": gaps * mean})
            told = pl.simulate(drive, trace, timing=timing)
            lines[timing].append(told.mean_response_ms or 0.0)
    labels = {
        "open": ("open: they come when they came", SPANS["seek"]),
        "closed": ("closed: each comes after the one before is done", SPANS["rotation"]),
    }
    for timing, values in lines.items():
        axes.plot(1000 / means, values, "o-", label=labels[timing][0], color=labels[timing][1])
    axes.set(xlabel="requests per second, as thought of", ylabel="mean response, ms", yscale="log")
    axes.legend(frameon=False)


def what_a_skew_is(axes: Axes) -> None:
    """A sequential read over track boundaries, with the tracks' beginnings turned and without."""
    drive = pl.Drive("hp-97560")
    sectors = np.arange(72, 72 * 9, 4)
    for skewed, color in ((True, SPANS["transfer"]), (False, SPANS["seek"])):
        plain = {
            f"zone[{zone}].{skew}_skew_sectors": 0
            for zone in range(3)
            for skew in ("track", "cylinder")
            if f"zone[{zone}].{skew}_skew_sectors" in drive.values
        }
        used = drive if skewed else drive.with_values(plain)
        times = []
        for many in sectors:
            trace = pl.Trace.of({
                "arrival_ms": [0.0], "lba": [0], "sectors": [int(many)], "operation": ["read"],
            })  # fmt: skip
            times.append(pl.simulate(used, trace).figures.service.mean_ms)
        name = "turned by the skew" if skewed else "all at the same angle"
        axes.plot(sectors, times, color=color, label=f"tracks begin: {name}")
    axes.set(xlabel="sectors read at once, 72 on a track", ylabel="time, ms", ylim=(0, None))
    axes.legend(frameon=False)


def one_request(axes: Axes) -> None:
    """Two models of the same drive: one knows where the platter is, the other draws it."""
    drive = pl.Drive("hp-c2200a")
    trace = pl.Trace.random(drive, 5000, think_ms=10.0, seed=3)
    truth = pl.simulate(drive, trace, timing="closed", rows=True).rows
    models = {
        "platter followed, controller 0.1 ms too quick": drive.with_values(
            {"controller.read_ms": 5.0}
        ),
        "right controller, platter drawn by chance": drive.with_values(
            {"spindle.latency": "uniform"}
        ),
    }
    measured = truth.column("service_ms").to_numpy()
    for (name, model), color in zip(models.items(), ("#2f7fc1", "#d98200"), strict=True):
        rows = pl.simulate(model, trace, timing="closed", rows=True).rows
        error = np.sort(np.abs(rows.column("service_ms").to_numpy() - measured))
        axes.plot(error, np.linspace(0, 1, len(error)), color=color, label=name)
    axes.set(xlabel="error of a single request, ms", ylabel="share of requests with less")
    axes.legend(frameon=False, loc="lower right")


PICTURES: dict[str, Callable[[Axes], None]] = {
    "where-time-goes": where_time_goes,
    "what-skippy-sees": what_skippy_sees,
    "open-arrivals": open_arrivals,
    "what-a-skew-is": what_a_skew_is,
    "one-request": one_request,
}


def main() -> None:
    """Draws every picture."""
    # The same bytes from the same simulation.
    mpl.rcParams["svg.hashsalt"] = "platterlab"
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        figure = Figure(figsize=(7.2, 3.9), layout="constrained")
        axes = figure.subplots()
        axes.spines[["top", "right"]].set_visible(False)
        draw(axes)
        figure.savefig(IMAGES / f"{name}.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
