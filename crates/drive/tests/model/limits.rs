//! Extreme but legal drives neither panic nor overflow, and take little time to simulate.

use crate::round::{PS, caching, drive, once, read, write, zone};
use platterlab_drive::{Drive, DriveParams, NoChance, ReadAhead, SeekCurve, Skew, WriteReport};
use platterlab_units::{Angle, Span, Time};

/// The latest time the replay's clock shows.
const LATEST: Time = Time::from_ps(1 << 62);

/// A quarter of a petabyte in two zones.
fn large() -> DriveParams {
    let mut params = caching(ReadAhead::Aggressive, u32::MAX);
    params.layout.surfaces = 64;
    params.layout.cylinders = 200_000;
    params.layout.zones = vec![zone([0, 99_999], 60_000), zone([100_000, 199_999], 30_000)];
    params.mechanism.seek = SeekCurve::Constant { time: Span::from_us(10_000) };
    params.cache.buffer_sectors = None;
    params.cache.write_report = WriteReport::Buffer;
    params.bus.read_sector = Span::from_ns(1);
    params.bus.write_sector = Span::from_ns(1);
    params
}

#[test]
fn the_largest_request_is_served_at_the_end_of_the_clock() {
    for buffer_sectors in [100, 1_000, u32::MAX] {
        let mut params = large();
        params.cache.buffer_sectors = Some(buffer_sectors);
        let mut drive = Drive::new(&params).expect("the drive is legal");
        let last = drive.layout().capacity() - u64::from(u32::MAX);
        let mut now = LATEST;
        for command in [read(last, u32::MAX), write(0, u32::MAX), write(last, u32::MAX), read(0, 1)]
        {
            let service = drive.serve(now, command, &mut NoChance);
            assert!(service.completion > now);
            now = service.completion;
        }
    }
}

#[test]
fn read_ahead_of_two_terabytes_over_a_month_is_one_step_a_track() {
    let mut drive = Drive::new(&large()).expect("the drive is legal");
    let first = drive.serve(Time::ZERO, read(0, 1), &mut NoChance);
    let month = first.completion + Span::from_us(30 * 86_400_000_000);
    let service = drive.serve(month, read(1_000_000_000, 1_000_000), &mut NoChance);
    assert_eq!(service.cache, platterlab_drive::CacheOutcome::Hit);
}

#[test]
fn a_slow_bus_and_a_small_buffer_do_not_cost_a_step_per_sector() {
    let mut params = large();
    params.cache.segments = 0;
    params.cache.write_report = WriteReport::Media;
    params.cache.buffer_sectors = Some(50_000);
    for zone in &mut params.layout.zones {
        zone.track_skew = Skew::Turn(Angle::of_slots(1, 10));
        zone.cylinder_skew = Skew::Turn(Angle::ZERO);
    }
    let fast = once(&params, read(0, u32::MAX)).transfer;
    // Slower than the media with its switches: it fills the buffer every few tracks.
    params.bus.read_sector = Span::from_ps(190_000);
    params.bus.write_sector = Span::from_ps(190_000);
    assert!(once(&params, read(0, u32::MAX)).transfer > fast);
    assert!(once(&params, write(0, u32::MAX)).transfer > fast);
}

#[test]
fn a_drive_of_one_sector_turns() {
    let mut params = drive();
    params.layout.surfaces = 1;
    params.layout.cylinders = 1;
    params.layout.zones = vec![zone([0, 0], 1)];
    let mut drive = Drive::new(&params).expect("the drive is legal");
    assert_eq!(drive.layout().capacity(), 1);
    let first = drive.serve(Time::ZERO, read(0, 1), &mut NoChance);
    assert_eq!(first.transfer, Span::from_us(10_000));
    let second = drive.serve(first.completion + PS, write(0, 1), &mut NoChance);
    assert_eq!(second.rotation, Span::from_us(10_000) - Span::from_us(500) - PS);
}

#[test]
fn more_sectors_than_picoseconds_in_a_turn_still_pass() {
    let mut params = caching(ReadAhead::OnArrival, 100);
    params.mechanism.rotation = Span::from_ps(7);
    params.layout.zones = vec![zone([0, 99], 100_000)];
    let service = once(&params, read(50_000, 100_000));
    assert!(service.transfer > Span::ZERO);
}

#[test]
fn a_drive_without_a_buffer_or_with_empty_segments_is_refused() {
    let refusal = |params: &DriveParams| Drive::new(params).expect_err("refused").to_string();
    let mut params = drive();
    params.cache.buffer_sectors = Some(0);
    assert_eq!(refusal(&params), "cache.buffer: must hold at least one sector");
    let params = caching(ReadAhead::None, 0);
    assert_eq!(refusal(&params), "cache.segment: must hold at least one sector");
    let mut params = drive();
    params.mechanism.rotation = Span::ZERO;
    assert_eq!(refusal(&params), "spindle.speed_rpm: the platter must turn");
}

#[test]
fn a_drive_whose_longest_command_outlasts_the_clock_is_refused() {
    let refusal = |change: fn(&mut DriveParams)| {
        let mut params = large();
        change(&mut params);
        Drive::new(&params).expect_err("refused").to_string()
    };
    let slow_arm = refusal(|params| {
        params.mechanism.seek = SeekCurve::Constant { time: Span::from_us(100_000) };
    });
    assert!(slow_arm.starts_with("geometry: a command for all sectors could take "), "{slow_arm}");
    let slow_bus = refusal(|params| params.bus.read_sector = Span::from_us(1_000));
    assert!(slow_bus.starts_with("bus: a command for all sectors could take 1"), "{slow_bus}");
    let stalls = refusal(|params| params.cache.buffer_sectors = Some(2));
    assert!(stalls.starts_with("cache: "), "{stalls}");
}

#[test]
fn times_and_counts_beyond_all_measure_are_refused() {
    let refusal = |change: fn(&mut DriveParams)| {
        let mut params = drive();
        change(&mut params);
        Drive::new(&params).expect_err("refused").to_string()
    };
    let too_long = |key| format!("{key}: is too long; a drive's times end at 140737.488355328 ms");
    assert_eq!(
        refusal(|params| params.mechanism.rotation = Span::MAX),
        too_long("spindle.speed_rpm")
    );
    assert_eq!(refusal(|params| params.mechanism.settle[1] = Span::MAX), too_long("switch.settle"));
    assert_eq!(
        refusal(|params| params.controller.overhead[1][0][1] = Span::MAX),
        too_long("controller")
    );
    assert!(
        refusal(|params| params.mechanism.seek = SeekCurve::Constant { time: Span::MAX })
            .starts_with("geometry: ")
    );
    assert_eq!(
        refusal(|params| {
            params.cache.segments = u32::MAX;
            params.cache.segment_sectors = 1;
        }),
        "cache.segments: 4294967295 are too many; write at most 65536"
    );
    assert_eq!(
        refusal(|params| params.layout.cylinders = u32::MAX),
        "geometry.cylinders: 4294967295 are too many; write at most 10000000"
    );
}

#[test]
fn commands_that_are_not_on_the_drive_are_refused() {
    use platterlab_drive::Refusal::{BeyondEnd, Empty, StraddlesEnd};
    let drive = Drive::new(&drive()).expect("the drive is legal");
    let check = |lba, sectors| drive.check(&read(lba, sectors));
    assert_eq!(check(1_999, 1), Ok(()));
    assert_eq!(check(0, 2_000), Ok(()));
    assert_eq!(check(0, 0), Err(Empty));
    assert_eq!(check(2_000, 1), Err(BeyondEnd));
    assert_eq!(check(u64::MAX, u32::MAX), Err(BeyondEnd));
    assert_eq!(check(1_999, 2), Err(StraddlesEnd));
    assert_eq!(check(1, u32::MAX), Err(StraddlesEnd));
}
