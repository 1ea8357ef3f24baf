"""Figure 5, the four definitions of an average seek, and Table 1's access times."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab import library
from platterlab._core import Profile, Requests
from platterlab.studies.criteria import EXACT, MEAN
from platterlab.studies.row import Row
from platterlab.studies.ruemmler_wilkes import figures, rungs
from platterlab.studies.sample import mean_interval

MEAN_DIFFERENCE_MS = 2.66
ACCESS_MS = {"hp-c2200a": 33.6, "hp-97560": 22.8}
ACCESS_BYTES = 8192
ACCESSES = 4_000

TIMES = "Figure 5 and Table 1: seeks and access times"
DEFINITIONS = "The definitions of an average seek"
CURVE = "Table 2's curve, as the measured one is not printed"
OVERHEAD_MS = {"hp-c2200a": 1.1, "hp-97560": 2.2}
"""Of reads, by Table 2."""

ADDED = "which parts are added up was chosen with the figure known"
SHORTER = "weighting by possible seeks of each size emphasizes the shorter ones"
UNSAID = "how the average is taken is not said"

Column = NDArray[np.float64]


def rows(seed: int) -> list[Row]:
    """All rows that need no trace."""
    made = [_figure_5()]
    for name in ACCESS_MS:
        profile = library.load(name)
        made += [*_averages(name, profile), *_access(name, profile, seed)]
        made.append(_sum(name, profile))
    return sorted(made, key=lambda row: (TIMES, DEFINITIONS).index(row.group))


def curve_ms(profile: Profile) -> Column:
    """Seek times at every distance from one cylinder to the full stroke."""
    values = {one["key"]: one["value"] for one in profile.facts()["values"]}
    distance = np.arange(1, values["geometry.cylinders"])
    (a, b), (c, e) = values["seek.short_ms"], values["seek.long_ms"]
    short = distance < values["seek.boundary_cylinders"]
    times = np.where(short, a + b * np.sqrt(distance), c + e * distance)
    return np.asarray(times, dtype=np.float64)


def drawn(out: Path | None) -> list[Path]:
    """The picture of Figure 5, where pictures are wanted."""
    return [figures.seeks(*_curve_and_line(), MEAN_DIFFERENCE_MS, out)] if out else []


def _curve_and_line() -> tuple[Column, Column]:
    times = curve_ms(library.load("hp-c2200a"))
    return times, np.linspace(times[0], times[-1], len(times))


def _figure_5() -> Row:
    times, line = _curve_and_line()
    return Row(
        "figure-5/mean_difference_ms",
        "HP C2200A: the curve against a line, mean difference",
        MEAN_DIFFERENCE_MS,
        float(np.abs(times - line).mean()),
        "ms",
        criterion=MEAN,
        group=TIMES,
        used=CURVE,
    )


def _averages(name: str, profile: Profile) -> list[Row]:
    """The averages that are quoted (page 18): they are not of one drive's worth alike."""
    times = curve_ms(profile)
    weights = np.arange(len(times), 0, -1)
    averages = {
        "third_of_stroke": ("time of a third of the stroke", times[round(len(times) / 3) - 1]),
        "third_of_full": ("a third of the full stroke's time", times[-1] / 3),
        "mean_of_distances": ("mean over all distances", times.mean()),
        "mean_of_pairs": ("mean over all pairs", np.average(times, weights=weights)),
    }
    told = [
        Row(
            f"average-seek/{name}/{key}_ms",
            f"{profile.name}, {what}",
            None,
            float(value),
            "ms",
            group=DEFINITIONS,
        )
        for key, (what, value) in averages.items()
    ]
    shorter = Row(
        f"average-seek/{name}/pairs_over_distances",
        f"{profile.name}, mean over all pairs over that over all distances",
        None,
        float(np.average(times, weights=weights) / times.mean()),
        "",
        target=1.0,
        bound="at-most",
        criterion=EXACT,
        claim=SHORTER,
        evidence="by construction",
        used=f"{CURVE}; of any curve that rises it is true",
        group=DEFINITIONS,
    )
    return [*told, shorter]


def _sum(name: str, profile: Profile) -> Row:
    """Table 1 without a simulation: the parts of an average read, one after the other."""
    values = {one["key"]: one["value"] for one in profile.facts()["values"]}
    times = curve_ms(profile)
    seek_ms = float(times[round(len(times) / 3) - 1])
    turn_ms = 60e3 / float(values["spindle.speed_rpm"])
    bus_ms = ACCESS_BYTES / (1e3 * float(values["bus.read_mb_s"]))
    return Row(
        f"table-1/{name}/access_by_sum_ms",
        f"{profile.name}, overhead, a third of the stroke, half a revolution and 8 KB on the bus",
        ACCESS_MS[name],
        OVERHEAD_MS[name] + seek_ms + turn_ms / 2 + bus_ms,
        "ms",
        criterion=MEAN,
        evidence="fitted",
        used=ADDED,
        group=TIMES,
    )


def _access(name: str, profile: Profile, seed: int) -> list[Row]:
    """Random reads of 8 KB, one after the other."""
    ways = {"": profile}
    if name == "hp-c2200a":
        ways["_as_printed"] = profile.with_overrides(rungs.AS_PRINTED)
    sectors = ACCESS_BYTES // profile.sector_bytes
    dice = np.random.default_rng(seed)
    places = dice.integers(0, profile.capacity_sectors - sectors, ACCESSES)
    requests = Requests.reads(profile, [(int(place), sectors) for place in places])
    made = []
    for end, drive in ways.items():
        times = requests.replay(drive, timing="closed")["service_ms"]
        made.append(
            Row(
                f"table-1/{name}/access{end}_ms",
                f"{profile.name}, random 8 KB read" + (", Table 2 to the letter" if end else ""),
                ACCESS_MS[name],
                float(times.mean()),
                "ms",
                criterion=MEAN,
                interval=mean_interval([float(time) for time in times]),
                group=TIMES,
                reason=UNSAID,
            )
        )
    return made
