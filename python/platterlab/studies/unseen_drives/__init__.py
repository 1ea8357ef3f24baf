"""Unseen drives: random drives and hosts, drawn without a look at the extraction, and its answers.

The seeds were fixed before anything was tuned. The first third may be looked at, drive by drive;
the second says whether a change holds; the last is run once.
"""

from platterlab.studies.counted import none_row, number_interval, share_row
from platterlab.studies.row import Row
from platterlab.studies.study import Outcome, Request, Study
from platterlab.studies.titles import TITLES

from .falsified import Falsified, falsify
from .predicted import Predicted, predict
from .trial import PARTS, Part, Trial, measure

THIRDS = {"first": range(334), "second": range(334, 667), "last": range(667, 1000)}
"""Seeds by third."""

DRIVES = 24
"""Drives of the second third that a run of the study measures, each in both ways."""
USED = "the first third of the drives, other ones, in choosing what counts as sure"
RIGHT = {"characterize": 0.45, "quick": 0.45, "survey": 0.45}
"""Shares of all drives that are to be found whole."""
WHOLE = {
    "characterize": "drives of which every value is sure and right",
    "quick": "drives of which the rotation and the first track's length are sure and right",
    "survey": "drives of which every value of the map is sure and right",
}
"""What that is, by what measured them."""
PREDICTED = 0.95
"""Share of requests that a profile is to have, where it says that all it takes was measured."""
NOTICED = 0.99
"""Share of values put wrong on purpose that the self-check is to notice."""


REASON = (
    "unknown is said of drives behind whole-track caches and clocks of 1 ms, of skews too small to "
    "show, and of drives that a cache makes too slow to survey"
)


NOTES = [
    "Rows are of 24 drives of the second third. In tuning, `python -m "
    "platterlab.studies.unseen_drives first` and `second` were run many times, and are no "
    "evidence.",
    "The last third, 333 drives, was run once by 93ee6e5: `characterize` found 154 whole (46.2 %) "
    "and a survey 227 (68.2 %), both silently wrong on none. It was run by states before, too: "
    "107df10 found 139 and 213 whole, and 730, 879 and 908 have made rules or mended the judge.",
    "Drives of other seeds, seen for the first time by the state of that moment, 167 each: seven "
    "samples of seeds 1000 to 2335 found seven drives silently wrong, where the thirds had none "
    "(1054, 1141, 1621, 1644, 1803, 1888, 2121), of rules since; seeds 2335 to 2502 by the state "
    "before the last two rules: 69 whole, none wrong; seeds 2502 to 2669 by 93ee6e5: 85 whole, one "
    "wrong (2640: no skew, printed as a whole revolution).",
]
"""What was run, and on which commit."""


def rows(part: Part, trials: list[Trial]) -> list[Row]:
    """The share that was found whole, and the drives of which something sure was wrong."""
    count = len(trials)
    right = sum(trial.right for trial in trials)
    wrong = {str(trial.seed): trial.wrong for trial in trials if trial.wrong}
    refused = [trial.seed for trial in trials if trial.refused]
    share = share_row(
        f"{part}/right_share",
        WHOLE[part],
        (right, count),
        RIGHT[part],
        group=part,
        used=USED,
        reason=REASON,
        extra={"drives": count, "seeds": [trial.seed for trial in trials], "refused": refused},
    )
    silent = none_row(
        f"{part}/silently_wrong",
        "drives of which a value that is given as sure is wrong",
        len(wrong),
        group=part,
        interval=number_interval(len(wrong), count),
        used=USED,
        extra={"drives": count, "wrong": wrong},
    )
    return [share, silent]


def noticed(trials: list[Falsified]) -> Row:
    """The share of values put wrong that the self-check notices."""
    count = len(trials)
    seen = sum(trial.noticed for trial in trials)
    missed = {str(trial.seed): trial.name for trial in trials if not trial.noticed}
    return share_row(
        "self-check/noticed_share",
        "drives of which one sure value was put wrong, and the self-check notices it",
        (seen, count),
        NOTICED,
        group="self-check",
        used=USED,
        extra={"drives": count, "missed": missed},
    )


def predicted(trials: list[Predicted]) -> list[Row]:
    """What profiles have of requests that nobody measured, and those that promise more."""
    count = len(trials)
    have = sum(trial.within >= PREDICTED for trial in trials)
    promised = [trial for trial in trials if trial.says_so]
    less = {str(trial.seed): trial.within for trial in promised if trial.within < PREDICTED}
    share = share_row(
        "profile/predicted_share",
        "profiles that have the service time of 95 % of other reads to within 0.25 ms",
        (have, count),
        0.5,
        group="profile",
        used=USED,
        reason=REASON,
        extra={"profiles": count, "within": {str(it.seed): it.within for it in trials}},
    )
    silent = none_row(
        "profile/promised_in_vain",
        "profiles that say all angles and the overhead of reads are measured, and have fewer",
        len(less),
        group="profile",
        interval=number_interval(len(less), len(promised)),
        used=USED,
        extra={"profiles": len(promised), "fewer": less},
    )
    return [share, silent]


def run(request: Request) -> Outcome:
    """Measures some drives of the second third, another choice for each seed of the study."""
    second = THIRDS["second"]
    seeds = [second[(request.seed * DRIVES + index) % len(second)] for index in range(DRIVES)]
    found: list[Row] = []
    for number, part in enumerate(PARTS):
        trials = []
        for index, seed in enumerate(seeds):
            request.progress(f"{part}, drive {seed}", (number + index / DRIVES) / len(PARTS))
            trials.append(measure(seed, part))
        found += rows(part, trials)
    request.progress("profiles", 1.0)
    found += predicted([made for seed in seeds if (made := predict(seed))])
    request.progress("self-check", 1.0)
    found.append(noticed([trial for seed in seeds if (trial := falsify(seed))]))
    return Outcome(found, notes=NOTES)


STUDY = Study(
    "unseen-drives",
    *TITLES["unseen-drives"],
    run=run,
)
