"""Trials of many unseen drives, one JSON object a line.

`python -m platterlab.studies.unseen_drives first --part survey --done old.jsonl >> old.jsonl` goes
on with a third where a file ends.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from platterlab.studies.unseen_drives import THIRDS
from platterlab.studies.unseen_drives.trial import PARTS, Trial, measure


def shown(trial: Trial) -> dict[str, Any]:
    """A trial as one line: its verdicts, and what was printed of the values they are on."""
    found = {**trial.printed, **trial.printed.get("layout", {})}
    printed = {name: found[name] for name in trial.verdicts if name in found}
    return {
        "seed": trial.seed,
        "right": trial.right,
        "wrong": trial.wrong,
        "refused": trial.refused,
        "verdicts": trial.verdicts,
        "printed": printed,
    }


def main() -> int:
    """Runs what is not done; 1 where drives are left when the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("third", choices=THIRDS)
    parser.add_argument("--part", choices=PARTS, default="characterize")
    parser.add_argument("--done", type=Path, help="lines of earlier runs, whose seeds are left out")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin none after that")
    parser.add_argument("--seeds", type=int, nargs="*", help="of the third; all where not given")
    wanted = parser.parse_args()
    lines = wanted.done.read_text().splitlines() if wanted.done and wanted.done.exists() else []
    done = {json.loads(line)["seed"] for line in lines}
    until = time.monotonic() + 60 * wanted.minutes
    for seed in wanted.seeds or THIRDS[wanted.third]:
        if seed in done:
            continue
        if time.monotonic() > until:
            return 1
        trial = measure(seed, wanted.part)
        sys.stdout.write(json.dumps(shown(trial)) + "\n")
        sys.stdout.flush()
        if trial.wrong:
            sys.stderr.write(f"{seed} wrong: {', '.join(trial.wrong)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
