//! A controller that has no time for the host at the end of a track, computed by hand.

use crate::round::{Bench, PS, drive, once, parts_us, read, us, write};
use platterlab_drive::{DriveParams, TrackEnd};

/// The head comes to the end of the first track at 10 ms.
fn busy(read_us: u64, write_us: u64, after_us: u64) -> DriveParams {
    let mut params = drive();
    params.bus.reconnect_before_end = Some(0);
    let before = [us(read_us), us(write_us)];
    params.controller.track_end = Some(TrackEnd { before, after: us(after_us) });
    params
}

#[test]
fn a_reads_data_waits_until_the_end_of_the_track_is_over() {
    let params = busy(1_500, 0, 700);
    // Read by 8 ms, it goes out at once; read by 9 ms, at 10.7 ms.
    assert_eq!(parts_us(&once(&params, read(6, 2))), (9_000, [0, 0, 0, 6_000, 2_000, 1_000]));
    assert_eq!(parts_us(&once(&params, read(7, 2))), (11_700, [0, 0, 0, 7_000, 2_000, 2_700]));
    assert_eq!(parts_us(&once(&params, read(8, 2))), (11_700, [0, 0, 0, 8_000, 2_000, 1_700]));
    // On the next track, which begins at 11 ms, there is time again.
    assert_eq!(parts_us(&once(&params, read(8, 3))), (13_500, [0, 0, 0, 8_000, 4_000, 1_500]));
}

#[test]
fn what_begins_just_before_or_after_does_not_wait() {
    let mut params = busy(2_000, 0, 700);
    params.bus.reconnect_before_end = Some(1);
    params.bus.reconnect = us(1_000);
    assert_eq!(parts_us(&once(&params, read(7, 1))).0, 11_200);
    params.bus.reconnect -= PS;
    assert_eq!(parts_us(&once(&params, read(7, 1))).0, 8_500);
    params.bus.reconnect = us(3_700) - PS;
    assert_eq!(parts_us(&once(&params, read(7, 1))).0, 11_200);
    params.bus.reconnect = us(3_800);
    assert_eq!(parts_us(&once(&params, read(7, 1))).0, 11_300);
}

#[test]
fn a_write_is_reported_when_the_end_of_the_track_is_over() {
    let params = busy(0, 1_500, 700);
    assert_eq!(parts_us(&once(&params, write(6, 2))), (8_000, [0, 0, 0, 6_000, 2_000, 0]));
    assert_eq!(parts_us(&once(&params, write(7, 2))), (10_700, [0, 0, 0, 7_000, 2_000, 1_700]));
}

#[test]
fn a_write_that_ends_with_its_track_is_reported_from_the_next_one() {
    let mut bench = Bench::new(&busy(0, 0, 700));
    // The switch takes a millisecond, after which the head is where the next track begins.
    assert_eq!(parts_us(&bench.next(write(8, 2))), (11_000, [0, 0, 0, 8_000, 2_000, 1_000]));
    // The data comes just as its sector does, which takes no switch any more.
    assert_eq!(parts_us(&bench.at(11_500, write(11, 1))), (13_000, [0, 0, 0, 500, 1_000, 0]));
}

#[test]
fn the_last_track_ends_too() {
    let params = busy(0, 0, 700);
    let last = u64::from(crate::round::SURFACES * crate::round::CYLINDERS * 10) - 1;
    let usual = once(&drive(), write(last, 1));
    let service = once(&params, write(last, 1));
    assert_eq!(service.completion, usual.completion + us(700));
}

#[test]
fn what_is_in_the_buffer_is_no_business_of_the_tracks() {
    let mut params = busy(2_000, 2_000, 2_000);
    params.cache = crate::round::caching(platterlab_drive::ReadAhead::None, 20).cache;
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.next(read(8, 2))).0, 13_000);
    assert_eq!(parts_us(&bench.next(read(8, 2))).0, 14_000);
}
