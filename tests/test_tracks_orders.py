"""Orders of tracks and seeks, on drives that have what misleads and on others that have not."""

from dataclasses import replace
from functools import cache

import pytest

from conftest import in_soak
from platterlab import library
from platterlab._core import Measurement, Profile, tracks
from platterlab.answers import TrackMap
from platterlab.measure.run import measure_all
from platterlab.studies.unseen_drives import drive, host, profile, trial, truth


@pytest.mark.parametrize(
    ("name", "kind", "surfaces", "width"),
    [
        # Cylinders begin elsewhere behind each of its spare regions.
        ("hp-97560", "head-first", 19, None),
        ("micropolis-3391ss", "head-first", 22, None),
        # All seeks take the same time: far and near differ in that alone.
        ("mock", "head-first", 15, None),
        # Cycles of a few tracks, and seeks that hardly grow over them.
        ("quantum-fireball", "head-first", 2, None),
        ("hitachi-320g-disk5", "head-first", 4, None),
        # A pass could be a way there and back.
        ("samsung-120g-disk1", "seek-first", 4, 512),
    ],
)
def test_the_order_is_known(name, kind, surfaces, width):
    measurement = Measurement.simulated(library.load(name), writes=False, tracks="fast")
    measure_all(measurement)
    layout = measurement.track_map()["layout"]
    assert layout["class"]["value"] == kind
    assert layout["surfaces"]["value"] == surfaces
    assert layout["surfaces"]["status"] == "ok"
    assert layout["serpentine_cylinders"]["value"] == width


def seeks(seed: int, **changes: float) -> dict[str, str]:
    """Verdicts on the seeks of a made-up drive behind its host, with changes."""
    drawn = drive.draw(seed)
    behind = replace(host.draw(seed), **changes)
    measurement = Measurement.simulated(
        Profile.parse(profile.text(drawn), f"drive {seed}"),
        host=behind.figures(),
        seed=seed,
        writes=False,
        time_s=900.0,
    )
    measure_all(measurement)
    verdicts = truth.judge(drawn, measurement.extraction())
    return {name: verdicts[name] for name in ("seek_min_ms", "seek_max_ms")}


def test_a_seek_is_no_better_known_than_the_clock():
    assert seeks(209, clock_grain_us=1_000.0)["seek_min_ms"] == "unknown"
    # Of many pairs of reads, each off by a part of a tick, the mean is not.
    assert seeks(209, clock_grain_us=100.0) == {"seek_min_ms": "right", "seek_max_ms": "right"}
    assert seeks(209, clock_grain_us=0.0) == {"seek_min_ms": "right", "seek_max_ms": "right"}


def test_read_ahead_that_stops_with_the_cylinder_is_no_seek():
    drawn = drive.draw(129)
    assert drawn.cache["read_ahead"] == "cylinder"
    assert "wrong" not in seeks(129).values()


def survey(drawn: drive.Drive, seed: int, time_s: float | None = None) -> tuple[TrackMap, float]:
    """The map of a made-up drive behind the host of a seed, and the seconds that it took."""
    measurement = Measurement.simulated(
        Profile.parse(profile.text(drawn), f"drive {seed}"),
        host=host.draw(seed).figures(),
        seed=seed,
        writes=False,
        tracks="fast",
        time_s=time_s,
    )
    runs = measure_all(measurement)
    return measurement.track_map(), sum(run.drive_time_s for run in runs)


@cache
def whole_map(seed: int) -> TrackMap:
    """The map of the drive of a seed, made in as much time as it takes; once for several tests."""
    return survey(drive.draw(seed), seed)[0]


def layout(drawn: drive.Drive, seed: int) -> tuple[str | None, float | None, float | None]:
    """Class, surfaces and width of passes of a made-up drive, each none where it is not sure."""
    found = survey(drawn, seed)[0]["layout"]
    names = ("class", "surfaces", "serpentine_cylinders")
    kind, surfaces, width = (
        found[name]["value"] if found[name]["status"] == "ok" else None for name in names
    )
    return kind, surfaces, width


@pytest.mark.parametrize("seed", [3, *in_soak(41, 161, 244)])
def test_passes_are_known_whether_or_not_a_skew_shows_their_ends(seed):
    drawn = drive.draw(seed)
    assert drawn.cylinder_skew == drawn.pass_skew, "no skew shows where a pass ends"
    known = ("seek-first", drawn.surfaces, drawn.group_cylinders)
    assert layout(drawn, seed) == known
    shown = replace(drawn, pass_skew=drawn.pass_skew + drawn.zones[0].sectors[0] // 4)
    assert layout(shown, seed) == known


@pytest.mark.parametrize("seed", [216, *in_soak(269)])
def test_one_surface_has_no_passes(seed):
    drawn = drive.draw(seed)
    assert drawn.surfaces == 1
    kind, surfaces, _ = layout(drawn, seed)
    assert kind in ("one-surface", None)
    assert surfaces in (1, None)


@pytest.mark.parametrize(
    ("seed", "why"),
    [
        (177, "a clock of 0.01 ms"),
        (211, "late completions between tracks that differ by surface"),
        (144, "last tracks that spares have shortened, and a cache of whole tracks"),
    ],
)
def test_a_host_or_a_cache_alone_raises_no_doubt(seed, why):
    found = trial.measure(seed, "characterize")
    assert found.right, (why, found.verdicts)


@pytest.mark.parametrize(
    ("seed", "name", "why"),
    [
        (
            249,
            "surfaces",
            "whole tracks read on arrival: the arm's movements contradict themselves",
        ),
        (104, "surfaces", "interrupts gathered over 0.125 ms, and a cache of eight segments"),
        (1054, "zones", "a late completion made a track of one sector at the end of a zone"),
        (1141, "seek_min_ms", "a cache answered when the sector would have come"),
        (1803, "cylinder_skew_ms", "first sectors seem to lie in passes, and heads come first"),
        *in_soak(
            (1644, "seek_min_ms", "a time that was not taken lent its error to another"),
            (1888, "seek_min_ms", "interrupts gathered over 0.25 ms"),
            (2121, "surfaces", "interrupts gathered over 0.125 ms, and one surface"),
            (2640, "track_skew_ms", "no skew is no turn either"),
        ),
    ],
)
def test_what_a_measurement_leaves_open_is_not_sure(seed, name, why):
    found = trial.measure(seed, "characterize")
    assert found.verdicts[name] in ("right", "unknown"), why
    assert "wrong" not in found.verdicts.values(), (why, found.verdicts)
    assert found.verdicts["rotation_ms"] == "right", why


@pytest.mark.parametrize("seed", [52, *in_soak(129, 246)])
def test_a_cache_of_many_segments_costs_a_survey_little(seed):
    drawn = drive.draw(seed)
    assert drawn.cache["segments"] >= 8
    found, took_s = survey(drawn, seed)
    assert found["status"] == "ok"
    assert took_s < 600.0


def test_tracks_that_were_leapt_over_count_in_what_recurs():
    """Spares shorten the last track of each cylinder: eleven of twelve are long."""
    drawn = drive.draw(363)
    assert (drawn.zones[0].spare_kind, drawn.surfaces) == ("cylinder", 12)
    found, _ = survey(drawn, 363)
    assert found["status"] == "ok"
    starts = []
    for piece in found["pieces"]:
        lba = piece["first_lba"]
        for sectors in piece["sectors"] * min(piece["cycles"], 3):
            starts.append((lba, sectors))
            lba += sectors
    true = tracks(Profile.parse(profile.text(drawn), "drive 363"), [lba for lba, _ in starts])
    assert [lba for lba, _ in starts] == list(true["track_first_lba"])
    assert [sectors for _, sectors in starts] == list(true["track_data_sectors"])


def test_a_cycle_that_the_clock_made_is_no_single_surface():
    """Ticks of 0.1 ms make a cycle of five of equal skews, which only one surface would explain."""
    drawn = drive.draw(522)
    assert host.draw(522).clock_grain_us == 100.0
    assert layout(drawn, 522) == ("seek-first", drawn.surfaces, drawn.group_cylinders)


def test_a_map_that_is_not_certain_leaves_the_width_of_passes_open():
    drawn = drive.draw(325)
    assert drawn.seek_first
    found, _ = survey(drawn, 325)
    assert found["status"] != "ok"
    width = found["layout"]["serpentine_cylinders"]
    assert width["value"] is not None
    assert (width["status"], width["note"]) == ("ambiguous", "the map of the tracks is not certain")


def test_passes_of_a_certain_map_are_as_wide_as_they_are():
    drawn = drive.draw(106)
    found, _ = survey(drawn, 106)
    assert found["status"] == "ok"
    for name, true in ("surfaces", drawn.surfaces), ("serpentine_cylinders", drawn.group_cylinders):
        told = found["layout"][name]
        assert (told["status"], told["value"]) == ("ok", true), name


# One of each order, and 3199 and 3276 with a cache.
@pytest.mark.parametrize("seed", [3190, 3206, *in_soak(3193, 3199, 3207, 3229, 3276)])
@pytest.mark.parametrize("time_s", [60.0, *in_soak(180.0)])
def test_a_map_keeps_its_time_and_says_what_is_left_out(seed, time_s):
    drawn = drive.draw(seed)
    found, took_s = survey(drawn, seed, time_s)
    assert took_s <= 1.1 * time_s
    assert found["status"] == "ambiguous"
    assert "there was no time left for the" in found["note"]
    assert "wrong" not in truth.judge_survey(drawn, {"survey": dict(found)}).values()
    whole = whole_map(seed)
    assert "no time" not in whole["note"]
    assert whole["layout"]["class"]["status"] == "ok"
