"""Arguments of `sweep`, as the points that it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from platterlab import manifest
from platterlab.lab.experiment import Experiment, text_with_profiles
from platterlab.sweeps.plan import checked, load, of_tables
from platterlab.sweeps.sweep import tasks_of
from platterlab.sweeps.task import Task

_SHOWN = "the sweep"


def planned(
    plan: str | os.PathLike[str] | Mapping[str, Any], out: Path
) -> tuple[list[Task], manifest.Inputs]:
    """The points of a sweep, and the files that it was made from.

    Args:
        plan: a file, or its tables; their experiment may be a path or an `Experiment`.
        out: the sweep's folder: profiles of drives that are nowhere but in memory are kept in it.

    Raises:
        InputError: the plan or a point cannot be.
    """
    if not isinstance(plan, Mapping):
        asked, text, home = load(Path(plan))
        return tasks_of(asked, text, asked.experiment, home), [("sweep", os.fspath(plan))]
    experiment = plan.get("experiment")
    if isinstance(experiment, Experiment):
        asked = checked({**plan, "experiment": experiment.name or "the experiment"}, _SHOWN)
        text = text_with_profiles(experiment, out / "profiles")
        tasks = tasks_of(asked, text, asked.experiment, experiment.folder, fixed=experiment.values)
        return tasks, []
    if isinstance(experiment, os.PathLike):
        plan = {**plan, "experiment": os.fspath(experiment)}
    asked, text, home = of_tables(plan, _SHOWN, Path.cwd())
    return tasks_of(asked, text, asked.experiment, home), []
