"""Small systems whose response queueing theory knows, simulated."""

from platterlab.studies.queueing import cases, drive_queue, published_gains
from platterlab.studies.queueing.systems import REQUESTS, RUNS
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES

_NOTES = (
    f"Ours is the mean of {RUNS} independent runs of {REQUESTS:,} requests, and its 95 % interval "
    "has to lie within 2 % of what theory says, or beyond the bound that it gives.",
    "No theory is exact for the shortest of several queues: it lies between one queue for all and "
    "copies read in turn.",
)


def _run(request: Request) -> Outcome:
    all_cases = list(cases.cases())
    rows: list[Row] = []
    for index, case in enumerate(all_cases):
        request.progress(case.id, index / (len(all_cases) + 1))
        rows.append(case.row(request.seed))
    rows += published_gains.rows(request.seed)
    notes = list(_NOTES)
    if request.data is None:
        notes.append("DiskSim's gains of SPTF in the drive need its files: --data FOLDER.")
    else:
        rows += drive_queue.rows(request.data)
    return Outcome(rows, [], notes)


STUDY = Study(
    "queueing",
    *TITLES["queueing"],
    run=_run,
    reads=("disksim",),
)
