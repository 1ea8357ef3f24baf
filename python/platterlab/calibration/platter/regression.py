"""All angles of a layout at once, by robust linear regression on the phases of completions."""

from dataclasses import dataclass, replace

import numpy as np

from platterlab._core import normal_equations
from platterlab.calibration.buffer.read_completion import Following
from platterlab.calibration.platter.standard_errors import beside_line, slope_weights, spread_of
from platterlab.calibration.trace.observed import Flags, Floats, Observed, Places, Whole
from platterlab.calibration.trace.rotation_period import Waiting

KNOTS = 9
"""The drift of spindle against clock is linear between so many points of the trace."""

ROUNDS = 12
"""Each with weights from the residuals of the one before."""

BISQUARE = 4.7
"""Residuals beyond so many standard deviations do not count (Tukey's biweight)."""

NO_DRIFT = (np.zeros(0), np.zeros(0))

SAME_BUS = 0.02
"""The bus takes as long for data of the platter as for that of the buffer, to within this share (a
standard deviation)."""

RIDGE = 1e-3
"""Weight, in requests, that holds numbers which the requests do not tell apart near 0."""


@dataclass(frozen=True)
class Angles:
    """Where tracks begin, in turns, and how completions follow.

    Attributes:
        offset, head, step, group: by zone: of its first track, of each head step, of each cylinder,
            and of each sparing range, which restarts the cylinders' count.
        group_steps: by zone, cylinders in a sparing range; 0 where ranges do not count.
        known: whether the zone's requests were enough.
        surface: by surface, beside all this.
        leg, along: by pass of a group: of its first track, and of each of its steps, beside all
            this; one 0 each where passes are not listed.
        rotation_ms: the period.
        reads: by which of its sectors a read's completion follows.
        sector_ms: bus time of a sector, as reads from the media show it.
        hit_sector_ms: the same as reads from the buffer show it; 0 where there are none.
        write_turns: how much later writes are complete than their last sector, reads being 0.
        drift_ms: of the platter behind an even clock: times, and lags there.
        off_turns: distance of each request from this.
        pooled: whether one head and one cylinder angle serve all zones.
        tracked: whether the platter was followed from request to request, as the trace has pauses
            over which its position is lost.
        errors: standard errors of `head` with the surfaces' even rise, `step` (largest zone),
            `surface` beside that rise (largest), `along` with the first zone's `step` (largest),
            `drift_ms` peak to peak, `rotation_ms`, `sector_ms`, number of `reads` (`read_share`).
    """

    offset: Floats
    head: Floats
    step: Floats
    group: Floats
    group_steps: Whole
    known: Flags
    surface: Floats
    leg: Floats
    along: Floats
    rotation_ms: float
    reads: Following
    sector_ms: float
    hit_sector_ms: float
    write_turns: float
    drift_ms: tuple[Floats, Floats]
    off_turns: Floats
    pooled: bool
    tracked: bool
    errors: dict[str, float]

    def track(self, places: Places, rows: Whole) -> Floats:
        """The angle of the logical sector zero of some requests' tracks."""
        zone, head, step = places.zone[rows], places.head[rows], places.step[rows]
        return self.turned(zone, head, step, places.leg[rows], places.surface[rows])

    def turned(self, zone: Whole, head: Whole, step: Whole, leg: Whole, surface: Whole) -> Floats:
        """The same of tracks whose places are told by column."""
        group, within = self.ranges(zone, step)
        turns = self.offset[zone] + head * self.head[zone] + within * self.step[zone]
        turns = turns + self.leg[leg] + step * self.along[leg]
        return np.asarray(turns + group * self.group[zone] + self.surface[surface])

    def ranges(self, zone: Whole, step: Whole) -> tuple[Whole, Whole]:
        """Which sparing range of its zone each cylinder step is in, and which step of that."""
        if not self.group_steps.any():
            return np.zeros_like(step), step
        width = self.group_steps[zone]
        group = np.where(width > 0, step // np.maximum(width, 1), np.zeros_like(step))
        return np.asarray(group, dtype=np.int64), np.asarray(step - group * width, dtype=np.int64)

    def passed(self, sectors: Whole, per_track: Whole) -> Floats:
        """How many of a read's sectors its completion waits for, beside the bus time of all."""
        return self.reads.passed(sectors.astype(np.float64), self.bus_share(per_track))

    def bus_share(self, per_track: Whole) -> Floats:
        """Bus time of a sector on tracks of so many, as a share of the time in which it passes."""
        return np.asarray(self.sector_ms * per_track / self.rotation_ms, dtype=np.float64)

    def lag(self, at_ms: Floats) -> Floats:
        """How far the platter is behind an even clock at these times, in milliseconds."""
        times, lags = self.drift_ms
        return np.asarray(np.interp(at_ms, times, lags)) if len(times) else np.zeros(len(at_ms))

    @property
    def spread_turns(self) -> float:
        """Median distance of the requests from the lattice."""
        return float(np.median(np.abs(self.off_turns)))


def wrapped(turns: Floats) -> Floats:
    """The same angles between minus and plus half a turn."""
    return np.asarray(turns - np.round(turns))


def phases(seen: Observed, waiting: Waiting, angles: Angles) -> Floats:
    """By how many turns each completion is later than `angles` has it, whole turns left out."""
    return Completed(seen, waiting).late(angles)


class Completed:
    """Requests that waited for the platter, with all that says when they would be complete."""

    def __init__(self, seen: Observed, waiting: Waiting) -> None:
        rows, first = waiting.which, seen.first
        self._waiting = waiting
        self._write, self._sectors = seen.write[rows], seen.sectors[rows]
        self._per_track = first.per_track[rows]
        self._track = (
            first.zone[rows], first.head[rows], first.step[rows], first.leg[rows],
            first.surface[rows],
        )  # fmt: skip

    def late(self, angles: Angles) -> Floats:
        """By how many turns each is later than `angles` has it, whole turns left out."""
        waiting, write, sectors = self._waiting, self._write, self._sectors
        bus_ms = np.where(write, 0.0, angles.sector_ms * sectors)
        passed = angles.passed(sectors, self._per_track)
        media = np.where(write, sectors, passed) / self._per_track
        track = angles.turned(*self._track)
        platter_ms = waiting.end_ms - bus_ms - angles.lag(waiting.end_ms)
        late = platter_ms / angles.rotation_ms - waiting.turns - media - track
        return wrapped(late - np.where(write, angles.write_turns, 0.0))


def regress(
    seen: Observed, waiting: Waiting, start: Angles, design: "Design | None" = None
) -> Angles:
    """The angles that leave the smallest distances, from `start` on, robustly.

    `design` is that of the same, where it is at hand.
    """
    angles, completed = start, Completed(seen, waiting)
    design = design or Design(seen, waiting, start)
    usable = start.known[seen.first.zone[waiting.which]]
    for turn in range(ROUNDS):
        late = completed.late(angles)
        each = design.under(angles, with_drift=turn >= 2)
        step, weight, normal = _step(angles, each, late, usable, turn)
        angles = _moved(waiting, angles, step, turn >= 2)
    angles = _levelled(_upright(seen, waiting, angles))
    late = completed.late(angles)
    errors = _errors(angles, late, weight, normal)
    # The drift's knots share the period's work; over the whole trace it is known this well.
    sigma_ms = 1.4826 * float(np.median(np.abs(late))) * angles.rotation_ms
    spread_ms = float(np.std(waiting.end_ms)) * np.sqrt(max(1, len(late)))
    errors["rotation_ms"] = sigma_ms * angles.rotation_ms / spread_ms
    return replace(angles, off_turns=late, errors=errors)


def regress_pairs(
    seen: Observed, waiting: Waiting, start: Angles, pairs: Whole, design: "PairDesign"
) -> Angles:
    """The same by what lies between requests shortly after each other.

    Where the platter was before the first of them does not matter, nor the period.

    Args:
        seen: the trace.
        waiting: requests that waited for the platter.
        start: from where on.
        pairs: numbers in `waiting` of the earlier and the later ones, shape (2, pairs).
        design: of these pairs.
    """
    angles, (first, second), completed = start, pairs, Completed(seen, waiting)
    usable = np.asarray(angles.known[seen.first.zone[waiting.which[pairs]]].all(axis=0))
    for turn in range(ROUNDS):
        each = completed.late(angles)
        late = wrapped(each[second] - each[first])
        step, weight, normal = _step(angles, design.between(angles), late, usable, turn)
        angles = _moved(waiting, angles, step, with_drift=False)
    angles = _upright(seen, waiting, angles)
    each = completed.late(angles)
    late = wrapped(each[second] - each[first])
    errors = _errors(angles, late, weight, normal)
    return replace(angles, off_turns=each, errors=errors)


def _step(
    angles: Angles, design: Floats, late: Floats, usable: Flags, turn: int
) -> tuple[Floats, Floats, Floats]:
    """How far the unknowns move in a round, the weight of each row, and the normal matrix."""
    scale = max(1.4826 * float(np.median(np.abs(late))), 1e-4)
    scale = max(scale, 0.25 / (1 << turn))
    weight = np.clip(1 - (late / (BISQUARE * scale)) ** 2, 0, None) ** 2
    weight = np.where(usable, weight, 0.0)
    matrix, told = normal_equations(design, weight, late)
    normal = matrix.reshape(2 * design.shape[1:]) + RIDGE * np.eye(design.shape[1])
    if angles.hit_sector_ms:
        at, sure = _column(angles, "bus"), (scale / (SAME_BUS * angles.hit_sector_ms)) ** 2
        normal[at, at] += sure
        told[at] += sure * (angles.hit_sector_ms - angles.sector_ms)
    return np.asarray(np.linalg.solve(normal, told), dtype=np.float64), weight, normal


def _levelled(angles: Angles) -> Angles:
    """The same with the drift's line in the period and its mean in the offsets."""
    times, lags = angles.drift_ms
    slope, lag = np.polyfit(times, lags, 1)
    rest = lags - slope * times - lag
    offset = angles.offset + lag / angles.rotation_ms
    rotation_ms = angles.rotation_ms / (1 - slope)
    return replace(angles, rotation_ms=rotation_ms, offset=offset, drift_ms=(times, rest))


def _upright(seen: Observed, waiting: Waiting, angles: Angles) -> Angles:
    """The same with what turns evenly from surface to surface in the head's skew.

    Where heads follow each other as surfaces do, requests tell only the sum of both.
    """
    rows = waiting.which
    if not np.array_equal(seen.first.head[rows], seen.first.surface[rows]):
        return angles
    slope = float(slope_weights(len(angles.surface)) @ angles.surface)
    surface = angles.surface - slope * np.arange(len(angles.surface))
    return replace(angles, head=angles.head + slope, surface=surface)


def _columns(angles: Angles) -> dict[str, int]:
    zones, surfaces = len(angles.offset), len(angles.surface)
    legs = len(angles.leg) if len(angles.leg) > 1 else 0
    each = 1 if angles.pooled else zones
    return {
        "offset": zones,
        "head": each,
        "step": each,
        "group": zones if angles.group_steps.any() else 0,
        "surface": surfaces,
        "leg": legs,
        "along": legs,
        "bus": 1,
        "share": 1,
        "write": 1,
        "period": 1,
        "drift": KNOTS,
    }


def _column(angles: Angles, wanted: str) -> int:
    """Where something is among the unknowns, the first of it."""
    columns = _columns(angles)
    return sum(list(columns.values())[: list(columns).index(wanted)])


class Design:
    """What a unit of each unknown adds to each request's phase.

    Made once for all angles that differ in their numbers alone, not in what they have numbers of:
    only what goes by bus and period changes.
    """

    def __init__(self, seen: Observed, waiting: Waiting, angles: Angles) -> None:
        rows, first = waiting.which, seen.first
        write, self._sectors = seen.write[rows], seen.sectors[rows].astype(float)
        self._read, self._per_track = (~write).astype(float), first.per_track[rows]
        zone = np.eye(len(angles.offset))[first.zone[rows]]
        group, within = angles.ranges(first.zone[rows], first.step[rows])
        each = np.ones((len(rows), 1)) if angles.pooled else zone
        self._time = waiting.end_ms - waiting.end_ms.mean()
        grid = np.linspace(waiting.end_ms.min(), waiting.end_ms.max(), KNOTS)
        self._hats = np.array([np.interp(waiting.end_ms, grid, row) for row in np.eye(KNOTS)]).T
        leg = np.eye(len(angles.leg))[first.leg[rows]] if len(angles.leg) > 1 else zone[:, :0]
        parts = [
            zone,
            first.head[rows][:, None] * each,
            within[:, None] * each,
            group[:, None] * zone if angles.group_steps.any() else np.empty((len(rows), 0)),
            np.eye(len(angles.surface))[first.surface[rows]],
            leg,
            leg * first.step[rows][:, None],
            np.zeros((len(rows), 2)),
            write[:, None].astype(float),
            np.zeros((len(rows), 1 + KNOTS)),
        ]
        self._units = np.concatenate(parts, axis=1)

    def under(self, angles: Angles, *, with_drift: bool) -> Floats:
        """The same under the bus and the period of some angles; good until it is asked for anew."""
        units, bus, period = self._units, _column(angles, "bus"), _column(angles, "period")
        units[:, bus], units[:, bus + 1] = self._by_bus(angles)
        units[:, period] = self._time / angles.rotation_ms**2 * -1e-3
        units[:, period + 1 :] = self._hats / angles.rotation_ms if with_drift else 0.0
        return units

    def _by_bus(self, angles: Angles) -> tuple[Floats, Floats]:
        """What bus time and share add to each request's phase."""
        on_bus, waited = angles.reads.columns(self._sectors, angles.bus_share(self._per_track))
        return self._read * on_bus / angles.rotation_ms, self._read * waited / self._per_track


class PairDesign(Design):
    """What a unit of each unknown adds to what lies between two requests, the period left out."""

    def __init__(self, seen: Observed, waiting: Waiting, angles: Angles, pairs: Whole) -> None:
        super().__init__(seen, waiting, angles)
        self._pairs = pairs
        self._units = self._units[pairs[1]] - self._units[pairs[0]]

    def between(self, angles: Angles) -> Floats:
        """The same under the bus of some angles; good until it is asked for anew."""
        first, second = self._pairs
        for column, each in enumerate(self._by_bus(angles), _column(angles, "bus")):
            self._units[:, column] = each[second] - each[first]
        return self._units


def _moved(waiting: Waiting, angles: Angles, step: Floats, with_drift: bool) -> Angles:
    """The angles after a step of the regression."""
    at, part = 0, {}
    for name, width in _columns(angles).items():
        part[name] = step[at : at + width]
        at += width
    times, lags = angles.drift_ms
    if with_drift:
        grid = np.linspace(waiting.end_ms.min(), waiting.end_ms.max(), KNOTS)
        lags = (lags if len(times) else 0.0) + part["drift"]
        times = grid
    rotation = angles.rotation_ms - 1e-3 * float(part["period"][0])
    # A period that is off by this much has turned the platter since the middle of the trace.
    middle = float(waiting.end_ms.mean())
    back = middle * (1 / rotation - 1 / angles.rotation_ms)
    return replace(
        angles,
        offset=angles.offset + part["offset"] + back,
        head=angles.head + part["head"],
        step=angles.step + part["step"],
        group=angles.group + (part["group"] if angles.group_steps.any() else 0.0),
        surface=angles.surface + part["surface"],
        leg=angles.leg + part["leg"] if len(part["leg"]) else angles.leg,
        along=angles.along + part["along"] if len(part["along"]) else angles.along,
        sector_ms=angles.sector_ms + float(part["bus"][0]),
        reads=angles.reads.moved(float(part["share"][0])),
        write_turns=angles.write_turns + float(part["write"][0]),
        rotation_ms=rotation,
        drift_ms=(times, lags),
    )


def _errors(angles: Angles, late: Floats, weight: Floats, normal: Floats) -> dict[str, float]:
    """Standard errors of some unknowns."""
    inverse = np.asarray(np.linalg.inv(normal), dtype=np.float64)
    used = weight > 0
    sigma = 1.4826 * float(np.median(np.abs(late[used]))) if used.any() else 1.0
    spread = sigma * np.sqrt(np.clip(np.diag(inverse), 0, None))
    at, errors = 0, {}
    for name, width in _columns(angles).items():
        errors[name] = float(spread[at : at + width].max()) if width else 0.0
        at += width
    # Of the head's skew together with the surfaces' even rise, which it is not told apart from.
    columns, first = _columns(angles), _column(angles, "surface")
    heads, legs, surfaces = columns["head"], columns["leg"], columns["surface"]
    weights = np.zeros((heads, len(inverse)))
    weights[np.arange(heads), _column(angles, "head") + np.arange(heads)] = 1.0
    weights[:, first : first + surfaces] = slope_weights(surfaces)
    passes = np.zeros((legs, len(inverse)))
    passes[:, _column(angles, "step")] = 1.0
    passes[np.arange(legs), _column(angles, "along") + np.arange(legs)] = 1.0
    turned = beside_line(inverse, first, np.arange(surfaces, dtype=np.float64))
    drifts = beside_line(inverse, _column(angles, "drift"), np.linspace(0.0, 1.0, KNOTS))
    return {
        "head": sigma * float(spread_of(weights, inverse).max()),
        "step": errors["step"],
        "surface": sigma * float(turned.max(initial=0.0)),
        "along": sigma * float(spread_of(passes, inverse).max(initial=0.0)),
        "drift_ms": sigma * float(drifts.max(initial=0.0)) * np.sqrt(2.0),
        "rotation_ms": 1e-3 * errors["period"],
        "sector_ms": errors["bus"],
        "read_share": errors["share"],
    }
