//! An access is legal at its picosecond and waits one picosecond later.

use crate::round::{Bench, PS, at_us, caching, drive, once, parts_us, read, us, write};
use platterlab_drive::{DriveParams, NoChance, ReadAhead, Service};
use platterlab_units::{Span, Time};

fn issued(params: &DriveParams, issue: Time, command: platterlab_drive::Command) -> Service {
    Bench::new(params).drive.serve(issue, command, &mut NoChance)
}

const TURN: Span = Span::from_us(10_000);

#[test]
fn a_sector_is_caught_when_the_head_is_ready_at_its_beginning() {
    let rotation = |issue| issued(&drive(), issue, read(3, 1)).rotation;
    assert_eq!(rotation(at_us(3_000) - PS), PS);
    assert_eq!(rotation(at_us(3_000)), Span::ZERO);
    assert_eq!(rotation(at_us(3_000) + PS), TURN - PS);
}

#[test]
fn a_seek_that_ends_with_the_passing_of_the_sector_catches_it() {
    // Cylinder 4 is turned by eight sectors: sector 6 of it passes at 4 ms of a turn.
    assert_eq!(once(&drive(), read(86, 1)).rotation, Span::ZERO);
    assert_eq!(issued(&drive(), Time::ZERO + PS, read(86, 1)).rotation, TURN - PS);
    let mut settling = drive();
    settling.mechanism.settle[0] = PS;
    assert_eq!(once(&settling, read(86, 1)).rotation, TURN - PS);
}

#[test]
fn skew_equal_to_the_switch_time_is_just_enough() {
    for (lba, what) in [(9, "head switch"), (19, "track switch")] {
        let transfer = |params: &DriveParams| once(params, read(lba, 2)).transfer;
        let mut params = drive();
        params.mechanism.track_switch = Some(us(1_000));
        assert_eq!(transfer(&params), us(3_000), "{what}");
        params.mechanism.head_switch[0] += PS;
        params.mechanism.track_switch = Some(us(1_000) + PS);
        assert_eq!(transfer(&params), us(3_000) + TURN, "{what}, one picosecond longer");
        params.mechanism.head_switch[0] = us(1_000) - PS;
        params.mechanism.track_switch = Some(us(1_000) - PS);
        assert_eq!(transfer(&params), us(3_000), "{what}, one picosecond shorter");
    }
}

#[test]
fn a_transfer_over_many_tracks_keeps_its_picosecond_at_odd_speeds() {
    let mut params = drive();
    // No sector of a 4,002 rpm platter begins at a whole picosecond.
    params.mechanism.rotation = Span::from_ps(14_992_503_748);
    params.layout.zones[0].sectors_per_track = 113;
    params.layout.zones[0].track_skew = platterlab_drive::Skew::Sectors(34);
    params.layout.zones[0].cylinder_skew = platterlab_drive::Skew::Sectors(43);
    params.mechanism.head_switch = [us(2_500); 2];
    params.mechanism.track_switch = Some(us(2_500));
    params.bus.read_sector = Span::ZERO;
    let tracks = 40_u64;
    let service = once(&params, read(0, 113 * tracks as u32));
    let skews_ps = (tracks / 2 * 34 + (tracks - 1) / 2 * 43) * 14_992_503_748 / 113;
    let expected_ps = tracks * 14_992_503_748 + skews_ps;
    assert!(service.transfer.as_ps().abs_diff(expected_ps) <= 1, "{}", service.transfer);
}

#[test]
fn the_bus_starts_at_the_picosecond_the_fence_is_reached() {
    let mut params = drive();
    params.bus.read_sector = us(2_000);
    params.cache.read_fence_sectors = 2;
    // Two sectors are there at 5 ms. Sector 2 of the request passes from 5 to 6 ms and has room
    // from the time the first is sent: with a buffer of two sectors, 7 ms, so it loses a turn.
    params.cache.buffer_sectors = Some(2);
    assert_eq!(parts_us(&once(&params, read(3, 3))).1[4], 13_000);
    params.cache.buffer_sectors = Some(3);
    assert_eq!(parts_us(&once(&params, read(3, 3))).1[4], 3_000);
}

#[test]
fn room_that_comes_with_the_sector_is_room_enough() {
    let mut params = drive();
    params.cache.buffer_sectors = Some(2);
    // The first sector is there at 4 ms and sent when sector 2 of the request begins, at 5 ms.
    params.bus.read_sector = us(1_000);
    assert_eq!(once(&params, read(3, 3)).transfer, us(3_000));
    params.bus.read_sector += PS;
    assert_eq!(once(&params, read(3, 3)).transfer, us(3_000) + TURN);
}

#[test]
fn write_data_must_be_there_when_its_sector_begins() {
    let mut params = drive();
    params.bus.write_sector = us(3_000);
    assert_eq!(once(&params, write(3, 1)).rotation, us(3_000));
    params.bus.write_sector += PS;
    assert_eq!(once(&params, write(3, 1)).rotation, us(3_000) + TURN);
}

#[test]
fn a_later_write_sector_must_be_there_when_it_begins() {
    let mut params = drive();
    params.bus.write_sector = us(2_000);
    assert_eq!(once(&params, write(3, 2)).transfer, us(2_000));
    params.bus.write_sector += PS;
    assert_eq!(once(&params, write(3, 2)).transfer, us(2_000) + TURN);
}

#[test]
fn the_write_fence_is_reached_when_its_last_sector_is_there() {
    let mut params = drive();
    params.cache.write_fence_sectors = 3;
    params.bus.write_sector = us(1_000);
    assert_eq!(once(&params, write(3, 4)).rotation, us(3_000));
    params.bus.write_delay = PS;
    assert_eq!(once(&params, write(3, 4)).rotation, us(3_000) + TURN);
}

#[test]
fn write_data_after_a_track_boundary_must_be_there_too() {
    let mut params = drive();
    // Sectors 8, 9 and 10 pass at 8, 9 and 11 ms; only the third comes close to its time.
    params.bus.write_sector = us(2_000) + PS;
    params.bus.write_delay = us(5_000) - PS * 3;
    assert_eq!(once(&params, write(8, 3)).transfer, us(4_000));
    params.bus.write_delay += PS;
    assert_eq!(once(&params, write(8, 3)).transfer, us(4_000) + TURN);
}

#[test]
fn a_switch_of_read_ahead_holds_the_arm_from_its_first_to_its_last_picosecond() {
    let wait = |issue| {
        let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 100));
        bench.next(read(7, 2));
        // Sector 9 passes from 9 to 10 ms, the switch lasts until 11 ms.
        let service = bench.drive.serve(issue, read(60, 1), &mut NoChance);
        (service.wait, service.seek_distance)
    };
    assert_eq!(wait(at_us(10_000) - PS), (Span::ZERO, 3));
    assert_eq!(wait(at_us(10_000)).0, us(1_000));
    assert_eq!(wait(at_us(11_000) - PS).0, PS);
    assert_eq!(wait(at_us(11_000)).0, Span::ZERO);
}
