"""Drives that nobody built: whatever their parts, they are found from a data sheet and a trace."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from measured_trace import written
from platterlab import library
from platterlab._core import Profile, Requests
from platterlab.calibration import stages
from platterlab.calibration.job import Calibration, Job
from platterlab.calibration.platter.skews import angles_of
from platterlab.calibration.platter.slipped_layout import Layout
from platterlab.calibration.procedure import _best, _readings
from platterlab.calibration.trace.reading import Reading, read_trace

REQUESTS = 6_000


def made_up(seed: int) -> Profile:
    """A drive with an own layout, mechanics, electronics and cache; skews leave room to switch."""
    rng = np.random.default_rng(seed)
    cylinders, zones = int(rng.integers(1_500, 9_000)), int(rng.integers(1, 12))
    rotation_ms = 60_000 / rng.choice([4_500, 5_400, 7_200, 10_033]) * (1 + 1e-4 * rng.normal())
    head_ms, settle_ms, single_ms, full_ms = rng.uniform([0.5, 0.0, 0.8, 12], [1.2, 0.6, 2.0, 20])
    outer, edges = rng.integers(120, 420), np.linspace(0, cylinders, zones + 1).astype(int)
    skews_turns = np.array([head_ms + 0.25, single_ms + 0.35]) + settle_ms
    # Half as many sectors on the innermost tracks as on the outermost ones.
    per_track = [int(outer * (1 - 0.5 * number / zones)) for number in range(zones)]
    layout = [
        {
            "cylinders": [int(first), int(after - 1)],
            "sectors_per_track": sectors,
            "track_skew_sectors": int(np.ceil(skews_turns[0] / rotation_ms * sectors)),
            "cylinder_skew_sectors": int(np.ceil(skews_turns[1] / rotation_ms * sectors)),
            "first_track_skew_sectors": int(rng.integers(sectors)),
        }
        for first, after, sectors in zip(edges, edges[1:], per_track, strict=False)
    ]
    # The two pieces of the seek curve meet at a quarter of the stroke.
    root = 0.55 * (full_ms / 2 - single_ms) / np.sqrt(cylinders / 3)
    quarter_ms = single_ms + root * np.sqrt(cylinders / 4)
    slope = (full_ms - quarter_ms) / (0.75 * cylinders)
    bus_ms = float(rng.uniform(0.025, 0.12))
    read_ms, write_ms, hit_ms = rng.uniform([0.1, 0.1, 0.1], [1.5, 1.5, 0.6]).tolist()
    cache: dict[str, Any] = {
        "segments": int(rng.choice([1, 2, 3, 4, 8, 16])),
        "segment": int(rng.choice([32, 64, 128, 256])) * 1024,
        "read_ahead": str(rng.choice(["aggressive", "track", "none", "cylinder"])),
        "write_report": str(rng.choice(["media", "buffer"])),
    }
    for policy in ("hits_on_written", "keep_after_hit", "partial_hits", "hits_in_flight"):
        cache[policy] = bool(rng.integers(2))
    return library.load("mock").with_overrides(
        {
            "geometry": {"surfaces": int(rng.integers(2, 12)), "cylinders": cylinders},
            "zone": layout,
            "spindle": {"rotation_ms": float(rotation_ms)},
            "media": {"transfer": True},
            "seek": {
                "kind": "two-piece",
                "short_ms": [float(single_ms), float(root)],
                "long_ms": [float(quarter_ms - slope * cylinders / 4), float(slope)],
                "boundary_cylinders": cylinders // 4,
            },
            "switch": {"head_ms": float(head_ms), "settle_write_ms": float(settle_ms)},
            "controller": {"read_ms": read_ms, "write_ms": write_ms, "hit": {"read_ms": hit_ms}},
            "bus": {"kind": "rate", "read_sector_ms": bus_ms, "write_sector_ms": bus_ms},
            "cache": cache,
        }
    )


UNSTATED: dict[str, Any] = {
    "controller": {"read_ms": 1.0, "write_ms": 1.0},
    "cache": {},
    "bus": {"kind": "off"},
    "switch": {},
}
"""What no data sheet tells, as a guess."""


def without_skews(drive: Profile) -> list[dict[str, Any]]:
    """Its zones."""
    return [
        {key: value for key, value in zone.items() if "_skew_" not in key}
        for zone in tomllib.loads(drive.to_toml())["zone"]
    ]


def data_sheet(drive: Profile) -> Profile:
    """What its maker would say of a drive, and not all of that exactly."""
    rotation_ms = tomllib.loads(drive.to_toml())["spindle"]["rotation_ms"]
    return drive.with_overrides(
        UNSTATED
        | {
            "zone": without_skews(drive),
            "spindle": {"rotation_ms": rotation_ms * 1.002},
            "seek": {"kind": "linear", "single_ms": 2.0, "full_ms": 16.0},
        }
    )


def traced(
    drive: Profile, path: Path, *, read_share: float, think_ms: float, seed: int,
    requests: int = REQUESTS,
) -> Path:  # fmt: skip
    """What a drive did with a mixture of requests, one at a time."""
    mixed = Requests.generate(
        drive, requests, read_share=read_share, sequential_share=0.3, local_share=0.3,
        local_distance_sectors=500, mean_sectors=10, max_sectors=64, align_sectors=2,
        think_ms=think_ms, seed=seed,
    )  # fmt: skip
    return written(mixed.replay(drive, timing="closed"), path, drive.sector_bytes)


def read(trace: Path, profile: Profile) -> Reading:
    """The trace as a calibration reads it."""
    stated = tomllib.loads(profile.to_toml())
    return read_trace(
        trace, profile, stated, trace_format=None, options={"gap": "before"}, device=0, share=1.0,
        rough=True,
    )[0]  # fmt: skip


def laid_out(trace: Path, sheet: Profile) -> Layout:
    """The layout that a sheet states, and the angles of a trace's requests on it."""
    stated, reading = tomllib.loads(sheet.to_toml()), read(trace, sheet)
    return Layout(sheet, stated, reading, angles_of(reading, stated), {})


def fitted(job: Job, *, to_the_end: bool = False) -> Calibration:
    """What the stages find, all of it kept: a third of the work of a calibration.

    The gaps of a trace are known to come before its requests. That they do, what only the last
    steps find (where not `to_the_end`), and that what does not help is left out, has tests of its
    own.
    """
    last = stages._LAST if to_the_end else {}
    job = replace(job, options={"gap": "before"} | job.options)
    with threadpool_limits(limits=1, user_api="blas"), patch.object(stages, "_LAST", last):
        return _best(job, _readings(job), lambda _what, _share: None)


def asked(
    drive: Profile,
    path: Path,
    extents: tuple[NDArray[np.int64], NDArray[np.int64]],
    write: NDArray[np.bool_],
    think_ms: NDArray[np.float64],
) -> Path:
    """What a drive did with these requests, one at a time; extents are addresses and sectors."""
    lba, sectors = extents
    none = np.full(len(lba), np.nan)
    requests = Requests.given(
        lba.astype(np.uint64), sectors.astype(np.uint32), write.astype(np.uint8),
        np.zeros(len(lba)), none, none, think_ms, sector_bytes=drive.sector_bytes, shown="asked",
    )  # fmt: skip
    return written(requests.replay(drive, timing="closed"), path, drive.sector_bytes)
