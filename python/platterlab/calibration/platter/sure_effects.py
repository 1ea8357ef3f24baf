"""Which effects that few drives have are surely there: longer seeks back, and costs after a write.

Anything that the model lacks moves such an effect off nothing, if only a little. So its interval
has to exclude nothing by far, and parts of the requests have to be nearer by what the others tell
with the effect than by what they tell without. Only requests count whose arm is surely where the
last one left it: where it is ahead of that, or on its way, it seems to be quicker in one direction
or after one operation.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from platterlab.calibration.judged.cross_validation import PARTS, SURE
from platterlab.calibration.platter.positioning_fit import (
    NAMES,
    WIDTHS_MS,
    Model,
    charges,
    fit,
)
from platterlab.calibration.trace.observed import Flags, Floats, Whole
from platterlab.documents import Overrides

DOUBTED: dict[str, tuple[str, ...]] = {
    "seek_back": ("back", "back_far"),
    "read_after_write": ("read_after_write",),
    "write_after_write": ("write_after_write",),
}
"""The unknowns of each effect."""

DRAWS = 20
"""Of as many requests as there are, each drawn anew from them: for standard errors."""

LEAST_PART = 60
"""Requests in a part, without which it tells nothing of an effect."""


@dataclass(frozen=True)
class Known:
    """What is known of requests beside when they were ready.

    Attributes:
        stays: whose arm is surely where the last one left it.
        own: effects that the profile states, which are not doubted.
    """

    stays: Flags
    own: frozenset[str]


def unsure(model: Model, full: Floats, known: Known) -> frozenset[str]:
    """The effects that requests do not surely bear out, by their names in `DOUBTED`.

    Args:
        model: what was fitted, with all of them.
        full: the unknowns.
        known: what else is known of its requests.
    """
    doubted = {
        name: [NAMES.index(one) for one in unknowns]
        for name, unknowns in DOUBTED.items()
        if name not in known.own
    }
    doubted = {name: at for name, at in doubted.items() if model.usable[at].any()}
    some = model.some(np.flatnonzero(known.stays))
    if not doubted or len(some.waited_ms) < PARTS * LEAST_PART:
        return frozenset(doubted)
    drawn = _drawn(some, full)
    off = {name: at for name, at in doubted.items() if _is_off_nothing(some, drawn, at)}
    parts = list(_split(some)) if off else []
    usual = [fit(some.some(rest), full, WIDTHS_MS[1:])[0] for rest, _ in parts]
    sure = {name for name, at in off.items() if _is_nearer(some, parts, usual, at)}
    return frozenset(set(doubted) - sure)


def stated_effects(stated: Overrides) -> frozenset[str]:
    """Which effects a profile states, by their names in `DOUBTED`."""
    after = stated.get("controller", {}).get("after_write", {})
    own = {f"{name}_after_write" for name in ("read", "write") if f"{name}_ms" in after}
    return frozenset(own | ({"seek_back"} & set(stated)))


def without(usable: Flags, unsure: frozenset[str]) -> Flags:
    """Which unknowns are looked for, without those of some effects."""
    left = usable.copy()
    for name in unsure:
        left[[NAMES.index(one) for one in DOUBTED[name]]] = False
    return left


def _split(model: Model) -> Iterator[tuple[Whole, Whole]]:
    """The requests without one part after the other, and that part."""
    number = np.arange(len(model.waited_ms)) * PARTS // len(model.waited_ms)
    for part in range(PARTS):
        yield np.flatnonzero(number != part), np.flatnonzero(number == part)


def _drawn(model: Model, full: Floats) -> Floats:
    """The unknowns where requests are drawn anew, a row a drawing."""
    rng, count = np.random.default_rng(0), len(model.waited_ms)
    rows = [rng.integers(0, count, count) for _ in range(DRAWS)]
    return np.array([fit(model.some(each), full, WIDTHS_MS[2:])[0] for each in rows])


def _is_off_nothing(model: Model, drawn: Floats, at: list[int]) -> bool:
    """Whether the interval of an effect excludes nothing.

    Args:
        model: what was fitted, of requests whose arm stays.
        drawn: the unknowns where requests are drawn anew.
        at: of the effect.
    """
    rows = np.flatnonzero(np.abs(model.arm[:, at]).sum(axis=1) > 0)
    if len(rows) < LEAST_PART:
        return False
    # Of the request in their middle: each end would be another chance to be off.
    effect = drawn[:, at] @ np.median(model.arm[rows][:, at], axis=0)
    return bool(abs(effect.mean()) > SURE * effect.std())


def _is_nearer(
    model: Model, parts: list[tuple[Whole, Whole]], usual: list[Floats], at: list[int]
) -> bool:
    """Whether requests that were held back are nearer with an effect, by more than their error.

    Args:
        model: what was fitted, of requests whose arm stays.
        parts: of the requests, as in `_split`.
        usual: the unknowns without each part, with all effects.
        at: of the effect.
    """
    plain = replace(model, usable=model.usable.copy())
    plain.usable[at] = False
    gains = []
    for values, (rest, held) in zip(usual, parts, strict=True):
        other, _ = fit(plain.some(rest), values, WIDTHS_MS[1:])
        with_it, without_it = (charges(one, model.some(held)) for one in (values, other))
        gains.append(without_it - with_it)
    gain = np.concatenate(gains)
    return bool(gain.sum() > np.sqrt(len(gain)) * np.std(gain))
