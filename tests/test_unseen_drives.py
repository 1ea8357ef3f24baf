"""Unseen drives: what is drawn is what the profile has, and wrong values that are sure are seen."""

from platterlab._core import Profile
from platterlab.studies.unseen_drives import drive, host, profile, truth


def test_a_drawn_drive_has_the_addresses_of_its_zones() -> None:
    # Of the last, surfaces differ in inner zones alone.
    for seed in (*range(40), 629):
        drawn = drive.draw(seed)
        built = Profile.parse(profile.text(drawn), f"drive {seed}")
        assert built.capacity_sectors == sum(zone.capacity for zone in drawn.zones), seed


def test_the_same_seed_is_the_same_drive_behind_the_same_host() -> None:
    assert profile.text(drive.draw(7)) == profile.text(drive.draw(7))
    assert profile.text(drive.draw(7)) != profile.text(drive.draw(8))
    assert host.draw(7) == host.draw(7)


def test_a_wrong_value_that_is_sure_is_seen() -> None:
    drawn = drive.draw(10)
    right = {"value": drawn.rotation_ms, "status": "ok"}
    wrong = {**right, "value": 1.0002 * drawn.rotation_ms}
    verdicts = [
        truth.judge(drawn, {"rotation_ms": printed})["rotation_ms"]
        for printed in (right, wrong, {**wrong, "status": "ambiguous"})
    ]
    assert verdicts == ["right", "wrong", "unknown"]
