//! Writes to the media, computed by hand.

use crate::round::{Bench, PS, drive, once, parts_us, read, us, write};
use platterlab_drive::{CacheOutcome, SlowFence};

#[test]
fn data_comes_over_the_bus_while_the_sector_comes_around() {
    let service = once(&drive(), write(3, 2));
    assert_eq!(parts_us(&service), (5_000, [0, 0, 0, 3_000, 2_000, 0]));
    assert_eq!(service.cache, CacheOutcome::Miss);
}

#[test]
fn data_comes_over_the_bus_during_a_seek() {
    let service = once(&drive(), write(60, 2));
    assert_eq!(parts_us(&service), (8_000, [0, 0, 3_000, 3_000, 2_000, 0]));
}

#[test]
fn data_that_comes_late_costs_a_turn() {
    let service = once(&drive(), write(0, 2));
    assert_eq!(parts_us(&service), (12_000, [0, 0, 0, 10_000, 2_000, 0]));
}

#[test]
fn without_overlap_the_arm_waits_for_all_data() {
    let mut params = drive();
    params.bus.overlap = false;
    let service = once(&params, write(60, 2));
    assert_eq!(parts_us(&service), (8_000, [0, 0, 3_000, 2_000, 2_000, 1_000]));
    params.bus.write_sector = us(2_000);
    let service = once(&params, write(60, 2));
    assert_eq!(parts_us(&service), (18_000, [0, 0, 3_000, 9_000, 2_000, 4_000]));
}

#[test]
fn a_write_is_complete_some_overhead_after_its_last_sector() {
    let mut params = drive();
    params.controller.completion[1] = us(50);
    assert_eq!(parts_us(&once(&params, write(3, 2))), (5_050, [50, 0, 0, 3_000, 2_000, 0]));
}

#[test]
fn an_underrun_costs_one_more_turn() {
    let mut params = drive();
    params.bus.write_sector = us(2_000);
    // Two sectors: the second has just come when it passes at 4 ms.
    assert_eq!(parts_us(&once(&params, write(3, 2))), (5_000, [0, 0, 0, 3_000, 2_000, 0]));
    // The third comes at 6 ms, one too late; the fourth has come by then.
    assert_eq!(parts_us(&once(&params, write(3, 4))), (17_000, [0, 0, 0, 3_000, 14_000, 0]));
}

#[test]
fn the_fence_holds_the_first_sector_back_and_prevents_the_underrun() {
    let mut params = drive();
    params.bus.write_sector = us(2_000);
    params.cache.write_fence_sectors = 3;
    // The fence is reached at 6 ms, sector 3 comes around at 13 ms.
    assert_eq!(parts_us(&once(&params, write(3, 4))), (17_000, [0, 0, 0, 13_000, 4_000, 0]));
    // Sector 7 comes around at 7 ms, after all three sectors.
    assert_eq!(parts_us(&once(&params, write(7, 3))).0, 10_000);
}

#[test]
fn a_buffer_smaller_than_the_write_fills_as_the_media_drains_it() {
    let mut params = drive();
    params.cache.buffer_sectors = Some(2);
    assert_eq!(parts_us(&once(&params, write(3, 6))), (9_000, [0, 0, 0, 3_000, 6_000, 0]));
}

#[test]
fn a_small_buffer_and_a_slow_bus_lose_a_turn_again_and_again() {
    let mut params = drive();
    params.cache.buffer_sectors = Some(2);
    params.bus.write_sector = us(2_000);
    // The buffer is full at 4 ms, the first two sectors pass from 5 to 7 ms, and the bus goes on at
    // 6 ms: the third sector is there at 8 ms, one late. The fourth comes at 10 ms; the two pass
    // from 17 to 19 ms. The bus goes on at 18 ms, the fifth is there at 20 ms, one late.
    assert_eq!(parts_us(&once(&params, write(5, 5))), (30_000, [0, 0, 0, 5_000, 25_000, 0]));
}

#[test]
fn a_fence_by_track_is_met_on_each_track_anew() {
    let mut params = drive();
    params.cache.write_fence_sectors = 1_000;
    params.bus.write_sector = us(2_000);
    // All of the data is there at 12 ms, and sector 8 comes around at 18 ms.
    assert_eq!(parts_us(&once(&params, write(8, 6))), (25_000, [0, 0, 0, 18_000, 7_000, 0]));
    params.cache.write_fence_by_track = true;
    // The first track's is there at 4 ms. The head is on the second at 11 ms, a millisecond before
    // all of its data.
    assert_eq!(parts_us(&once(&params, write(8, 6))), (25_000, [0, 0, 0, 8_000, 17_000, 0]));
    params.bus.write_sector = us(1_800);
    assert_eq!(parts_us(&once(&params, write(8, 6))), (15_000, [0, 0, 0, 8_000, 7_000, 0]));
}

#[test]
fn where_the_platter_is_slow_part_of_the_fence_is_enough() {
    let mut params = drive();
    params.cache.write_fence_sectors = 1_000;
    params.bus.write_sector = us(1_000);
    assert_eq!(parts_us(&once(&params, write(5, 5))).0, 10_000);
    assert_eq!(parts_us(&once(&params, write(4, 5))).0, 19_000);
    // Sectors pass in a millisecond each; two fifths of five have come at 2 ms.
    let slow = |from_sector, millionths| Some(SlowFence { from_sector, share: millionths });
    params.cache.write_fence_slow = slow(us(1_000), 400_000);
    assert_eq!(parts_us(&once(&params, write(2, 5))).0, 7_000);
    params.cache.write_fence_slow = slow(us(1_000), 400_001);
    assert_eq!(parts_us(&once(&params, write(2, 5))).0, 17_000);
    params.cache.write_fence_slow = slow(us(1_000) + PS, 400_000);
    assert_eq!(parts_us(&once(&params, write(4, 5))).0, 19_000);
}

#[test]
fn settling_and_head_switches_can_take_longer_before_a_write() {
    let mut params = drive();
    params.mechanism.settle = [us(0), us(2_000)];
    params.mechanism.head_switch = [us(1_000), us(1_500)];
    params.mechanism.resettle = [us(0), us(300)];
    // Each place is another one than the last: a seek, a head switch, the same track.
    let seek = |command| parts_us(&once(&params, command)).1[2];
    assert_eq!([seek(read(60, 1)), seek(write(60, 1))], [3_000, 5_000]);
    assert_eq!([seek(read(10, 1)), seek(write(10, 1))], [1_000, 1_500]);
    assert_eq!([seek(read(0, 1)), seek(write(0, 1))], [0, 300]);
    // On another cylinder and surface the head settles once, whichever of the two takes longer.
    let both = |head_us| {
        let mut params = params.clone();
        params.mechanism.head_switch[1] = us(head_us);
        parts_us(&once(&params, write(70, 1))).1[2]
    };
    assert_eq!([4_900, 5_100].map(both), [5_000, 5_100]);
}

#[test]
fn a_write_goes_on_over_tracks_with_its_own_switch_times() {
    let mut params = drive();
    assert_eq!(parts_us(&once(&params, write(8, 4))), (13_000, [0, 0, 0, 8_000, 5_000, 0]));
    params.mechanism.head_switch[1] += PS;
    let lost = once(&params, write(8, 4));
    assert_eq!(parts_us(&lost), (23_000, [0, 0, 0, 8_000, 15_000, 0]));
}

#[test]
fn the_first_sector_comes_over_the_bus_after_the_write_delay() {
    let mut params = drive();
    params.bus.write_delay = us(2_500);
    assert_eq!(parts_us(&once(&params, write(3, 1))), (4_000, [0, 0, 0, 3_000, 1_000, 0]));
    params.bus.write_delay += PS;
    assert_eq!(parts_us(&once(&params, write(3, 1))), (14_000, [0, 0, 0, 13_000, 1_000, 0]));
}

#[test]
fn writes_without_immediate_reporting_lose_a_turn_between_them() {
    let mut bench = Bench::new(&drive());
    assert_eq!(parts_us(&bench.next(write(3, 2))).0, 5_000);
    assert_eq!(parts_us(&bench.next(write(5, 2))), (17_000, [0, 0, 0, 10_000, 2_000, 0]));
}
