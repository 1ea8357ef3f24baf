"""A cluster: Dask's scheduler and workers, here or on other machines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from platterlab._core import InputError
from platterlab.extras import need
from platterlab.sweeps.local import Done
from platterlab.sweeps.task import Task, run_text

_TRIES = 5


def run(tasks: Sequence[Task], done: Done, address: str, workers: int | None) -> None:
    """Runs every task.

    Args:
        tasks: what to run.
        done: hears of each that is finished.
        address: of the scheduler, such as `tcp://head:8786`; or `local`, which starts a scheduler
            and workers here.
        workers: how many `local` starts; None for one per processor.

    Raises:
        InputError: Dask is not installed, the scheduler does not answer, or a task is wrong.
    """
    need("cluster")
    dask: Any = import_module("distributed")
    if address == "local":
        with (
            dask.LocalCluster(
                # Any free port of this machine alone: the usual one may be somebody's already.
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
            ) as here,
            dask.Client(here) as client,
        ):
            _drain(dask, client, tasks, done)
        return
    try:
        client = dask.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise InputError(f"--dask {address}: no scheduler answers there: {error}") from error
    with client:
        _drain(dask, client, tasks, done)


def _drain(dask: Any, client: Any, tasks: Sequence[Task], done: Done) -> None:
    """Submits all tasks, and those again that a lost worker or a restarted scheduler forgot."""
    left = {task.name: task for task in tasks}
    for _ in range(_TRIES):
        futures = {
            client.submit(_run, task.to_text(), key=f"platterlab-{name}", retries=_TRIES): task
            for name, task in left.items()
        }
        for future in dask.as_completed(futures):
            if future.status == "cancelled" or future.status == "lost":
                continue
            told, where = future.result()
            task = futures[future]
            done(task, told, where)
            del left[task.name]
            future.release()
        if not left:
            return
    raise RuntimeError(f"the cluster forgot {len(left)} points {_TRIES} times; run it again")


def _run(text: str) -> tuple[str, str]:
    """On a worker: figures, and where."""
    return run_text(text), os.uname().nodename
