"""Trials of many made-up drives, one JSON object a line.

`python -m platterlab.studies.unseen_calibrations first --done old.jsonl >> old.jsonl` goes on with
a third where a file ends.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from platterlab.studies.unseen_calibrations import THIRDS, alarms
from platterlab.studies.unseen_calibrations.trial import REQUESTS, judge


def main() -> int:
    """Runs what is not done; 1 where drives are left when the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("third", choices=THIRDS)
    parser.add_argument("--done", type=Path, help="lines of earlier runs, whose seeds are left out")
    parser.add_argument("--requests", type=int, default=REQUESTS)
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
        found = judge(seed, wanted.requests)
        right = alarms.right_warning(found)
        sys.stdout.write(json.dumps({**found.to_json(), "right_warning": right}) + "\n")
        sys.stdout.flush()
        share = "-" if found.result is None else f"{found.result.within:.3f}"
        sys.stderr.write(f"{seed} {found.kind} {share} {found.alarms}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
