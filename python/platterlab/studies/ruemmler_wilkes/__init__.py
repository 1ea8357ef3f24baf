"""Ruemmler and Wilkes 1994, "An Introduction to Disk Drive Modeling": the ladder of models.

Figure 4 and Table 3: how much of a real week of a real disk each piece of the model explains, and
one rung more than the paper, fitted on the first half of the week and judged on the second. For the
HP 97560, of which no trace is available, the same ladder against our own full model.
"""

from pathlib import Path

from platterlab.studies.ruemmler_wilkes import c2200a, hp97560
from platterlab.studies.study import Outcome, Request, Study

TRACE = "hp-week/ajw.1week.srt"


def _run(request: Request) -> Outcome:
    trace = request.data / TRACE if request.data else None
    if trace is not None and trace.exists():
        week = c2200a.run(request, trace)
    else:
        week = c2200a.without_trace(request, trace or Path(TRACE))
    cached = hp97560.run(request)
    return Outcome(
        rows=week.rows + cached.rows,
        figures=week.figures + cached.figures,
        notes=week.notes + cached.notes,
    )


STUDY = Study(
    name="ruemmler-wilkes",
    title="A ladder of disk models against a real week",
    source="Ruemmler and Wilkes 1994, Figure 4 and Table 3",
    run=_run,
)
