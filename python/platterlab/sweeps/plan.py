"""A sweep's file, and the points that it makes."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from platterlab import _core, documents
from platterlab._core import InputError
from platterlab.documents import Json
from platterlab.wrong_file import in_file

MOST_POINTS = 1_000_000

_BEYOND_64_BITS = 1 << 63


_OF_THE_SWEEP = {
    "seed": "write `first_seed`, and `replications` for more than one",
    "replications": "write `replications`, which all points have",
}
"""Keys of the experiment that are set at every point, and what says how."""


class Vary(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A key, and the values that it takes: a list, or a range."""

    key: str
    """Dotted, as for `--set`."""
    values: list[Any] | None = None
    """Each of them; of a design that draws, each equally likely."""
    low: float | None = None
    """The least value of a range."""
    high: float | None = None
    """The greatest."""
    steps: int = 5
    """Of a grid, how many values a range has, both ends included."""
    scale: Literal["linear", "log"] = "linear"
    """Spacing of values in a range."""
    whole: bool = False
    """Whether values are rounded to whole numbers."""

    def at(self, share: float) -> Any:
        """The value at a share of its range, from 0 to 1."""
        if self.values is not None:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        low, high = self._ends()
        if self.scale == "log":
            value = math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
        else:
            value = low + share * (high - low)
        return round(value) if self.whole else min(max(value, low), high)

    def all(self) -> list[Any]:
        """Its values in a grid."""
        if self.values is not None:
            return self.values
        shares = (index / max(1, self.steps - 1) for index in range(self.steps))
        return list(dict.fromkeys(self.at(share) for share in shares))

    def check(self, shown: str) -> None:
        """Raises InputError, with `shown` first, where it is neither a list nor a range."""
        try:
            self._check()
        except InputError as error:
            raise in_file(shown, f"{error}") from error

    def _check(self) -> None:
        if (instead := _OF_THE_SWEEP.get(self.key)) is not None:
            raise InputError(f"vary `{self.key}`: is the sweep's own; {instead}")
        if (self.values is None) == (self.low is None and self.high is None):
            raise InputError(f"vary `{self.key}`: give either values, or low and high")
        if self.values is not None:
            if not self.values:
                raise InputError(f"vary `{self.key}`: values is empty")
            twice = [one for at, one in enumerate(self.values) if one in self.values[:at]]
            if twice:
                raise InputError(f"vary `{self.key}`: has {twice[0]} twice")
            for one in self.values:
                if isinstance(one, int) and not -_BEYOND_64_BITS <= one < _BEYOND_64_BITS:
                    raise InputError(f"vary `{self.key}`: {one} is a number beyond 64 bits")
            return
        low, high = self._ends()
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise InputError(f"vary `{self.key}`: from {low} to {high} is not a range")
        if self.whole and not (low.is_integer() and high.is_integer()):
            raise InputError(
                f"vary `{self.key}`: {low} and {high}, its ends, have to be whole, too"
            )
        if self.scale == "log" and low <= 0:
            raise InputError(f"vary `{self.key}`: a log scale begins above 0, not at {low}")
        if not 1 <= self.steps <= MOST_POINTS:
            raise InputError(
                f"vary `{self.key}`: {self.steps} steps; at least 1, at most {MOST_POINTS:,}"
            )

    def _ends(self) -> tuple[float, float]:
        if self.low is None or self.high is None:
            raise InputError(f"vary `{self.key}`: a range needs low and high")
        return self.low, self.high


class Precision(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Condition for enough replications of a point."""

    half_width_pct: float
    """The most that half the 95 % interval of the mean response may be of it, in percent."""
    most_replications: int = 64


class Plan(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The file."""

    experiment: str
    """The experiment's file, from the sweep's folder on, or the name of an example."""
    vary: list[Vary]
    """The varied keys."""
    design: Literal["grid", "random", "latin-hypercube", "sobol"] = "grid"
    """Choice of points: every combination, or a number of them drawn."""
    points: int = 100
    """Number of drawn points; of no meaning in a grid."""
    seed: int = 0
    """Of the drawing of points."""
    replications: int = 1
    """At each point, all points with the same seeds: the first ones, where there is `precision`."""
    first_seed: int = 0
    """Of the first replication."""
    precision: Precision | None = None
    """Continues with replications until the mean is known so well; without it, `replications`."""


def load(path: Path) -> tuple[Plan, str, Path]:
    """A sweep's file: the plan, its experiment's text, and where that one's paths begin.

    Raises:
        InputError: it cannot be read, or what it says cannot be.
    """
    try:
        document = tomllib.loads(documents.text(path))
    except tomllib.TOMLDecodeError as error:
        raise in_file(path, f"is not TOML: {error}") from error
    return of_tables(document, str(path), path.parent)


def of_tables(document: Mapping[str, Any], shown: str, folder: Path) -> tuple[Plan, str, Path]:
    """The same of the file's tables. Raises InputError."""
    plan = checked(document, shown)
    text, home = _experiment(plan.experiment, folder)
    return plan, text, home


def checked(document: Mapping[str, Any], shown: str) -> Plan:
    """The plan of a file's tables, its experiment not yet looked for. Raises InputError."""
    try:
        plan = msgspec.convert(document, Plan)
    except msgspec.ValidationError as error:
        raise in_file(shown, f"{documents.told(error)}") from error
    if not plan.vary:
        raise in_file(shown, "varies nothing; add a [[vary]]")
    keys = [one.key for one in plan.vary]
    for one in plan.vary:
        one.check(shown)
    if len(set(keys)) < len(keys):
        raise in_file(shown, f"varies a key twice: {', '.join(keys)}")
    for name in ("points", "replications"):
        if getattr(plan, name) < 1:
            raise in_file(shown, f"{name} = {getattr(plan, name)}; at least 1")
    if (wanted := plan.precision) is not None:
        if not 0 < wanted.half_width_pct < math.inf:
            raise in_file(shown, "precision.half_width_pct has to be above 0")
        if wanted.most_replications < plan.replications:
            raise in_file(shown, "precision.most_replications: `replications` at least")
    return plan


def _experiment(name: str, folder: Path) -> tuple[str, Path]:
    examples = dict(_core.examples())
    if name in examples:
        return examples[name], folder
    path = folder / name
    if not path.exists():
        raise in_file(path, f"there is no such experiment, nor an example `{name}`")
    return documents.text(path), path.parent


def points(plan: Plan) -> list[Json]:
    """The values of each point, by key; the same for the same plan.

    Raises:
        InputError: there are too many.
    """
    if plan.design == "grid":
        values = [one.all() for one in plan.vary]
        count = math.prod(map(len, values))
    else:
        values, count = [], plan.points
    if count > MOST_POINTS:
        raise InputError(f"a sweep of {count:,} points; at most {MOST_POINTS:,}")
    keys = [one.key for one in plan.vary]
    if plan.design == "grid":
        return [dict(zip(keys, point, strict=True)) for point in itertools.product(*values)]
    return [
        {one.key: one.at(share) for one, share in zip(plan.vary, shares, strict=True)}
        for shares in _drawn(plan)
    ]


def _drawn(plan: Plan) -> Sequence[Sequence[float]]:
    """Shares from 0 to 1 for each key of each point."""
    from scipy.stats import qmc

    keys = len(plan.vary)
    if plan.design == "random":
        import numpy as np

        generator = np.random.default_rng(plan.seed)
        return [list(map(float, row)) for row in generator.random((plan.points, keys))]
    kind = qmc.LatinHypercube if plan.design == "latin-hypercube" else qmc.Sobol
    sampler = kind(keys, rng=plan.seed)
    if plan.design == "sobol":
        # Balanced in powers of two: the first of them that are enough.
        shares = sampler.random_base2(max(0, math.ceil(math.log2(plan.points))))[: plan.points]
    else:
        shares = sampler.random(plan.points)
    return [list(map(float, row)) for row in shares]
