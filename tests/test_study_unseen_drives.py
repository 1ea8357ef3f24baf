"""The study of unseen drives: its drives are what they claim to be, and nothing sure is wrong."""

from dataclasses import replace
from functools import cache

import pytest

from platterlab._core import Profile
from platterlab.studies import unseen_drives as study
from platterlab.studies.unseen_drives import drive, falsified, profile, trial
from platterlab.studies.unseen_drives.predicted import Predicted

measure = cache(trial.measure)


def test_nothing_sure_is_wrong() -> None:
    # A usual drive, a coarse clock, gathered interrupts, surfaces that differ, a spare at each
    # zone's end that looks like a track of the next zone.
    for seed in (10, 1, 25, 9, 39):
        assert measure(seed, "characterize").wrong == [], seed
    assert measure(10, "characterize").right
    # Two tracks of which a leap had missed the boundary, a late completion in the pattern of skews.
    for seed in (59, 22):
        assert measure(seed, "survey").wrong == [], seed


# In order: two drives with cylinders first, one with heads first; two clocks of 1 ms, by which
# several turns come out.
@pytest.mark.parametrize(
    ("seed", "told"),
    [(12204, True), (12235, True), (12200, True), (12213, False), (12299, False)],
)
def test_a_look_at_one_place_is_not_sure_of_what_it_cannot_tell(seed: int, told: bool) -> None:
    found = measure(seed, "quick")
    assert found.wrong == []
    names = ("surfaces", "track_skew_ms", "cylinder_skew_ms", "head_switch_ms", "zones")
    assert all(found.others.get(name) != "right" for name in names)
    assert found.right is told


def test_rows_count_what_is_wrong_and_say_of_which_drives() -> None:
    found = [
        trial.Trial(1, {"surfaces": "right"}, {}),
        trial.Trial(2, {"surfaces": "wrong"}, {}),
        trial.Trial(3, {"surfaces": "unknown"}, {}),
        trial.Trial(4, {"surfaces": "right"}, {}),
    ]
    share, silent = study.rows("characterize", found)
    assert (share.ours, silent.ours) == (0.5, 1.0)
    assert silent.extra["wrong"] == {"2": ["surfaces"]}
    assert silent.within is False


def test_a_drawn_drive_that_cannot_be_built_is_counted_and_is_not_right() -> None:
    found = measure(374, "characterize")
    assert found.refused
    assert (found.right, found.wrong) == (False, [])


def test_the_self_check_agrees_with_what_is_right_and_notices_what_is_put_wrong() -> None:
    # Heads come first on each, and each is whole, so that any value of it can be put wrong.
    for seed in (10, 23, 49):
        assert measure(seed, "characterize").printed["self_check"]["status"] == "ok", seed
        put_wrong = falsified.falsify(seed)
        assert put_wrong is not None
        assert put_wrong.noticed, put_wrong


def test_a_value_that_is_not_sure_cannot_be_put_wrong() -> None:
    measured = trial.measured(
        Profile.parse(profile.text(drive.draw(1)), "1"), 1, writes=False, tracks=None, time_s=900.0
    )
    assert measured.falsified("surfaces", 3.0) is None
    assert measured.falsified("zones[70].first_lba", 3.0) is None


def test_the_row_of_the_self_check_names_what_it_missed() -> None:
    found = [
        falsified.Falsified(1, "surfaces", 2.0, 3.0, noticed=True),
        falsified.Falsified(2, "rotation_ms", 8.0, 8.1, noticed=False),
    ]
    row = study.noticed(found)
    assert (row.ours, row.within, row.extra["missed"]) == (0.5, False, {"2": "rotation_ms"})


@pytest.mark.parametrize(
    ("seed", "order", "class_", "surfaces"),
    [
        # Skews are equal. Passes over hundreds of cylinders show by lengths of tracks that come
        # back, or by the arm that does; heads that switch in each cylinder by themselves.
        (72, None, "seek-first", 10),
        (130, None, "seek-first", 6),
        (130, "traditional", "head-first", 6),
        (246, None, "seek-first", 10),
        (246, "traditional", "head-first", 10),
        # Spares of each cylinder look like passes of five tracks in the pattern of skews.
        (154, "traditional", "head-first", 2),
    ],
)
def test_heads_come_first_only_where_that_is_shown(seed, order, class_, surfaces) -> None:
    drawn = drive.draw(seed)
    if order is not None:
        skew = drawn.cylinder_skew
        drawn = replace(drawn, order=order, group_cylinders=0, track_skew=skew, pass_skew=0)
    built = Profile.parse(profile.text(drawn), f"{seed} {order}")
    measured = trial.measured(built, 10, writes=False, tracks="fast", time_s=900.0)
    layout = measured.track_map()["layout"]
    assert layout["class"]["value"] == class_
    assert layout["surfaces"]["value"] == surfaces


@pytest.mark.parametrize(
    ("seed", "name", "false"),
    [
        # Two sectors in turn come from a cache there, and descending passes do not.
        (271, "rotation_ms", 8.2805),
        # An edge further out is not sure.
        (39, "zones[9].sectors_per_track", 92.0),
        # A sector more on a track of 3,024.
        (2, "sectors_per_track", 3025.0),
    ],
)
def test_the_self_check_names_what_is_put_wrong(seed, name, false) -> None:
    built = Profile.parse(profile.text(drive.draw(seed)), f"{seed}")
    measured = trial.measured(built, seed, writes=seed % 2 == 0, tracks=None, time_s=900.0)
    assert measured.extraction()["self_check"]["disagreements"] == []
    answer = measured.falsified(name, false)
    assert answer is not None
    named = {each["value"] for each in answer["self_check"]["disagreements"]}
    assert name.split(".")[0] in named


def test_a_profile_that_promises_more_than_it_has_is_named() -> None:
    made = [
        Predicted(1, 0.99, says_so=True),
        Predicted(2, 0.6, says_so=True),
        Predicted(3, 0.1, says_so=False),
    ]
    share, silent = study.predicted(made)
    assert (share.ours, silent.ours) == (pytest.approx(1 / 3), 1.0)
    assert silent.extra["fewer"] == {"2": 0.6}
    assert silent.within is False
