"""Findings of a finished sweep: the best points, the effect of each key, and its trade-offs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
_LEVELS = 8


@dataclass(frozen=True)
class Effect:
    """The mean response over all points where a key has one value, or one of a range."""

    key: str
    value: str
    points: int
    mean_response_ms: float


def known(rows: Sequence[Row]) -> list[Row]:
    """The points that came to their end and served something."""
    return [row for row in rows if row["complete"] and row["mean_response_ms"] is not None]


def best(rows: Sequence[Row]) -> list[Row]:
    """The points with the least mean response, best first.

    Those whose 95 % interval overlaps the first one's cannot be distinguished from it, and
    come along.
    """
    ordered = sorted(known(rows), key=lambda row: row["mean_response_ms"])
    if not ordered:
        return []
    end = ordered[0]["mean_response_ms"] + (ordered[0]["half_width_95_ms"] or 0.0)
    return [
        row for row in ordered if row["mean_response_ms"] - (row["half_width_95_ms"] or 0.0) <= end
    ]


def main_effects(rows: Sequence[Row], keys: Sequence[str]) -> list[Effect]:
    """Of each key, the mean over the points at each of its values; of many, at parts of a range."""
    found = []
    for key in keys:
        groups: dict[str, list[float]] = {}
        for label, row in zip(_labels([row[key] for row in known(rows)]), known(rows), strict=True):
            groups.setdefault(label, []).append(row["mean_response_ms"])
        found += [
            Effect(key, label, len(values), math.fsum(values) / len(values))
            for label, values in groups.items()
        ]
    return found


def _labels(values: Sequence[Any]) -> list[str]:
    different = list(dict.fromkeys(values))
    numbers = all(isinstance(value, int | float) for value in different)
    if len(different) <= _LEVELS or not numbers:
        return [f"{value:g}" if isinstance(value, float) else str(value) for value in values]
    ordered = sorted(different)
    edges = [ordered[len(ordered) * level // _LEVELS] for level in range(_LEVELS)]
    at = [max(index for index, edge in enumerate(edges) if value >= edge) for value in values]
    ends = [*edges[1:], ordered[-1]]
    return [f"{edges[index]:.4g} to {ends[index]:.4g}" for index in at]


def front(rows: Sequence[Row]) -> list[Row]:
    """The points of which none is better in both the mean response and requests a second."""
    found: list[Row] = []
    most = -math.inf
    for row in sorted(known(rows), key=lambda row: (row["mean_response_ms"], -row["served_per_s"])):
        if row["served_per_s"] > most:
            found.append(row)
            most = row["served_per_s"]
    return found
