"""The processors of this machine: a process each, so that one that dies takes one point along."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from platterlab.sweeps.task import Task, run_text

Done = Callable[[Task, str, str], None]
"""Called with a finished task, its figures as JSON, and where it ran."""

_AHEAD = 4
"""Tasks that wait in each process's queue, so that none is idle while a result is written."""
_DEATHS = 3


class WorkersKilledError(RuntimeError):
    """Processes were killed again and again, and no point was finished between."""


def run(tasks: Sequence[Task], done: Done, workers: int | None) -> None:
    """Runs every task.

    Raises:
        InputError: something is wrong with a task; the others go on no longer.
        WorkersKilledError: its processes die.
    """
    count = workers or os.cpu_count() or 1
    waiting = deque(tasks)
    deaths = 0
    while waiting:
        running: dict[Future[str], Task] = {}
        before = len(waiting)
        try:
            _drain(waiting, running, count, done)
        except BrokenProcessPool as error:
            waiting.extendleft(running.values())
            deaths = deaths + 1 if len(waiting) >= before else 0
            if deaths >= _DEATHS:
                raise WorkersKilledError(
                    f"a process that runs points was killed {deaths} times in a row (out of "
                    "memory?); what is finished is kept: take fewer --workers, and run it again"
                ) from error


def _drain(waiting: deque[Task], running: dict[Future[str], Task], count: int, done: Done) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["platterlab.sweeps.task"])
    with ProcessPoolExecutor(count, context, _end_with_the_sweep) as pool:
        try:
            while waiting or running:
                while waiting and len(running) < _AHEAD * count:
                    task = waiting.popleft()
                    running[pool.submit(run_text, task.to_text())] = task
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    told = future.result()
                    done(running.pop(future), told, os.uname().nodename)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_with_the_sweep() -> None:
    """In each process: a sweep that is killed leaves none behind that waits for work."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_outlive, args=(parent.sentinel,), daemon=True).start()


def _outlive(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)
