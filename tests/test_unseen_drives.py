"""Unseen drives: what is drawn is what the profile has, and wrong values that are sure are seen."""

import json

import pytest

from platterlab import _core
from platterlab._core import Profile
from platterlab.measure import advice
from platterlab.studies.unseen_drives import compared, drive, host, others, profile, truth


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


def estimate(value: float, note: str = "") -> dict[str, object]:
    return {"value": value, "ci95": [value, value], "status": "ok", "note": note}


@pytest.mark.parametrize("seed", [10, 3205])
def test_every_value_that_is_printed_is_compared(seed: int) -> None:
    drawn = drive.draw(seed)
    given = others.Given(drawn, host.draw(seed), writes=False)
    least = drawn.read_ms + drawn.bus_sector_ms
    right = {
        "mtm_ms": least,
        "overhead_ms": least,
        "access_ms": least + drawn.rotation_ms / drawn.zones[0].sectors[0],
        "sector_ms": drawn.rotation_ms / drawn.zones[0].sectors[0],
        "head_switch_ms": drawn.head_ms,
        "cylinder_switch_ms": drawn.seek_ms(1),
        "predicted_outer_mib_s": given.mib_s(drawn.zones[0]),
    }
    sure = {name: estimate(value) for name, value in right.items()}
    verdicts = others.judge(given, sure)
    assert {name: verdicts[name] for name in right} == dict.fromkeys(right, "right")
    for name, value in right.items():
        off = others.judge(given, {**sure, name: estimate(1.2 * value + 0.2)})
        assert off[name] == "wrong", name
    said = {"outer_mib_s": estimate(0.1, "not the media's, which is 9.9: the host limits it")}
    assert others.judge(given, said)["outer_mib_s"] == "unknown"


def test_what_is_compared_is_said_of_every_value() -> None:
    told = [name for name in compared.VALUES if name != "seek_scatter_ms"]
    assert told == list(advice.TITLES)
    zone = json.loads(_core.answer_schema())["$defs"]["Zone"]["properties"]
    assert set(compared.ZONES) == set(zone)


def test_one_surface_has_no_track_skew() -> None:
    drawn = drive.draw(3205)
    assert drawn.surfaces == 1
    printed = {"surfaces": estimate(1), "track_skew_ms": estimate(2.4174)}
    assert truth.judge(drawn, printed)["track_skew_ms"] == "wrong"
    printed["track_skew_ms"]["status"] = "unsupported"
    assert truth.judge(drawn, printed)["track_skew_ms"] == "right"
