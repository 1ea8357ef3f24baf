"""Where the platter has to be followed: over the pauses of a trace its position is lost.

Requests shortly after each other tell of each zone's skews, by what lies between them, and of where
zones begin after one another. Then the platter is where the requests around each have it.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from platterlab.calibration.buffer.read_completion import Streamed
from platterlab.calibration.judged.cross_validation import SURE, is_sure_gain
from platterlab.calibration.platter.bursts import by_size, nearest
from platterlab.calibration.platter.regression import (
    NO_DRIFT,
    Angles,
    PairDesign,
    phases,
    regress_pairs,
)
from platterlab.calibration.trace.observed import Floats, Observed, Whole
from platterlab.calibration.trace.peaks import HEAD_CELLS, Peak, transform_peak
from platterlab.calibration.trace.rotation_period import Waiting

LEAST_IN_ZONE = 25
"""A zone with fewer requests of its own has the angles of the others, or else the profile's."""

LEAST_STRENGTH = 0.3
"""Of a zone's peak; one below it is chance."""

SHORTLY_MS = 2_000.0
"""Over so long the platter's position is known from the request before."""

IN_A_ROW, LEAST_ROWS = 60, 8
"""So many requests shortly after each other tell how evenly the platter seems to drift; the median
of so many such rows does, though its position is lost within some of them."""

FAR_MS = tuple(SHORTLY_MS * 2**number for number in range(6))
"""Apart from each other, up to twice as much each: requests that bear such a period out. For longer
no clock and spindle are sure to go alike."""

NEIGHBOURS = 15
"""Requests before and after that tell where the platter is, where it has to be followed."""

BEHIND = 3
"""Each request is paired with so many that come next."""


def followed(
    seen: Observed, waiting: Waiting, start: Angles, sector_ms: float, rates_ms: Floats
) -> Angles:
    """The angles where the platter has to be followed from request to request."""
    paired = _from_pairs(seen, waiting, start)
    if not paired.known.any():
        return paired
    paired = _joined(seen, waiting, paired)
    # Those of one zone tell of its skews, those of two of where one begins after the other.
    zones = [0] if seen.zones == 1 else [*range(seen.zones), None]
    pairs = np.concatenate([_pairs(seen, waiting, zone, same_kind=False) for zone in zones], axis=1)

    design = PairDesign(seen, waiting, paired, pairs)

    def fit(way: Angles) -> Angles:
        found = follow(seen, waiting, regress_pairs(seen, waiting, way, pairs, design))
        timed = _in_time(found)
        if timed.drift_ms is found.drift_ms:
            return timed
        late = (phases(seen, waiting, one) for one in (replace(found, drift_ms=NO_DRIFT), timed))
        if are_nearer_far_apart(waiting.end_ms, *late):
            return follow(seen, waiting, timed)
        # How evenly it seems to drift is how far the period may be off.
        off_ms = abs(timed.rotation_ms - found.rotation_ms)
        return replace(found, errors=found.errors | {"rotation_ms": off_ms})

    ways = [paired, replace(paired, reads=Streamed(), sector_ms=sector_ms)]
    best = nearest(seen, [fit(way) for way in ways], sector_ms)
    return by_size(seen, waiting, best, rates_ms, fit)


def follow(seen: Observed, waiting: Waiting, angles: Angles) -> Angles:
    """The platter where the requests around each have it, the skews as they are."""
    late = phases(seen, waiting, angles)
    order = np.argsort(waiting.end_ms, kind="stable")
    unit = np.exp(2j * np.pi * late[order])
    total = np.concatenate([[0], np.cumsum(unit)])
    at = np.arange(len(order))
    first = np.maximum(at - NEIGHBOURS, 0)
    last = np.minimum(at + NEIGHBOURS + 1, len(order))
    turns = np.angle(total[last] - total[first]) / (2 * np.pi)
    times = waiting.end_ms[order]
    lags = angles.lag(times) + turns * angles.rotation_ms
    followed = replace(angles, drift_ms=(times, np.asarray(lags)))
    off = phases(seen, waiting, followed)
    # Each lag is the mean of the requests around it, and peak to peak is between two of them.
    lag_ms = 1.4826 * float(np.median(np.abs(off))) * angles.rotation_ms * np.sqrt(2.0)
    errors = angles.errors | {"drift_ms": lag_ms / np.sqrt(2 * NEIGHBOURS + 1)}
    return replace(followed, off_turns=off, errors=errors)


def _in_time(angles: Angles) -> Angles:
    """The same with the period by how the platter falls behind while it is never lost.

    Requests shortly after each other agree on many periods, and under a wrong one the platter seems
    to drift evenly: from each request to the next by far less than a turn, and by whole turns over
    all of them.
    """
    times, lags = angles.drift_ms
    ends = np.flatnonzero(np.diff(times) > SHORTLY_MS) + 1
    slopes = [
        float(np.polyfit(some - some[0], np.unwrap(late, period=angles.rotation_ms), 1)[0])
        for part in np.split(np.arange(len(times)), ends)
        for at in range(0, len(part) - IN_A_ROW + 1, IN_A_ROW)
        for some, late in [(times[part[at : at + IN_A_ROW]], lags[part[at : at + IN_A_ROW]])]
    ]
    if len(slopes) < LEAST_ROWS:
        return angles
    slope = float(np.median(slopes))
    scatter = 1.4826 * float(np.median(np.abs(np.array(slopes) - slope)))
    # Of a median, by that of single ones.
    error = np.sqrt(np.pi / 2) * scatter / np.sqrt(len(slopes))
    errors = angles.errors | {"rotation_ms": float(error) * angles.rotation_ms}
    if abs(slope) < SURE * error:
        return replace(angles, errors=errors)
    rotation_ms = angles.rotation_ms / (1 - slope)
    return replace(angles, rotation_ms=rotation_ms, drift_ms=NO_DRIFT, errors=errors)


def drift_peak_ms(angles: Angles) -> float | None:
    """How far the platter went to and fro against the clock.

    None where that is half a turn or more: lags are known but for whole turns, and any then fit.
    """
    lags = angles.drift_ms[1]
    peak = float(np.ptp(lags)) if len(lags) else 0.0
    return peak if peak < angles.rotation_ms / 2 else None


def are_nearer_far_apart(end_ms: Floats, before: Floats, after: Floats) -> bool:
    """Whether requests far from each other agree more under another period, and surely.

    A row of requests is short: where its first or last ones end late, the platter seems to drift by
    parts of a millisecond, which a pause many times as long would have in whole ones.

    Args:
        end_ms: when the media had each.
        before: by how many turns each is late under the one period.
        after: and under the other.
    """
    order = np.argsort(end_ms, kind="stable")
    times = end_ms[order]
    gains = [np.zeros(0)]
    for apart_ms in FAR_MS:
        behind = np.searchsorted(times, times + apart_ms)
        first = np.flatnonzero(behind < len(times))
        first = first[times[behind[first]] - times[first] < 2 * apart_ms]
        pairs = order[first], order[behind[first]]
        agreed = [np.cos(2 * np.pi * (late[pairs[1]] - late[pairs[0]])) for late in (after, before)]
        gains.append(agreed[0] - agreed[1])
    gain = np.concatenate(gains)
    return bool(len(gain)) and is_sure_gain(gain)


def _joined(seen: Observed, waiting: Waiting, paired: Angles) -> Angles:
    """The same with the zones' first angles, as requests of two zones have one after the other.

    All of them agree best on the leading eigenvector of what each two zones agree on.
    """
    if seen.zones == 1:
        return paired
    late = np.exp(2j * np.pi * phases(seen, waiting, paired))
    first, second = _pairs(seen, waiting, None, same_kind=True)
    zone = seen.first.zone[waiting.which]
    between = np.zeros((seen.zones, seen.zones), dtype=np.complex128)
    both = paired.known[zone[first]] & paired.known[zone[second]]
    both &= zone[first] != zone[second]
    first, second = first[both], second[both]
    np.add.at(between, (zone[second], zone[first]), late[second] * np.conj(late[first]))
    between = between + between.conj().T
    weight = np.sqrt(np.maximum(np.abs(between).sum(axis=1), 1.0))
    _, vectors = np.linalg.eigh(between / weight[:, None] / weight[None, :])
    return replace(paired, offset=np.angle(vectors[:, -1]) / (2 * np.pi))


def _from_pairs(seen: Observed, waiting: Waiting, start: Angles) -> Angles:
    """Each zone by the transform of what lies between requests shortly after each other."""
    rows, places = waiting.which, seen.first
    zeros = np.zeros(seen.zones)
    start = replace(start, offset=zeros, head=zeros, step=zeros, group=zeros, write_turns=0.0)
    late = np.exp(2j * np.pi * phases(seen, waiting, start))
    head, step = np.zeros(seen.zones), np.zeros(seen.zones)
    known = np.zeros(seen.zones, dtype=bool)
    for zone in range(seen.zones):
        first, second = _pairs(seen, waiting, zone, same_kind=True)
        if len(first) < LEAST_IN_ZONE:
            continue
        between = late[second] * np.conj(late[first])
        heads = places.head[rows[second]] - places.head[rows[first]]
        steps = places.step[rows[second]] - places.step[rows[first]]
        cells = 1 << int(np.ceil(np.log2(4 * (int(np.abs(steps).max()) + 1))))
        peak = transform_peak(between, heads, steps, max(256, cells))
        known[zone] = peak.strength > LEAST_STRENGTH
        head[zone], step[zone] = _zoomed(between, heads, steps, peak, max(256, cells))
    names = ("head", "step", "surface", "along", "drift_ms", "rotation_ms", "sector_ms")
    errors = dict.fromkeys((*names, "read_share"), 0.0)
    start = replace(start, errors=errors)
    return replace(
        start, head=head, step=step, group_steps=0 * start.group_steps, known=known, tracked=True
    )


def _zoomed(
    between: NDArray[np.complex128], heads: Whole, steps: Whole, peak: Peak, cells: int
) -> tuple[float, float]:
    """The peak between the cells of its transform."""
    head, step = peak.head_turns, peak.step_turns
    wide, fine = 1 / HEAD_CELLS, 1 / cells
    for _ in range(4):
        tries = [
            (head + wide * a / 4, step + fine * b / 4) for a in range(-4, 5) for b in range(-4, 5)
        ]
        sums = [
            abs(np.sum(between * np.exp(-2j * np.pi * (one * heads + other * steps))))
            for one, other in tries
        ]
        head, step = tries[int(np.argmax(sums))]
        wide, fine = wide / 4, fine / 4
    return head, step


def _pairs(seen: Observed, waiting: Waiting, zone: int | None, same_kind: bool) -> Whole:
    """Requests of a zone, or of all, that come shortly after each other, of one kind or any."""
    zones = seen.first.zone[waiting.which]
    here = np.flatnonzero(zones == zone) if zone is not None else np.arange(len(zones))
    here = here[np.argsort(waiting.end_ms[here], kind="stable")]
    write, found = seen.write[waiting.which[here]], [np.empty((2, 0), dtype=np.int64)]
    for apart in range(1, min(BEHIND + 1, len(here))):
        near = waiting.end_ms[here[apart:]] - waiting.end_ms[here[:-apart]] < SHORTLY_MS
        if same_kind:
            near &= write[apart:] == write[:-apart]
        found.append(np.stack([here[:-apart], here[apart:]])[:, near])
    return np.concatenate(found, axis=1)
