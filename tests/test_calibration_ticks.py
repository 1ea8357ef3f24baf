"""A coarse clock is said to hide what a profile has right, and not what it has wrong."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from made_up_drives import REQUESTS, fitted, made_up
from platterlab._core import Profile, Requests
from platterlab.calibration.job import Job
from platterlab.calibration.judged.verdict import Part
from platterlab.calibration.judged.warnings import warnings
from platterlab.calibration.outcome import OF_THE_BUS, findings


def _in_ticks(drive: Profile, path: Path) -> Path:
    """What a host sees whose clock goes by milliseconds."""
    requests = Requests.generate(
        drive, REQUESTS, read_share=0.7, sequential_share=0.2, local_share=0.3,
        local_distance_sectors=500, mean_sectors=10, max_sectors=64, align_sectors=2,
        think_ms=20.0, seed=3,
    )  # fmt: skip
    rows = requests.replay(drive, timing="closed")
    issue = np.floor(rows["issue_ms"])
    done = np.floor(rows["issue_ms"] + rows["service_ms"])
    gap = np.append(0.0, issue[1:] - done[:-1])
    columns = rows["operation"], rows["lba"], rows["sectors"], done - issue, gap
    lines = [
        f"{'RW'[write]} Hit {lba} {sectors} {1e3 * took:.0f} {1e3 * wait:.0f}"
        for write, lba, sectors, took, wait in zip(*columns, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_clock_is_not_blamed_for_what_is_off_by_more_than_its_ticks(tmp_path: Path) -> None:
    drive = made_up(3)
    job = Job(_in_ticks(drive, tmp_path / "ticks.trace"), drive, options={"gap": "before"})
    found = fitted(job)
    part = Part(found.reading, slice(found.fitted, None))
    (blamed,) = warnings(replace(found, profile=drive), part)
    assert blamed.endswith("whole ticks of 1 ms, and nothing is known closer")
    said = findings(found)
    (hidden,) = (line for line in said.undetermined if "whole ticks of 1 ms" in line)
    assert hidden.startswith("the bus, when it starts")
    values = {one.name: one for one in said.values}
    assert not set(OF_THE_BUS) & set(values)
    rotation, true_ms = values["rotation_ms"], drive.stated()["spindle"]["rotation_ms"]
    assert abs(rotation.value - true_ms) < rotation.reach < 1e-3
    # How long a seek takes is told to no more than half a tick.
    assert min(one.reach for one in said.values if one.name.startswith("seek_")) > 0.5
    turned = drive.with_overrides({"controller.read_ms": 5.0, "controller.write_ms": 5.0})
    told = warnings(replace(found, profile=turned), part)[0]
    assert "whole ticks of 1 ms, but" in told
    assert "nothing is known closer" not in told
