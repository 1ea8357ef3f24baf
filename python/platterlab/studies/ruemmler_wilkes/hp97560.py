"""The HP 97560: what each piece of its model is worth. No trace of this drive is available."""

from platterlab import library
from platterlab.studies.ruemmler_wilkes import generated, rungs
from platterlab.studies.study import Outcome, Request

SINGLE_MS, FULL_MS = 3.64, 23.688
"""Seek of one cylinder and of the full stroke, by Table 2's curve."""

NOTE = (
    "HP 97560: no trace of this drive is available. Its rungs are compared with its own full model "
    "on generated requests; that is not a comparison with the real drive, and the paper's 112 % "
    "without and 5.7 % with caching are of another workload."
)


def run(request: Request) -> Outcome:
    """The ladder of features against the full model."""
    steps = {
        "constant": None,
        "basic": {**rungs.NO_CACHE, **rungs.basic(SINGLE_MS, FULL_MS)},
        "positioning": {**rungs.NO_CACHE, **rungs.UNTRACKED},
        "rotation": rungs.NO_CACHE,
        "read-ahead": {"cache.write_report": "media"},
        "track-read-ahead": {"cache.read_ahead": "track"},
    }
    outcome = generated.ladder_against_full(
        request, library.load("hp-97560"), "hp-97560", steps, align_sectors=16
    )
    return Outcome(outcome.rows, outcome.figures, [NOTE])
