"""Trials of many drawn drives from the shell: a line of JSON each, one third of the seeds."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from platterlab.sweeps import engine
from platterlab.sweeps.work import Call

Trial = Callable[[int, argparse.Namespace], Call]
"""From a seed and the arguments: the trial's line, and a message about it."""


class _TimeUpError(Exception):
    """No more is begun."""


def run(parser: argparse.ArgumentParser, thirds: Mapping[str, range], trial: Trial) -> int:
    """Runs the trials that no file has yet.

    Args:
        parser: with the options of these trials alone.
        thirds: the seeds, by the name of the third.
        trial: makes one.

    Returns:
        1 where drives are left when the time is up, else 0.
    """
    parser.add_argument("third", choices=thirds)
    parser.add_argument("--done", type=Path, help="lines of earlier runs, whose seeds are left out")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no longer than that")
    parser.add_argument("--seeds", type=int, nargs="*", help="of the third; all where not given")
    parser.add_argument("--workers", type=int, default=1, help="processes at a time")
    parser.add_argument("--dask", help="a scheduler's address, or `local`")
    wanted = parser.parse_args()
    lines = wanted.done.read_text().splitlines() if wanted.done and wanted.done.exists() else []
    known = {json.loads(line)["seed"] for line in lines}
    until = time.monotonic() + 60 * wanted.minutes
    seeds = dict.fromkeys(wanted.seeds or thirds[wanted.third])
    left = [trial(seed, wanted) for seed in seeds if seed not in known]

    def done(_call: Call, told: str, _where: str) -> None:
        line, beside = json.loads(told)
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
        if beside is not None:
            sys.stderr.write(beside + "\n")
        if time.monotonic() > until:
            raise _TimeUpError

    try:
        engine.run(left, done, workers=wanted.workers, dask=wanted.dask)
    except _TimeUpError:
        return 1
    return 0
