"""What is asked of a calibration of drives that nobody tuned for."""

from collections.abc import Callable, Sequence

from platterlab.studies.counted import none_row, share_row
from platterlab.studies.row import Row
from platterlab.studies.sample import share_interval

from . import alarms
from .outcome import Trial

GOOD = 0.95
"""Share within 0.25 ms that a calibrated drive is to have, and of drives that are to have it."""
FALSE = 0.01
LOSS, MODELLED = 0.01, 0.9
"""Share of requests that a simulator may lose, and of drives of which it may lose no more."""
CAUSES = {
    "tracks in a listed order": ("listed",),
    "spares or slips that the sheet lacks": ("no spares", "no slips"),
    "places that need more than skews": ("slips", "between ranges"),
    "passes, or surfaces that are turned": ("surface-", "hybrid-", "turned"),
    "seeks that scatter": ("scatter", "ripple"),
    "a buffer": ("segments",),
}
"""What drives that are not as they should be have, or their sheets lack: the first that applies."""
OTHER = "none of this"
USED = "the first third of the drives, other ones, in mending the calibration"


def rows(trials: Sequence[Trial]) -> list[Row]:
    """Every row of these drives."""
    found = [_good(trials), _agree(trials)]
    found += [
        _none(trials, "failed", "drives of which the calibration ends without a profile", _failed),
        _none(trials, "worse", "drives whose demerit or median is worse than the start's", _worse),
        _none(
            trials,
            "undetermined",
            "drives below 90 % within 0.25 ms without a warning that names what is off",
            _undetermined,
        ),
        _none(trials, "overstated", "drives that are not as good as is printed", _overstated),
        _false(trials),
    ]
    return found


def _cause(trial: Trial) -> str:
    words = " ".join([*trial.drive, *trial.sheet])
    return next((name for name, said in CAUSES.items() if any(w in words for w in said)), OTHER)


def _causes(trials: Sequence[Trial]) -> str:
    """Irregularities of the drives that miss, and how many drives have each."""
    first = [_cause(each) for each in trials]
    counts = {name: first.count(name) for name in sorted(set(first), key=first.count, reverse=True)}
    return "of those that miss " + ", ".join(f"{n} have {name}" for name, n in counts.items())


def _good(trials: Sequence[Trial]) -> Row:
    asked = [each for each in trials if each.kind == "reachable"]
    missed = [each for each in asked if each.result is None or each.result.within < GOOD]
    good = len(asked) - len(missed)
    beyond = {each.seed: each.kind for each in trials if each.kind != "reachable"}
    return share_row(
        "good_share",
        "drives with 95 % of the requests within 0.25 ms, of those that a profile can express",
        (good, len(asked)),
        GOOD,
        used=USED,
        reason=_causes(missed) if missed else "",
        extra={"drives": len(asked), "left_out": {str(k): kind for k, kind in beyond.items()}},
    )


def _agree(trials: Sequence[Trial]) -> Row:
    """The simulator, told all, against the model of a drive from which the times come."""
    asked = [each for each in trials if not each.beyond]
    lost = {each.seed: each.reachable - each.modelled for each in asked}
    good = sum(each.reachable - each.modelled <= LOSS for each in asked)
    return share_row(
        "modelled_share",
        "drives of which the simulator, told all, loses no more than 1 request of 100 to their own "
        "model",
        (good, len(asked)),
        MODELLED,
        extra={"drives": len(asked), "lost": {str(k): round(v, 4) for k, v in lost.items()}},
    )


def _failed(trial: Trial) -> bool:
    return trial.exit_code != 0


def _worse(trial: Trial) -> bool:
    return trial.worse


def _undetermined(trial: Trial) -> bool:
    return alarms.right_warning(trial) is False


def _overstated(trial: Trial) -> bool:
    """Whether the share that it prints is more than 2 points above what its profile has here."""
    said = trial.said.get("judged", {}).get("result", {}).get("within_0.25_ms")
    return said is not None and trial.result is not None and said > trial.result.within + 0.02


def _none(trials: Sequence[Trial], name: str, what: str, bad: Callable[[Trial], bool]) -> Row:
    missed = [each for each in trials if bad(each)]
    seeds = [each.seed for each in missed]
    low, high = share_interval(len(seeds), len(trials))
    return none_row(
        name,
        what,
        len(seeds),
        used=USED,
        reason=_causes(missed) if missed else "",
        extra={"drives": len(trials), "seeds": seeds, "share_interval": [low, high]},
    )


def _false(trials: Sequence[Trial]) -> Row:
    wrong = {str(each.seed): each.alarms for each in trials if each.alarms}
    return share_row(
        "false_alarms",
        "drives of whose results a mechanism is told that they have not",
        (len(wrong), len(trials)),
        FALSE,
        bound="at-most",
        used=USED,
        extra={"drives": len(trials), "wrong": wrong},
    )
