"""Policies of the buffer that change no answer: told by the whole model, where they are others."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from measured_trace import written
from platterlab._core import Profile, Requests
from platterlab.calibration.buffer.policies import PLAIN, Rules, overrides
from platterlab.calibration.buffer.rules import Chosen, Told
from platterlab.calibration.judged.policies_again import policies_again
from platterlab.calibration.judged.undetermined import undetermined_of_cache
from platterlab.calibration.trace.reading import read_trace
from test_calibration import true_profile

OWN: Rules = PLAIN | {"segment": 64, "partial_hits": False, "read_ahead_on_hit": "ignore"}
"""What the drive does: a part of a read in its buffer is of no use to it."""


def told(start: Rules, folder: Path, own: Rules = OWN) -> dict[str, Any]:
    """What is told of a drive of these rules, from a start of others."""
    bare = true_profile()
    truth = bare.with_overrides(overrides(own, "media", bare.sector_bytes))
    requests = Requests.generate(
        truth, 3_000, read_share=0.9, sequential_share=0.6, local_share=0.3,
        local_distance_sectors=400, mean_sectors=24, max_sectors=64, align_sectors=2, think_ms=35.0,
        seed=11,
    )  # fmt: skip
    trace = written(requests.replay(truth, timing="closed", seed=4), folder / "drive.trace")
    known = overrides(start, "media", bare.sector_bytes)
    profile: Profile = bare.with_overrides(known)
    reading = read_trace(
        trace, profile, tomllib.loads(profile.to_toml()), trace_format=None,
        options={"gap": "before"}, device=0, share=1.0, rough=False,
    )[0]  # fmt: skip
    return policies_again(profile, reading, known, ())


def test_a_policy_that_is_another_is_found(tmp_path: Path) -> None:
    found = told(OWN | {"partial_hits": True}, tmp_path)
    assert found["cache.partial_hits"] is False


def test_policies_that_are_the_drives_stand(tmp_path: Path) -> None:
    assert told(OWN, tmp_path) == {}


@pytest.mark.parametrize("sectors", [24, 20])
def test_read_ahead_of_a_length_between_those_that_are_tried(sectors: int, tmp_path: Path) -> None:
    own = OWN | {"segment": 256, "read_ahead_most": sectors}
    found = told(own | {"read_ahead_most": 16}, tmp_path, own)
    assert found["cache.read_ahead_most"] == sectors * true_profile().sector_bytes


def test_none_that_was_not_chosen_is_looked_at() -> None:
    profile = true_profile()
    with pytest.raises(AttributeError):
        # It would look at the trace, of which there is none.
        policies_again(profile, None, {"cache.segments": 1}, ())  # type: ignore[arg-type]
    assert policies_again(profile, None, {"cache.read_ahead": "none"}, ()) == {}  # type: ignore[arg-type]


def test_what_times_told_is_not_said_to_be_undetermined() -> None:
    chosen = Chosen(
        {"cache.partial_hits": True, "cache.segments": 2}, 1.0, 0.0, 9,
        [Told("partial_hits", True, False, [False], [])], {}, {},
    )  # fmt: skip
    (line,) = undetermined_of_cache(chosen, dict(chosen.overrides))
    assert "partial_hits" in line
    assert undetermined_of_cache(chosen, chosen.overrides | {"cache.partial_hits": False}) == []
    # Nor are times passed over that tell, but not surely.
    (line,) = undetermined_of_cache(chosen, dict(chosen.overrides), frozenset({"partial_hits"}))
    assert "no read tells" not in line
    assert "not surely told" in line
