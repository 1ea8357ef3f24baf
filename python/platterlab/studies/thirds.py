"""Trials of many drawn drives from the shell: a line of JSON each, one third of the seeds."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Judge = Callable[[int, argparse.Namespace], tuple[dict[str, Any], str | None]]
"""From a seed and the arguments: the trial's line, and what to say of it beside."""


def run(parser: argparse.ArgumentParser, thirds: Mapping[str, range], judge: Judge) -> int:
    """Runs the trials that no file has yet.

    Args:
        parser: with the options of these trials alone.
        thirds: the seeds, by the name of the third.
        judge: runs one.

    Returns:
        1 where drives are left when the time is up, else 0.
    """
    parser.add_argument("third", choices=thirds)
    parser.add_argument("--done", type=Path, help="lines of earlier runs, whose seeds are left out")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin none after that")
    parser.add_argument("--seeds", type=int, nargs="*", help="of the third; all where not given")
    wanted = parser.parse_args()
    lines = wanted.done.read_text().splitlines() if wanted.done and wanted.done.exists() else []
    done = {json.loads(line)["seed"] for line in lines}
    until = time.monotonic() + 60 * wanted.minutes
    for seed in wanted.seeds or thirds[wanted.third]:
        if seed in done:
            continue
        if time.monotonic() > until:
            return 1
        line, beside = judge(seed, wanted)
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
        if beside is not None:
            sys.stderr.write(beside + "\n")
    return 0
