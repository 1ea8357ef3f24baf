"""A first look: a simulated drive is measured blind, and what comes out simulates again.

`make demo` runs it. It only calls the command line, and prints every command before it does.
"""

import argparse
import shlex
import shutil
import sys
from pathlib import Path

import numpy as np

from platterlab import cli
from platterlab.output import replacing

DRIVE = "ibm-ultrastar-xp"
REQUESTS = 5_000
SEED = 1


def main() -> int:
    """Runs the demonstration; the exit code is that of the first command that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/demo"), help="the folder to fill")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    bundle, trace, rows = out / "ultrastar", out / "morning.trace", out / "rows.parquet"
    shutil.rmtree(bundle, ignore_errors=True)
    write_trace(trace)
    profile = str(bundle / "profile.toml")
    steps = (
        ["characterize", DRIVE, "--out", str(bundle)],
        ["simulate", "-p", profile, "-t", str(trace), "--per-request", str(rows)],
        ["report", str(rows), "--out", str(out / "morning.html")],
    )
    for step in steps:
        say(f"\n$ platterlab {shlex.join(step)}")
        if (code := cli.run(step)) != cli.DONE:
            return code
    say(f"\nOpen {(bundle / 'report.html').resolve()} in a browser: the drive as measured;")
    say(f"and {(out / 'morning.html').resolve()}: the measured drive at work.")
    return cli.DONE


def say(text: str) -> None:
    """A line on stdout, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write_trace(path: Path) -> None:
    """Writes a workload in DiskSim's ascii format: bursts, two thirds reads, some in sequence."""
    random = np.random.default_rng(SEED)
    quiet = random.random(REQUESTS) < 0.05
    gaps_ms = np.where(
        quiet, random.exponential(600.0, REQUESTS), random.exponential(14.0, REQUESTS)
    )
    arrivals_ms = np.cumsum(gaps_ms)
    starts = (random.beta(0.6, 1.4, REQUESTS) * 16_000_000).astype(np.int64)
    blocks = random.choice([8, 16, 32, 128], REQUESTS, p=[0.5, 0.2, 0.2, 0.1])
    follows = random.random(REQUESTS) < 0.35
    reads = random.random(REQUESTS) < 2 / 3
    with replacing(path) as partial, partial.open("w", encoding="ascii") as file:
        end = 0
        for index in range(REQUESTS):
            start = end if follows[index] else int(starts[index])
            file.write(f"{arrivals_ms[index]:.6f} 0 {start} {blocks[index]} {int(reads[index])}\n")
            end = start + int(blocks[index])


if __name__ == "__main__":
    sys.exit(main())
