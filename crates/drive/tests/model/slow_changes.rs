//! What changes while nobody asks anything of the drive: a made-up one that has it, and one that has not.

use crate::round::{Bench, at_us, caching, drive, read, us, write};
use platterlab_drive::{
    CacheOutcome, Drive, DriveParams, ReadAhead, Recalibration, SpeedDrift, WriteReport,
};
use platterlab_units::Span;

/// A second, in microseconds.
const S: u64 = 1_000_000;

fn drifting(most_ppm: u32, period_us: u64) -> DriveParams {
    let mut params = drive();
    params.mechanism.drift = Some(SpeedDrift { most_ppm, period: us(period_us) });
    params
}

fn recalibrating(mut params: DriveParams, every_us: u64, takes_us: u64) -> DriveParams {
    params.mechanism.recalibration =
        Some(Recalibration { every: us(every_us), takes: us(takes_us) });
    params
}

#[test]
fn a_drifting_platter_is_early_by_what_it_has_gained() {
    // Up to 1,000 ppm in four seconds: 0.5 ms after one of them, 1 ms after two, 0 after four.
    let mut bench = Bench::new(&drifting(1_000, 4 * S));
    let mut steady = Bench::new(&drive());
    for (at, early) in [(0, 0), (S, 500), (2 * S, 1_000), (3 * S, 500), (4 * S, 0)] {
        let waits = bench.at(at, read(3, 1)).rotation;
        assert_eq!(waits + us(early), steady.at(at, read(3, 1)).rotation, "at {at} us");
    }
}

#[test]
fn requests_close_to_each_other_hardly_notice_a_drift() {
    let mut bench = Bench::new(&drifting(1_000, 4 * S));
    bench.at(0, read(3, 1));
    let second = bench.at(10_000, read(3, 1));
    let lost = us(3_000) - second.rotation;
    assert!(lost > Span::ZERO && lost < us(1), "{lost:?}");
}

#[test]
fn a_drift_goes_on_over_a_new_origin_of_the_clock() {
    let params = drifting(5_000, 7 * S);
    let (mut one, mut other) = (Bench::new(&params), Bench::new(&params));
    one.at(0, read(3, 1));
    other.at(0, read(3, 1));
    other.drive.rebase(us(5 * S));
    other.now = other.now.rebased(us(5 * S));
    assert_eq!(one.at(6 * S, read(70, 1)).rotation, other.at(S, read(70, 1)).rotation);
}

#[test]
fn a_command_waits_for_the_recalibration_that_it_meets() {
    let params = recalibrating(drive(), 10 * S, 600_000);
    // Begun at 10 s in idle time and over by 10.6 s.
    for (at, waits) in [(9 * S, 0), (10 * S, 600_000), (10 * S + 400_000, 200_000), (11 * S, 0)] {
        let service = Bench::new(&params).at(at, read(0, 1));
        assert_eq!(service.wait, us(waits), "at {at} us");
    }
    let mut never = Bench::new(&drive());
    assert_eq!(never.at(10 * S, read(0, 1)).wait, Span::ZERO);
}

#[test]
fn it_waits_for_the_command_in_hand_and_comes_again() {
    let params = recalibrating(drive(), 10 * S, 600_000);
    let mut bench = Bench::new(&params);
    // A second turn from 9.995 s on: the command is under way when it falls due.
    let first = bench.at(10 * S - 5_000, read(0, 3));
    let done_us = 10 * S + 3_500;
    assert_eq!((first.wait, first.completion), (Span::ZERO, at_us(done_us)));
    assert_eq!(bench.at(10 * S + 10_000, read(0, 1)).wait, us(done_us + 600_000 - 10 * S - 10_000));
    assert_eq!(bench.at(15 * S, read(0, 1)).wait, Span::ZERO);
    // Those of 20 and 30 s are over; that of 40 s is not.
    assert_eq!(bench.at(40 * S + 100_000, read(0, 1)).wait, us(500_000));
}

#[test]
fn what_the_buffer_holds_can_be_read_meanwhile() {
    let params = recalibrating(caching(ReadAhead::Track, 40), 10 * S, 600_000);
    let mut bench = Bench::new(&params);
    bench.at(0, read(0, 2));
    let hit = bench.at(10 * S + 1, read(2, 1));
    assert_eq!((hit.cache, hit.wait), (CacheOutcome::Hit, Span::ZERO));
    let miss = bench.at(10 * S + 100_000, read(100, 1));
    assert_eq!((miss.cache, miss.wait), (CacheOutcome::Miss, us(500_000)));
}

#[test]
fn reading_on_ends_where_a_recalibration_begins() {
    // Sectors of a millisecond: by 5.5 ms the sectors 2 to 4 have been read on.
    let params = recalibrating(caching(ReadAhead::Track, 40), 5_500, 1_000);
    let mut bench = Bench::new(&params);
    bench.at(0, read(0, 2));
    assert_eq!(bench.at(30_000, read(4, 1)).cache, CacheOutcome::Hit);
    assert_eq!(bench.at(40_000, read(8, 1)).cache, CacheOutcome::Miss);
}

#[test]
fn a_write_that_continues_another_starts_anew_after_it() {
    let mut params = drive();
    params.cache.write_report = WriteReport::Immediate;
    let mut bench = Bench::new(&recalibrating(params, 2_000, 1_999));
    bench.at(0, write(0, 4));
    let second = bench.at(4_500, write(4, 4));
    // It set off for the media no sooner than the recalibration of 4 ms was over.
    assert!(second.media_end > at_us(10_000), "{:?}", second.media_end);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refusal = |params: &DriveParams| Drive::new(params).expect_err("refused").to_string();
    assert!(refusal(&drifting(100_001, S)).starts_with("spindle.drift_ppm: is too much"));
    assert!(refusal(&drifting(1, 0)).starts_with("spindle.drift_period_s: is from 1 ms to"));
    assert!(
        refusal(&recalibrating(drive(), S, S)).starts_with("recalibration.takes_ms: is shorter")
    );
    assert!(refusal(&recalibrating(drive(), 200_000 * S, S)).starts_with("recalibration.every_s"));
}
