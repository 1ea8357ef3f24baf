"""Ganger and Patt (1998): what a whole-system model says, and what storage alone says instead."""

from platterlab._core import InputError, disksim_import
from platterlab.studies.ganger_patt import experiments, published
from platterlab.studies.ganger_patt.figures import criticality, schedulers
from platterlab.studies.study import Outcome, Request, Study

DRIVE = "disksim/hp_c2247a.parv"

NOTES = (
    "The tasks are generated from Table 3 and section 5.3.2. What is not printed is what such "
    "systems had by default (a gap of 4 ms between the blocks of a file), or was chosen with "
    "Tables 3 and 6 at hand: the clusters of read-ahead (from the counts of demand reads), what an "
    "interrupt and the syncer cost. Figures 1 to 3 and Table 5 follow from that.",
    "The drive is the HP C2247A as DiskSim's file has it: the same model as the paper's HP C2247.",
    "Table 4 and the prediction of Figure 1 go through a trace of the simulated run, taken as a "
    "tracer would take it: in whole nanoseconds, computation as CPU time of processes, an access "
    "that misses seen twice. It loses nothing of the flow, so the differences are 0; for captured "
    "runs of a live Linux see the tests of flows.",
    "FCFS to C-LOOK: the open model is hardly too high here. Our copytree runs little faster for a "
    "shorter queue of background writes, so there is little feedback to miss in this direction.",
)


def _run(request: Request) -> Outcome:
    if request.data is None or not (request.data / DRIVE).is_file():
        raise InputError(f"this study needs the file {DRIVE} with the HP C2247A; see --data")
    profile, _, _ = disksim_import(str(request.data / DRIVE), None, [], False)
    seeds = range(request.seed, request.seed + published.SEEDS)
    laboratory = experiments.Laboratory(profile, seeds)
    parts = (
        ("the four tasks", experiments.table_3),
        ("runs from their traces", experiments.table_4),
        ("uncompress, FCFS and C-LOOK", experiments.table_5),
        ("copytree, three models", experiments.figure_1),
        ("copytree, predicted from its traces", experiments.prediction),
        ("compress, cache awareness", experiments.figure_2),
        ("uncompress, criticality", experiments.criticality),
    )
    rows = []
    for number, (what, experiment) in enumerate(parts):
        request.progress(what, number / len(parts))
        rows += experiment(laboratory)
    request.progress("figures", 1.0)
    figures = []
    if request.out is not None:
        figures = [
            schedulers(rows, request.out / "ganger-patt-figure-1.svg"),
            criticality(rows, request.out / "ganger-patt-figure-3.svg"),
        ]
    return Outcome(rows=rows, figures=figures, notes=list(NOTES))


STUDY = Study(
    name="ganger-patt",
    title="System-level models, request criticality, and what storage alone gets wrong",
    source="Ganger and Patt 1998, Tables 3 to 6 and Figures 1 to 3",
    run=_run,
)
