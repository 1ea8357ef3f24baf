"""Drives with caches, of which traces are at hand: Table 3's last line, and Figure 6's rungs.

Each request begins when it did, as in the paper, which shows what a cache is worth on a week of an
HP 97560. No trace of that drive is available; these were measured for DiskSim on drives of the same
time and a little later.
"""

from pathlib import Path

import numpy as np

from platterlab._core import disksim_import
from platterlab.documents import Json, Overrides
from platterlab.studies.criteria import EXACT, MEAN
from platterlab.studies.disksim_validation.drives import DRIVES, Measured
from platterlab.studies.row import Row
from platterlab.studies.ruemmler_wilkes import figures, ladder, rungs
from platterlab.studies.ruemmler_wilkes.ladder import Column
from platterlab.studies.study import Outcome, Request

RUNGS: dict[str, tuple[str, Overrides]] = {
    "no-cache": ("no cache", rungs.NO_CACHE),
    "no-read-ahead": ("a cache without read-ahead", {"cache.read_ahead": "none"}),
    "read-ahead": ("read-ahead too", {}),
}
CACHING = ("barracuda", "cheetah-9lp")
LAST_LINE = "hp-c2247a"
PAPER_C2247_PCT = 1.0

USED = "parameters that DiskSim's authors extracted from this drive and checked against this trace"

_HELD: Json = {
    "target": 5.7,
    "bound": "at-most",
    "criterion": EXACT,
    "claim": "with read-ahead and immediate reporting 5.7 % are left (Figure 6b, of an HP 97560)",
    "evidence": "fitted",
    "used": USED,
}
"""The reference of the rung with all of the cache: the paper's, of another drive."""

GROUP = "Figure 6 on drives with traces: demerit, in % of the measured mean"


def run(request: Request, data: Path) -> Outcome:
    """The rows of all drives whose files are there."""
    named = {which.name: which for which in DRIVES}
    rows: list[Row] = []
    drawn: list[Path] = []
    for name in (LAST_LINE, *CACHING):
        which = named[name]
        if not (which.parameters(data).is_file() and which.trace(data).is_file()):
            continue
        request.progress(f"{which.what}: rungs of its cache", 0.0)
        simulated, measured = _simulate(which, data, request.seed)
        judged = {rung: ladder.judge(times, measured) for rung, times in simulated.items()}
        if name == LAST_LINE:
            rows.append(_last_line(judged["read-ahead"]["demerit_percent"]))
            continue
        rows += [
            Row(
                f"figure-6/{name}/{rung}",
                f"{which.what}, {RUNGS[rung][0]}",
                None,
                figures_of["demerit_percent"],
                "%",
                group=GROUP,
                extra=ladder.beside(figures_of),
                **(_HELD if rung == "read-ahead" else {}),
            )
            for rung, figures_of in judged.items()
        ]
        rows.append(_factor(name, which.what, judged["no-cache"], judged["read-ahead"]))
        if request.out:
            path = request.out / f"{name}-cache-ladder.png"
            title = f"{which.what}: measured, and each rung of the cache"
            drawn.append(figures.ladder(simulated, measured.service_ms, "measured", path, title))
    return Outcome(rows, drawn)


def _simulate(which: Measured, data: Path, seed: int) -> tuple[dict[str, Column], ladder.Measured]:
    profile, _, _ = disksim_import(str(which.parameters(data)), None, [], True)
    requests = which.requests(data)
    columns = requests.columns()
    simulated = {
        rung: ladder.simulate(requests, profile, overrides, timing="issue", seed=seed)
        for rung, (_, overrides) in RUNGS.items()
    }
    times = np.asarray(columns["service_ms"], dtype=np.float64)
    return simulated, ladder.Measured(times, columns["operation"])


def _last_line(demerit_pct: float) -> Row:
    return Row(
        "table-3/hp-c2247a",
        "HP C2247A, all that is known of the controller",
        PAPER_C2247_PCT,
        demerit_pct,
        "%",
        criterion=MEAN,
        group="Table 3: the line of the HP C2247",
        evidence="fitted",
        used=USED,
    )


def _factor(name: str, what: str, bare: ladder.Judged, whole: ladder.Judged) -> Row:
    """The paper's claim without its drive: nothing is worth as much as the cache."""
    return Row(
        f"figure-6/{name}/factor",
        f"{what}: demerit without a cache over that with all of it",
        None,
        bare["demerit_percent"] / whole["demerit_percent"],
        "",
        target=1.0,
        bound="at-least",
        criterion=EXACT,
        group=GROUP,
        claim="by far the most important feature to model is the cache: 112 % without, 5.7 % with",
        evidence="fitted",
        used=USED,
        extra={"paper_hp_97560": 112.0 / 5.7},
    )
