"""How long the drive needs until it can wait for the platter: overheads, head switch, seek curve.

The platter comes by once a turn. A request that was served at the time T after its issue was ready
before T and, had it been ready a turn earlier, would have been served then: so the time it needed
lies between T less one turn, and T. Many such intervals pin the time down to the noise of the
seeks, as an edge. The sum of smooth penalties on both sides finds it, first with a wide and then
with an ever narrower transition.

A write is ready once its data is there, too: so much that the bus keeps ahead of the platter, and
at least as much as the drive waits for. Writes that move no arm tell of that.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize

from platterlab.calibrate.buffer.slow_fence import SlowFence
from platterlab.calibrate.trace.observed import Flags, Floats, Observed, Whole

WIDTHS_MS = (1.0, 0.4, 0.15, 0.08)
"""Of the transition at the edge, one after the other."""

SMOOTH = 0.25
"""Of a width: over so much passes what comes later, arm or data, into the other."""

CAP = 12.0
"""A request counts at most so many widths: the few that slip a turn must not bend the curve."""

PER_KNOT = 45
"""Requests between two points of the seek curve, roughly."""

MOST_KNOTS = 16

FENCES = (1, 2, 3, 4, 6, 8, 12, 16, 1 << 16)
"""Sectors of a write that may be waited for; the last is all of them."""

SECTOR_ERROR_MS = 0.01
"""How far a write's sectors may be from the time of a read's."""

LEAST_BY_DATA = 20
"""Writes that have to wait for their data and not for the arm, for these times to be known."""

NAMES = (
    "read",
    "read_after_write",
    "write",
    "write_after_write",
    "head_read",
    "head_write",
    "settle_write",
    "back",
    "back_far",
)
"""What adds up to the time, beside the seek curve: a read's overhead after a read, how much more it
is after a write, how much more that of a write is after a read and after a write, the head switch,
and how much longer seeks are before a write and towards lower cylinders."""

CONTINUED = "read_continued"
"""How much more a read's overhead is where it begins where the read before it ended; counted only
where that explains enough of them."""

LEAST_TOLD = 4
"""Requests that tell of an effect."""


@dataclass(frozen=True)
class Data:
    """When a write's data is there.

    Attributes:
        overhead_ms: from the issue until it begins to come, after a write.
        sector_ms: of one sector over the bus.
        fence: sectors that are there before the first one is written.
        count: writes that wait for it and not for the arm.
    """

    overhead_ms: float
    sector_ms: float
    fence: int
    count: int


@dataclass(frozen=True)
class Positioning:
    """Times from the issue until the head is over the track, in milliseconds.

    Attributes:
        effects: by name, as in `NAMES`, and `CONTINUED`; 0 where `counts` has none.
        distances: of the seek curve, in cylinders, rising.
        seek_ms: without overhead, towards higher cylinders.
        counts: by name: how many requests tell of the effect.
        slipped: share of the requests that come a turn earlier or later than this allows.
        errors_ms: of the seek curve: standard errors by resampling.
        effect_errors_ms: of the effects, likewise.
        data: None where too few writes tell of it.
    """

    effects: dict[str, float]
    distances: Whole
    seek_ms: Floats
    counts: dict[str, int]
    slipped: tuple[float, float]
    errors_ms: Floats
    data: Data | None
    effect_errors_ms: dict[str, float]

    @property
    def waits_for_data(self) -> bool:
        """Whether a write waits for more than its first sector."""
        return self.data is not None and self.data.fence > 1


def find_positioning(
    seen: Observed,
    which: Whole,
    held: Flags,
    waited_ms: Floats,
    rotation_ms: float,
    sector_ms: float,
    seed: int,
    slow: SlowFence | None = None,
) -> Positioning:
    """The times that explain when requests were served.

    Args:
        seen: the trace.
        which: requests that waited for the platter.
        held: which of these may have waited for something else first: they say when the drive was
            ready at the latest, but not that it was not ready a turn before.
        waited_ms: from their issue until their first sector came under the head.
        rotation_ms: the period.
        sector_ms: of a sector over the bus, roughly.
        seed: of the resampling.
        slow: where writes wait for less of their data.
    """
    keep = which > 0
    which, held, waited_ms = which[keep], held[keep], waited_ms[keep]
    knots = _knots(np.abs(seen.seek_cylinders[which]))
    arm = _design(seen, which, knots)
    told = arm != 0
    usable = told.sum(axis=0) >= LEAST_TOLD
    model = _Model(arm, None, held, waited_ms, rotation_ms, knots, usable, sector_ms)
    continued = ~seen.write[which] & ~seen.after_write[which] & seen.sequential[which]
    model, plain = _with_continued(model, _start(knots, waited_ms), continued)
    full, model, data = _with_data(model, plain, seen, which, slow)
    rng = np.random.default_rng(seed)
    draws = [
        _fit(model.some(rng.integers(0, len(which), len(which))), full, WIDTHS_MS[2:])[0]
        for _ in range(8)
    ]
    ready, _ = model.ready(full, SMOOTH * WIDTHS_MS[-1])
    slips = np.floor((waited_ms - ready) / rotation_ms)
    effects = {name: float(full[at]) for at, name in enumerate(NAMES)}
    counts = {name: int(told[:, at].sum()) for at, name in enumerate(NAMES)}
    return Positioning(
        effects=effects | {CONTINUED: float(full[model.curve.stop :].sum())},
        distances=knots,
        seek_ms=full[model.curve],
        counts=counts | {CONTINUED: int(continued.sum())},
        slipped=(float(np.mean(slips < 0)), float(np.mean(slips > 0))),
        errors_ms=np.std(draws, axis=0)[model.curve],
        data=data,
        effect_errors_ms=_effect_errors(np.asarray(draws), model.curve.stop),
    )


def _effect_errors(draws: Floats, curve_end: int) -> dict[str, float]:
    """How far the effects scatter where requests are drawn anew, a row a drawing."""
    errors = {name: float(np.std(draws[:, at])) for at, name in enumerate(NAMES)}
    return errors | {CONTINUED: float(np.std(draws[:, curve_end:].sum(axis=1)))}


SEEKS = len(NAMES) + 2
"""Where the seek curve begins among the unknowns: after a write's overhead and sector time."""


@dataclass(frozen=True)
class _Model:
    """What makes requests ready.

    Attributes:
        arm: what each unknown adds to the time of the arm.
        data: sectors that have to be there, and the time that may have passed since, by request;
            the latter is infinite for reads. None where data is not waited for.
        held, waited_ms, rotation_ms, knots, sector_ms: as in `find_positioning`.
        usable: which unknowns the requests tell of.
    """

    arm: Floats
    data: tuple[Floats, Floats] | None
    held: Flags
    waited_ms: Floats
    rotation_ms: float
    knots: Whole
    usable: Flags
    sector_ms: float

    @property
    def curve(self) -> slice:
        """Where the seek curve is among the unknowns."""
        return slice(SEEKS, SEEKS + len(self.knots))

    def ready(self, values: Floats, width_ms: float) -> tuple[Floats, Floats]:
        """When each request was ready, and how far that was its data's time rather than the arm's.

        The later of both, with a smooth transition.
        """
        arm = self.arm @ values
        if self.data is None:
            return arm, np.zeros(len(arm))
        sectors, passed_ms = self.data
        data = values[len(NAMES)] + sectors * values[len(NAMES) + 1] - passed_ms
        later = np.clip((data - arm) / width_ms, -40.0, 40.0)
        share = 1 / (1 + np.exp(-later))
        return np.maximum(arm, data) + width_ms * np.log1p(np.exp(-np.abs(later))), share

    def slope(self, by_data: Floats, each: Floats) -> Floats:
        """What a unit of each unknown adds to a cost that changes by `each` with each request."""
        slope: Floats = self.arm.T @ ((1 - by_data) * each)
        if self.data is not None:
            slope[len(NAMES)] = by_data @ each
            slope[len(NAMES) + 1] = (by_data * each) @ self.data[0]
        return slope

    def some(self, rows: Whole) -> "_Model":
        """The same of some requests."""
        data = (self.data[0][rows], self.data[1][rows]) if self.data else None
        held, waited_ms = self.held[rows], self.waited_ms[rows]
        return replace(self, arm=self.arm[rows], data=data, held=held, waited_ms=waited_ms)


def _with_continued(model: _Model, start: Floats, continued: Flags) -> tuple[_Model, Floats]:
    """The same with what it costs to go on from the read before, if that explains enough."""
    plain, cost = _fit(model, start)
    if continued.sum() < LEAST_TOLD:
        return model, plain
    arm = np.column_stack([model.arm, continued])
    more = replace(model, arm=arm, usable=np.append(model.usable, True))
    full, less = _fit(more, np.append(start, 0.0))
    # It has to spare as much as any number more (Schwarz's criterion).
    worth_it = cost - less > 0.5 * np.log(len(continued))
    return (more, full) if worth_it else (model, plain)


def _with_data(
    plain: _Model, found: Floats, seen: Observed, which: Whole, slow: SlowFence | None
) -> tuple[Floats, _Model, Data | None]:
    """The same with the time of a write's data, if writes tell of it."""
    write, sectors = seen.write[which], seen.sectors[which].astype(np.float64)
    sector_ms = plain.sector_ms
    if write.sum() < LEAST_BY_DATA or sector_ms <= 0:
        return found, plain, None
    media_ms = plain.rotation_ms / seen.first.per_track[which]
    streamed = np.where(write, (sectors - 1) * media_ms, np.inf)
    usable = plain.usable.copy()
    usable[len(NAMES) : SEEKS] = True
    start = found.copy()
    # As late as the arm's overhead: from there on earlier, until it is too early for some.
    start[len(NAMES) : SEEKS] = (max(found[0] + found[2] + found[3], 0.0), sector_ms)
    tried = []
    for fence in FENCES:
        # What the bus is slower by than the platter, or the fence: the later of both.
        first = np.minimum(sectors, fence)
        first = slow.needed(first, media_ms) if slow else first
        by_fence = first * sector_ms >= sectors * sector_ms - streamed
        need = np.where(by_fence, first, sectors)
        passed = np.where(write, np.where(by_fence, 0.0, streamed), np.inf)
        model = replace(plain, data=(need, passed), usable=usable)
        values, cost = _fit(model, start, WIDTHS_MS[1:2])
        tried.append((cost, fence, values, model))
    _, fence, values, model = min(tried, key=lambda one: one[:2])
    values, _ = _fit(model, values, WIDTHS_MS[1:])
    count = int((model.ready(values, SMOOTH * WIDTHS_MS[-1])[1] > 0.5).sum())
    if count < LEAST_BY_DATA:
        return found, plain, None
    overhead, each = values[len(NAMES) : SEEKS]
    return values, model, Data(float(overhead), float(each), fence, count)


def _knots(distance: Whole) -> Whole:
    """Distances at which the curve bends: 1, and then about as many requests between any two."""
    far = np.sort(distance[distance > 1])
    if len(far) == 0:
        return np.array([1, 2])
    count = int(np.clip(len(far) // PER_KNOT, 2, MOST_KNOTS))
    at = np.geomspace(2, max(4, far[-1]), count)
    even = np.quantile(far, np.linspace(0, 1, count))
    rising = np.unique(np.round(np.sqrt(at * np.maximum(even, 2))).astype(np.int64))
    return np.unique(np.concatenate([[1, 2], rising, [max(3, far[-1])]]))


def _design(seen: Observed, which: Whole, knots: Whole) -> Floats:
    """What each unknown adds to each request."""
    write, after = seen.write[which], seen.after_write[which]
    moved, same = seen.seek_cylinders[which], seen.same_surface[which]
    distance = np.abs(moved)
    far = distance > 0
    switch = ~far & ~same
    root = np.sqrt(distance.astype(np.float64))
    columns: list[Flags | Floats] = [
        np.ones(len(which)),
        ~write & after,
        write,
        write & after,
        switch & ~write,
        switch & write,
        far & write,
        far & (moved < 0),
        np.asarray((moved < 0) * root / 50.0, dtype=np.float64),
    ]
    curve = np.zeros((len(which), len(knots)))
    curve[far] = np.array(
        [np.interp(root[far], np.sqrt(knots), one) for one in np.eye(len(knots))]
    ).T
    data = np.zeros((len(which), SEEKS - len(NAMES)))
    return np.column_stack([np.array(column, dtype=float) for column in columns] + [data, curve])


def _start(knots: Whole, waited_ms: Floats) -> Floats:
    """A tenth of the shortest waits lie near the edge."""
    base = float(np.quantile(waited_ms, 0.005))
    longest = float(np.quantile(waited_ms, 0.5))
    rise = np.sqrt(knots / knots[-1]) * longest
    return np.concatenate([[max(base, 0.05)], np.zeros(SEEKS - 1), rise])


def _fit(
    model: _Model, start: Floats, widths: tuple[float, ...] = WIDTHS_MS
) -> tuple[Floats, float]:
    """The unknowns at the edge of the intervals, and what is left of the penalties."""
    waited_ms, rotation_ms, usable = model.waited_ms, model.rotation_ms, model.usable
    held = model.held
    roots = np.sqrt(model.knots.astype(float))
    seeks = model.curve
    free = usable.copy()
    free[seeks] = True
    found = np.where(free, start, 0.0)
    left = 0.0

    def cost(values: Floats, width: float) -> tuple[float, Floats]:
        ready, by_data = model.ready(values, SMOOTH * width)
        early, early_slope = _penalty((ready - waited_ms) / width)
        late, late_slope = _penalty(np.where(held, -40.0, waited_ms - rotation_ms - ready) / width)
        slope = model.slope(by_data, (early_slope - late_slope) / width)
        total = early + late
        # A seek curve is smooth in the root of the distance, and does not fall.
        rise = np.diff(values[seeks]) / np.diff(roots)
        bend = np.diff(rise)
        falls = np.minimum(np.diff(values[seeks]), 0.0)
        total += 2.0 * float(bend @ bend) + 10.0 * float(falls @ falls)
        # Nor does a seek take less than no time.
        below = np.minimum(values[seeks], 0.0)
        total += 100.0 * float(below @ below)
        slope[seeks] += 200.0 * below
        turn = np.zeros(len(rise))
        turn[1:] += 4.0 * bend
        turn[:-1] -= 4.0 * bend
        turn = turn / np.diff(roots) + 20.0 * falls
        slope[seeks][1:] += turn
        slope[seeks][:-1] -= turn
        small = values[1 : len(NAMES)]
        slope[1 : len(NAMES)] += 0.02 * small
        total += 0.01 * float(small @ small)
        if model.data is not None:
            off = values[len(NAMES) + 1] - model.sector_ms
            slope[len(NAMES) + 1] += 2 * off / SECTOR_ERROR_MS**2
            total += (off / SECTOR_ERROR_MS) ** 2
            # Data does not come before the command.
            early = min(values[len(NAMES)], 0.0)
            slope[len(NAMES)] += 200.0 * early
            total += 100.0 * early * early
        return total, np.where(free, slope, 0.0)

    for width in widths:
        result = optimize.minimize(
            cost, found, args=(width,), jac=True, method="L-BFGS-B", options={"maxiter": 400}
        )
        found, left = result.x, float(result.fun)
    return np.asarray(found), left


def _penalty(over: Floats) -> tuple[float, Floats]:
    """Nothing below 0, rising smoothly to a cap; the sum, and the slope of each."""
    soft = np.logaddexp(0.0, np.minimum(over, 40.0))
    inside = soft < CAP
    return float(np.minimum(soft, CAP).sum()), np.where(
        inside, 1 / (1 + np.exp(-np.clip(over, -40, 40))), 0.0
    )
