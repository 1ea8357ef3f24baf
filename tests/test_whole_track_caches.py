"""Drives whose cache has all of a track that was read, each beside one that has none."""

from dataclasses import replace

import pytest

from conftest import in_soak
from platterlab._core import Profile
from platterlab.studies.unseen_drives import drive, profile, trial, truth
from test_unseen_rules import found_whole, judged


# Every look at a track makes a cache forget it first.
@pytest.mark.parametrize("seed", [2018, *in_soak(2300)])
@pytest.mark.parametrize("cached", [True, False])
def test_a_survey_is_right_with_a_cache_of_whole_tracks_and_without(
    seed: int, *, cached: bool
) -> None:
    drawn = drive.draw(seed)
    assert drawn.cache["read_ahead"] == "on-arrival"
    drawn = drawn if cached else replace(drawn, cache={})
    built = Profile.parse(profile.text(drawn), f"drive {seed}")
    measured = trial.measured(built, seed, writes=False, tracks="fast", time_s=900.0)
    found = measured.track_map()
    counted = {"value": found["tracks"], "status": found["status"]}
    verdicts = truth.judge_survey(drawn, {"survey": {**found, "tracks": counted}})
    assert set(verdicts.values()) == {"right"}, verdicts


# Passes of many cylinders over tracks that are all alike, behind a cache of whole tracks:
# movements from one track would each have to be forgotten first.
@pytest.mark.parametrize("cached", [True, False])
def test_movements_behind_a_cache_of_whole_tracks_are_timed_in_time(*, cached: bool) -> None:
    drawn = drive.draw(20667)
    assert drawn.cache["read_ahead"] == "on-arrival"
    assert found_whole(drawn if cached else replace(drawn, cache={}))


# A cache of 64 whole tracks: what it has tells where each surface's tracks end, by hardly any reads
# that make it forget.
@pytest.mark.parametrize("segments", [64, *in_soak(4)])
def test_the_ends_of_tracks_are_told_by_a_cache_that_has_whole_ones(segments: int) -> None:
    drawn = drive.draw(21332)
    assert drawn.per_surface
    assert drawn.cache["read_ahead"] == "on-arrival"
    assert found_whole(replace(drawn, cache=drawn.cache | {"segments": segments}))


# The same of which movements take too long: the rotation is known by the tracks that were found.
def test_the_rotation_is_known_of_a_part_of_the_tracks() -> None:
    verdicts = judged(drive.draw(20605))
    assert verdicts["rotation_ms"] == "right"
    assert verdicts["zones"] == "unknown"
