"""A seek curve as a table that a profile takes: distances rise and times do not fall."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from platterlab.answers import SeekPoint

_FELL = 0.1
"""The share of points that may fall with distance by more than their errors: few have any."""


@dataclass(frozen=True)
class SeekTable:
    """A seek curve.

    Attributes:
        points: distance in cylinders, time in ms.
        left_out: how many others fell with distance by more than their errors.
    """

    points: list[tuple[int, float]]
    left_out: int = 0

    @property
    def is_contradicted(self) -> bool:
        """Whether so many points fell that the others need not be right."""
        return self.left_out > _FELL * (len(self.points) + self.left_out)

    @property
    def note(self) -> str:
        """What was done to what was measured."""
        levelled = "Points that fell with distance, by less than their errors, were levelled."
        if not self.left_out:
            return levelled
        others = "1 point" if self.left_out == 1 else f"{self.left_out} points"
        return f"{levelled} Left out, as they fell by more: {others}."


def seek_table(seeks: Sequence[SeekPoint], added_ms: float) -> SeekTable:
    """The curve of points of known cylinders; an empty one where none are known.

    Args:
        seeks: the extraction's points.
        added_ms: what a measured time hides and the profile states, as the interface's transfer.
    """
    known = sorted(
        (point["distance_cylinders"], max(point["seek_ms"] + added_ms, 0.0), point["half_width_ms"])
        for point in seeks
        if point["distance_cylinders"]
    )
    points = []
    for distance, group in groupby(known, key=lambda point: point[0]):
        _, times, errors = zip(*group, strict=True)
        points.append((distance, median(times), median(errors)))
    rising = _rising(points)
    times_ms = _levelled([time for _, time, _ in rising])
    table = [(distance, time) for (distance, _, _), time in zip(rising, times_ms, strict=True)]
    return SeekTable(table, len(points) - len(rising))


def _rising(points: list[tuple[int, float, float]]) -> list[tuple[int, float, float]]:
    """As many points as do not fall by more than their errors, the first and the last with them."""
    if len(points) < 2:
        return points
    ends = [points[0], points[-1]]
    if _falls(*ends):
        # Which of them is wrong is not known.
        ends = points[:1]
    within = [it for it in points[1:-1] if not (_falls(ends[0], it) or _falls(it, ends[-1]))]
    points = [ends[0], *within, *ends[1:]]
    lengths, before = [1] * len(points), [-1] * len(points)
    for index, point in enumerate(points):
        for other in range(index):
            if lengths[other] + 1 > lengths[index] and not _falls(points[other], point):
                lengths[index], before[index] = lengths[other] + 1, other
    chain, at = [], len(points) - 1 if ends[1:] else lengths.index(max(lengths))
    while at >= 0:
        chain.append(points[at])
        at = before[at]
    return chain[::-1]


def _falls(near: tuple[int, float, float], far: tuple[int, float, float]) -> bool:
    return near[1] - far[1] > near[2] + far[2]


def _levelled(values: list[float]) -> list[float]:
    """The nearest sequence that never falls (pool adjacent violators)."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            other, many = pools.pop()
            mean = (mean * count + other * many) / (count + many)
            count += many
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]
