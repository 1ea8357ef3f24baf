"""Ganger and Patt (1998): what a whole-system model says, and what storage alone says instead."""

from platterlab._core import InputError, disksim_import
from platterlab.studies.ganger_patt import bands, criticality, interrupts, models, published, tables
from platterlab.studies.ganger_patt.figures import draw
from platterlab.studies.ganger_patt.known import KNOWN
from platterlab.studies.ganger_patt.laboratory import Laboratory
from platterlab.studies.ganger_patt.priors import CONSTANTS
from platterlab.studies.study import Outcome, Request, Study, explained
from platterlab.studies.titles import TITLES

DRIVE = "disksim/hp_c2247a.parv"

NOTES = (
    "The tasks are generated from Table 3 and section 5.3.2. What is not printed is registered "
    "with its range (`--sensitivity` runs over it). It was chosen with Tables 3 and 6 and, the "
    "file gap, with Table 5 and Figures 1 and 2 in view, so rows that follow from it are at best "
    "`fitted`.",
    "One constant decides Table 5's access time and the size of Figure 1: the gap between the "
    "blocks of a file. What does not depend on it: two lists by criticality shorten uncompress, "
    "and cache awareness makes responses longer under the system-level model.",
    "Instances differ by where their files begin more than by all else, so they begin evenly over "
    "the disk, and intervals are by the differences of neighbours.",
    "The drive is the HP C2247A as DiskSim's file has it: the paper's HP C2247.",
    "Table 4's self-consistency and the prediction of Figure 1 go through a trace of the "
    "simulated run. It loses nothing of the flow, so the differences are 0 by construction; for "
    "captured runs of a live Linux see the tests of flows.",
    "Two strict lists make copytree slower: its process asks for one block after the other, and "
    "after each the arm leaves for a background write. Where the arm waits a few ms for the next "
    "(anticipation), copytree gains as much as uncompress. Promoting writes that somebody comes to "
    "wait for changes nothing here: no process of the four tasks does.",
)


def _run(request: Request) -> Outcome:
    if request.data is None or not (request.data / DRIVE).is_file():
        raise InputError(f"this study needs the file {DRIVE} with the HP C2247A; see --data")
    profile, _, _ = disksim_import(str(request.data / DRIVE), None, [], False)
    settings = dict(request.constants)
    many, some = (
        Laboratory(profile, range(count * request.seed, count * (request.seed + 1)), settings)
        for count in (published.TASK_INSTANCES, published.INSTANCES)
    )
    parts = (
        ("the four tasks", tables.table_3, many),
        ("the mix of classes", tables.class_mix, many),
        ("compress, and runs from their traces", tables.table_4, many),
        ("compress beside a clock", interrupts.external, many),
        ("uncompress, FCFS and C-LOOK", tables.table_5, many),
        ("copytree, three models", models.figure_1, some),
        ("copytree, predicted from its traces", models.prediction, some),
        ("compress, cache awareness", models.figure_2, some),
        ("criticality", criticality.strict, many),
        ("criticality, what mends it", criticality.mended, some),
    )
    rows = []
    for number, (what, experiment, laboratory) in enumerate(parts):
        request.progress(what, number / len(parts))
        rows += experiment(laboratory)
    figures = []
    if request.out is not None:
        request.progress("Figure 1 with other constants", 1.0)
        figures = draw(rows, bands.of_figure_1(some), request.out)
    return Outcome(rows=explained(rows, KNOWN), figures=figures, notes=list(NOTES))


STUDY = Study(
    "ganger-patt",
    *TITLES["ganger-patt"],
    run=_run,
    reads=(DRIVE,),
    constants=CONSTANTS,
)
