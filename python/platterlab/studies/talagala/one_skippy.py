"""Findings of a single SKIPPY run, read as section 4.1 reads its graph, and nothing else measured.

The rows of Table 3 take other probes too, as a single run leaves some values to chance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from platterlab.measure.samples import Run
from platterlab.report.sawtooth import steps
from platterlab.studies.criteria import CLAIMED, EXACT
from platterlab.studies.row import Row
from platterlab.studies.talagala.table3 import PUT_IN, Measured

Column = NDArray[np.float64]

ON_LINE_MS = 0.1
"""Up to this from a line a request is on it."""

FIRST_STEPS = 15
"""Before the MTM point on every drive."""

APART = 10
"""Steps between the two that give a slope: of one alone the host's jitter would be most."""

SECOND_S = 1.0
ALTERNATIVES = {
    "rotation_by_height_ms": ("rotation by the height of the sawtooth", "ms", 8.30),
    "stm_sectors": ("X of the MTM point", "", 47.0),
    "access_ms": ("Y of the MTM point", "ms", 2.20),
    "transfer_ms": ("transfer time, as the offset of L2", "ms", 0.06),
    "mtm_by_difference_ms": ("MTM as Y of point 2 less Y of point 1", "ms", 1.87),
}
"""Section 4.1.3, of the UltraStar."""


@dataclass(frozen=True)
class Sawtooth:
    """Lines of a SKIPPY graph: latency = offset + slope x step, plus a revolution before STM."""

    slope_ms: float
    rotation_ms: float
    offset_ms: float
    first_ms: float
    stm: float

    @property
    def count(self) -> float:
        """Sectors of a track."""
        return self.rotation_ms / self.slope_ms


def read(run: Run) -> dict[str, float]:
    """The values of a run by their names in Table 3, and those of section 4.1.3."""
    step, took_ms, _ = steps(run)
    teeth = lines(step, took_ms)
    found = {
        "rotation_ms": teeth.first_ms,
        "rotation_by_height_ms": teeth.rotation_ms,
        "sectors_per_track": teeth.count,
        "stm_sectors": teeth.stm,
        "access_ms": teeth.offset_ms + teeth.slope_ms * teeth.stm,
        # The paper's steps are from the end of a write, a sector less than ours.
        "transfer_ms": teeth.offset_ms + teeth.slope_ms,
        "mtm_ms": teeth.offset_ms + teeth.slope_ms * (teeth.stm - 1.0),
        "mtm_by_difference_ms": teeth.slope_ms * (teeth.stm - 1.0),
    }
    return found | _boundaries(step, took_ms, teeth)


def lines(step: Column, took_ms: Column) -> Sawtooth:
    """The lines on which most requests of a SKIPPY run lie."""
    slope = float(np.median(took_ms[APART:] - took_ms[:-APART])) / APART
    turn = float(np.median((took_ms - slope * step)[:FIRST_STEPS]))
    for _ in range(2):
        # A second time with the line that the first found: the median of steps is a rough slope.
        turns = np.round((took_ms - slope * step) / turn)
        near = np.abs(took_ms - slope * step - turns * turn) < 2 * ON_LINE_MS
        near &= (turns <= 1) & (step < turn / slope)
        columns = np.column_stack([step, turns, np.ones_like(step)])[near]
        fit = np.linalg.lstsq(columns, took_ms[near], rcond=None)[0]
        slope, turn = float(fit[0]), float(fit[1])
    x, k = step[near], turns[near]
    # Lost turns and short cuts lie on the wrong side here and there: the split with the fewest.
    wrong = [int((k[x >= at] == 1).sum() + (k[x < at] == 0).sum()) for at in x]
    stm = float(x[int(np.argmin(wrong))])
    return Sawtooth(slope, turn, float(fit[2]), float(fit[2]) + turn, stm)


def _boundaries(step: Column, took_ms: Column, lines: Sawtooth) -> dict[str, float]:
    """Spikes: by how much they are off the lines, and how many there are to a cylinder."""
    single = (step > 0) & (step < 0.98 * lines.count)
    off = np.mod((took_ms - lines.offset_ms - lines.slope_ms * step)[single], lines.rotation_ms)
    spikes = off[(off > 2 * ON_LINE_MS) & (off < lines.rotation_ms - 2 * ON_LINE_MS)]
    track = _densest(spikes)
    cylinder = _densest(spikes[np.abs(spikes - track) > 2 * ON_LINE_MS])
    kinds = [abs(one - cylinder) < 2 * ON_LINE_MS for one in spikes
             if min(abs(one - cylinder), abs(one - track)) < 2 * ON_LINE_MS]  # fmt: skip
    ends = np.flatnonzero(kinds)
    surfaces = float(np.median(np.diff(ends))) if len(ends) > 1 else float("nan")
    return {"track_skew_ms": track, "cylinder_skew_ms": cylinder, "surfaces": surfaces}


def _densest(values: Column) -> float:
    """The median of the most values that lie near each other; not a number where there are none."""
    if not len(values):
        return float("nan")
    near = np.abs(values[:, None] - values[None, :]) < ON_LINE_MS
    return float(np.median(values[near[int(near.sum(axis=1).argmax())]]))


SEVEN = (
    ("rotation_ms", "rotation", "ms"),
    ("mtm_ms", "minimum time to media", "ms"),
    ("sectors_per_track", "sectors per track", ""),
    ("surfaces", "surfaces", ""),
    ("track_skew_ms", "head switch, as the paper names the track skew", "ms"),
    ("cylinder_skew_ms", "cylinder switch, as the paper names the cylinder skew", "ms"),
)


def rows(drive: Measured) -> list[Row]:
    """What the first run shows, against the paper's values; its time; section 4.1.3."""
    run = next(run for run in drive.runs if run.probe == "skippy")
    found, published = read(run), drive.published
    group = "Section 4.1: a single SKIPPY run"
    made = [
        Row(
            f"one-skippy/{published.key}/{key}",
            f"{published.name}: {what}",
            float(getattr(published, key)),
            found[key],
            unit,
            criterion=EXACT if key == "surfaces" else CLAIMED,
            evidence="by construction",
            used=PUT_IN,
            group=group,
        )
        for key, what, unit in SEVEN
        if np.isfinite(found[key])
    ]
    made.append(
        Row(
            f"one-skippy/{published.key}/time_s",
            f"{published.name}: drive time of the run, {run.requests} requests",
            None,
            run.drive_time_s,
            "s",
            target=SECOND_S,
            bound="at-most",
            criterion=EXACT,
            claim="SKIPPY takes roughly one second (section 4)",
            group=group,
        )
    )
    if published.key == "ultrastar":
        made += [
            Row(
                f"one-skippy/ultrastar/{key}", f"{published.name}: {what}", paper, found[key], unit,
                criterion=CLAIMED, group="Section 4.1.3: other ways to read it",
                evidence="by construction", used=PUT_IN,
            )
            for key, (what, unit, paper) in ALTERNATIVES.items()
        ]  # fmt: skip
    return made
