"""Trials of many unseen drives, one JSON object a line.

`python -m platterlab.studies.unseen_drives first --part survey --done old.jsonl >> old.jsonl` goes
on with a third where a file ends.
"""

import argparse
import sys
from dataclasses import asdict
from typing import Any

from platterlab.studies.thirds import run
from platterlab.studies.unseen_drives import THIRDS
from platterlab.studies.unseen_drives.falsified import falsify
from platterlab.studies.unseen_drives.trial import PARTS, Trial, measure


def shown(trial: Trial) -> dict[str, Any]:
    """A trial as one line: its verdicts, and what was printed of the values they are on."""
    found = {**trial.printed, **(trial.printed.get("layout") or {})}
    printed = {name: found[name] for name in trial.verdicts if name in found}
    return {
        "seed": trial.seed,
        "right": trial.right,
        "wrong": trial.wrong,
        "refused": trial.refused,
        "verdicts": trial.verdicts,
        "printed": printed,
    }


def judge(seed: int, wanted: argparse.Namespace) -> tuple[dict[str, Any], str | None]:
    """A trial's line, and what is wrong with it."""
    if wanted.part == "self-check":
        falsified = falsify(seed)
        if falsified is None:
            return {"seed": seed, "noticed": None}, None
        missed = None if falsified.noticed else f"{seed} missed: {falsified.name}"
        return asdict(falsified), missed
    trial = measure(seed, wanted.part)
    wrong = f"{seed} wrong: {', '.join(trial.wrong)}" if trial.wrong else None
    return shown(trial), wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=(*PARTS, "self-check"), default="characterize")
    sys.exit(run(parser, THIRDS, judge))
