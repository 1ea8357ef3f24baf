"""Six real drives, request by request, with DiskSim 4.0's own answers.

DiskSim ships traces measured on real drives and prints how far its distribution of service times is
off. Here the same parameter files and traces go through the importer and the calibration, and
single requests are compared as well.
"""

from platterlab._core import InputError
from platterlab.studies.disksim_validation.drives import DRIVES, FOLDER
from platterlab.studies.disksim_validation.figures import distributions, errors_in_time
from platterlab.studies.disksim_validation.rows import drive_rows, overall_rows
from platterlab.studies.disksim_validation.runs import run_drive
from platterlab.studies.disksim_validation.week import week_rows
from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES

SIX = 0.7
"""The share of the work that is done when the six drives are."""


def _run(request: Request) -> Outcome:
    if request.data is None or not (request.data / FOLDER).is_dir():
        raise InputError(f"this study needs the folder {FOLDER} with DiskSim's drives; see --data")
    wrong = [line for which in DRIVES for line in which.check(request.data)]
    if wrong:
        raise InputError("\n".join(wrong))
    drives, rows = [], []
    for number, which in enumerate(DRIVES):
        part = request.part(SIX * number / len(DRIVES), SIX * (number + 1) / len(DRIVES))
        drive = run_drive(which, request.data, request.seed, part.progress)
        drives.append(drive)
        rows += drive_rows(drive)
    rows += overall_rows(rows)
    week, week_notes = week_rows(request.data, request.seed, request.part(SIX, 1.0).progress)
    rows += week
    figures = []
    if request.out is not None:
        figures = [
            distributions(drives, request.out / "disksim-validation-distributions.svg"),
            errors_in_time(drives, request.out / "disksim-validation-errors.png"),
        ]
    notes = [
        f"{drive.which.what}: gaps lie {drive.found.reading.gap} their rows; a revolution takes "
        f"{drive.found.reading.period.rotation_ms:.5f} ms; "
        + ("; ".join(drive.found.undetermined[:-1]) or "nothing undetermined but sums")
        for drive in drives
    ]
    return Outcome(rows=rows, figures=figures, notes=notes + week_notes)


STUDY = Study(
    "disksim-validation",
    *TITLES["disksim-validation"],
    run=_run,
    reads=("disksim", "hp-week/ajw.1week.srt"),
)
