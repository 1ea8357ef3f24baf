"""How far seeks scatter around their curve, by distance, from requests at the edge of a turn.

A request that is ready a little before its sector passes has it at once, and one that is ready a
little after waits for a turn. Where seeks all take as long as their curve says, that little may be
nothing; where they scatter, some are early and some late over as much as they scatter by. The
likeliest half width is taken, beside a curve that may be off by itself wherever it is looked at.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from platterlab._core import Profile
from platterlab.calibration.platter.arm_place import AHEAD_SECTORS
from platterlab.calibration.platter.positioning import Positioning
from platterlab.calibration.platter.positioning_fit import NAMES, SMOOTH, WIDTHS_MS
from platterlab.calibration.platter.regression import Angles
from platterlab.calibration.trace.observed import Flags, Floats, Observed
from platterlab.documents import Overrides

PER_GROUP, MOST_GROUPS = 250, 6
"""Requests that move the arm in a group of like distances, at least; and how many groups."""

STEP_MS, MOST_MS = 0.05, 3.0
"""Half widths and offsets that are tried, and the largest."""

STRAYS = 0.01
"""Of the requests, so many are a turn early or late for another reason."""

REACH, SURE = 1.92, 5.4
"""By how much the logarithm of the likelihood falls over a 95 % interval, and how much it has to
gain on what completions, or requests that are held, make of it: once in a thousand by chance."""

HELD, HELD_MS = (0.05, 0.1, 0.2, 0.3), (0.5, 1.0, 2.0)
"""Shares of requests that are late, and by up to how much, for another reason than their seek: what
read-ahead or a reported write still has to do."""

COMPLETIONS = 3.0
"""Completions scatter evenly over about so many medians of their distance from the lattice."""


@dataclass(frozen=True)
class Scatter:
    """Seeks of like distances.

    Attributes:
        distance: their median, in cylinders.
        half_ms: how much longer or shorter than the curve one is at most.
        low_ms, high_ms: the 95 % interval of that.
        count: requests that tell.
        is_sure: whether neither completions, which scatter too, nor requests that are held make
            that much of it.
    """

    distance: int
    half_ms: float
    low_ms: float
    high_ms: float
    count: int
    is_sure: bool


def find_scatter(times: Positioning, angles: Angles, seen: Observed) -> list[Scatter]:
    """How far seeks of each group of distances scatter, from near to far.

    Not those to cylinders that read-ahead may be at, or on its way to.
    """
    model = times.model
    ready, by_data = model.ready(times.full, SMOOTH * WIDTHS_MS[-1])
    seek = model.arm[:, model.curve]
    # The curve is linear in the root of the distance between its knots.
    distance = (seek @ np.sqrt(model.knots.astype(float))) ** 2
    ahead = 1 + AHEAD_SECTORS / (seen.surfaces * int(seen.first.per_track.min()))
    told = (distance > ahead) & ~model.held & (by_data < 0.5)
    if told.sum() < PER_GROUP:
        return []
    ways = [model.arm[:, NAMES.index(name)] > 0 for name in ("settle_write", "back")]
    left_ms, turn_ms = model.waited_ms - ready, angles.rotation_ms
    widths = np.arange(0.5 * STEP_MS, min(MOST_MS, turn_ms / 4), STEP_MS)
    laws = [partial(_within, half_ms=float(width)) for width in widths]
    laws += [partial(_held, share=share, most_ms=ms) for share in HELD for ms in HELD_MS]
    groups = list(_cut(told, distance, min(MOST_GROUPS, int(told.sum()) // PER_GROUP)))
    likely = np.array([
        sum(_likelihoods(left_ms[cell], laws, turn_ms) for cell in _cells(group, distance, ways))
        for group in groups
    ])  # fmt: skip
    scattered, held = likely[:, : len(widths)], likely[:, len(widths) :]
    # What holds requests does so wherever the arm goes; scatter goes by distance.
    by_distance = bool(scattered.max(axis=1).sum() - held.sum(axis=0).max() > SURE)
    floor_ms = COMPLETIONS * angles.spread_turns * turn_ms
    return [
        _likeliest(own, widths, floor_ms, distance[group], sure=by_distance)
        for group, own in zip(groups, scattered, strict=True)
    ]


def _cut(told: Flags, distance: Floats, count: int) -> Iterator[Flags]:
    """Groups of about as many requests of like distances; fewer where most go as far as others."""
    edges = np.quantile(distance[told], np.linspace(0, 1, count + 1)[1:-1])
    number = np.searchsorted(edges, distance)
    groups = (told & (number == each) for each in range(count))
    yield from (group for group in groups if group.any())


def _cells(group: Flags, distance: Floats, ways: list[Flags]) -> Iterator[Flags]:
    """Parts of a group for each of which the curve may be off by itself."""
    for half in _cut(group, distance, 2):
        for write in (ways[0], ~ways[0]):
            for back in (ways[1], ~ways[1]):
                yield half & write & back


def _likeliest(
    likely: Floats, widths: Floats, floor_ms: float, distance: Floats, *, sure: bool
) -> Scatter:
    """The likeliest half width for seeks over some distances."""
    best = int(likely.argmax())
    inside = widths[likely > likely[best] - REACH]
    by_completions = likely[widths <= max(floor_ms, widths[0])].max()
    return Scatter(
        int(np.median(distance)), float(widths[best]), float(inside[0]), float(inside[-1]),
        len(distance), sure and bool(likely[best] - by_completions > SURE),
    )  # fmt: skip


def _within(after_ms: Floats, half_ms: float) -> Floats:
    """Which share of seeks is over so long after the curve's end, if they scatter."""
    return np.clip((after_ms + half_ms) / (2 * half_ms), 0.0, 1.0)


def _held(after_ms: Floats, share: float, most_ms: float) -> Floats:
    """The same if some are held for up to so long by something else, and none is early."""
    return np.where(after_ms >= 0.0, 1 - share * (1 - np.clip(after_ms / most_ms, 0.0, 1.0)), 0.0)


def _likelihoods(
    left_ms: Floats, laws: Sequence[Callable[[Floats], Floats]], turn_ms: float
) -> Floats:
    """Logarithms of likelihood by law, the curve being off by what is likeliest with each.

    Args:
        left_ms: from when the curve has each request ready until its sector passed.
        laws: which share is ready by then.
        turn_ms: the sector passed a turn before, too.
    """
    edge = 2 * MOST_MS
    near = left_ms[(left_ms < edge) | (left_ms > turn_ms - edge)]
    offsets = np.arange(-MOST_MS / 3, MOST_MS / 3 + STEP_MS, STEP_MS)
    late = near - offsets[:, None]
    found = []
    for law in laws:
        at_once = law(late) - law(late - turn_ms)
        found.append(np.log(STRAYS + (1 - STRAYS) * at_once).sum(axis=1).max())
    return np.asarray(found)


def scatter_override(found: Sequence[Scatter]) -> Overrides:
    """What a profile has of it: groups that are not sure have none."""
    if not any(one.is_sure for one in found):
        return {}
    by_distance = {one.distance: one.half_ms if one.is_sure else 0.0 for one in found}
    near, far = min(by_distance), max(by_distance)
    # Beyond the outermost groups as in these, and not on the line through the last two.
    by_distance |= {1: by_distance[near], 2 * far: by_distance[far]}
    table = [list(point) for point in sorted(by_distance.items())]
    return {"seek_scatter": {"kind": "table", "points": table}}


def likeliest(profile: Profile) -> Profile:
    """The same whose seeks all take the likeliest time: what is drawn is right of no single one."""
    none = {"seek_scatter": {"kind": "constant", "time_ms": 0.0}}
    return profile.with_overrides(none) if "seek_scatter" in profile.stated() else profile
