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
from functools import cached_property

import numpy as np
from threadpoolctl import threadpool_limits

from platterlab._core import Profile
from platterlab.calibration.buffer.slow_fence import SlowFence
from platterlab.calibration.platter.arm_place import Arm
from platterlab.calibration.platter.design import (
    LEAST_TOLD,
    design,
    first_guess,
    is_compared,
    knots_of,
)
from platterlab.calibration.platter.overhead_and_arm import arm_stays, told_apart, told_between_ms
from platterlab.calibration.platter.positioning_fit import (
    ALIKE_COST,
    NAMES,
    SEEKS,
    SMOOTH,
    WIDTHS_MS,
    Model,
    fit,
    stiffened,
)
from platterlab.calibration.platter.sure_effects import (
    DOUBTED,
    Known,
    stated_effects,
    unsure,
    without,
)
from platterlab.calibration.platter.under_way import are_later
from platterlab.calibration.trace.observed import Flags, Floats, Observed, Whole
from platterlab.documents import Overrides

FENCES = (1, 2, 3, 4, 6, 8, 12, 16, 1 << 16)
"""Sectors of a write that may be waited for; the last is all of them."""

LEAST_BY_DATA = 20
"""Writes that have to wait for their data and not for the arm, for these times to be known."""

CONTINUED = "read_continued"
"""How much more a read's overhead is where it begins where the read before it ended; counted only
where that explains enough of them."""

DRAWS = 8
"""Of the requests, for standard errors."""


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
        data: None where too few writes tell of it.
        stated: the profile's switches, for those that no request tells of.
        model, full: what was fitted, and the unknowns.
        seed: of the resampling.
        doubted: effects that requests do not surely bear out; they count as 0.
    """

    effects: dict[str, float]
    distances: Whole
    seek_ms: Floats
    counts: dict[str, int]
    slipped: tuple[float, float]
    data: Data | None
    stated: Overrides
    model: Model
    full: Floats
    seed: int
    doubted: frozenset[str] = frozenset()

    def tells(self, name: str) -> bool:
        """Whether enough requests tell of an effect."""
        return self.counts[name] >= LEAST_TOLD

    def is_fitted(self, name: str) -> bool:
        """Whether an effect is told apart from the others; else it counts as 0."""
        if name == CONTINUED:
            return bool(self.model.curve.stop < self.model.arm.shape[1])
        return bool(self.model.usable[NAMES.index(name)])

    @cached_property
    def _draws(self) -> Floats:
        """The unknowns where requests are drawn anew, a row a drawing."""
        rng, count = np.random.default_rng(self.seed), len(self.model.waited_ms)
        # As in the fit itself: sums in an order that does not depend on the threads.
        with threadpool_limits(limits=1, user_api="blas"):
            rows = [rng.integers(0, count, count) for _ in range(DRAWS)]
            found = [fit(self.model.some(each), self.full, WIDTHS_MS[2:])[0] for each in rows]
        return np.asarray(found)

    def overhead_between_ms(self, profile: Profile) -> tuple[float, float]:
        """The least and the most overhead of a read that requests of a drive bear out as well."""
        return told_between_ms(self.model, self.full, stays=arm_stays(profile))

    @property
    def errors_ms(self) -> Floats:
        """Standard errors of the seek curve, by resampling."""
        return np.asarray(np.std(self._draws, axis=0)[self.model.curve])

    @property
    def effect_errors_ms(self) -> dict[str, float]:
        """Standard errors of the effects, likewise."""
        errors = {name: float(np.std(self._draws[:, at])) for at, name in enumerate(NAMES)}
        continued = self._draws[:, self.model.curve.stop :].sum(axis=1)
        return errors | {CONTINUED: float(np.std(continued))}

    @property
    def waits_for_data(self) -> bool:
        """Whether a write waits for more than its first sector."""
        return self.data is not None and self.data.fence > 1


def find_positioning(
    seen: Observed,
    which: Whole,
    arm: Arm,
    soon: Flags,
    waited_ms: Floats,
    rotation_ms: float,
    sector_ms: float,
    answer_ms: float | None,
    stated: Overrides,
    seed: int,
    slow: SlowFence | None = None,
) -> Positioning:
    """The times that explain when requests were served.

    Args:
        seen: the trace.
        which: requests that waited for the platter.
        arm: where it was. Requests for which it is held say when the drive was ready at the latest,
            but not that it was not ready a turn before.
        soon: which of these came while the drive may have read ahead: held, if they are later.
        waited_ms: from their issue until their first sector came under the head.
        rotation_ms: the period.
        sector_ms: of a sector over the bus, roughly.
        answer_ms: what the buffer's answers cost beside their data, if it gives any.
        stated: the profile as its file states it.
        seed: of the resampling.
        slow: where writes wait for less of their data.
    """
    # What was under the head before it was asked for came from the buffer.
    keep = (which > 0) & (waited_ms >= arm.busy_ms[which]) & arm.known[which]
    which, soon, waited_ms = which[keep], soon[keep], waited_ms[keep] - arm.busy_ms[which[keep]]
    held, knots = arm.held[which], knots_of(np.abs(arm.moved[which]))
    adds = design(seen, which, arm, knots)
    told = adds != 0
    usable = (told.sum(axis=0) >= LEAST_TOLD) & is_compared(seen, which, arm, adds.shape[1])
    plain = Model(adds, None, held, waited_ms, rotation_ms, knots, usable, sector_ms, answer_ms)
    continued = ~seen.write[which] & ~seen.after_write[which] & seen.sequential[which]
    full, model, data = _searched(plain, seen, which, continued, slow)
    idle = ~seen.after_write[which] & ~soon & ~held
    if are_later(model, full, soon, idle):
        plain = replace(plain, held=held | soon)
        full, model, data = _searched(plain, seen, which, continued, slow)
    if doubted := unsure(model, full, Known(arm.stays[which], stated_effects(stated))):
        plain = replace(plain, usable=without(plain.usable, doubted))
        full, model, data = _searched(plain, seen, which, continued, slow)
    slips = _slips(model, full)
    effects = {name: float(full[at]) for at, name in enumerate(NAMES)}
    counts = {name: int(told[:, at].sum()) for at, name in enumerate(NAMES)}
    return Positioning(
        effects=effects | {CONTINUED: float(full[model.curve.stop :].sum())},
        distances=knots,
        seek_ms=full[model.curve],
        counts=counts | {CONTINUED: int(continued.sum())},
        slipped=(float(np.mean(slips < 0)), float(np.mean(slips > 0))),
        data=data,
        stated=stated.get("switch", {}),
        doubted=frozenset(one for name in doubted for one in DOUBTED[name]),
        model=model,
        full=full,
        seed=seed,
    )


def _searched(
    plain: Model, seen: Observed, which: Whole, continued: Flags, slow: SlowFence | None
) -> tuple[Floats, Model, Data | None]:
    """The unknowns, with what else requests tell of."""
    model, found = _with_continued(plain, first_guess(plain.knots, plain.waited_ms), continued)
    full, model, data = _with_data(model, found, seen, which, slow)
    return *stiffened(model, full), data


def _with_continued(model: Model, start: Floats, continued: Flags) -> tuple[Model, Floats]:
    """The same with what it costs to go on from the read before, if that explains enough."""
    plain, cost = _fitted(model, start)
    if continued.sum() < LEAST_TOLD:
        return model, plain
    arm = np.column_stack([model.arm, continued])
    more = replace(model, arm=arm, usable=np.append(model.usable, True))
    full, less = _fitted(more, np.append(start, 0.0))
    # It has to spare as much as any number more (Schwarz's criterion), and not of one request.
    worth_it = cost - less > 0.5 * np.log(len(continued))
    explained = (_slips(model, plain)[continued] != 0) & (_slips(more, full)[continued] == 0)
    return (more, full) if worth_it and explained.sum() >= LEAST_TOLD else (model, plain)


def _slips(model: Model, found: Floats) -> Floats:
    """Turns by which each request came later than these times allow; below 0 earlier."""
    ready, _ = model.ready(found, SMOOTH * WIDTHS_MS[-1])
    return np.asarray(np.floor((model.waited_ms - ready) / model.rotation_ms))


def _fitted(model: Model, start: Floats) -> tuple[Floats, float]:
    """The better of the fits from two overheads: the shortest there is, and that of answers.

    A few answers of the buffer, taken for the media's, keep the search at no overhead.
    """
    ways = [start]
    if model.answer_ms is not None:
        later = np.zeros(len(start))
        later[0], later[model.curve] = 1.0, -1.0
        ways.append(start + later * (model.answer_ms - start[0]))
    found, left = min((fit(model, way) for way in ways), key=lambda one: one[1])
    apart = told_apart(model, found)
    return (found, left) if apart is found else fit(model, apart, WIDTHS_MS[-1:])


_Tried = tuple[float, int, Floats, Model]
"""What is left under some fence, that fence, the unknowns, and the model with it."""


def _with_data(
    plain: Model, found: Floats, seen: Observed, which: Whole, slow: SlowFence | None
) -> tuple[Floats, Model, Data | None]:
    """The same with the time of a write's data, if writes tell of it."""
    write, sectors = seen.write[which], seen.sectors[which].astype(np.float64)
    sector_ms = plain.sector_ms
    if write.sum() < LEAST_BY_DATA or sector_ms <= 0:
        return found, plain, None
    media_ms = plain.rotation_ms / seen.first.per_track[which]
    streamed = np.where(write, (sectors - 1) * media_ms, np.inf)
    usable = plain.usable.copy()
    usable[len(NAMES) : SEEKS] = True
    tried: list[_Tried] = []
    for fence in FENCES:
        # What the bus is slower by than the platter, or the fence: the later of both.
        first = np.minimum(sectors, fence)
        first = slow.needed(first, media_ms) if slow else first
        by_fence = first * sector_ms >= sectors * sector_ms - streamed
        need = np.where(by_fence, first, sectors)
        passed = np.where(write, np.where(by_fence, 0.0, streamed), np.inf)
        if any(_is_alike(one.data, (need, passed)) for *_, one in tried):
            # From the longest write on a fence is all of it: the least one stands for them.
            continue
        model = replace(plain, data=(need, passed), usable=usable)
        for start in _starts_of_data(found, sector_ms, float(need[write].min())):
            values, cost = fit(model, start, WIDTHS_MS[1:2])
            tried.append((cost, fence, values, model))
    # What is alike under a wide transition a narrow one may tell apart.
    closer = [
        (fence, model, *fit(model, values, WIDTHS_MS[1:]))
        for _, fence, values, model in _alike(tried)
    ]
    near = _alike([(cost, fence, values, model) for fence, model, values, cost in closer])
    # Data begins to come once the command is known, which takes a write about as long as a read: of
    # fences that requests do not tell apart it is the one with which that is most nearly so.
    _, fence, values, model = min(near, key=lambda one: (_unlikely_ms(one[2]), *one[:2]))
    count = int((model.ready(values, SMOOTH * WIDTHS_MS[-1])[1] > 0.5).sum())
    if count < LEAST_BY_DATA:
        return found, plain, None
    overhead, each = values[len(NAMES) : SEEKS]
    return values, model, Data(float(overhead), float(each), fence, count)


def _starts_of_data(found: Floats, sector_ms: float, least: float) -> list[Floats]:
    """From where data's time is searched; it waits for so many sectors at least."""
    on_track_ms = max(float(found[0] + found[2] + found[3]), 0.0)
    start = found.copy()
    # As late as the arm's overhead: from there on earlier, until it is too early for some.
    start[len(NAMES) : SEEKS] = (on_track_ms, sector_ms)
    write, settle = NAMES.index("write"), NAMES.index("settle_write")
    less = min(float(found[write]), -float(found[settle]))
    if less <= 0.0:
        return [start]
    # What only writes that move no arm take longer is no overhead: they wait for their data.
    by_data = start.copy()
    by_data[[write, settle]] += (-less, less)
    by_data[len(NAMES)] = max(on_track_ms - least * sector_ms, 0.0)
    return [start, by_data]


def _alike(tried: list[_Tried]) -> list[_Tried]:
    """Those under which no more is left than under the best, to less than a request."""
    least = min(cost for cost, *_ in tried)
    return [one for one in tried if one[0] < least + ALIKE_COST]


def _is_alike(own: tuple[Floats, Floats] | None, other: tuple[Floats, Floats]) -> bool:
    """Whether requests wait for the same data."""
    return own is not None and all(map(np.array_equal, own, other))


def _unlikely_ms(values: Floats) -> int:
    """How much later a write's data begins to come than a read's arm may leave, in whole ms.

    Or how far settling before a write is below nothing. Parts of one may well be what a write's
    command takes longer.
    """
    settle = NAMES.index("settle_write")
    return max(int(values[len(NAMES)] - values[0]), int(-values[settle]), 0)
