"""What a value has to earn to be printed as sure."""

import pytest

from platterlab.studies.unseen_drives import trial


# In order: what few answers scatter by, as others do not; steps of SKIPPY over tracks that nobody
# counted, and over such that differ; reads of other heads where nothing tells with which track a
# cylinder begins; spikes whose interval has any movement in it; the shorter tracks of a cylinder
# that another zone has, too.
@pytest.mark.parametrize(
    ("seed", "name"),
    [
        (6315, "jitter_ms"),
        (6432, "access_ms"),
        (6526, "access_ms"),
        (6280, "head_switch_ms"),
        (6459, "spikes_head_switch_ms"),
        (1803, "layout.order"),
    ],
)
def test_what_nothing_confirms_is_not_sure(seed: int, name: str) -> None:
    found = trial.measure(seed, "characterize")
    assert not found.wrong, found.wrong
    assert {**found.verdicts, **found.others}[name] == "unknown"


# Gathered interrupts, and angles over many tracks that show other skews than few of them.
@pytest.mark.parametrize("seed", [6218, 6351, 6458, 6496])
def test_skews_of_zones_are_confirmed_or_not_sure(seed: int) -> None:
    found = trial.measure(seed, "characterize")
    assert not found.wrong, found.wrong


# No order explains what a coarse clock shows; gathered interrupts make two skews of one; passes
# over two surfaces of which one is short of spares come in either order.
@pytest.mark.parametrize(
    ("seed", "name"),
    [(6339, "track_switch_ms"), (6578, "other_switch_ms"), (6493, "layout.order")],
)
def test_what_a_map_does_not_tell_is_not_sure(seed: int, name: str) -> None:
    found = trial.measure(seed, "survey")
    assert not found.wrong, found.wrong
    assert found.others[name] == "unknown"


# Each of these where it is confirmed.
def test_what_is_confirmed_stays_sure() -> None:
    found = trial.measure(3204, "characterize")
    told = {**found.verdicts, **found.others}
    for name in ("jitter_ms", "access_ms", "head_switch_ms", "track_skew_ms", "layout.order"):
        assert told[name] == "right", name
    assert "right" in [told[name] for name in told if name.startswith("zones[1].track_skew")]
    mapped = trial.measure(3204, "survey").others
    for name in ("track_switch_ms", "other_switch_ms", "layout.order"):
        assert mapped[name] == "right", name
