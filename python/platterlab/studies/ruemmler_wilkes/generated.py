"""The ladder against a drive's own full model, on generated requests."""

from platterlab._core import Profile, Requests
from platterlab.documents import Overrides
from platterlab.studies.row import Row
from platterlab.studies.ruemmler_wilkes import figures, ladder, rungs
from platterlab.studies.ruemmler_wilkes.ladder import Column, Measured
from platterlab.studies.study import Outcome, Request

REQUESTS = 40_000


def workload(profile: Profile, align_sectors: int, seed: int) -> Requests:
    """Bursty file-system-like requests: half of them sequential, most of the rest nearby."""
    return Requests.generate(
        profile,
        REQUESTS,
        read_share=0.55,
        sequential_share=0.5,
        local_share=0.7,
        local_distance_sectors=profile.capacity_sectors // 50,
        mean_sectors=float(align_sectors),
        max_sectors=4 * align_sectors,
        align_sectors=align_sectors,
        think_ms=5.0,
        seed=seed,
    )


def ladder_against_full(
    request: Request,
    profile: Profile,
    name: str,
    steps: dict[str, Overrides | None],
    align_sectors: int,
) -> Outcome:
    """Every step against the full model; a step of None is the full model's mean."""
    request.progress(f"{name}: generated requests", 0.0)
    requests = workload(profile, align_sectors, request.seed)
    columns = requests.replay(profile, timing="closed", seed=request.seed)
    full = Measured(columns["service_ms"], columns["operation"])
    simulated: dict[str, Column] = {}
    rows = []
    for number, (step, overrides) in enumerate(steps.items()):
        if overrides is None:
            overrides = rungs.constant(float(full.service_ms.mean()))
        times = ladder.simulate(requests, profile, overrides, timing="closed", seed=request.seed)
        simulated[step] = times
        rows.append(_row(profile, name, step, ladder.judge(times, full)))
        request.progress(f"{name}: {step}", (number + 1) / len(steps))
    drawn = []
    if request.out:
        target = request.out / f"{name}-ladder.png"
        title = f"{profile.name}: each rung against the full model, generated requests"
        drawn = [figures.ladder(simulated, full.service_ms, "full model", target, title)]
    return Outcome(rows, drawn, [])


WHAT = {
    "constant": "constant: the mean for every request",
    "basic": "basic: linear seek, overhead, bus",
    "positioning": "+ positioning: seek curve, switches",
    "rotation": "+ rotational position and layout",
    "read-ahead": "+ cache and read-ahead",
    "track-read-ahead": "+ immediate reporting, less read-ahead",
}
"""Steps in words. The last reads ahead to the end of the track and no further."""


def _row(profile: Profile, name: str, step: str, judged: ladder.Judged) -> Row:
    return Row(
        id=f"{name}/{step}",
        what=WHAT[step],
        paper=None,
        ours=judged["demerit_percent"],
        unit="%",
        group=f"{profile.name}, generated requests: demerit against its full model",
        extra=ladder.beside(judged),
    )
