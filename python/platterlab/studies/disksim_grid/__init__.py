"""84 small systems in seven families, each of DiskSim's answers against ours."""

from platterlab._core import InputError
from platterlab.studies.disksim_grid import grid
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES

_NOTES = (
    "Only requests that DiskSim finished are compared: it stops at the last arrival. Each is known "
    "by its index in the trace.",
    "An interval is that of the mean difference, from the means of 25 batches of requests.",
    "What is wanted is that 95 % of all systems agree in the mean within 2 % and in the "
    "distribution within 0.03 (Kolmogorov-Smirnov); a single system may differ.",
)


def _run(request: Request) -> Outcome:
    if request.data is None:
        raise InputError("needs DiskSim's answers: --data FOLDER, or PLATTERLAB_DATA")
    folder = request.data / "disksim-grid"
    systems = grid.load(folder)
    compared = []
    for index, system in enumerate(systems):
        request.progress(system.name, index / len(systems))
        compared.append(grid.compare(system, folder))
    rows: list[Row] = grid.shares(compared)
    for one in compared:
        rows += grid.rows(one)
    return Outcome(rows, [], list(_NOTES))


STUDY = Study(
    "disksim-grid",
    *TITLES["disksim-grid"],
    run=_run,
    reads=("disksim-grid",),
)
