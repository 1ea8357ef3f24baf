"""Ruemmler and Wilkes 1994, "An Introduction to Disk Drive Modeling": the ladder of models.

Figure 4 and Table 3: how much of a real week of a real disk each piece of the model explains, and
one rung more than the paper, fitted on the first half of the week and judged on the second. For the
HP 97560, of which no trace is available, the same ladder against our own full model.
"""

from pathlib import Path

import platterlab.studies.ruemmler_wilkes.c2200a as c2200a
import platterlab.studies.ruemmler_wilkes.hp97560 as hp97560
from platterlab.studies.ruemmler_wilkes import drives, seeks, sequential
from platterlab.studies.ruemmler_wilkes.known import KNOWN
from platterlab.studies.ruemmler_wilkes.priors import CONSTANTS
from platterlab.studies.study import Outcome, Request, Study, explained
from platterlab.studies.titles import TITLES

TRACE = "hp-week/ajw.1week.srt"

FITTED = 0.9
"""The share of the work that is done when the fit is."""


def _run(request: Request) -> Outcome:
    trace = request.data / TRACE if request.data else Path(TRACE)
    if request.data and trace.is_file():
        parts = [c2200a.run(request.part(0.0, FITTED), trace)]
        parts.append(drives.run(request.part(FITTED, 1.0), request.data))
        told = [*seeks.rows(request.seed), *sequential.rows(request.seed)]
        parts.append(Outcome(told, seeks.drawn(request.out)))
    else:
        parts = [c2200a.without_trace(request.part(0.0, 0.5), trace)]
    parts.append(hp97560.run(request.part(FITTED, 1.0)))
    return Outcome(
        rows=explained([row for part in parts for row in part.rows], KNOWN),
        figures=[figure for part in parts for figure in part.figures],
        notes=[note for part in parts for note in part.notes],
    )


STUDY = Study(
    "ruemmler-wilkes",
    *TITLES["ruemmler-wilkes"],
    run=_run,
    constants=CONSTANTS,
    reads=(TRACE,),
)
