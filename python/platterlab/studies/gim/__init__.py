"""Gim et al. 2009, "Hard Disk Drive for HD Quality Multimedia Home Appliance".

What a track switch costs (Figure 1, Table 2), how many streams the equations let a drive carry
(Figure 2), four layouts (Figure 3), the simulated Disk1 (Figure 4), what tracks that hold whole
extents gain (Figure 5), what they would gain on later drives, and what else the text says.
"""

from platterlab.studies.gim import (
    appliance,
    buffers,
    defects,
    disk1,
    figures,
    fragmentation,
    later,
    switches,
)
from platterlab.studies.gim.priors import CONSTANTS
from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES


def _run(request: Request) -> Outcome:
    parts = [
        switches.run(request),
        buffers.run(request),
        figures.layouts(request),
        disk1.run(request),
        fragmentation.run(request),
        later.run(request),
        appliance.run(request),
        defects.run(request),
    ]
    return Outcome(
        rows=[row for part in parts for row in part.rows],
        figures=[figure for part in parts for figure in part.figures],
        notes=[note for part in parts for note in part.notes],
    )


STUDY = Study(
    "gim",
    *TITLES["gim"],
    run=_run,
    constants=CONSTANTS,
)
