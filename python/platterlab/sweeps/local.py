"""The processors of this machine: a process each, so that one that dies takes one point along."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait

from platterlab.sweeps.work import Done, Work, run_text

_AHEAD = 2
"""Tasks given to a process at a time, so that it is not idle while a result is written."""
_DEATHS = 3


class WorkersKilledError(RuntimeError):
    """Processes were killed again and again, and no point was finished between."""


def run(tasks: Sequence[Work], done: Done, workers: int | None) -> None:
    """Runs every task.

    Raises:
        InputError: something is wrong with a task; the others continue no longer.
        WorkersKilledError: its processes die.
    """
    waiting = deque(tasks)
    count = min(workers or os.cpu_count() or 1, len(waiting))
    pool = [_Worker() for _ in range(count)]
    deaths = 0
    try:
        while waiting or any(worker.given for worker in pool):
            for worker in pool:
                worker.fill(waiting)
            ready = wait([worker.pipe for worker in pool])
            for worker in [one for one in pool if one.pipe in ready]:
                told = worker.answer()
                if told is not None:
                    deaths = 0
                    done(worker.given.popleft(), told, os.uname().nodename)
                    continue
                # What it had is for the others, and another process takes its place.
                waiting.extendleft(reversed(worker.given))
                worker.end()
                pool[pool.index(worker)] = _Worker()
                deaths += 1
                if deaths >= _DEATHS * count:
                    raise WorkersKilledError(
                        f"processes that run points were killed {deaths} times in a row (out of "
                        "memory?); what is finished is kept: take fewer --workers, and run it again"
                    )
    finally:
        for worker in pool:
            worker.end()


class _Worker:
    """A process with a pipe of its own: it shares no lock, so its death holds up no other.

    Attributes:
        pipe: where its answers come from.
        given: the tasks that it has and has not answered, in order.
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["platterlab.sweeps.shard", "pyarrow.parquet"])
        self.pipe, theirs = context.Pipe()
        self.given: deque[Work] = deque()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def fill(self, waiting: deque[Work]) -> None:
        """Gives it tasks until it has enough; of one that is dead, `answer` reports it."""
        while waiting and len(self.given) < _AHEAD:
            self.given.append(waiting.popleft())
            try:
                self.pipe.send(self.given[-1].to_text())
            except OSError:
                return

    def answer(self) -> str | None:
        """Figures of its first task as JSON; None where it is dead.

        Raises:
            Exception: what the task raised.
        """
        try:
            told: str | Exception = self.pipe.recv()
        except (EOFError, OSError):
            return None
        if isinstance(told, Exception):
            raise told
        return told

    def end(self) -> None:
        """Ends the process, whatever it does."""
        self.pipe.close()
        self._process.kill()


def _work(pipe: Connection[str | Exception, str]) -> None:
    """In a process: answers one task after another until the sweep is over or dead."""
    # Ctrl-C is for the sweep, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_outlive, args=(parent.sentinel,), daemon=True).start()
    while True:
        try:
            text = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            told: str | Exception = run_text(text)
        except Exception as error:
            told = error
        pipe.send(told)


def _outlive(sentinel: int) -> None:
    """A sweep that is killed leaves no process behind that works on."""
    wait([sentinel])
    os._exit(1)
