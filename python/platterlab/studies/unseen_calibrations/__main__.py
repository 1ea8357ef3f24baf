"""Trials of many made-up drives, one JSON object a line.

`python -m platterlab.studies.unseen_calibrations first --done old.jsonl >> old.jsonl` goes on with
a third where a file ends.
"""

import argparse
import sys
from typing import Any

from platterlab.studies.thirds import run
from platterlab.studies.unseen_calibrations import THIRDS, alarms
from platterlab.studies.unseen_calibrations.trial import REQUESTS, judge


def line(seed: int, wanted: argparse.Namespace) -> tuple[dict[str, Any], str | None]:
    """A trial's line, and how it went."""
    found = judge(seed, wanted.requests)
    share = "-" if found.result is None else f"{found.result.within:.3f}"
    told = {**found.to_json(), "right_warning": alarms.right_warning(found)}
    return told, f"{seed} {found.kind} {share} {found.alarms}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    sys.exit(run(parser, THIRDS, line))
