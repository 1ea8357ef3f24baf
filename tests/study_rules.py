"""What every row of every study keeps to, whatever it says: held against the rows of a run."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

VERDICTS = {
    "reproduced", "fitted", "by construction", "not reproduced", "no figure published",
}  # fmt: skip
MOST_SHARE, MOST_POINTS = 0.25, 10.0
"""How wide a tolerance on both sides may be: of its figure, and in points where that is in %."""


def complaints(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Every rule that a row breaks, of rows as `study NAME --json` tells them."""
    told = list(rows)
    counts = Counter(row["id"] for row in told)
    twice = [f"{key}: {count} rows" for key, count in counts.items() if count > 1]
    return twice + [said for row in told for said in _of(row)]


def _of(told: dict[str, Any]) -> list[str]:
    rules = {
        "has a verdict": told["verdict"] in VERDICTS,
        "says what of it was used": bool(told["used"]),
        "has an interval with ours in it, or none": _holds_ours(told),
        "is in the appendix where nothing can be said of it": told["appendix"]
        == (told["within"] is None),
        "has a criterion where it is held against something": told["appendix"]
        or told["criterion"] is not None,
        "has no wide tolerance": _is_narrow(told),
        "is within where all of its interval is": told["within"] == _within(told),
        "says why it is off": (told["within"] is False) == (told["reason"] is not None),
        "can fail": told["appendix"] or _can_fail(told),
    }
    return [
        f"{told['id']}: not kept: {rule}: {told}" for rule, is_kept in rules.items() if not is_kept
    ]


def _holds_ours(told: dict[str, Any]) -> bool:
    if told["interval"] is None:
        return True
    low, high = told["interval"]
    return bool(low - 1e-9 <= told["ours"] <= high + 1e-9)


def _reference(told: dict[str, Any]) -> float | None:
    return told["paper"] if told["target"] is None else told["target"]


def _is_narrow(told: dict[str, Any]) -> bool:
    reference = _reference(told)
    if reference is None or told["bound"] != "about":
        return True
    most = MOST_POINTS if told["unit"] == "%" else MOST_SHARE * abs(reference)
    return bool(told["tolerance"] <= most)


def _within(told: dict[str, Any]) -> bool | None:
    reference = _reference(told)
    if reference is None:
        return None
    low, high = told["interval"] or (told["ours"], told["ours"])
    above = high > reference + told["tolerance"] and told["bound"] != "at-least"
    below = low < reference - told["tolerance"] and told["bound"] != "at-most"
    return not (above or below)


def _can_fail(told: dict[str, Any]) -> bool:
    """Whether there is a figure that would be off; a share lies between nothing and all."""
    reference = _reference(told)
    assert reference is not None
    is_share = "share" in told["id"] or "share" in told["what"]
    most = (100.0 if told["unit"] == "%" else 1.0) if is_share else float("inf")
    above = told["bound"] != "at-least" and reference + told["tolerance"] < most
    below = told["bound"] != "at-most" and (not is_share or reference > told["tolerance"])
    return bool(above or below)
