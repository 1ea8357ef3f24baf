"""Writes a long trace: the HP week again and again, or where it is not at hand a made-up one.

`python benches/week.py TARGET REQUESTS [WEEK]`. A process of its own, so that its memory is not
counted as that of the program measured next. Prints what it wrote as one JSON object.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WEEK_S = 7 * 24 * 3600
HEADER_END = b"\x0c"
SECTOR_BYTES = 256
SEED = 1
MADE_UP = 42_252
"""Requests of a made-up week: as many as the HP week has for its drive 0."""

WORDS = (
    "size", "id", "sec", "usec", "start_us", "stop_us", "bytes", "blkno",
    "dev", "drivertype", "cyl", "flags", "info", "qlen",
)  # fmt: skip
RECORD = np.dtype([(word, ">i4") for word in WORDS])

Records = NDArray[np.void]


def main() -> int:
    """Writes the file and says how long it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("requests", type=int, help="at least so many, for drive 0")
    parser.add_argument("week", type=Path, nargs="?", help="an hp-srt trace of one week")
    given = parser.parse_args()
    header, week = read(given.week) if given.week else made_up()
    per_week = int(np.count_nonzero(drive(week) == 0))
    weeks = -(-given.requests // per_week)
    with given.target.open("wb") as file:
        file.write(header)
        for one in shifted(week, weeks):
            file.write(one.tobytes())
    told = {"requests": weeks * per_week, "weeks": weeks, "years": weeks * WEEK_S / 31_557_600}
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


def read(path: Path) -> tuple[bytes, Records]:
    """The header with its end, and the records."""
    content = path.read_bytes()
    begin = content.index(HEADER_END) + 1
    return content[:begin], np.frombuffer(content[begin:], RECORD)


def made_up() -> tuple[bytes, Records]:
    """Requests that come in bursts, each issued at once and served before the next."""
    random = np.random.default_rng(SEED)
    header = f"$$TR_IOREC-1.3\ndisks = {{ 0 -> {{ sectorsize = {SECTOR_BYTES} }} }};\n".encode()
    service_us = random.integers(8_000, 45_000, MADE_UP)
    share = random.exponential(1.0, MADE_UP) * np.where(random.random(MADE_UP) < 0.05, 400.0, 1.0)
    gap_us = 30 + (share / share.sum() * 0.99 * (WEEK_S * 1e6 - service_us.sum())).astype(np.int64)
    arrival_us = np.cumsum(gap_us + service_us) - service_us
    week = np.zeros(MADE_UP, RECORD)
    week["size"] = RECORD.itemsize
    week["sec"], week["usec"] = np.divmod(arrival_us, 1_000_000)
    week["stop_us"] = service_us
    week["bytes"] = 8192
    week["blkno"] = random.integers(0, 40_000, MADE_UP) * (8192 // SECTOR_BYTES)
    week["flags"] = random.random(MADE_UP) < 0.26
    return header + HEADER_END, week


def drive(week: Records) -> NDArray[np.int32]:
    """The drive of each record."""
    return week["dev"] >> 8 & 255


def shifted(week: Records, weeks: int) -> Iterator[Records]:
    """The week `weeks` times, each a week after the one before."""
    first = week["sec"].copy()
    again = week.copy()
    for number in range(weeks):
        again["sec"] = first + number * WEEK_S
        yield again


if __name__ == "__main__":
    sys.exit(main())
