"""What a study's row says: its tolerance, its verdict and its reason, by kind and by interval."""

import numpy as np
import pytest

from platterlab.studies import Outcome, Row, even
from platterlab.studies.constants import Constant, vary
from platterlab.studies.criteria import EFFECT, EXACT, MEAN
from platterlab.studies.sample import figure_interval, mean_interval, share_interval
from platterlab.studies.seeds import steady_share, under
from platterlab.studies.study import explained
from study_rules import complaints


def test_what_is_held_against_something_has_a_criterion():
    with pytest.raises(ValueError, match="no criterion"):
        Row("near", "near", 10.0, 10.0, "ms")
    told = Row("told", "told", None, 10.0, "ms")
    assert told.is_appendix
    assert told.to_json()["appendix"] is True
    single = row(ours=11.5, reference_half=1.0, interval=(11.1, 11.9))
    assert (single.allowed, single.within) == (2.0, True)


def row(ours=10.4, **more):
    about = {"paper": 10.0, "unit": "ms", "criterion": MEAN, **more}
    return Row("near", "near", ours=ours, **about)


def test_a_kind_of_row_has_one_tolerance():
    assert row().allowed == pytest.approx(1.0)
    assert row(paper=-200.0).allowed == pytest.approx(20.0)
    assert row(criterion=EFFECT, paper=30.0, unit="%").allowed == 5.0
    assert row(criterion=EXACT).allowed == 0.0


@pytest.mark.parametrize(
    ("interval", "is_within", "is_undecided"),
    [
        (None, True, False),
        ((9.8, 10.9), True, False),
        ((9.8, 11.1), False, True),
        ((8.0, 12.8), False, True),
    ],
)
def test_the_whole_interval_has_to_be_within(interval, is_within, is_undecided):
    one = row(interval=interval)
    assert one.within is is_within
    assert one.is_undecided is is_undecided
    assert one.verdict == ("reproduced" if is_within else "not reproduced")


def test_an_interval_far_off_is_not_undecided():
    one = row(ours=20.0, interval=(19.0, 21.0))
    assert (one.within, one.is_undecided, one.why) == (False, False, "unknown")


def test_one_sided_bounds_look_at_one_end():
    most = row(bound="at-most", criterion=EXACT, interval=(2.0, 9.9))
    assert most.within is True
    assert row(bound="at-least", criterion=EXACT, interval=(2.0, 9.9)).within is False


def test_what_was_put_in_is_no_reproduction():
    assert row(evidence="fitted").verdict == "fitted"
    assert row(evidence="by construction").verdict == "by construction"
    assert row(evidence="by construction", ours=20.0).verdict == "not reproduced"


def test_without_a_figure_there_is_no_verdict_but_a_claim_has_one():
    assert row(paper=None).verdict == "no figure published"
    goal = row(paper=None, target=10.0)
    assert (goal.within, goal.verdict) == (True, "no figure published")
    missed = row(paper=None, target=30.0)
    assert (missed.within, missed.verdict) == (False, "not reproduced")
    assert row(paper=None, target=10.0, claim="about ten").verdict == "reproduced"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"tolerance": 2.6}, "no wide tolerance"),
        ({"tolerance": 10.1, "unit": "%"}, "no wide tolerance"),
        ({"within": False}, "within where all"),
        ({"verdict": "holds"}, "verdict"),
        ({"used": ""}, "used"),
        ({"interval": [11.0, 12.0]}, "interval"),
        ({"criterion": None}, "criterion"),
        ({"reason": "because"}, "why it is off"),
        ({"id": "right_share", "bound": "at-most", "paper": 1.0, "unit": ""}, "can fail"),
    ],
)
def test_the_rules_of_rows_see_what_breaks_them(changes, rule):
    told = row().to_json()
    assert complaints([told]) == []
    assert any(rule in said for said in complaints([{**told, **changes}]))


def test_json_has_every_key_and_no_reason_where_it_holds():
    told = row().to_json()
    assert told.keys() >= {
        "id", "group", "what", "paper", "truth", "ours", "unit", "target", "tolerance", "bound",
        "within", "verdict", "interval", "used", "reason",
    }  # fmt: skip
    assert (told["reason"], told["used"]) == (None, "nothing of this row")
    assert (told["truth"], row(extra={"truth": 9.9}).to_json()["truth"]) == (None, 9.9)
    assert row(ours=20.0).to_json()["reason"] == "unknown"


def test_a_study_holds_where_it_says_beforehand_what_is_off():
    off = row(ours=20.0)
    assert not Outcome([off]).holds
    assert Outcome(explained([off], {"ne*": "because"})).holds
    assert explained([off], {"ne*": "because", "near": "not this"})[0].why == "because"
    assert Outcome([row(), off]).verdicts == {"reproduced": 1, "not reproduced": 1}


def test_intervals_known_by_hand():
    # Of three values the mean's standard error is 1/sqrt(3), and t is 4.3027.
    assert mean_interval([1.0, 2.0, 3.0]) == pytest.approx((2 - 2.4841, 2 + 2.4841), abs=1e-4)
    mean = figure_interval(3, lambda these: sum(these) / len(these) + 1)
    assert mean == pytest.approx((2 - 2.4841, 2 + 2.4841), abs=1e-4)
    low, high = share_interval(0, 100)
    assert (low, high) == (0.0, pytest.approx(0.0362, abs=1e-4))


def test_intervals_of_instances_that_are_spread_evenly():
    # Neighbours differ by 1, so a value varies by 1/2; t of 8/5 degrees of freedom is 5.5172.
    half = 5.5172 * (0.5 / 3) ** 0.5
    assert even.mean_interval([1.0, 2.0, 3.0]) == pytest.approx((2 - half, 2 + half), abs=1e-3)
    assert even.figure_interval(3, lambda these: sum(these) / len(these) + 1) == pytest.approx(
        (2 - half, 2 + half), abs=1e-3
    )
    # Each instance changes by the same share: the change is known exactly.
    assert even.change_interval([1.0, 2.0, 5.0], [2.0, 4.0, 10.0]) == pytest.approx((100.0, 100.0))


def test_evenly_drawn_instances_have_one_value_in_each_part():
    drawn = [even.draw(seed, 23) for seed in range(200)]
    for one in drawn:
        for number in range(2):
            assert sorted((23 * one[:, number]).astype(int)) == list(range(23))
    # No value is more likely than another, nor is a pair.
    both = np.concatenate(drawn)
    assert both.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.01)
    assert abs(np.corrcoef(both.T)[0, 1]) < 0.05


@pytest.mark.parametrize("of_both", [False, True])
def test_the_interval_of_evenly_drawn_instances_holds_the_mean(of_both):
    def value(place, chance):
        first, second = place.T
        level = np.where(first > 0.7, 4.0, first) + (10.0 * abs(first - second) if of_both else 0.0)
        return level + 0.1 * chance.standard_normal(len(place))

    chance = np.random.default_rng(1)
    truth = float(value(chance.random((400_000, 2)), chance).mean())
    found = [even.mean_interval(value(even.draw(seed, 23), chance)) for seed in range(400)]
    held = sum(low <= truth <= high for low, high in found)
    assert held >= 0.93 * 400


def test_a_constant_that_decides_a_verdict_is_told():
    gap = Constant("gap_sectors", 1.0, (2.0, 3.0), "assumed")

    def verdicts(changed):
        value = changed.get("gap_sectors", 1.0)
        return {"a": ("reproduced" if value < 3 else "not reproduced", value), "b": ("fitted", 0)}

    two, three = vary((gap,), verdicts)
    assert (two.value, two.rows, two.flips) == (2.0, 2, [])
    (flip,) = three.flips
    assert (flip.row, flip.before, flip.after) == ("a", "reproduced", "not reproduced")
    assert (flip.ours_before, flip.ours_after) == (1.0, 3.0)


def test_a_verdict_that_depends_on_the_seed_is_told():
    def rows(seed):
        of_seed = [row(ours=10.0 + seed), Row("told", "told", None, float(seed), "ms")]
        return [(one.id, one.verdict, one.ours) for one in of_seed]

    near, told = under(map(rows, range(3)))
    assert (near.is_steady, told.is_steady) == (False, True)
    assert near.verdicts == {"reproduced": 2, "not reproduced": 1}
    assert (near.least, near.most) == (10.0, 12.0)
    assert steady_share([near, told]) == 0.5
