"""Trials of many unseen drives, one JSON object a line.

`python -m platterlab.studies.unseen_drives first --part survey --done old.jsonl >> old.jsonl` goes
on with a third where a file ends.
"""

import argparse
import sys

from platterlab.studies.thirds import run
from platterlab.studies.unseen_drives import THIRDS
from platterlab.studies.unseen_drives.trial import PARTS
from platterlab.sweeps.work import Call

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=(*PARTS, "self-check"), default="characterize")
    sys.exit(
        run(
            parser,
            THIRDS,
            lambda seed, wanted: Call("unseen-drive", {"seed": seed, "part": wanted.part}),
        )
    )
