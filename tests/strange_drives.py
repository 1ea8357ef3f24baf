"""Drives and hosts that nobody tuned for, from what papers and DiskSim's manual say there is.

A drive has slipped sectors and spares or none, a cache or none, writes that wait for the media or
do not; its data sheet is wrong by up to 0.5 % in speed and 20 % in seeks, and knows of what has
slipped or does not; its host has a clock of 1 us to 1 ms and notices some completions late. Seeds
are fixed: the last third is not looked at while anything is tuned.
"""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from made_up_drives import UNSTATED, made_up, without_skews
from platterlab._core import Profile, Requests

SEEDS = range(50_000, 50_060)
"""Of all strangers."""

REQUESTS = 6_000

CLOCKS_MS = (0.001, 0.01, 0.1, 1.0)
"""How exact the host's time stamps are."""


def drive(seed: int, *, slipped: bool = True) -> Profile:
    """A drive with what a made-up one has, and slipped sectors, spares, or no cache.

    Args:
        seed: of the drive.
        slipped: whether its slipped sectors are told.
    """
    rng = np.random.default_rng([seed, 1])
    made = made_up(seed)
    stated = tomllib.loads(made.to_toml())
    more: dict[str, Any] = {}
    if rng.random() < 0.4:
        spares = int(rng.integers(1, 5))
        zones = [
            zone | {"sparing": {"kind": "track", "sectors": spares}} for zone in stated["zone"]
        ]
        more["zone"] = zones
    elif rng.random() < 0.4:
        surfaces, cylinders = stated["geometry"]["surfaces"], stated["geometry"]["cylinders"]
        places = {
            (int(rng.integers(cylinders)), int(rng.integers(surfaces)), int(rng.integers(20)))
            for _ in range(int(rng.integers(1, 40)))
        }
        if slipped:
            more["defect"] = [{"kind": "slipped", "at": list(at)} for at in sorted(places)]
        # Room for what has slipped.
        zones = [zone | {"sparing": {"kind": "zone", "sectors": 60}} for zone in stated["zone"]]
        more["zone"] = zones
    if rng.random() < 0.2:
        more["cache"] = {}
    return made.with_overrides(more)


def data_sheet(truth: Profile, seed: int) -> Profile:
    """What its maker says, off by up to 0.5 % in speed and 20 % in seeks."""
    rng = np.random.default_rng([seed, 2])
    stated = tomllib.loads(truth.to_toml())
    rotation_ms = stated["spindle"]["rotation_ms"] * (1 + rng.uniform(-0.005, 0.005))
    (a, b), (c, e) = stated["seek"]["short_ms"], stated["seek"]["long_ms"]
    wrong = rng.uniform(0.8, 1.2, 2)
    single_ms = wrong[0] * (a + b)
    full_ms = max(single_ms, wrong[1] * (c + e * (stated["geometry"]["cylinders"] - 1)))
    known = drive(seed, slipped=bool(rng.random() < 0.5))
    return known.with_overrides(
        UNSTATED
        | {
            "zone": without_skews(truth),
            "spindle": {"rotation_ms": float(rotation_ms)},
            "seek": {"kind": "linear", "single_ms": float(single_ms), "full_ms": float(full_ms)},
        }
    )


def trace(truth: Profile, seed: int, path: Path) -> Path:
    """What a host wrote down of 6,000 requests."""
    rng = np.random.default_rng([seed, 3])
    think_ms = float(rng.choice([8.0, 20.0, 50.0]))
    requests = Requests.generate(
        truth, REQUESTS, read_share=float(rng.choice([0.5, 0.66, 0.8])),
        sequential_share=float(rng.uniform(0.1, 0.4)), local_share=float(rng.uniform(0.1, 0.4)),
        local_distance_sectors=500, mean_sectors=float(rng.choice([8, 12, 24])), max_sectors=64,
        align_sectors=2, think_ms=think_ms, seed=seed,
    )  # fmt: skip
    rows = requests.replay(truth, timing="closed")
    issue, service = rows["issue_ms"], rows["service_ms"]
    idle = np.append(np.diff(issue) - service[:-1], 1.0)
    late = rng.exponential(0.02, len(service))
    tail = rng.random(len(service)) < rng.choice([0.0, 0.01, 0.02])
    late += np.where(tail, rng.uniform(0.5, 8.0, len(service)), 0.0)
    # No later than just before the next request, which waits for it.
    noticed = issue + service + np.minimum(late, 0.95 * np.maximum(idle, 0.0))
    clock_ms = float(rng.choice(CLOCKS_MS, p=[0.4, 0.3, 0.2, 0.1]))
    begun, ended = (np.floor(times / clock_ms) * clock_ms for times in (issue, noticed))
    gap = np.diff(begun, prepend=0.0)
    gap[1:] -= (ended - begun)[:-1]
    lines = [
        f"{'W' if write else 'R'} Hit {lba * truth.sector_bytes // 512} "
        f"{sectors * truth.sector_bytes // 512} {1e3 * took:.0f} {1e3 * max(wait, 0):.0f}"
        for write, lba, sectors, took, wait in zip(
            rows["operation"], rows["lba"], rows["sectors"], ended - begun, gap, strict=True
        )
    ]
    path.write_text("\n".join(lines) + "\n")
    return path
