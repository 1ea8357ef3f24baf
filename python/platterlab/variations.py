"""Runs an experiment at every point of a grid of its keys, on all processors."""

import itertools
import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platterlab import experiment as systems
from platterlab import memory, results
from platterlab._core import Experiment, Job
from platterlab.answers import JobReport
from platterlab.breaking_off import BreakOff
from platterlab.documents import Json
from platterlab.intervals import half_width, is_interval, mean_of
from platterlab.known import known
from platterlab.manifest import Inputs, States, require_same
from platterlab.output import replacing

_PATIENCE_S = 0.001

FIGURES = (
    "mean_response_ms",
    "half_width_95_ms",
    "p95_response_ms",
    "p95_half_width_95_ms",
    "served_per_s",
    "served_half_width_95_per_s",
    "dearer",
)
"""What a row says of a point: the mean response with half its 95 % interval (of replications; of
one run by batches), its 95th percentile, requests served a second, and how much more than at the
best point the mean is, as a share of that."""


@dataclass(frozen=True)
class Variation:
    """One point of a grid, and what the experiment gave there."""

    values: Json
    """By the dotted key that they stand at."""
    outcome: systems.Outcome

    @property
    def is_known(self) -> bool:
        """Whether it came to its end, and served a request."""
        return self.outcome.complete and self.outcome.report["mean_response_ms"] is not None

    def figures(self, least_ms: float) -> dict[str, float | None]:
        """`FIGURES` by their names; None where they are not known."""
        if not self.is_known:
            return dict.fromkeys(FIGURES)
        report = self.outcome.report
        mean = known(report["mean_response_ms"])
        runs = report["runs"]
        width = mean["half_width_95"]
        if len(runs) == 1 and (own := runs[0].get("precision_ms")):
            width = own["half_width_95"]
        figures: Mapping[str, Any] = report.get("across_runs") or runs[0]["report"]
        elapsed_s = sum(run["report"]["elapsed_ms"] for run in runs) / 1e3
        rates = [
            1e3 * run["report"]["served"] / run["report"]["elapsed_ms"]
            for run in runs
            if run["report"]["elapsed_ms"]
        ]
        p95 = figures["response_ms"]["p95_ms"]
        values = (
            mean["mean"],
            width,
            mean_of(p95),
            p95["half_width_95"] if is_interval(p95) else None,
            report["served"] / elapsed_s if elapsed_s else None,
            half_width(rates),
            mean["mean"] / least_ms - 1.0 if least_ms else None,
        )
        return dict(zip(FIGURES, values, strict=True))


def grid(varied: Mapping[str, Sequence[Any]]) -> list[Json]:
    """Every combination of the values, the last key changing fastest."""
    return [
        dict(zip(varied, values, strict=True)) for values in itertools.product(*varied.values())
    ]


def run(
    points: Sequence[tuple[Json, Experiment, Mapping[str, Any]]],
    *,
    inputs: Inputs = (),
    since: States | None = None,
    threads: int | None = None,
    progress: systems.Progress = lambda _share, _rate: None,
    warn: Callable[[str], None] = lambda _text: None,
) -> list[Variation]:
    """Runs the experiment of each point, with the same seeds at all of them.

    What a point gives does not depend on `threads`, nor on the other points.

    Args:
        points: what is varied, the experiment with it, and what made that.
        inputs: the files that they were read from, other than those that they name themselves.
        since: what files were before they were read from them.
        threads: the most runs at a time; None for one per processor.
        progress: hears the share that is done, and requests per second so far.
        warn: hears of what is expected to go wrong, before anything runs.

    Raises:
        InputError: something is wrong with a trace, or a file was changed meanwhile.
        MemoryError: it would take more memory than there is, by an estimate. None was taken.
    """
    made_by = [systems.made_by(one, manifest, inputs, since) for _, one, manifest in points]
    threads = threads or os.cpu_count() or 1
    # A run takes one thread; where there are fewer points than threads, replications share them.
    each = max(1, threads // max(1, len(points)))
    overload = [systems.overloaded(experiment) for _, experiment, _ in points]
    if count := sum(map(bool, overload)):
        warn(
            f"at {count} of {len(points)} points a drive is asked for more than it can do, by an "
            "estimate without reordering: its queue may grow without end"
        )
    needs = sorted((experiment.memory(each) for _, experiment, _ in points), reverse=True)
    memory.require(needs[:threads])
    waiting = deque(enumerate(points))
    running: dict[int, Job] = {}
    reports: dict[int, JobReport] = {}
    start, finished = time.perf_counter(), 0
    breaking_off = BreakOff(running.values())
    while running or (waiting and not breaking_off.is_wanted):
        with breaking_off:
            while waiting and len(running) < threads and not breaking_off.is_wanted:
                index, (_, experiment, _) = waiting.popleft()
                running[index] = experiment.start(each, False)
            time.sleep(_PATIENCE_S)
            shares = {index: job.progress() for index, job in running.items()}
            served = finished + sum(count for _, count in shares.values())
            share = (len(reports) + sum(part for part, _ in shares.values())) / len(points)
            progress(share, served / (time.perf_counter() - start))
            for index in [index for index, job in running.items() if job.done]:
                finished += shares[index][1]
                reports[index] = running.pop(index).finish()
    found = []
    for index, report in sorted(reports.items()):
        values, experiment, _ = points[index]
        require_same(made_by[index])
        notes = [*experiment.notes, *overload[index]]
        found.append(Variation(values, systems.Outcome(made_by[index], report, notes)))
    return found


def best_ms(variations: Iterable[Variation]) -> float:
    """The least mean response; 0 where none is known."""
    return min((_mean_ms(one) for one in variations if one.is_known), default=0.0)


def prices(variations: Sequence[Variation]) -> list[tuple[str, Any, float]]:
    """What holding a key at a value costs, the others chosen as well as can be.

    Returns:
        Key, value, and by how much the mean response is above the best of all, as a share.
    """
    known = [one for one in variations if one.is_known]
    least_ms = best_ms(known)
    found: dict[tuple[str, str], tuple[str, Any, float]] = {}
    for one in known:
        above = _mean_ms(one) / least_ms - 1.0 if least_ms else 0.0
        for key, value in one.values.items():
            place = (key, repr(value))
            if place not in found or above < found[place][2]:
                found[place] = (key, value, above)
    order = list(known[0].values) if known else []
    return sorted(found.values(), key=lambda row: order.index(row[0]))


def _mean_ms(variation: Variation) -> float:
    return known(variation.outcome.report["mean_response_ms"])["mean"]


def suffix_of(path: Path) -> str:
    """`.parquet` or `.csv`. Raises InputError where the name ends in neither."""
    return results.suffix_of(path, "a table of variations is")


def write(variations: Sequence[Variation], path: Path) -> None:
    """A row for each point: the values in columns of their keys, as text, and `FIGURES`."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    least_ms = best_ms(variations)
    rows = [
        {key: word(value) for key, value in one.values.items()} | one.figures(least_ms)
        for one in variations
    ]
    manifests = json.dumps([one.outcome.manifest for one in variations], sort_keys=True)
    table = pa.Table.from_pylist(rows).replace_schema_metadata({"platterlab": manifests})
    into: Callable[[pa.Table, Any], None] = (
        pyarrow.parquet.write_table if suffix_of(path) == ".parquet" else pyarrow.csv.write_csv
    )
    # Opened here: Arrow takes no name that is not UTF-8.
    with replacing(path) as partial, partial.open("wb") as file:
        into(table, file)


def word(value: Any) -> str:
    """A value of a key as people read it."""
    return value if isinstance(value, str) else json.dumps(value)
