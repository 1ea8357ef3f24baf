"""SKIPPY by reading forwards, where read-ahead shows: section 4.1 says so without figures."""

import numpy as np

from platterlab._core import Requests
from platterlab.studies.criteria import EXACT
from platterlab.studies.row import Row
from platterlab.studies.study import Request
from platterlab.studies.talagala import assumed
from platterlab.studies.talagala.table3 import Measured

GROUP = "Section 4.1: SKIPPY by reading forwards"
STEPS = 400
READ_AHEAD = "that the profile reads ahead is assumed: the paper prints nothing of these buffers"
SHOWS = "the read result differs from the write's by read-ahead at small steps (section 4.1)"
KEEPS = "all parameters are extractable with the read benchmark in almost all cases (section 4.1)"


def rows(drives: list[Measured], request: Request) -> list[Row]:
    """For each drive what its buffer answers, and whether that hides the MTM point."""
    made = []
    for drive in drives:
        key, name = drive.published.key, drive.published.name
        hits = answered(drive, request)
        truth = drive.truth
        stm = truth["mtm_ms"] / truth["rotation_ms"] * truth["sectors_per_track"]
        made += [
            Row(
                f"forward-read/{key}/hits",
                f"{name}: of {len(hits)} steps, answered from the buffer",
                None,
                float(np.count_nonzero(hits)),
                "",
                target=1,
                bound="at-least",
                criterion=EXACT,
                evidence="by construction",
                used=READ_AHEAD,
                claim=SHOWS,
                group=GROUP,
            ),
            Row(
                f"forward-read/{key}/first_media_step",
                f"{name}: least step that the buffer does not answer, sectors; MTM is to show",
                None,
                1.0 + float(np.argmin(hits)) if not hits.all() else float(STEPS),
                "",
                target=stm,
                bound="at-most",
                criterion=EXACT,
                used=READ_AHEAD,
                claim=KEEPS,
                group=GROUP,
            ),
        ]
    return made


def answered(drive: Measured, request: Request) -> np.ndarray:
    """Of each step from one sector on, whether the buffer answered, on a host without cost."""
    step = np.arange(1, STEPS, dtype=np.int64)
    places = [(0, 1), *((int(lba), 1) for lba in np.cumsum(step))]
    profile = assumed.drive(drive.published, request)
    served = Requests.reads(profile, places).replay(profile, timing="closed", seed=request.seed)
    found: np.ndarray = served["cache"][1:] != 0
    return found
