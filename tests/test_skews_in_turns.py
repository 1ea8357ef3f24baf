"""Skews that are no whole sectors: written in turns where angles come out by them."""

import tomllib
from functools import cache
from typing import Any

import pytest

from platterlab._core import Profile
from platterlab.measure import advice, model_zones
from platterlab.measure import profile as made
from platterlab.studies.unseen_drives.predicted import within
from platterlab.studies.unseen_drives.trial import measured

SEED = 3

DRIVE = """
id = "made-up"
name = "made up"
[source]
kind = "assumed"
from = "made up"
[spindle]
speed_rpm = 5400
[seek]
kind = "two-piece"
boundary_cylinders = 1000
short_ms = [1.2, 0.15]
long_ms = [4.5, 0.0015]
[switch]
head_ms = 0.9
[controller]
read_ms = 0.3
write_ms = 0.3
[geometry]
surfaces = {surfaces}
cylinders = 3000
sector_bytes = 512
surface_offset_turns = {offsets}
"""
ONE_SURFACE: list[tuple[int, list[int]]] = [(423, []), (383, [])]
THREE = [(322, [310, 300, 322]), (290, [280, 271, 290]), (249, [240, 233, 249])]


def drive(surfaces: int, zones: list[tuple[int, list[int]]], skews: str, offsets: Any = ()) -> str:
    """A drive with zones alike but for their lengths; `{}` stands for about a sixth of them."""
    text = DRIVE.format(surfaces=surfaces, offsets=list(offsets) or [0.0] * surfaces)
    each = 3_000 // len(zones)
    for index, (sectors, by_surface) in enumerate(zones):
        text += f"[[zone]]\ncylinders = [{index * each}, {index * each + each - 1}]\n"
        text += f"sectors_per_track = {sectors}\n"
        text += skews.format(round(70 / 423 * sectors)) + "\n"
        text += f"surface_sectors_per_track = {by_surface}\n" if by_surface else ""
    return text


@cache
def measure(text: str) -> tuple[Profile, Any, list[str], str]:
    """The drive, what reads alone find, what is said of it, and its profile."""
    built = Profile.parse(text, "made up")
    measurement = measured(built, SEED, writes=False, tracks=None, time_s=900.0)
    found = measurement.extraction()
    device = measurement.info()
    profile = made.draft(found, device, "0123456789ab", "made up")
    return built, found, advice.warnings(found, device, quick=False), profile or ""


@pytest.mark.parametrize(
    ("surfaces", "zones", "turns"),
    [(1, ONE_SURFACE, {"cylinder": 1 / 6}), (3, THREE, {"track": 5 / 36, "cylinder": 5 / 24})],
)
def test_skews_that_are_no_whole_sectors_are_written_in_turns(surfaces, zones, turns) -> None:
    skews = "\n".join(f"{name}_skew_turns = {part}" for name, part in turns.items())
    built, found, _, profile = measure(drive(surfaces, zones, skews))
    assert found["self_check"]["status"] == "ok", found["self_check"]["disagreements"]
    model = found["model"]
    assert model["zones"][0]["skews_agree"]
    assert model["angles_right"] > 0.95 * model["angles"]
    for zone in tomllib.loads(profile)["zone"]:
        for name, part in turns.items():
            assert zone[f"{name}_skew_turns"] == pytest.approx(part, abs=1e-4)
    assert within(built, Profile.parse(profile, "measured"), SEED) > 0.97


def test_skews_that_are_whole_sectors_are_counted() -> None:
    built, found, _, profile = measure(drive(1, ONE_SURFACE, "cylinder_skew_sectors = {}"))
    assert found["self_check"]["status"] == "ok"
    assert [zone["cylinder_skew_sectors"] for zone in tomllib.loads(profile)["zone"]] == [70, 63]
    assert within(built, Profile.parse(profile, "measured"), SEED) > 0.97


def test_angles_that_do_not_come_out_are_named() -> None:
    # Each surface begins elsewhere, and no two skews have that.
    zones: list[tuple[int, list[int]]] = [(322, []), (249, [])]
    skews = "track_skew_turns = 0.14\ncylinder_skew_turns = 0.21"
    _, found, said, _ = measure(drive(4, zones, skews, (0.0, 0.21, 0.47, 0.33)))
    checked = found["self_check"]
    assert checked["status"] == "ambiguous"
    named = {each["value"] for each in checked["disagreements"]}
    assert named >= {"model.zones[0]", "model.zones[1]"}
    assert found["track_skew_ms"]["status"] == found["cylinder_skew_ms"]["status"] == "ambiguous"
    assert any("of probe tracks" in sentence for sentence in said)


# Zones of as many sectors are one to every map of lengths.
@pytest.mark.parametrize(("behind", "sure"), [(40, True), (47, False)])
def test_skews_are_a_zones_where_each_part_of_it_has_them(behind: int, sure: bool) -> None:
    zones: list[tuple[int, list[int]]] = [(322, []), (322, []), (249, [])]
    one = "track_skew_sectors = 40\ncylinder_skew_sectors = 60"
    first, second, last = drive(3, zones, one).rsplit("track_skew_sectors = 40", 2)
    _, found, _, _ = measure(
        f"{first}track_skew_sectors = {behind}{second}track_skew_sectors = 40{last}"
    )
    printed, modelled = found["zones"][0], found["model"]["zones"][0]
    assert len(found["zones"]) == 2
    assert (printed["track_skew_ms"]["status"] == "ok") is sure
    assert modelled["skews_agree"] is sure


def test_an_order_that_is_assumed_is_said() -> None:
    skews = "track_skew_turns = 0.1\ncylinder_skew_turns = 0.2"
    _, found, said, _ = measure(drive(3, THREE[:1], skews))
    assert not any("order" in sentence for sentence in said)
    for words, why in [
        (["traditional", "cylinder-serpentine"], "which may as well be cylinder-serpentine"),
        (["traditional"], "as movements contradict all others"),
        (["surface-serpentine"], "though movements allow surface-serpentine alone"),
    ]:
        order = {**found["layout"]["order"], "value": None, "alternatives": words}
        layout = {**found["layout"], "order": order}
        sentence = model_zones.assumed_order({**found, "layout": layout})
        assert sentence.endswith(f" traditional, {why}.")


# A sector is a part of the turn with the spares of its track counted in.
@pytest.mark.parametrize("spares", [0, 1])
def test_whole_sectors_of_a_skew_are_as_wide_as_the_tracks(spares: int) -> None:
    skews = "track_skew_sectors = 24\ncylinder_skew_sectors = 33\nskew_from_data_end = true\n"
    skews += f"sparing.kind = 'track'\nsparing.sectors = {spares}" if spares else ""
    built = Profile.parse(drive(10, [(190, []), (160, []), (120, [])], skews), "made up")
    found = measured(built, 4, writes=True, tracks=None, time_s=900.0).extraction()
    cylinder, sector = found["cylinder_skew_ms"], found["sector_ms"]
    assert cylinder["status"] == sector["status"] == "ok"
    sectors = 33 - spares
    assert cylinder["note"] == f"{sectors} sectors"
    low, high = cylinder["ci95"]
    assert low <= sectors * found["rotation_ms"]["value"] / 190 <= high
