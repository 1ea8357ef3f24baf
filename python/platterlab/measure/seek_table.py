"""A seek curve as a table that a profile takes: distances rise and times do not fall."""

from collections.abc import Sequence
from itertools import groupby
from statistics import median

from platterlab.answers import SeekPoint


def seek_points(seeks: Sequence[SeekPoint], added_ms: float) -> list[tuple[int, float]]:
    """Points of distance in cylinders and time in ms; none where cylinders are not known.

    Args:
        seeks: the extraction's points.
        added_ms: what a measured time hides and the profile states, as the interface's transfer.
    """
    known = sorted(
        (point["distance_cylinders"], point["seek_ms"] + added_ms)
        for point in seeks
        if point["distance_cylinders"]
    )
    points = [
        (distance, median(time for _, time in group))
        for distance, group in groupby(known, key=lambda point: point[0])
    ]
    times = _levelled([max(time, 0.0) for _, time in points])
    return [(distance, time) for (distance, _), time in zip(points, times, strict=True)]


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
