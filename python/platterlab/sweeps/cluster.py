"""A cluster: Dask's scheduler and workers, here or on other machines."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from platterlab._core import InputError
from platterlab.extras import need
from platterlab.sweeps.work import Done, Work, run_text

_TRIES = 5
_ANSWERS_S = 10.0
"""In which a scheduler answers that is there."""
_RETURNS_S = 60.0
"""In which one is there again that was restarted, workers and all."""
_TOGETHER_S = 1.0
"""What short points that are sent as one task take, about."""
_SHARES = 8
"""Tasks for each thread at least, so that all end at about the same time."""


def run(tasks: Sequence[Work], done: Done, address: str, workers: int | None) -> None:
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
    left = {task.name: task for task in tasks}
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
            _drain(dask, client, left, done)
        return
    try:
        # A client looks as long for a scheduler that was restarted as for one at the start.
        dask.Client(address, timeout=_ANSWERS_S).close()
    except (OSError, ValueError) as error:
        raise InputError(f"--dask {address}: no scheduler answers there: {error}") from error
    _drain_again(dask, address, left, done)


def _drain_again(dask: Any, address: str, left: dict[str, Work], done: Done) -> None:
    """As `_drain`, by a second client where the first one gives up.

    It does so at once, and not after its time, where its connection to a scheduler that is just
    there again breaks before anything went over it.
    """
    for is_last in (False, True):
        try:
            with dask.Client(address, timeout=_RETURNS_S) as client:
                _drain(dask, client, left, done)
            return
        except OSError as error:
            # Dask's own have no number; a full disk has one.
            if error.errno is not None:
                raise
            if is_last:
                raise InputError(
                    f"--dask {address}: the scheduler went and did not come back; what is finished "
                    "is kept: start it, and run this again"
                ) from error


def _drain(dask: Any, client: Any, left: dict[str, Work], done: Done) -> None:
    """Submits what is left, and again what a lost worker or a restarted scheduler forgot."""
    for _ in range(_TRIES):
        _round(dask, client, left, done)
        if not left:
            return
    raise RuntimeError(f"the cluster forgot {len(left)} points {_TRIES} times; run it again")


def _round(dask: Any, client: Any, left: dict[str, Work], done: Done) -> None:
    """Submits each once, and takes what is finished out of `left`.

    A point goes alone until one has shown how long it takes. The others go together for about
    `_TOGETHER_S`: a task costs the scheduler some ms whatever it does.
    """
    threads = max(1, sum(client.nthreads().values()))
    waiting = list(left.values())
    first, waiting = waiting[: _SHARES * threads], waiting[_SHARES * threads :]
    given = {_submit(client, [task]): [task] for task in first}
    answers = dask.as_completed(given)
    for future in answers:
        if future.status in ("cancelled", "lost"):
            continue
        group, (told, where, took_s) = given.pop(future), future.result()
        future.release()
        for task, figures in zip(group, told, strict=False):
            done(task, figures, where)
            del left[task.name]
        more = _groups(waiting, took_s / len(told), threads)
        if len(told) < len(group):
            more.append(group[len(told) :])
        for one in more:
            given[added := _submit(client, one)] = one
            answers.add(added)
        waiting = []


def _groups(waiting: list[Work], each_s: float, threads: int) -> list[list[Work]]:
    """What goes to a worker together: about `_TOGETHER_S`, but a share for every thread."""
    size = min(int(_TOGETHER_S / max(each_s, 1e-6)), len(waiting) // (_SHARES * threads))
    size = max(1, size)
    return [waiting[first : first + size] for first in range(0, len(waiting), size)]


def _submit(client: Any, group: Sequence[Work]) -> Any:
    # A key stands for what is run: a scheduler that others use too may have it already.
    names = hashlib.sha256(" ".join(task.name for task in group).encode()).hexdigest()[:16]
    texts = [task.to_text() for task in group]
    return client.submit(_run, texts, key=f"platterlab-{names}", retries=_TRIES)


def _run(texts: Sequence[str]) -> tuple[list[str], str, float]:
    """On a worker: figures of all, or of those before one that failed; where; how long, s.

    Raises:
        Exception: what the first raised: another worker may do better.
    """
    start = time.perf_counter()
    told: list[str] = []
    for text in texts:
        try:
            told.append(run_text(text))
        except Exception:
            if not told:
                raise
            break
    return told, os.uname().nodename, time.perf_counter() - start
