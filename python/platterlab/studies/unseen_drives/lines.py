"""A trial of an unseen drive as a line of JSON."""

from dataclasses import asdict

from platterlab.documents import Json
from platterlab.studies.unseen_drives.falsified import falsify
from platterlab.studies.unseen_drives.trial import Trial, measure


def shown(trial: Trial) -> Json:
    """A trial as one line: its verdicts, and what was printed of the values they are on."""
    found = {**trial.printed, **(trial.printed.get("layout") or {})}
    printed = {name: found[name] for name in trial.verdicts if name in found}
    return {
        "seed": trial.seed,
        "right": trial.right,
        "wrong": trial.wrong,
        "refused": trial.refused,
        "verdicts": trial.verdicts,
        "others": trial.others,
        "printed": printed,
    }


def line(seed: int, part: str) -> tuple[Json, str | None]:
    """A trial's line, and what is wrong with it."""
    if part == "self-check":
        falsified = falsify(seed)
        if falsified is None:
            return {"seed": seed, "noticed": None}, None
        missed = None if falsified.noticed else f"{seed} missed: {falsified.name}"
        return asdict(falsified), missed
    trial = measure(seed, "survey" if part == "survey" else "characterize")
    wrong = f"{seed} wrong: {', '.join(trial.wrong)}" if trial.wrong else None
    return shown(trial), wrong
