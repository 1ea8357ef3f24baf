//! Reads from the media, computed by hand.

use crate::round::{Bench, at_us, caching, drive, once, parts_us, read, us, zone};
use platterlab_drive::{CacheOutcome, Chance, Drive, NoChance, ReadAhead, SeekCurve};
use platterlab_units::Angle;

#[test]
fn a_miss_waits_for_its_sector_and_the_bus_ends_one_sector_after_the_media() {
    let service = once(&drive(), read(3, 4));
    assert_eq!(parts_us(&service), (7_500, [0, 0, 0, 3_000, 4_000, 500]));
    assert_eq!((service.cache, service.cylinder), (CacheOutcome::Miss, 0));
}

#[test]
fn a_seek_and_a_head_switch_overlap() {
    let service = once(&drive(), read(70, 1));
    // Track 7 is cylinder 3, surface 1, turned by 7 sectors: sector 0 passes at 7 ms.
    assert_eq!(parts_us(&service), (8_500, [0, 0, 3_000, 4_000, 1_000, 500]));
    assert_eq!((service.cylinder, service.seek_distance), (3, 3));
}

#[test]
fn seeks_to_lower_cylinders_can_take_another_time() {
    let mut params = drive();
    params.mechanism.seek_back = Some(platterlab_drive::SeekCurve::Constant { time: us(7_000) });
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.next(read(60, 1))).1[2], 3_000);
    assert_eq!(parts_us(&bench.next(read(80, 1))).1[2], 1_000);
    assert_eq!(parts_us(&bench.next(read(60, 1))).1[2], 7_000);
}

/// Draws the same each time.
struct Drawn(u64);

impl Chance for Drawn {
    /// So many eighths of a turn.
    fn angle(&mut self) -> Angle {
        Angle::of_slots(self.0, 8)
    }
}

#[test]
fn a_seek_is_longer_or_shorter_as_chance_draws_and_by_how_far_it_goes() {
    let mut params = drive();
    let points = vec![(1, us(0)), (2, us(1_000)), (3, us(400)), (4, us(400))];
    params.mechanism.seek_scatter = Some(SeekCurve::Table { points });
    // To cylinder 3; there, where nothing is sought; and back by 2.
    for (lba, plain_us, most_us) in [(60, 3_000, 400), (61, 0, 0), (20, 2_000, 1_000)] {
        let seek_us = |chance: &mut dyn Chance| {
            let mut drive = Drive::new(&params).expect("legal");
            let first = drive.serve(at_us(0), read(60, 1), &mut NoChance);
            let again = drive.serve(first.completion, read(lba, 1), chance);
            let mut anew = Drive::new(&params).expect("legal");
            let service = if lba == 60 { anew.serve(at_us(0), read(60, 1), chance) } else { again };
            parts_us(&service).1[2]
        };
        assert_eq!(seek_us(&mut NoChance), plain_us);
        assert_eq!(seek_us(&mut Drawn(2)), plain_us + most_us / 2, "to {lba}");
        assert_eq!(seek_us(&mut Drawn(6)), plain_us - most_us / 2, "to {lba}");
    }
}

#[test]
fn a_bus_faster_than_the_media_ends_with_it_unless_the_fence_holds_it_back() {
    for (fence, completion_us) in [(0, 7_500), (1, 7_500), (2, 7_500), (3, 8_000), (4, 9_000)] {
        let mut params = drive();
        params.cache.read_fence_sectors = fence;
        let service = once(&params, read(3, 4));
        assert_eq!(service.completion.as_ps(), us(completion_us).as_ps(), "fence {fence}");
    }
}

#[test]
fn a_bus_slower_than_the_media_starts_at_the_fence() {
    for (fence, completion_us) in [(1, 12_000), (2, 13_000), (4, 15_000), (100, 15_000)] {
        let mut params = drive();
        params.bus.read_sector = us(2_000);
        params.cache.read_fence_sectors = fence;
        let service = once(&params, read(3, 4));
        let bus_us = completion_us - 7_000;
        assert_eq!(parts_us(&service), (completion_us, [0, 0, 0, 3_000, 4_000, bus_us]));
    }
}

#[test]
fn a_bus_that_is_asked_for_before_the_end_may_be_so_before_the_first_sector() {
    // The sectors pass from 3 ms to 7 ms; no data goes before the first has passed.
    for (before, completion_us) in [(0, 15_250), (1, 14_250), (3, 12_250), (4, 12_000), (9, 12_000)]
    {
        let mut params = drive();
        params.cache.read_fence_sectors = 2;
        params.bus.read_sector = us(2_000);
        params.bus.reconnect = us(250);
        params.bus.reconnect_before_end = Some(before);
        let service = once(&params, read(3, 4));
        assert_eq!(service.completion.as_ps(), us(completion_us).as_ps(), "{before}");
    }
}

#[test]
fn a_bus_that_is_asked_for_before_the_end_may_be_so_between_two_tracks() {
    // Sectors 8 and 9 pass from 8 ms to 10 ms, those of the next track from 11 ms to 13 ms. What is
    // counted back from there meets no sector for a millisecond.
    for (before, completion_us) in [(0, 17_250), (1, 16_250), (3, 14_250), (4, 14_000)] {
        let mut params = drive();
        params.bus.read_sector = us(1_000);
        params.bus.reconnect = us(250);
        params.bus.reconnect_before_end = Some(before);
        let service = once(&params, read(8, 4));
        assert_eq!(service.completion.as_ps(), us(completion_us).as_ps(), "{before}");
    }
}

#[test]
fn a_read_longer_than_a_segment_goes_through_it() {
    // Ten sectors pass from 1 ms to 10 ms and from 11 ms to 12 ms; half a millisecond on the bus each.
    // The bus is asked for with a sector less there than there is room for, and all but the last goes
    // while the head passes the rest.
    for (segment, completion_us) in [(1_000, 16_000), (8, 13_000), (5, 12_500)] {
        let mut params = drive();
        params.cache.segments = 1;
        params.cache.segment_sectors = segment;
        params.bus.reconnect_before_end = Some(1);
        let service = once(&params, read(1, 10));
        assert_eq!(service.completion.as_ps(), us(completion_us).as_ps(), "{segment}");
    }
}

/// That reads of so many sectors from the second on, in bursts of three, are complete at such times.
fn completes_in_bursts(drains: bool, times_us: &[(u32, u64)]) {
    let mut params = drive();
    params.bus.reconnect = us(250);
    params.bus.burst_sectors = Some(3);
    params.bus.burst_drains = drains;
    params.bus.reconnect_before_end = Some(9);
    for &(sectors, completion_us) in times_us {
        let service = once(&params, read(1, sectors));
        assert_eq!(service.completion.as_ps(), us(completion_us).as_ps(), "{sectors}");
    }
}

#[test]
fn data_goes_over_the_bus_in_bursts() {
    // A sector passes in a millisecond, from 1 ms on, and goes over the bus in half a one.
    let times_us = [
        (2, 4_250),
        (3, 5_750),
        (5, 7_250),
        (6, 8_750),
        // The seventh is there before the second burst is through, and goes with it.
        (7, 9_250),
        (8, 10_250),
        // Two more lie on the next track, which begins at 11 ms.
        (11, 14_250),
    ];
    completes_in_bursts(false, &times_us);
}

#[test]
fn a_burst_may_go_on_until_the_buffer_is_empty() {
    // As above, but the fourth and the fifth have passed while the first three go over the bus.
    let times_us = [
        (3, 5_750),
        (5, 6_750),
        // The sixth is not there in time. It is the last, so that nothing is waited for but it.
        (6, 7_750),
        (7, 9_250),
        (8, 10_750),
        // On the next track, which begins at 11 ms.
        (10, 12_750),
        (11, 14_250),
    ];
    completes_in_bursts(true, &times_us);
}

#[test]
fn a_read_with_too_little_room_for_all_of_it_goes_as_without_bursts() {
    let mut params = drive();
    params.cache.buffer_sectors = Some(5);
    let usual = once(&params, read(1, 6));
    params.bus.burst_sectors = Some(3);
    assert_eq!(once(&params, read(1, 6)), usual);
    assert_ne!(once(&params, read(1, 5)).completion, usual.completion);
}

#[test]
fn the_bus_is_taken_again_before_the_data_goes_over_it() {
    let mut params = drive();
    params.bus.read_sector = us(2_000);
    params.bus.reconnect = us(250);
    assert_eq!(parts_us(&once(&params, read(3, 4))).0, 12_250);
    params.bus.overlap = false;
    assert_eq!(parts_us(&once(&params, read(3, 4))), (15_250, [0, 0, 0, 3_000, 4_000, 8_250]));
}

#[test]
fn overheads_come_before_and_after_and_know_the_command_before() {
    let mut params = drive();
    params.controller.overhead[0][0] = [us(1_000), us(2_000)];
    params.controller.overhead[1][0] = [us(100), us(200)];
    params.controller.completion = [us(50), us(70)];
    let mut bench = Bench::new(&params);
    let first = bench.next(read(3, 1));
    assert_eq!(parts_us(&first), (4_550, [1_050, 0, 0, 2_000, 1_000, 500]));
    let written = bench.at(10_000, crate::round::write(3, 1));
    assert_eq!(parts_us(&written), (14_070, [170, 0, 0, 2_900, 1_000, 0]));
    let after_write = bench.at(20_000, read(3, 1));
    assert_eq!(parts_us(&after_write), (24_550, [2_050, 0, 0, 1_000, 1_000, 500]));
}

#[test]
fn a_read_goes_on_over_a_track_boundary() {
    let service = once(&drive(), read(8, 4));
    assert_eq!(parts_us(&service), (13_500, [0, 0, 0, 8_000, 5_000, 500]));
}

#[test]
fn a_read_goes_on_over_a_cylinder_boundary() {
    let service = once(&drive(), read(18, 4));
    // Surface 1 is turned by one sector; cylinder 1 by two.
    assert_eq!(parts_us(&service), (14_500, [0, 0, 1_000, 8_000, 5_000, 500]));
}

#[test]
fn a_track_switch_of_its_own_replaces_the_seek_of_one_cylinder() {
    let mut params = drive();
    params.mechanism.track_switch = Some(us(2_000));
    params.layout.zones[0].cylinder_skew = platterlab_drive::Skew::Sectors(2);
    assert_eq!(parts_us(&once(&params, read(18, 4))).1[4], 6_000);
}

#[test]
fn a_read_goes_on_over_a_zone_boundary() {
    let mut params = drive();
    params.layout.zones = vec![zone([0, 49], 10), zone([50, 99], 5)];
    let service = once(&params, read(999, 2));
    // The last track of the first zone is turned by 99 sectors, so its last sector passes at 8 ms
    // of a turn; the arm is there after 49 ms. The second zone starts at the index mark.
    assert_eq!(parts_us(&service), (62_500, [0, 0, 49_000, 9_000, 4_000, 500]));
}

#[test]
fn three_whole_tracks_take_three_turns_and_two_switches() {
    let service = once(&drive(), read(0, 30));
    assert_eq!(parts_us(&service), (32_500, [0, 0, 0, 0, 32_000, 500]));
}

#[test]
fn a_full_buffer_costs_a_turn() {
    let mut params = drive();
    params.cache.buffer_sectors = Some(2);
    params.bus.read_sector = us(2_000);
    let service = once(&params, read(3, 4));
    // Sectors 3 and 4 fill the buffer at 5 ms; the bus has sent the first at 6 ms; sector 5 comes
    // around at 15 ms, and by then there is room for two.
    assert_eq!(parts_us(&service), (20_000, [0, 0, 0, 3_000, 14_000, 3_000]));
}

#[test]
fn a_bus_that_keeps_up_never_fills_the_buffer() {
    let mut params = drive();
    params.cache.buffer_sectors = Some(2);
    params.bus.read_sector = us(1_000);
    assert_eq!(parts_us(&once(&params, read(0, 10))), (11_000, [0, 0, 0, 0, 10_000, 1_000]));
}

#[test]
fn leaving_a_track_releases_the_bus_before_the_fence() {
    let mut params = drive();
    params.bus.read_sector = us(2_000);
    params.cache.read_fence_sectors = 4;
    assert_eq!(parts_us(&once(&params, read(8, 4))).0, 21_000);
    params.bus.release_at_track_end = true;
    assert_eq!(parts_us(&once(&params, read(8, 4))).0, 18_000);
}

#[test]
fn a_sparse_track_order_seeks_over_the_spare_region() {
    let mut params = drive();
    let track = |cylinder, surface| platterlab_drive::Track { cylinder, surface };
    let region = platterlab_drive::TrackRange { first: track(1, 0), last: track(3, 1) };
    params.layout.spare_regions = vec![region];
    let service = once(&params, read(18, 4));
    // From cylinder 0 to 4 in 4 ms, from 11 ms on; track 8 begins at 8 ms of a turn.
    assert_eq!(parts_us(&service), (20_500, [0, 0, 1_000, 8_000, 11_000, 500]));
}

#[test]
fn the_platter_falls_behind_with_each_sector_that_has_passed() {
    // Sectors of a millisecond, ten to a turn: three sectors read, and the rest of the turn.
    let mut params = drive();
    params.mechanism.sector_lag = us(10);
    let mut bench = Bench::new(&params);
    let first = bench.at(0, read(0, 3));
    assert_eq!(first.media_end, at_us(3_000), "not while they pass");
    let second = bench.at(5_000, read(0, 1));
    assert_eq!(second.rotation, us(5_000 + 3 * 10));
    let third = bench.at(12_000, read(0, 1));
    assert_eq!(third.rotation, us(8_000 + 4 * 10));
}

#[test]
fn what_is_read_ahead_has_passed_as_well() {
    let rotation = |read_ahead, lag_us| {
        let mut params = caching(read_ahead, 10);
        params.mechanism.sector_lag = us(lag_us);
        let mut bench = Bench::new(&params);
        bench.at(0, read(0, 2));
        bench.at(15_000, read(10, 1)).rotation
    };
    // To the end of a track of ten, or nothing beyond the two that were asked for.
    for (read_ahead, passed) in [(ReadAhead::Track, 10), (ReadAhead::None, 2)] {
        assert_eq!(rotation(read_ahead, 10), rotation(read_ahead, 0) + us(10 * passed));
    }
}
