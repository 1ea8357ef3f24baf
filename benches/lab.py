"""Cost of `pl.simulate` on the requests of `hp97560-cache`: `python benches/lab.py REPEATS`.

Prints one JSON object: the fastest repeat counts, by processor time of all threads.
"""

import argparse
import json
import sys
import time

import platterlab as pl

REQUESTS = 500_000


def main() -> int:
    """Runs it and says how fast it was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repeats", type=int)
    repeats = parser.parse_args().repeats
    drive = pl.Drive("hp-97560")
    trace = requests(drive)
    took_s = []
    for _ in range(repeats):
        start_s = time.process_time()
        result = pl.simulate(drive, trace, timing="closed", seed=1)
        took_s.append(time.process_time() - start_s)
    told = {"served": result.figures.served, "per_s": REQUESTS / min(took_s)}
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


def requests(drive: pl.Drive) -> pl.Trace:
    """The same as of the case, from the same generator and seed."""
    return pl.Trace.random(
        drive,
        REQUESTS,
        read_share=0.66,
        sequential_share=0.5,
        local_share=0.5,
        local_distance_sectors=drive.capacity_sectors // 100,
        mean_sectors=16.0,
        max_sectors=64,
        align_sectors=8,
        think_ms=5.0,
        seed=1,
    )


if __name__ == "__main__":
    sys.exit(main())
