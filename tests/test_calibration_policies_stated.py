"""What the start states of the buffer stands where the whole model tells nothing else surely."""

from pathlib import Path
from typing import Any

import pytest

from made_up_drives import made_up, read, traced
from platterlab.calibration.buffer.policies import overrides, rules_stated
from platterlab.calibration.judged.open_policies import move_times
from platterlab.calibration.judged.policies_stated import policies_stated

CACHE: dict[str, Any] = {
    "segments": 4, "segment": 1 << 16, "read_ahead": "aggressive", "keep_after_hit": True,
    "combine_writes": True, "write_report": "media",
}  # fmt: skip


@pytest.mark.parametrize(
    ("stated", "taken"),
    [
        # No read tells whether writes are combined where all go to the media.
        ({"combine_writes": False}, {"cache.combine_writes": False}),
        # Read-ahead that is not there is far off.
        ({"read_ahead": "none"}, {}),
        # What the start does not state stays as it was found, and so does all without a buffer.
        ({}, {}),
    ],
)
def test_a_word_of_the_start_is_taken_if_requests_are_not_surely_farther(
    stated: dict[str, Any], taken: dict[str, Any], tmp_path: Path
) -> None:
    drive = made_up(3).with_overrides({"cache": CACHE})
    trace = traced(
        drive, tmp_path / "d.trace", read_share=0.7, think_ms=10.0, seed=3, requests=2_000
    )
    known = overrides(rules_stated(CACHE, drive.sector_bytes), "media", drive.sector_bytes)
    reading = read(trace, drive)
    start = {"segments": 4, "segment": "64k"} | stated
    found = policies_stated(drive, reading, known, start)
    assert {key: word for key, word in found.items() if known[key] != word} == taken
    assert policies_stated(drive, reading, {}, start) == {}
    # Of what moves no request no time tells either.
    moved = move_times(drive, reading, known, ["combine_writes", "read_ahead"])
    assert moved == {"read_ahead"}
    assert not move_times(drive, reading, {}, ["read_ahead"])
    assert policies_stated(drive, reading, known, {}) == {}
