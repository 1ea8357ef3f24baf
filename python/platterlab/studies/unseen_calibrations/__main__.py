"""Trials of many made-up drives, one JSON object a line.

`python -m platterlab.studies.unseen_calibrations first --done old.jsonl >> old.jsonl` continues
with a third where a file ends.
"""

import argparse
import sys

from platterlab.studies.thirds import run
from platterlab.studies.unseen_calibrations import THIRDS
from platterlab.studies.unseen_calibrations.trial import REQUESTS
from platterlab.sweeps.work import Call

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    sys.exit(
        run(
            parser,
            THIRDS,
            lambda seed, wanted: Call(
                "unseen-calibration", {"seed": seed, "requests": wanted.requests}
            ),
        )
    )
