"""DiskSim's own system checks, imported unchanged, and its scheduling decisions one by one."""

from platterlab._core import InputError
from platterlab.studies.disksim_systems import bursts, systems
from platterlab.studies.disksim_systems.published import BURSTS, SYSTEMS
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES

_NOTES = (
    "Synthetic workloads are random: ours are the mean of "
    f"{systems.SEEDS} seeds, whose whole interval has to lie within 2 % of DiskSim's single run "
    "and what chance makes of one run, as ours show it (95 %).",
    "A choice is a dispatch of DiskSim's with two requests or more to choose from, as its answers "
    "show the queue; our drive has then served what DiskSim's served.",
)


def _run(request: Request) -> Outcome:
    if request.data is None:
        raise InputError("needs DiskSim's files: --data FOLDER, or PLATTERLAB_DATA")
    parts = len(SYSTEMS) + len(BURSTS)
    rows: list[Row] = []
    for index, system in enumerate(SYSTEMS):
        request.progress(system.what, index / parts)
        rows.append(systems.measure(system, request.data, request.seed))
    for index, burst in enumerate(BURSTS):
        request.progress(burst.id, (len(SYSTEMS) + index) / parts)
        rows += bursts.measure(burst, request.data)
    return Outcome(rows, [], list(_NOTES))


STUDY = Study(
    "disksim-systems",
    *TITLES["disksim-systems"],
    run=_run,
    reads=("disksim", "hp-week/ajw.1week.srt"),
)
