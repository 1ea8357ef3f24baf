"""One rung more than the paper: fitted on the first half of the week, judged on the second."""

from collections.abc import Sequence

import numpy as np

from platterlab.known import known
from platterlab.studies.criteria import EXACT
from platterlab.studies.row import Row
from platterlab.studies.ruemmler_wilkes import delays, ladder
from platterlab.studies.ruemmler_wilkes.found import Found
from platterlab.studies.ruemmler_wilkes.ladder import Column
from platterlab.studies.ruemmler_wilkes.week import Week, apart

PLACEMENTS = 32
"""Ways of spreading the host's delays over requests; the demerit is their mean."""

BOUND_PCT = 1.5
"""What was wanted of the demerit before the rung was built."""

GROUP = "HP C2200A, fitted on the first half and judged on the second"
FITTED_ON = "the first half of the week"
WITH_DELAYS = f"{FITTED_ON}, the delays of its host included"


def rows(week: Week, fitted: Found, seed: int) -> tuple[Column, list[Row]]:
    """The fitted model on the second half: its times, and its rows with the library's drive."""

    def simulated(of: object) -> Column:
        return ladder.simulate(
            week.requests, of, {}, timing="issue", seed=seed, track_phase=True  # type: ignore[arg-type]
        )  # fmt: skip

    half = week.middle
    times = simulated(fitted.profile)
    late = delays.late_by(week.measured.service_ms[:half], times[:half], week.rotation_ms)
    mechanics = ladder.judge(times[half:], week.unseen)
    library = ladder.judge(simulated(week.profile)[half:], week.unseen)
    made = [
        *_with_delays(week, times[half:], late, fitted.evaluations, seed),
        *_single("fitted-unseen", "  without the host's delays", mechanics),
        *_single("library-unseen", "not fitted: the library's drive", library),
    ]
    return times[half:], made


def _with_delays(week: Week, times: Column, late: Column, evaluations: int, seed: int) -> list[Row]:
    """Demerits with the first half's delays: spread evenly, and drawn at random."""
    count = len(times)
    even = [times + delays.spread(late, count, k / PLACEMENTS) for k in range(PLACEMENTS)]
    dice = np.random.default_rng(seed)
    drawn = [times + dice.choice(late, count) for _ in range(PLACEMENTS)]
    judged = [ladder.judge(one, week.unseen) for one in even]
    at_random = [ladder.judge(one, week.unseen)["demerit_percent"] for one in drawn]
    mean = _mean(judged, ladder.judge(times, week.unseen))
    demerits = [one["demerit_percent"] for one in judged]
    low, high = np.quantile(at_random, (0.05, 0.95))
    spread = {"demerit_percent_low": min(demerits), "demerit_percent_high": max(demerits)}
    return [
        Row(
            "fitted-unseen", "demerit, delays spread evenly", None, mean["demerit_percent"], "%",
            target=BOUND_PCT, bound="at-most", criterion=EXACT, group=GROUP, evidence="fitted",
            used=WITH_DELAYS, extra={**ladder.beside(mean), **spread, "evaluations": evaluations},
        ),
        Row(
            "fitted-unseen/random-delays", "demerit, delays drawn at random", None,
            float(np.mean(at_random)), "%", target=BOUND_PCT, bound="at-most", criterion=EXACT,
            interval=(float(low), float(high)), group=GROUP, evidence="fitted", used=WITH_DELAYS,
            reason="few long delays decide it: draws lie on both sides of our own bound",
        ),
        *apart("fitted-unseen", mean, GROUP, WITH_DELAYS),
    ]  # fmt: skip


def _mean(judged: Sequence[ladder.Judged], bare: ladder.Judged) -> ladder.Judged:
    """Means of what delays decide; single requests are those of the drive without delays."""
    mean: ladder.Judged = {**bare}
    for key in ("demerit_percent", "demerit_ms", "simulated_mean_ms", "measured_mean_ms"):
        mean[key] = float(np.mean([one[key] for one in judged]))
    for kind in ("reads", "writes"):
        of_kind = float(np.mean([known(one[kind])["demerit_percent"] for one in judged]))
        mean[kind] = {**known(bare[kind]), "demerit_percent": of_kind}
    return mean


def _single(name: str, what: str, judged: ladder.Judged) -> list[Row]:
    """A drive without the host's delays, which nobody can predict: single requests."""
    figures = (
        ("median_abs_error_ms", "median error", judged["median_abs_error_ms"], "ms"),
        ("rmse_ms", "RMS error", judged["rmse_ms"], "ms"),
        ("within_0.5_ms", "share within 0.5 ms", 100.0 * judged["within_500_us"], "%"),
    )
    return [
        Row(
            f"{name}-mechanics", what, None, judged["demerit_percent"], "%", group=GROUP,
            extra=ladder.beside(judged), evidence="fitted", used=FITTED_ON,
        ),
        *(
            Row(
                f"{name}/{key}", f"one request: {word}", None, ours, unit, group=GROUP,
                evidence="fitted", used=FITTED_ON,
            )
            for key, word, ours, unit in figures
        ),
    ]  # fmt: skip
