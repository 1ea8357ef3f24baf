"""Figures of two sides with their intervals, and how far the second is from the first.

Requests that follow each other are alike: the intervals come from batches of consecutive requests,
drawn again and again (a bootstrap of blocks), or from an experiment's replications (Student's t). A
test for single requests would take them for independent and be far too sure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from platterlab._core import InputError
from platterlab.comparing.sides import FIGURES, Rows, Runs, Side, Times
from platterlab.wrong_file import in_file

_QUANTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}
_DRAWS = 1000
_MOST_BATCHES = 200
_LEAST_BATCHES = 8
_BIN_RATIO = 1.001
_MOST_BINS = 16_384
_LEVEL = 0.95


@dataclass(frozen=True)
class Figure:
    """A value in milliseconds, with its 95 % interval; None where that is not known."""

    ms: float
    low_ms: float | None = None
    high_ms: float | None = None


@dataclass(frozen=True)
class Difference:
    """One figure of both sides, and the second less the first."""

    base: Figure
    other: Figure
    change: Figure

    @property
    def pct(self) -> float | None:
        """The change in percent of the base; None where that is 0."""
        return 100 * self.change.ms / self.base.ms if self.base.ms else None

    @property
    def is_sure(self) -> bool:
        """Whether the whole interval of the change is on one side of 0."""
        low, high = self.change.low_ms, self.change.high_ms
        return low is not None and high is not None and (low > 0 or high < 0)


@dataclass(frozen=True)
class Group:
    """What is known of one group of requests on both sides."""

    count: tuple[int, int]
    paired: bool
    figures: dict[str, Difference]
    ks: float | None = None
    """The largest distance between the two distributions, from 0 to 1."""
    ks_p: float | None = None
    """How likely one as large would be by chance, were requests independent."""


def against(base: Side, other: Side, of: str) -> dict[str, Group]:
    """How `other` differs from `base`, group by group.

    Args:
        base: the first.
        other: any other, of the same kind.
        of: which time: a word of `TIMES`.

    Raises:
        InputError: one is an experiment and the other is not, or a side lacks that time.
    """
    if isinstance(base, Rows) and isinstance(other, Rows):
        if base.devices and other.devices:
            names = tuple(dict.fromkeys(base.devices + other.devices))
            base, other = base.as_numbered_by(names), other.as_numbered_by(names)
        return _rows(base, other, of)
    if isinstance(base, Runs) and isinstance(other, Runs):
        return _runs(base, other)
    raise InputError(
        f"{base.name} and {other.name}: an experiment's replications compare with another's; to "
        "compare with rows or a trace, write its rows with `platterlab simulate --requests`"
    )


def _rows(base: Rows, other: Rows, of: str) -> dict[str, Group]:
    from scipy.stats import ks_2samp

    paired = base.pairs_with(other)
    sides = [_known(side, of) for side in (base, other)]
    names = ["all", *(name for name in base.groups if name in other.groups)]
    found = {}
    for name in names:
        times, keep = [], []
        for side, (values, known) in zip((base, other), sides, strict=True):
            rows = known if name == "all" else known & side.groups[name]
            keep.append(rows)
            times.append(values)
        if paired:
            keep = [keep[0] & keep[1]] * 2
        first, second = (values[rows] for values, rows in zip(times, keep, strict=True))
        if not len(first) or not len(second):
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            ks = ks_2samp(first, second, method="asymp")
        found[name] = Group(
            count=(len(first), len(second)),
            paired=paired,
            figures=_resampled(first, second, paired),
            ks=float(ks.statistic),
            # Of one value on each side any distance is as likely; the asymptote has no such case.
            ks_p=float(ks.pvalue) if len(first) + len(second) > 2 else 1.0,
        )
    return found


def _known(side: Rows, of: str) -> tuple[Times, NDArray[np.bool_]]:
    if of not in side.times_ms:
        there = ", ".join(side.times_ms)
        raise in_file(side.name, f"has no {of} times; it has {there}")
    times = side.times_ms[of]
    known = ~np.isnan(times)
    if not known.any():
        raise in_file(side.name, f"no request has a {of} time")
    return times, known


def _exact(times: Times) -> dict[str, float]:
    quantiles = np.quantile(times, list(_QUANTILES.values()), method="inverted_cdf")
    return {
        "mean": float(times.mean()),
        **dict(zip(_QUANTILES, map(float, quantiles), strict=True)),
        "max": float(times.max()),
    }


def _resampled(first: Times, second: Times, paired: bool) -> dict[str, Difference]:
    values = [_exact(first), _exact(second)]
    draws = _draws(first, second, paired)
    found = {}
    for name in FIGURES:
        figures = [one[name] for one in values]
        drawn = None if draws is None or name == "max" else [side[name] for side in draws]
        sides = [
            _figure(value, None if drawn is None else drawn[at]) for at, value in enumerate(figures)
        ]
        change = _figure(figures[1] - figures[0], None if drawn is None else drawn[1] - drawn[0])
        found[name] = Difference(sides[0], sides[1], change)
    return found


def _figure(value: float, drawn: Times | None) -> Figure:
    """A value with the interval that its draws span, whose middle may be a bin off."""
    if drawn is None:
        return Figure(value)
    low, high = np.quantile(drawn, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Figure(value, min(float(low), value), max(float(high), value))


def _draws(first: Times, second: Times, paired: bool) -> list[dict[str, Times]] | None:
    """Figures of samples drawn batch by batch; None where there are too few requests."""
    chance = np.random.default_rng(0)
    edges = _edges(first, second)
    found = []
    weights: Times | None = None
    for times in (first, second):
        batches = min(_MOST_BATCHES, int(np.sqrt(len(times))))
        if batches < _LEAST_BATCHES:
            return None
        if weights is None or not paired:
            even = np.full(batches, 1 / batches)
            weights = chance.multinomial(batches, even, size=_DRAWS).astype(np.float64)
        found.append(_drawn(times, edges, weights))
    return found


def _edges(first: Times, second: Times) -> Times:
    """Bins of 0.1 %, or as wide as they must be, that both sides share."""
    largest = max(float(first.max()), float(second.max()), 1e-9)
    positive = [times[times > 0] for times in (first, second)]
    least = min((float(times.min()) for times in positive if len(times)), default=largest)
    count = int(np.log(largest / least) / np.log(_BIN_RATIO)) + 2
    return np.geomspace(least, largest, min(max(count, 2), _MOST_BINS))


def _drawn(times: Times, edges: Times, weights: Times) -> dict[str, Times]:
    batches = weights.shape[1]
    batch = np.arange(len(times)) * batches // len(times)
    place = np.minimum(np.searchsorted(edges, times), len(edges) - 1)
    # No quantile of any draw is in a bin that nothing fell into.
    used, place = np.unique(place, return_inverse=True)
    edges, bins = edges[used], len(used)
    counts = np.bincount(batch * bins + place, minlength=batches * bins)
    # How many of each batch are in a bin or before it.
    reached = np.cumsum(counts.reshape(batches, bins), axis=1, dtype=np.float64)
    sums = np.bincount(batch, weights=times, minlength=batches)
    found = {"mean": weights @ sums / (weights @ reached[:, -1])}
    shares = np.array(list(_QUANTILES.values()))
    # A part of the draws at a time: a row of each has as many numbers as there are bins.
    rows = (row for part in np.array_split(weights, 20) for row in part @ reached)
    places = np.array([np.searchsorted(row, shares * row[-1]) for row in rows])
    return found | dict(zip(_QUANTILES, edges[places].T, strict=True))


def _runs(base: Runs, other: Runs) -> dict[str, Group]:
    paired = base.seeds == other.seeds
    found = {}
    for name in base.figures:
        if name not in other.figures:
            continue
        figures = {}
        for figure in base.figures[name]:
            first, second = (np.array(side.figures[name][figure]) for side in (base, other))
            figures[figure] = Difference(
                student(first), student(second), paired_t(first, second, paired=paired)
            )
        found[name] = Group((len(base.seeds), len(other.seeds)), paired, figures)
    return found


def student(values: Times) -> Figure:
    """The mean of independent values with Student's interval."""
    from scipy.stats import t

    mean = float(values.mean())
    if len(values) < 2:
        return Figure(mean)
    error = float(values.std(ddof=1)) / np.sqrt(len(values))
    half = float(t.ppf((1 + _LEVEL) / 2, len(values) - 1)) * error
    return Figure(mean, mean - half, mean + half)


def paired_t(first: Times, second: Times, *, paired: bool) -> Figure:
    """The mean of `second` less that of `first`: of pairs, or by Welch where there are none."""
    from scipy.stats import t

    if paired:
        return student(second - first)
    mean = float(second.mean() - first.mean())
    if min(len(first), len(second)) < 2:
        return Figure(mean)
    parts = [values.var(ddof=1) / len(values) for values in (first, second)]
    total = float(sum(parts))
    if total == 0:
        return Figure(mean, mean, mean)
    freedom = total**2 / sum(
        part**2 / (len(values) - 1) for part, values in zip(parts, (first, second), strict=True)
    )
    half = float(t.ppf((1 + _LEVEL) / 2, freedom)) * np.sqrt(total)
    return Figure(mean, mean - half, mean + half)


def common_time(sides: Sequence[Side]) -> str:
    """What all sides have: response times before service times.

    Raises:
        InputError: there is none.
    """
    if any(isinstance(side, Runs) for side in sides):
        return "response"
    rows = [side for side in sides if isinstance(side, Rows)]
    for word in ("response", "service", "queue"):
        if all(word in side.times_ms and _any(side.times_ms[word]) for side in rows):
            return word
    told = "; ".join(f"{side.name} has {', '.join(side.times_ms)}" for side in rows)
    raise InputError(f"nothing to compare: no time is known of all sides: {told}")


def _any(times: Times) -> bool:
    return not bool(np.isnan(times).all())
