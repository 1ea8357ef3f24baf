"""What waits for all of its data: told by reads that find a part, and by reads behind writes."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from made_up_drives import made_up, read, traced
from platterlab._core import Profile
from platterlab.calibration.judged.all_data_first import all_data_first
from platterlab.calibration.trace.reading import Reading

WHOLE = {"cache.read_fence_share": 1.0}
AT_END = {"bus": {"reconnect_before_end": 0}}
MOST = 64 * 512
"""Bytes of the largest write."""


def drive(more: dict[str, Any], report: str = "media") -> Profile:
    """One with read-ahead that reads find under way, over a bus slower than the platter."""
    bus = {"kind": "rate", "read_sector_ms": 0.08, "write_sector_ms": 0.08, **more.get("bus", {})}
    cache = {"segments": 4, "segment": 1 << 17, "read_ahead": "aggressive", "write_report": report}
    rest = {key: value for key, value in more.items() if key != "bus"}
    return made_up(3).with_overrides({"bus": bus, "cache": cache}).with_overrides(rest)


def of(truth: Profile, path: Path) -> Reading:
    """Its trace on its own layout."""
    trace = traced(truth, path / "drive.trace", read_share=0.6, think_ms=3.0, seed=5)
    return read(trace, truth)


@pytest.mark.parametrize("whole", [True, False], ids=["all of them", "by the last one"])
def test_reads_whose_bus_starts_with_all_of_their_data(whole: bool, tmp_path: Path) -> None:
    reading = of(drive(WHOLE if whole else AT_END), tmp_path)
    start = drive(AT_END)
    known = {"bus": tomllib.loads(start.to_toml())["bus"], "cache.write_fence": 0}
    found = all_data_first(start, reading, known)
    assert found.get("cache.read_fence_share") == (1.0 if whole else None)
    assert ("bus" in found) == whole
    assert "reconnect_before_end" not in found.get("bus", {})


@pytest.mark.parametrize("fence", [MOST, 0])
def test_reported_writes_that_reach_the_media_with_all_of_their_data(
    fence: int, tmp_path: Path
) -> None:
    reading = of(drive({"cache.write_fence": fence}, "buffer"), tmp_path)
    start = drive({}, "buffer")
    known = {"bus": tomllib.loads(start.to_toml())["bus"], "cache.write_fence": 0}
    found = all_data_first(start, reading, known)
    assert found == ({"cache.write_fence": MOST} if fence else {})
