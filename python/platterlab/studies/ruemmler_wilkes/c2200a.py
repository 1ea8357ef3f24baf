"""The HP C2200A: the paper's rungs on the paper's own week, and one rung more."""

from pathlib import Path

import numpy as np

from platterlab import library
from platterlab._core import Requests
from platterlab.documents import Overrides
from platterlab.output import write_text
from platterlab.studies.criteria import ARITHMETIC, EFFECT, EXACT, MEAN, RATIO
from platterlab.studies.row import NOTHING, Evidence, Row
from platterlab.studies.ruemmler_wilkes import figures, generated, ladder, phases, priors, rungs
from platterlab.studies.ruemmler_wilkes import unseen as unseen_half
from platterlab.studies.ruemmler_wilkes.found import Found, found
from platterlab.studies.ruemmler_wilkes.ladder import Column, Measured
from platterlab.studies.ruemmler_wilkes.week import Week, apart
from platterlab.studies.study import Outcome, Request

DATA_SECTORS, SWITCH_MS = 113, 2.5
"""Data sectors of a track, and what switching to the next takes, by Table 2."""

FACTOR = 14.0
"""In the paper's first paragraphs: 35 % over 2.6 %."""

WORTH_PCT = {
    "transfer": ("the data transfer model", 20.0, "constant", "basic"),
    "positioning": ("seeks and head switches", 9.0, "basic", "positioning-as-defined"),
}
"""In the paper's summary."""

MEANS_MS = {"positioning-as-defined": 24.31, "rotation-free-as-printed": 25.49}
"""Simulated means in the tables of Figures 4c and 4d."""

LAST_FACTOR = 2.0
"""What the last rung takes off, in the summary: "a further factor of nearly two"."""

MEAN_MS = 25.36
"""Of the real drive, under Figure 4."""

PAPER = {"constant": 35.0, "basic": 15.0, "positioning": 6.2, "rotation": 2.6}


def run(request: Request, trace: Path) -> Outcome:
    """All rungs on the trace."""
    request.progress("reading the week", 0.0)
    profile = library.load("hp-c2200a")
    requests = Requests.load(str(trace), "hp-srt", device=0)
    columns = requests.replay(profile, timing="issue", seed=request.seed)
    measured = Measured(columns["measured_ms"], columns["operation"])
    week = Week(profile, requests, measured, 60e3 / 4002)

    simulated = _rungs(week, request)
    judged = {name: ladder.judge(times, measured) for name, times in simulated.items()}
    rows = [_mean(measured), *(_row(name, figures_of) for name, figures_of in judged.items())]
    rows += apart("rotation", judged["rotation"], LADDER, FED_BACK)
    rows += [_as_defined(week, request.seed), *_as_printed(week, request)]

    rows += [*_means(rows), *_factors(rows), *_worth(rows)]

    fitted = found()
    unseen, unseen_rows = unseen_half.rows(week, fitted, request.seed)
    strengths = _skews(columns, week)
    drawn = []
    if request.out:
        drawn = [
            figures.ladder(
                simulated,
                measured.service_ms,
                "measured",
                request.out / "hp-c2200a-ladder.png",
                "HP C2200A: service times of the week, rung by rung",
                PAPER,
            ),
            figures.single_requests(unseen, measured.service_ms[week.middle :], request.out),
            figures.skews(strengths, request.out),
        ]
        write_text(request.out / "hp-c2200a-fitted.toml", fitted.profile.to_toml())
    return Outcome(rows + unseen_rows, drawn, _notes(fitted, strengths))


def without_trace(request: Request, trace: Path) -> Outcome:
    """The same rungs against our own full model, where the week is not at hand."""
    profile = library.load("hp-c2200a")
    names = {
        "constant": None,
        "basic": _basic(request),
        "positioning": rungs.UNTRACKED,
    }
    outcome = generated.ladder_against_full(request, profile, "hp-c2200a", names, align_sectors=32)
    missing = (
        f"The HP week ({trace}) is not at hand, so the C2200A's rungs are compared with its own "
        "full model on generated requests: this says what each piece of the model is worth, and "
        "nothing about the real drive."
    )
    return Outcome(outcome.rows, outcome.figures, [missing, *outcome.notes])


def _basic(request: Request) -> Overrides:
    """The line goes through the seeks of one cylinder and of the full stroke."""
    return rungs.basic(request.constant(priors.SINGLE_MS), request.constant(priors.FULL_MS))


def _rungs(week: Week, request: Request) -> dict[str, Column]:
    mean_ms = float(week.measured.service_ms.mean())
    printed = {"controller.read_ms": 1.1}
    overrides = {
        "constant": rungs.constant(mean_ms),
        "basic": {**printed, **_basic(request)},
        "positioning": {**printed, **rungs.UNTRACKED},
        "rotation": {},
    }
    return {
        name: ladder.simulate(
            week.requests,
            week.profile,
            changed,
            timing="issue",
            seed=request.seed,
            track_phase=name == "rotation",
        )
        for name, changed in overrides.items()
    }


LADDER = "HP C2200A, the week: demerit of each rung, in % of the measured mean"

WHAT = {
    "constant": "constant: the mean for every request",
    "basic": "basic: linear seek, overhead, bus",
    "positioning": "+ positioning: seek curve, switches",
    "rotation": "+ rotational position and layout",
}
ABOUT = ("constant", "basic")
"""Rungs that leave nothing open, and have to come out as the paper's; the others may be better."""

PHASE = "the platter's phase follows measured completions of earlier requests"
FITTED_ON = "the first half of the week, delays of its host included"
BY_TRACE = "the overhead of reads and the cylinder skew go by this trace"
FED_BACK = f"{BY_TRACE}; the platter's phase follows measured completions of earlier requests"
RUNG: dict[str, tuple[Evidence, str]] = {
    "constant": ("blind", "the mean of the week, as in the paper"),
    "basic": ("blind", f"{NOTHING}; the line joins the ends of Table 2's curve, which is assumed"),
    "positioning": ("blind", "nothing of this row; switches before requests too, unlike the paper"),
    "rotation": ("fitted", FED_BACK),
}


def _mean(measured: Measured) -> Row:
    """Whether the week is the paper's: the mean of what was measured, which no model is in."""
    return Row(
        "week/mean_ms",
        "the week as measured: mean",
        MEAN_MS,
        float(measured.service_ms.mean()),
        "ms",
        criterion=ARITHMETIC,
        group=LADDER,
        used="the trace alone, and no model",
    )


def _row(name: str, judged: ladder.Judged) -> Row:
    evidence, used = RUNG[name]
    return Row(
        id=name,
        what=WHAT[name],
        paper=PAPER[name],
        ours=judged["demerit_percent"],
        unit="%",
        bound="about" if name in ABOUT else "at-most",
        criterion=MEAN if name in ABOUT else EXACT,
        evidence=evidence,
        used=used,
        group=LADDER,
        extra=ladder.beside(judged),
    )


def _as_defined(week: Week, seed: int) -> Row:
    """The third rung in the paper's words: switches within a request, and none before it."""
    bare = {"controller.read_ms": 1.1, **rungs.UNTRACKED, **rungs.NO_SWITCHES}
    times = ladder.simulate(week.requests, week.profile, bare, timing="issue", seed=seed)
    columns = week.requests.columns()
    first, last = columns["lba"], columns["lba"] + columns["sectors"] - 1
    switches = last // DATA_SECTORS - first // DATA_SECTORS
    judged = ladder.judge(times + SWITCH_MS * switches, week.measured)
    return Row(
        "positioning-as-defined",
        "  switches within requests alone",
        PAPER["positioning"],
        judged["demerit_percent"],
        "%",
        criterion=MEAN,
        group=LADDER,
        extra=ladder.beside(judged),
    )


def _as_printed(week: Week, request: Request) -> list[Row]:
    """The paper's last rung as in the paper, and halfway.

    Table 2 to the letter, a platter that runs freely at its nominal speed, and both.
    """
    cases: dict[str, tuple[str, bool, Overrides, Evidence, str]] = {
        "rotation-as-printed": (
            "  Table 2 to the letter, phase fed back", True, rungs.AS_PRINTED, "fitted", PHASE
        ),
        "rotation-free": ("  with a platter that runs freely", False, {}, "fitted", BY_TRACE),
        "rotation-free-as-printed": (
            "  both: the paper's own model", False, rungs.AS_PRINTED, "blind", NOTHING
        ),
    }  # fmt: skip
    stands = {"spindle.phase_turns": request.constant(priors.PHASE_TURNS)}
    rows = []
    for name, (what, track_phase, overrides, evidence, used) in cases.items():
        simulated = ladder.simulate(
            week.requests,
            week.profile,
            {**stands, **overrides},
            timing="issue",
            seed=request.seed,
            track_phase=track_phase,
        )
        judged = ladder.judge(simulated, week.measured)
        ours = judged["demerit_percent"]
        extra = ladder.beside(judged)
        rows.append(
            Row(
                name, what, PAPER["rotation"], ours, "%", bound="at-most", criterion=EXACT,
                group=LADDER, extra=extra, evidence=evidence, used=used,
            )
        )  # fmt: skip
    return rows


def _means(rows: list[Row]) -> list[Row]:
    """Means of the two rungs of which the paper prints them."""
    told = {row.id: row for row in rows}
    return [
        Row(
            f"{name}/mean_ms", f"{told[name].what}: mean", paper, told[name].extra["mean_ms"], "ms",
            criterion=MEAN, group=LADDER, evidence=told[name].evidence, used=told[name].used,
        )
        for name, paper in MEANS_MS.items()
    ]  # fmt: skip


def _factors(rows: list[Row]) -> list[Row]:
    """How much smaller the error of the paper's last model is than those of two before it."""
    demerit = {row.id: row.ours for row in rows}
    last = demerit["rotation-free-as-printed"]
    factors = (
        ("factor", "first model's", FACTOR, demerit["constant"]),
        ("last_factor", "last but one model's", LAST_FACTOR, demerit["positioning-as-defined"]),
    )
    halved = Row(
        "ladder/halved",
        "demerit with head positioning over that of the basic model",
        None,
        demerit["positioning-as-defined"] / demerit["basic"],
        "",
        target=0.5,
        bound="at-most",
        criterion=EXACT,
        group=LADDER,
        claim="the demerit figure has more than halved",
    )
    return [
        halved,
        *(
            Row(
                f"ladder/{key}",
                f"{which} demerit over the last's, as the paper has both",
                paper,
                before / last,
                "",
                criterion=RATIO,
                group=LADDER,
            )
            for key, which, paper, before in factors
        ),
    ]


def _worth(rows: list[Row]) -> list[Row]:
    """The part of the demerit that each piece removes, as in the summary."""
    demerit = {row.id: row.ours for row in rows}
    return [
        Row(
            f"ladder/{key}",
            f"{what}: demerit without it less that with it",
            paper,
            demerit[before] - demerit[after],
            "%",
            criterion=EFFECT,
            group=LADDER,
        )
        for key, (what, paper, before, after) in WORTH_PCT.items()
    ]


def _skews(columns: dict[str, Column], week: Week) -> figures.Strengths:
    """Phase agreement over the skews, from the half that the fit may see."""
    half = slice(0, week.middle)
    ends = phases.Ends(
        lba=(columns["lba"][half] + columns["sectors"][half] - 1).astype(np.int64),
        completion_ms=columns["issue_ms"][half] + columns["measured_ms"][half],
        kind=(columns["sectors"][half] * 2 + columns["operation"][half]).astype(np.int64),
    )
    track, cylinder = range(8, 45), range(30, 61)
    by_track, by_cylinder = phases.scan(ends, week.rotation_ms, track, cylinder, (34, 46))
    return figures.Strengths(np.array(track), by_track, np.array(cylinder), by_cylinder)


def _notes(fitted: Found, strengths: figures.Strengths) -> list[str]:
    by_cylinder = dict(zip(strengths.cylinder.tolist(), strengths.by_cylinder, strict=True))
    return [
        "C2200A: drive 0 of one week of host hplajw, 42,252 requests, each begun at its recorded "
        "issue time.",
        "`basic` and `positioning` use Table 2 to the letter. `rotation` uses the library's "
        "profile, which goes by the trace in two values: reads have the overhead of writes "
        "(5.1 ms; printed 1.1), and the cylinder skew is 46 sectors (printed 43): the phases of "
        f"consecutive completions agree to {by_cylinder[46]:.2f} with 46 and to "
        f"{by_cylinder[43]:.2f} with 43.",
        "In `rotation` and `fitted-unseen` the platter's phase follows the measured completions of "
        "earlier requests, never of the one predicted. The paper's ran freely: `rotation-free` "
        "with the library's profile, `rotation-free-as-printed` with Table 2, which is the paper's "
        "own model and does not come to 2.6 %.",
        f"`fitted-unseen` was fitted on the first half alone, in {fitted.evaluations} simulations. "
        "What fitting buys is single requests: see the shares within 0.5 ms, fitted and not. Its "
        "distribution is no better than the library's (`...-mechanics`): what `fitted-unseen` "
        "gains are the host's delays as the first half shows them, spread evenly; drawn at random "
        "they leave more (`random-delays`).",
        "The second half has one write that took 167 ms and should have taken 48; alone it makes a "
        "demerit of 1.4 % for a model that has no such delays. The form of the model was found on "
        "the whole week; only its numbers are out of sample.",
    ]
