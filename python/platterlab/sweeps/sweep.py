"""Runs a sweep: what is not yet in its folder, on an engine, into one table."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platterlab import __version__, manifest
from platterlab.documents import Json
from platterlab.sweeps import engine, shard
from platterlab.sweeps.folder import Folder
from platterlab.sweeps.plan import Plan, points
from platterlab.sweeps.task import Task

if TYPE_CHECKING:
    import pyarrow as pa

Progress = Callable[[float, float], None]
"""Called with the share of points that is done, and points per second of this run."""


@dataclass(frozen=True)
class Swept:
    """A finished sweep.

    Attributes:
        table: a row for each point: the values at its keys, and its figures.
        keys: what was varied.
        folder: where it is kept.
        ran: how many points this run added; the others were there.
        made_by: what it takes to get the same table again.
    """

    table: pa.Table
    keys: tuple[str, ...]
    folder: Path
    ran: int
    made_by: Json

    @property
    def runs(self) -> str:
        """Which runs a point's figures are of."""
        first, count = self.made_by["first_seed"], self.made_by["replications"]
        if self.made_by["precision"] is not None:
            return f"at each point {count} replications or more, seeds from {first} on"
        if count == 1:
            return f"at each point one run, seed {first}"
        return f"at each point {count} replications, seeds {first} to {first + count - 1}"

    @property
    def rows(self) -> list[Json]:
        """The table's rows."""
        found: list[Json] = self.table.to_pylist()
        return found


def tasks_of(
    plan: Plan, text: str, shown: str, folder: Path, *, fixed: Mapping[str, Any] | None = None
) -> list[Task]:
    """A task for each point, every one checked.

    Args:
        plan: what is varied.
        text: of the experiment.
        shown: what messages call it.
        folder: where its relative paths begin.
        fixed: what some of its keys have at all points, in place of the text's.

    Raises:
        InputError: a point's values cannot be; too many points; a file was changed meanwhile.
    """
    precision = plan.precision
    found: list[Task] = []
    known: dict[str, str] = {}
    for values in points(plan):
        task = Task(
            experiment=text,
            shown=shown,
            folder=str(folder.absolute()),
            values=values,
            fixed=dict(fixed or {}),
            seed=plan.first_seed,
            replications=max(plan.replications, 2 if precision else 1),
            half_width_pct=precision.half_width_pct if precision else None,
            most_replications=precision.most_replications if precision else 64,
        )
        # All are read before one runs: a mistake in the last would cost the rest.
        found.append(task.with_inputs())
        for _, path, digest in found[-1].inputs:
            if known.setdefault(path, digest) != digest:
                raise manifest.changed(path)
    return found


def run(
    tasks: Sequence[Task],
    out: Path,
    *,
    inputs: manifest.Inputs = (),
    since: manifest.States | None = None,
    workers: int | None = None,
    dask: str | None = None,
    progress: Progress = lambda _share, _rate: None,
) -> Swept:
    """Runs what the folder has not, and writes the table of all.

    The table is the same bits on every engine and however often it was broken off.

    Args:
        tasks: what to run.
        out: the folder, made if there is none.
        inputs: the files that the tasks were made from, for the manifest.
        since: what these were before they were read.
        workers: processes at a time; None for one per processor.
        dask: a scheduler's address, or `local`; None for no cluster.
        progress: hears how far it is.

    Raises:
        InputError: something is wrong with the folder or a task. What is finished is kept.
    """
    made_by = _made_by(tasks, inputs, since)
    folder = Folder(out)
    unique = {task.name: task for task in tasks}
    found = folder.finished(unique)
    left = [task for name, task in unique.items() if name not in found]
    start, where = time.perf_counter(), Counter[str]()

    def done(task: Task, answer: str, host: str) -> None:
        name = task.name
        figures, file = shard.told(answer)
        where[host] += 1
        folder.keep(name, file)
        found[name] = figures
        rate = sum(where.values()) / (time.perf_counter() - start)
        progress(len(found) / len(unique), rate)

    if left:
        engine.run(left, done, workers=workers, dask=dask)
    rows = [{**task.values, **found[task.name]} for task in tasks]
    ran_now = [
        {"host": host, "points": count, "version": __version__}
        for host, count in sorted(where.items())
    ]
    table = folder.conclude(rows, made_by, ran_now)
    return Swept(table, tuple(tasks[0].values), out, sum(where.values()), made_by)


def _made_by(tasks: Sequence[Task], inputs: manifest.Inputs, since: manifest.States | None) -> Json:
    """What the table depends on, and not who ran it when."""
    first = tasks[0]
    text = first.experiment.encode()
    experiment = {
        "what": "experiment",
        "path": first.shown,
        "bytes": len(text),
        "sha256": hashlib.sha256(text).hexdigest(),
    }
    made_by = manifest.of(
        inputs,
        since=since,
        first_seed=first.seed,
        replications=first.replications,
        precision=first.half_width_pct
        and {
            "half_width_pct": first.half_width_pct,
            "most_replications": first.most_replications,
        },
        points=len(tasks),
    )
    made_by["inputs"].append(experiment)
    named = {name for task in tasks for name in task.inputs}
    made_by["of_points"] = [
        {"what": what, "path": path, "sha256": digest} for what, path, digest in sorted(named)
    ]
    return made_by
