"""The part of the rows that a report needs: small tables, whatever the number of requests."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from platterlab._core import service_parts
from platterlab.agreement import compare_groups
from platterlab.comparison import Comparison
from platterlab.documents import Json
from platterlab.report.style import Records
from platterlab.results_file import ResultsFile
from platterlab.wrong_file import in_file

PARTS = tuple(service_parts())
POINTS = 400
SPANS = 240
DOTS = 1500


@dataclass(frozen=True)
class Digest:
    """Results, made small enough to draw.

    Attributes:
        manifest: what made the results.
        requests: how many there are.
        times: count, mean and percentiles of each kind of time, in ms.
        distribution: quantiles of simulated and measured service time.
        histogram: share of the requests per bin of service time.
        breakdown: mean ms of each part of the service time, for all, reads and writes.
        timeline: response time and rate in spans of equal length.
        seeks: a sample of seek distance and seek time.
        cache: requests per outcome in the drive's buffer.
        agreement: against the measured times; None without them.
    """

    manifest: Json
    requests: int
    times: Records
    distribution: Records
    histogram: Records
    breakdown: Records
    timeline: Records
    seeks: Records
    cache: dict[str, int]
    agreement: dict[str, Comparison] | None


def digest(path: Path) -> Digest:
    """Reads results, a few columns at a time.

    Raises:
        InputError: the file is not a results file or holds no requests.
    """
    rows = ResultsFile(path)
    service = rows.numbers("service_ms")
    if not len(service):
        raise in_file(path, "holds no requests")
    response = rows.numbers("response_ms")
    measured = rows.numbers("measured_ms", unknown=True)
    write = rows.is_write()
    known = np.sort(measured[~np.isnan(measured)])
    agreement = compare_groups(measured, service, write) if len(known) else None
    del measured
    # Whatever is asked of the order of ten million times, to sort them once takes the least time.
    service = np.sort(service)
    drawn = {"simulated": service}
    times = {
        "response": _points(np.sort(response)),
        "queue": _points(np.sort(rows.numbers("queue_ms"))),
        "service": _points(service),
    }
    if len(known):
        drawn["measured"] = known
        times["service in the trace"] = _points(known)
    return Digest(
        manifest=rows.manifest(),
        requests=len(service),
        times=[{"kind": kind, **points} for kind, points in times.items()],
        distribution=list(_quantiles(drawn)),
        histogram=list(_bins(drawn)),
        breakdown=list(_breakdown(rows, write)),
        timeline=list(_timeline(rows, response)),
        seeks=list(_seeks(rows, write)),
        cache=_cache(rows),
        agreement=agreement,
    )


def _at(ordered: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The quantiles of values in ascending order, on a straight line between two of them."""
    place = shares * (len(ordered) - 1)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    found: NDArray[np.float64] = ordered[below] + (ordered[above] - ordered[below]) * (
        place - below
    )
    return found


def _points(ordered: NDArray[np.float64]) -> dict[str, float]:
    low, median, high, highest = _at(ordered, np.array([0.05, 0.5, 0.95, 0.99]))
    return {
        "mean": float(ordered.mean()),
        "p5": float(low),
        "median": float(median),
        "p95": float(high),
        "p99": float(highest),
        "max": float(ordered[-1]),
    }


def _quantiles(kinds: dict[str, NDArray[np.float64]]) -> Iterator[Json]:
    # Closer together in the tail, which is what one looks for.
    shares = np.unique(np.concatenate([np.linspace(0, 1, POINTS), 1 - np.logspace(-5, -2, 40)]))
    for kind, ordered in kinds.items():
        for share, value in zip(shares, _at(ordered, shares), strict=True):
            yield {"kind": kind, "share_pct": 100 * float(share), "ms": float(value)}


def _bins(kinds: dict[str, NDArray[np.float64]]) -> Iterator[Json]:
    highest = max(float(_at(ordered, np.array([0.999]))[0]) for ordered in kinds.values()) or 1.0
    edges = np.linspace(0, highest, 81)
    for kind, ordered in kinds.items():
        ends = np.searchsorted(ordered, edges)
        # The last bin has its upper edge.
        ends[-1] = np.searchsorted(ordered, highest, side="right")
        for low, high, many in zip(edges[:-1], edges[1:], np.diff(ends), strict=True):
            yield {
                "kind": kind,
                "from_ms": float(low),
                "to_ms": float(high),
                "share_pct": float(100 * many / len(ordered)),
            }


def _breakdown(rows: ResultsFile, write: NDArray[np.bool_]) -> Iterator[Json]:
    groups = {"reads": ~write, "writes": write}
    for part in PARTS:
        values = rows.numbers(f"{part}_ms")
        yield {"group": "all", "part": part, "ms": float(values.mean())}
        for group, chosen in groups.items():
            if chosen.any():
                yield {"group": group, "part": part, "ms": float(values[chosen].mean())}


def _timeline(rows: ResultsFile, response: NDArray[np.float64]) -> Iterator[Json]:
    arrival = rows.numbers("arrival_ms")
    first, last = float(arrival.min()), float(arrival.max())
    length = max(last - first, 1e-9) / SPANS
    # Few bits: sorting goes by them, and the numbers take an eighth of the room.
    span = np.minimum((arrival - first) / length, SPANS - 1).astype(np.uint8)
    order = np.argsort(span, kind="stable")
    edges = np.searchsorted(span[order], np.arange(SPANS + 1))
    for index in range(SPANS):
        inside = response[order[edges[index] : edges[index + 1]]]
        if len(inside):
            yield {
                "ms": first + (index + 0.5) * length,
                "median_ms": float(np.median(inside)),
                "p95_ms": float(np.percentile(inside, 95)),
                "requests_s": len(inside) / length * 1000,
            }


def _seeks(rows: ResultsFile, write: NDArray[np.bool_]) -> Iterator[Json]:
    distance = rows.numbers("seek_distance_cylinders")
    took = rows.numbers("seek_ms")
    moved = np.flatnonzero((distance > 0) & (took > 0))
    for index in moved[:: max(1, len(moved) // DOTS)]:
        yield {
            "cylinders": int(distance[index]),
            "ms": float(took[index]),
            "operation": "write" if write[index] else "read",
        }


def _cache(rows: ResultsFile) -> dict[str, int]:
    counts = {str(word): count for word, count in rows.counts("cache").items()}
    return dict(sorted(counts.items()))
