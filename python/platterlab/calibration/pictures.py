"""What there is to draw of a calibration: phases, the seek curve with its points, residuals."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from platterlab.calibration.job import Calibration
from platterlab.calibration.judged.verdict import Part
from platterlab.calibration.platter.positioning_fit import SMOOTH, WIDTHS_MS
from platterlab.calibration.trace.observed import Floats, Whole, observe

MOST_POINTS = 3_000
"""More than a page draws well; every so-manyth request is taken then."""

NEAR_EDGE_MS = 2.0
"""A request that caught or missed its sector by less tells of the seek curve."""

CLASSES = 8
"""Into which residuals are cut, evenly."""

NEAR_MS = 0.25
"""So far off a request counts as predicted."""


@dataclass(frozen=True)
class Phases:
    """Where requests met the platter.

    Attributes:
        at_s: when, on the trace's clock.
        off_ms: how much later than the layout has it.
        write: which are writes.
    """

    at_s: list[float]
    off_ms: list[float]
    write: list[bool]


@dataclass(frozen=True)
class Seeks:
    """The seek curve, and the requests that pin it down.

    Attributes:
        curve: distances in cylinders, times in ms, and half their 95 % intervals.
        caught: distances and times of requests that just caught their sector: no seek took longer.
        missed: of those that just missed it: no seek was faster.
    """

    curve: list[tuple[int, float, float]]
    caught: list[tuple[int, float]]
    missed: list[tuple[int, float]]


@dataclass(frozen=True)
class Class:
    """Unseen requests that have something in common.

    Attributes:
        kind: what they have in common.
        low, high: between what that is.
        count: how many there are.
        start, result: the share of them more than `NEAR_MS` off.
    """

    kind: str
    low: float
    high: float
    count: int
    start: float
    result: float


@dataclass(frozen=True)
class Pictures:
    """Everything to be drawn; None where the platter was not found."""

    phases: Phases | None
    seeks: Seeks | None
    classes: list[Class]


def pictures(found: Calibration) -> Pictures:
    """What to draw of a calibration."""
    return Pictures(_phases(found), _seeks(found), _classes(found))


def _phases(found: Calibration) -> Phases | None:
    angles, seen = found.angles, found.reading.seen
    if angles is None:
        return None
    rows = found.reading.waiting(with_writes=True).which
    some = _some(len(rows))
    return Phases(
        at_s=(seen.end_ms[rows][some] / 1e3).tolist(),
        off_ms=(angles.off_turns[some] * angles.rotation_ms).tolist(),
        write=seen.write[rows][some].tolist(),
    )


def _seeks(found: Calibration) -> Seeks | None:
    times = found.positioning
    if times is None:
        return None
    model = times.model
    curve = [
        (int(distance), float(time), 1.96 * float(error))
        for distance, time, error in zip(
            times.distances, times.seek_ms, times.errors_ms, strict=True
        )
    ]
    ready, by_data = model.ready(times.full, SMOOTH * WIDTHS_MS[-1])
    seek = model.arm[:, model.curve]
    far = (seek.sum(axis=1) > 0) & (by_data < 0.5)
    # The curve is linear in the root of the distance between its knots.
    distance = np.rint((seek @ np.sqrt(model.knots.astype(float))) ** 2)
    seek_ms = seek @ times.full[model.curve]
    caught_ms = seek_ms + model.waited_ms - ready
    missed_ms = caught_ms - model.rotation_ms
    sides = []
    for side_ms in (caught_ms, missed_ms):
        near = np.flatnonzero(far & (np.abs(side_ms - seek_ms) < NEAR_EDGE_MS))
        near = near[_some(len(near))]
        pairs = zip(distance[near], side_ms[near], strict=True)
        sides.append([(int(one), float(other)) for one, other in pairs])
    return Seeks(curve, sides[0], sides[1])


def _some(count: int) -> Whole:
    """Which of so many are drawn."""
    return np.arange(0, count, max(1, -(-count // MOST_POINTS)))


def _classes(found: Calibration) -> list[Class]:
    """Unseen requests by size, distance, zone and gap."""
    count = len(found.reading.requests)
    part = Part(found.reading, slice(found.fitted if found.fitted < count else 0, None))
    off = [
        np.abs(np.asarray(part.simulated(profile)["service_ms"]) - part.measured_ms)
        for profile in (found.start, found.profile)
    ]
    seen = observe(found.profile, found.reading.requests, found.reading.seen.surfaces)
    known = np.isfinite(off[0]) & np.isfinite(off[1])
    classes = []
    for kind, values in (
        ("size, sectors", seen.sectors.astype(np.float64)),
        ("distance, cylinders", np.abs(seen.seek_cylinders).astype(np.float64)),
        ("zone", seen.first.zone.astype(np.float64)),
        ("idle before it, ms", seen.gap_ms),
    ):
        some = values[part.rows]
        for low, high in _cuts(some[known & np.isfinite(some)], kind == "zone"):
            inside = known & (some >= low) & (some <= high)
            if inside.any():
                start, result = (float(np.mean(each[inside] > NEAR_MS)) for each in off)
                classes.append(Class(kind, low, high, int(inside.sum()), start, result))
    return classes


def _cuts(values: Floats, each: bool) -> list[tuple[float, float]]:
    """From where to where: every value by itself, or as many requests in each."""
    if not len(values):
        return []
    ordered = np.unique(values)
    if each or len(ordered) <= CLASSES:
        return [(float(value), float(value)) for value in ordered]
    edges = np.unique(np.quantile(values, np.linspace(0, 1, CLASSES + 1)))
    # A class ends with the last value below the next one's first.
    return [
        (float(low), float(high if last else ordered[ordered < high].max(initial=low)))
        for (low, high), last in zip(
            pairwise(edges), [False] * (len(edges) - 2) + [True], strict=True
        )
    ]
