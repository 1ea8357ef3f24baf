"""Drives that a rule of the extraction is for, each beside one that lacks what it is about."""

from dataclasses import replace

import pytest

from conftest import in_soak
from platterlab._core import Measurement, Profile
from platterlab.measure.run import measure_all
from platterlab.studies.unseen_drives import drive, host, profile, trial
from platterlab.studies.unseen_drives.drive import Drive


def judged(drawn: Drive) -> dict[str, str]:
    """The verdict on each value that is found on the host of a drive's seed; none may be wrong."""
    verdicts = trial.of_drive(drawn, "characterize").verdicts
    assert verdicts
    assert "wrong" not in verdicts.values(), verdicts
    return verdicts


def found_whole(drawn: Drive) -> bool:
    """Whether every value of a drive is found; none may be wrong."""
    return set(judged(drawn).values()) == {"right"}


def alike(drawn: Drive) -> Drive:
    """With tracks of one length on all surfaces of a zone."""
    zones = [replace(zone, sectors=zone.sectors[:1] * drawn.surfaces) for zone in drawn.zones]
    return replace(drawn, zones=zones)


def without_spares(drawn: Drive) -> Drive:
    zones = [replace(zone, spare_kind="none", spares=0) for zone in drawn.zones]
    return replace(drawn, zones=zones)


# Two surfaces of equal skews, and of a third skew from pass to pass.
@pytest.mark.parametrize("seed", [420, *in_soak(378)])
def test_passes_that_end_with_spares_are_told_from_surfaces_that_differ(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.seek_first
    assert drawn.zones[0].spare_kind == "cylinder"
    assert found_whole(drawn)
    assert found_whole(without_spares(drawn))


# Late completions made a length of one zone that of a track of another.
def test_tracks_between_zones_are_told_whatever_others_of_their_length_are() -> None:
    assert found_whole(drive.draw(381))


def test_surfaces_that_differ_are_mapped_in_time() -> None:
    drawn = drive.draw(427)
    assert drawn.seek_first
    assert drawn.per_surface
    assert found_whole(drawn)


# The last track of a zone, short of its spares, is as long as those of the next; of 2939,
# those looked as if they had defects, and of 2816 both densities differ by less than six jitters.
@pytest.mark.parametrize("seed", [2939, *in_soak(2728, 2772, 2816)])
def test_the_track_between_zones_is_told_by_its_density(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.zones[0].spare_kind == "zone"
    assert judged(drawn)["zones"] == "right"
    twin = judged(without_spares(drawn))
    assert twin["zones"] == "right"
    # Without spares no pairs of reads confirm the least seek of 2816.
    assert set(twin.values()) == {"right"} or seed == 2816


# The last track of each cylinder is as long as those of the next zone; or what is around a track is
# not known to the sector, by gathered interrupts.
@pytest.mark.parametrize("seed", [2682, *in_soak(2697, 2750)])
def test_zones_of_cylinders_with_spares_are_told(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.zones[0].spare_kind == "cylinder"
    assert found_whole(drawn)
    assert found_whole(without_spares(drawn))


# The clock counts in three sectors: at one place, one more seemed to be on a track. And the cache
# keeps 64 places: a track held as movements from it began stayed so, and they left no time.
def test_a_coarse_clock_leaves_the_count_to_the_map() -> None:
    assert found_whole(drive.draw(2794))


# What completions scatter by leaves the seek open by more than 4 %, unless it is timed once more.
@pytest.mark.parametrize("seed", [2850, *in_soak(2814)])
def test_a_seek_behind_a_cache_is_timed_as_exactly_as_others(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.cache["segments"] > 0
    assert found_whole(drawn)


# With what each request takes, two cylinders take less than twice as long as another head: as if
# that were another cylinder.
@pytest.mark.parametrize("seed", [381, *in_soak(2705)])
def test_orders_are_told_by_what_the_arm_alone_takes(seed: int) -> None:
    drawn = drive.draw(seed)
    assert not drawn.seek_first
    assert found_whole(drawn)
    assert found_whole(replace(drawn, read_ms=drawn.read_ms / 10))


# Surfaces of their own densities: each cylinder's lengths come back.
@pytest.mark.parametrize("seed", [6265, *in_soak(2791)])
def test_surfaces_that_differ_are_told_where_heads_come_first(seed: int) -> None:
    drawn = drive.draw(seed)
    assert not drawn.seek_first
    assert drawn.per_surface
    for either in (drawn, alike(drawn)):
        verdicts = judged(either)
        # How long a seek is, the host's jitter leaves open at times.
        assert set(verdicts) - {"seek_min_ms"} <= {
            name for name, verdict in verdicts.items() if verdict == "right"
        }


# One of two surfaces is as if its cylinders kept spares.
def test_two_surfaces_that_differ_are_told_where_heads_come_first() -> None:
    drawn = drive.draw(2968)
    assert not drawn.seek_first
    assert drawn.per_surface
    assert drawn.surfaces == 2
    assert found_whole(drawn)
    judged(alike(drawn))


# Each track of a new zone is searched near where its surface had one before; 64 places are counted.
@pytest.mark.parametrize("seed", [2752, *in_soak(2896)])
def test_surfaces_that_differ_are_surveyed_in_time_behind_a_cache(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.cache["segments"] == 64
    assert drawn.per_surface
    assert found_whole(drawn)
    judged(replace(drawn, cache={}))


# A gap of eight sectors, after which a track's first one comes by as fast as a cache has it.
def test_a_sector_that_comes_by_soon_is_told_from_a_caches() -> None:
    drawn = drive.draw(2944)
    assert drawn.cache["segments"] == 64
    assert drawn.zones[0].spare_kind == "cylinder"
    assert found_whole(drawn)
    judged(without_spares(drawn))


# Passes of 109 cylinders, or of twice as many: the next cylinder is the next track by both.
def test_seeks_are_told_by_all_orders_that_are_left() -> None:
    drawn = drive.draw(2956)
    assert drawn.seek_first
    # Its host's jitter of 0.05 ms may leave the least seek open; that of another seed is 0.006 ms.
    judged(drawn)
    assert found_whole(replace(drawn, seed=2958))
    judged(replace(drawn, cache={}))


# Skews of six jitters; of less than a 500th of a turn; of not much more than completions are
# gathered over. With others no sector is read more often than once.
@pytest.mark.parametrize("seed", [3218, *in_soak(7915, 6668)])
def test_skews_of_a_sector_or_two_are_told_by_repeated_reads(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.cylinder_skew <= 2
    assert found_whole(drawn)
    assert found_whole(replace(drawn, cylinder_skew=20, pass_skew=50))


# Interrupts gathered over 0.125 ms: between two ticks passes more than between the sectors.
def test_what_ticks_make_of_a_skew_raises_no_doubt() -> None:
    drawn = drive.draw(3208)
    assert found_whole(drawn)


# A late completion made an end a sector early where the last track of each cylinder is short of
# spares.
@pytest.mark.parametrize("seed", [3276, *in_soak(3312, 3290)])
def test_odd_tracks_are_filled_by_cylinders_that_are_found_near(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.zones[0].spare_kind == "cylinder"
    assert found_whole(drawn)
    assert judged(without_spares(drawn))["zones"] == "right"


# The same made a cycle of two lengths that came twice.
def test_ends_that_are_a_sector_off_twice_are_no_cycle() -> None:
    drawn = drive.draw(3335)
    assert drawn.per_surface
    assert found_whole(drawn)


# Every zone is one group of cylinders: no length comes back.
@pytest.mark.parametrize("seed", [3265, *in_soak(3341)])
def test_zones_tell_in_which_order_surfaces_follow(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.per_surface
    assert drawn.order.startswith("alternating")
    assert found_whole(drawn)
    judged(alike(drawn))


# Of one surface, a campaign took 52 tracks for a cylinder.
def test_more_surfaces_than_a_drive_has_are_none() -> None:
    drawn = drive.draw(3217)
    assert drawn.surfaces == 1
    assert found_whole(drawn)
    # Two surfaces are not taken for one.
    judged(replace(drawn, surfaces=2, zones=alike(replace(drawn, surfaces=2)).zones))


# Sectors of an inner zone take longer to pass; and with orders that are left, it is open which of
# two movements to the next cylinder changes heads.
@pytest.mark.parametrize("seed", [3206, *in_soak(3316, 3349, 3323)])
def test_the_self_check_does_not_doubt_movements_that_are_right(seed: int) -> None:
    drawn = drive.draw(seed)
    assert drawn.order.startswith("cylinder-serpentine") or drawn.order == "traditional"
    assert found_whole(drawn)
    first, last = drawn.zones[0], drawn.zones[-1]
    one = replace(drawn, zones=[replace(first, last=last.last)], defects=[])
    assert judged(one)["surfaces"] == "right"


# A cache lets no movement from rest confirm it, and there is none.
def test_a_seek_that_a_coarse_clock_leaves_open_is_timed_in_more_rounds() -> None:
    assert judged(drive.draw(3222))["seek_min_ms"] == "right"
    assert found_whole(drive.draw(7694))


def test_skews_that_are_too_short_for_the_head_leave_the_time_kept() -> None:
    drawn = drive.draw(3402)
    built = Profile.parse(profile.text(drawn), "drive 3402")
    measurement = Measurement.simulated(
        built, host=host.draw(3402).figures(), seed=3402, writes=True, time_s=900.0
    )
    assert sum(run.drive_time_s for run in measure_all(measurement)) <= 990


# Skews are equal, and completions scatter by less than a round leaves between its pairs of reads;
# all movements may be those of passes of two cylinders; of passes of a cylinder's tracks; passes
# whose skews are equal, of seeks so short that counts of heads were left.
@pytest.mark.parametrize("seed", [3340, *in_soak(3292, 3274, 3195)])
def test_orders_that_are_left_are_told_apart(seed: int) -> None:
    assert found_whole(drive.draw(seed))


def test_orders_that_no_movement_tells_apart_are_not_told_wrongly() -> None:
    drawn = drive.draw(3292)
    judged(replace(drawn, head_ms=0.98 * drawn.seek_ms(1)))


# Zones end with five spare tracks: every second one begins in the middle of ten.
def test_zones_that_begin_anywhere_are_not_moved_to_cylinders() -> None:
    assert judged(drive.draw(3447))["zones"] == "right"


# Skews of a sector and of two, which are half a jitter: no track ends, and the offset from track to
# track seemed to be a turn less a sector.
def test_no_skew_is_sure_where_no_sectors_are_counted() -> None:
    drawn = drive.draw(4046)
    assert judged(drawn)["track_skew_ms"] == "unknown"
    assert found_whole(replace(drawn, track_skew=60, cylinder_skew=120))


# A clock of 0.1 ms, or interrupts gathered over 0.05, leave the cylinder skew open by a sector or
# two; of 3664 it may seem to be the track skew.
@pytest.mark.parametrize("seed", [3191, *in_soak(3462, 3664)])
def test_skews_that_few_tracks_leave_open_are_told_by_far_angles(seed: int) -> None:
    drawn = drive.draw(seed)
    assert not drawn.seek_first
    assert found_whole(drawn)
    judged(replace(drawn, cylinder_skew=drawn.cylinder_skew + 1))


# A clock of 0.1 ms, and a seek of 0.68: pairs of reads on one track are off by 0.04, what many
# waits tell is not.
def test_a_seek_of_few_ticks_is_told_by_many_waits() -> None:
    drawn = drive.draw(4626)
    assert judged(drawn)["seek_min_ms"] == "right"
    assert found_whole(replace(drawn, seed=4029))


# An edge came out a sector late: the zone before would have one more cylinder, of one sector.
def test_a_zone_does_not_end_with_a_cylinder_of_one_sector() -> None:
    drawn = drive.draw(4918)
    assert judged(drawn)["zones"] == "unknown"
    assert judged(without_spares(drawn))["zones"] == "right"


def compared(drawn: Drive) -> dict[str, str]:
    """The verdict on every value that is printed of a drive; none may be wrong."""
    found = trial.of_drive(drawn, "characterize")
    assert found.verdicts
    assert not found.wrong, found.wrong
    return {**found.verdicts, **found.others}


# The last track of each cylinder is short of its spares whichever way it is gone through, and the
# skew behind it is not that of equal tracks.
def test_spares_of_cylinders_tell_no_order_and_are_no_part_of_a_skew() -> None:
    drawn = drive.draw(3293)
    assert drawn.order == "cylinder-serpentine"
    assert drawn.zones[0].spare_kind == "cylinder"
    assert compared(drawn)["layout.order"] == "unknown"
    compared(without_spares(drawn))


# By writes, what the interface takes hides a switch of the head; what a clock of 1 ms reads as
# nothing is none; where cylinders come first, the way to the next cylinder is no switch of heads.
@pytest.mark.parametrize(
    ("seed", "name", "verdict"),
    [
        (3236, "head_switch_ms", "right"),
        (3194, "overhead_ms", "unknown"),
        (3294, "head_switch_ms", "unknown"),
    ],
)
def test_what_a_host_or_an_order_hides_is_not_sure(seed: int, name: str, verdict: str) -> None:
    assert compared(drive.draw(seed))[name] == verdict


def test_one_surface_has_a_cylinder_skew_alone() -> None:
    drawn = drive.draw(3220)
    assert drawn.surfaces == 1
    assert compared(drawn)["cylinder_skew_ms"] == "right"
    two = [replace(zone, sectors=zone.sectors * 2) for zone in drawn.zones]
    compared(replace(drawn, surfaces=2, zones=two))


def surveyed(drawn: Drive) -> dict[str, str]:
    """The verdict on each value of a fast survey of the tracks; none may be wrong."""
    verdicts = trial.of_drive(drawn, "survey").verdicts
    assert verdicts
    assert "wrong" not in verdicts.values(), verdicts
    return verdicts


# The last track of a zone and the first of the next are one whole track together.
def test_a_track_short_of_spares_and_the_next_zones_first_are_no_whole_track() -> None:
    drawn = drive.draw(5522)
    assert [zone.spares for zone in drawn.zones] == [32] * 5
    assert drawn.zones[1].sectors[0] - 32 == 1, "and 32 are a track of the next zone"
    assert surveyed(drawn)["tracks"] == "right"
    assert surveyed(without_spares(drawn))["tracks"] == "right"
    # With defects as others have them, two and 22 of the next zone are on the line of 24.
    drawn = drive.draw(6428)
    assert (drawn.zones[3].sectors[0] - 22, drawn.zones[4].sectors[0]) == (2, 22)
    assert surveyed(drawn)["tracks"] == "unknown"


# A late completion made an end of none, and no other filling of the place was there; where the
# line goes on over the end of a zone, of two fillings one was right in one look.
ENDS = [(6348, "unknown"), (6286, "right"), *in_soak((6369, "right"))]


@pytest.mark.parametrize(("seed", "tracks"), ENDS)
def test_ends_that_late_completions_made_are_none(seed: int, tracks: str) -> None:
    drawn = drive.draw(seed)
    assert host.draw(seed).tail_share > 0.0
    assert surveyed(drawn)["tracks"] == tracks


def test_passes_of_no_one_width_leave_open_what_comes_first() -> None:
    drawn = drive.draw(6090)
    assert drawn.seek_first
    assert drawn.per_surface
    assert surveyed(drawn)["class"] == "unknown"
    assert surveyed(drive.draw(3421))["class"] == "right", "of one width"


# The last track of two zones is as long as those of the next.
def test_zones_behind_one_that_ends_within_a_cylinder_may_begin_elsewhere() -> None:
    drawn = drive.draw(5498)
    assert drawn.zones[-2].sectors[0] - drawn.zones[-2].spares == drawn.zones[-1].sectors[0]
    assert judged(drawn)["zones"] == "unknown"


def test_a_seek_by_a_coarse_clock_is_no_longer_than_the_switch() -> None:
    assert judged(drive.draw(5576))["seek_min_ms"] == "right"
    # What the interface hides of a write is no contradiction to a seek that is known well.
    assert judged(drive.draw(5562))["seek_min_ms"] == "right"


# One of its movements came late for no reason that scatters; the campaign took what is no track
# for one.
@pytest.mark.parametrize("seed", [21220, 21355])
def test_what_few_requests_tell_is_sure_only_where_others_do(seed: int) -> None:
    assert trial.of_drive(drive.draw(seed), "characterize").wrong == []
