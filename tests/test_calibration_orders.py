"""Orders that no skew by head and cylinder describes stand as the profile has them."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from made_up_drives import UNSTATED, made_up, traced
from platterlab.calibration.buffer.read_completion import AtFence, AtMark
from platterlab.calibration.job import Job
from platterlab.calibration.outcome import findings
from platterlab.calibration.overrides import first_skew_turns
from platterlab.calibration.procedure import calibrate


@pytest.mark.parametrize("order", ["surface-serpentine", "hybrid-serpentine"])
def test_an_order_that_seeks_first(order: str, tmp_path: Path) -> None:
    base = made_up(3)
    zones = [
        {key: zone[key] for key in ("cylinders", "sectors_per_track")}
        | {"order": order, "serpentine_cylinders": 20}
        | {"cylinder_skew_turns": 0.27, "serpentine_skew_turns": 0.19}
        for zone in tomllib.loads(base.to_toml())["zone"]
    ]
    first = [zone | {"first_track_skew_turns": 0.1 * at} for at, zone in enumerate(zones)]
    truth = base.with_overrides({"zone": first})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    found = calibrate(Job(trace, truth.with_overrides(UNSTATED | {"zone": zones}), rough=True))
    told = findings(found)
    assert told.judged["result"]["within_0.25_ms"] > 0.95
    for zone in tomllib.loads(found.profile.to_toml())["zone"]:
        assert zone["order"] == order
        assert (zone["cylinder_skew_turns"], zone["serpentine_skew_turns"]) == (0.27, 0.19)


@pytest.mark.parametrize("order", ["surface-serpentine", "hybrid-serpentine"])
def test_passes_whose_skews_nobody_told(order: str, tmp_path: Path) -> None:
    base = made_up(3)
    bare = [
        {key: zone[key] for key in ("cylinders", "sectors_per_track")}
        | {"order": order, "serpentine_cylinders": 20}
        for zone in tomllib.loads(base.to_toml())["zone"]
    ]
    turned = {"cylinder_skew_turns": 0.27, "serpentine_skew_turns": 0.19}
    truth = base.with_overrides({"zone": [zone | turned for zone in bare]})
    trace = traced(truth, tmp_path / "drive.trace", read_share=0.66, think_ms=30.0, seed=3)
    found = calibrate(Job(trace, truth.with_overrides(UNSTATED | {"zone": bare}), rough=True))
    assert findings(found).judged["result"]["within_0.25_ms"] > 0.95
    for zone in tomllib.loads(found.profile.to_toml())["zone"]:
        assert zone["cylinder_skew_turns"] == pytest.approx(0.27, abs=0.001)
        assert zone["serpentine_skew_turns"] == pytest.approx(0.19, abs=0.005)


def test_a_first_skew_in_any_unit() -> None:
    zone = {"sectors_per_track": 200}
    assert first_skew_turns(zone) == 0.0
    assert first_skew_turns(zone | {"first_track_skew_sectors": 50}) == 0.25
    assert first_skew_turns(zone | {"first_track_skew_turns": 0.5}) == 0.5
    assert first_skew_turns(zone | {"first_track_skew_deg": 45.0}) == 0.125


def test_what_a_completion_waits_for_by_fence_and_by_mark() -> None:
    sectors = np.array([4.0, 8.0, 12.0, 40.0])
    # A sector takes half as long over the bus as past the head: at 40 it waits for the last one.
    half = np.full(4, 0.5)
    assert AtFence(8).passed(sectors, half).tolist() == [4.0, 8.0, 8.0, 20.5]
    assert AtFence(8).columns(sectors, half)[0].tolist() == [4.0, 8.0, 12.0, 1.0]
    # One that takes twice as long starts at the mark and is never caught up with.
    twice = np.full(4, 2.0)
    assert AtMark(0.25).passed(sectors, twice).tolist() == [1.0, 2.0, 3.0, 10.0]
    assert AtMark(0.25).passed(sectors, half).tolist() == [2.5, 4.5, 6.5, 20.5]
    assert AtMark(0.25).columns(sectors, half)[0].tolist() == [1.0, 1.0, 1.0, 1.0]
