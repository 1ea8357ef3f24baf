"""Unseen calibrations: made-up drives, drawn and timed without a look at how a calibration works.

Their times come from a small model of a drive of their own, after Ruemmler and Wilkes, that shares
nothing with the simulator. The seeds were fixed before anything was tuned: the first third may be
looked at, drive by drive; the second says whether a change holds; the last is run once.
"""

from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES

from .rows import rows
from .trial import judge

THIRDS = {"first": range(100), "second": range(100, 200), "last": range(200, 300)}
"""Seeds by third."""

DRIVES = 10
"""Drives of the second third that a run of the study calibrates; another choice for each seed, so
that `--seeds 10` takes all of them."""
REQUESTS = 10_000
"""Rows of each trace."""


def run(request: Request) -> Outcome:
    """Calibrates some drives of the second third."""
    second = THIRDS["second"]
    seeds = [second[(request.seed * DRIVES + index) % len(second)] for index in range(DRIVES)]
    trials = []
    for index, seed in enumerate(seeds):
        request.progress(f"drive {seed}", index / DRIVES)
        trials.append(judge(seed, REQUESTS))
    return Outcome(rows(trials))


STUDY = Study(
    "unseen-calibrations",
    *TITLES["unseen-calibrations"],
    run=run,
)
