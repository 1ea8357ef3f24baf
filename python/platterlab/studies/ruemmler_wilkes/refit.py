"""Fits the C2200A anew: `python -m platterlab.studies.ruemmler_wilkes.refit`, two minutes.

The study takes the values that this once found (`fitted.json`): a search of 5,000 simulations would
be most of its time, and finds the same each time.
"""

import json
import sys
from pathlib import Path

from platterlab import library
from platterlab._core import Requests
from platterlab.data import folder
from platterlab.output import write_text
from platterlab.studies.ruemmler_wilkes import TRACE
from platterlab.studies.ruemmler_wilkes.fit import Fitted, Stage, fit
from platterlab.studies.ruemmler_wilkes.found import FILE
from platterlab.studies.ruemmler_wilkes.unknowns import STAGES

CAP_MS = 3.0
"""The most that one request counts in the fit: a slipped turn is wrong, not five times as wrong."""

BASE = {"bus.release_at_track_end": True}
"""What the fitted drive has besides what was fitted."""


def refit(trace: Path, stages: tuple[Stage, ...] = STAGES, seed: int = 0) -> Fitted:
    """Fits the library's drive to the first half of the week."""
    requests = Requests.load(str(trace), "hp-srt", device=0)
    profile = library.load("hp-c2200a").with_overrides(BASE)
    measured = requests.replay(profile, timing="issue", seed=seed)["measured_ms"]
    half = len(requests) // 2
    return fit(
        profile, requests.part(0, half), measured[:half], stages, cap_ms=CAP_MS, seed=seed
    )  # fmt: skip


def main() -> int:
    """Writes what was found."""
    data = folder()
    if data is None:
        sys.stderr.write("platterlab: needs the week of the C2200A; set PLATTERLAB_DATA\n")
        return 2
    found = refit(data / TRACE)
    told = {
        "fitted_on": "the first half of the week of the HP C2200A in host hplajw, 30 May 1992",
        "evaluations": found.evaluations,
        "start_cost_ms": found.start_cost_ms,
        "cost_ms": found.cost_ms,
        "overrides": {**BASE, **found.overrides},
    }
    write_text(FILE, json.dumps(told, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
