//! A write-back cache on the round drive, computed by hand.

use crate::round::{Bench, PS, at_us, caching, drive, parts_us, read, us, write, zone};
use platterlab_drive::CacheOutcome::{Hit, Miss, Reported};
use platterlab_drive::{Command, DriveParams, NoChance, ReadAhead, WriteBack, WriteReport};
use platterlab_units::Span;

/// Data waits until the drive has been idle for 10 ms.
fn written_back(sectors: u32, extents: u32) -> DriveParams {
    let mut params = caching(ReadAhead::None, 20);
    params.cache.write_report = WriteReport::Buffer;
    params.cache.write_back = Some(WriteBack { sectors, extents, idle: us(10_000) });
    params
}

#[test]
fn writes_anywhere_are_reported_and_a_read_goes_before_them() {
    let mut bench = Bench::new(&written_back(100, 9));
    for (number, lba) in [500, 100, 900].into_iter().enumerate() {
        let service = bench.next(write(lba, 2));
        assert_eq!(parts_us(&service), (1_000 * (number as u64 + 1), [0, 0, 0, 0, 0, 1_000]));
        assert_eq!(service.cache, Reported);
    }
    let service = bench.next(read(7, 1));
    assert_eq!(parts_us(&service), (8_500, [0, 0, 0, 4_000, 1_000, 500]));
}

#[test]
fn an_idle_drive_begins_to_write_at_its_picosecond() {
    // Reported at 0.5 ms, idle until 10.5 ms; sector 5 passes from 15 to 16 ms.
    for (issue, wait) in [(at_us(10_500), Span::ZERO), (at_us(10_500) + PS, us(5_500) - PS)] {
        let mut bench = Bench::new(&written_back(100, 9));
        bench.next(write(5, 1));
        let service = bench.drive.serve(issue, read(7, 1), &mut NoChance);
        assert_eq!(service.wait, wait, "{issue}");
    }
}

#[test]
fn data_that_waits_can_be_read_and_is_found_on_the_media_later() {
    let params = written_back(100, 9);
    let mut bench = Bench::new(&params);
    bench.next(write(5, 3));
    assert_eq!(bench.next(read(6, 2)).cache, Hit);
    assert_eq!(bench.next(read(6, 3)).cache, Miss, "not all of it");
    let mut bench = Bench::new(&params);
    bench.next(write(5, 3));
    assert_eq!(bench.at(90_000, read(5, 3)).cache, Miss, "written long ago");
}

#[test]
fn room_is_made_on_the_media() {
    for params in [written_back(3, 9), written_back(100, 1)] {
        let mut bench = Bench::new(&params);
        bench.next(write(5, 3));
        // From 1.5 ms sectors 5 to 7 are awaited and written until 8 ms; then the data comes.
        let service = bench.next(write(100, 2));
        assert_eq!((service.cache, parts_us(&service).0), (Reported, 9_000));
    }
    // What cannot wait at all goes to the media.
    let mut bench = Bench::new(&written_back(3, 9));
    assert_eq!(bench.next(write(0, 4)).cache, Miss);
}

#[test]
fn a_write_that_may_not_be_reported_early_is_on_the_media() {
    let forced = Command { may_report_early: false, ..write(5, 1) };
    let mut bench = Bench::new(&written_back(100, 9));
    bench.next(write(500, 1));
    let service = bench.next(forced);
    assert_eq!((service.cache, parts_us(&service).0), (Miss, 6_000));
}

#[test]
fn a_flush_writes_all_in_rising_order() {
    let mut params = written_back(100, 9);
    params.controller.overhead = [[[us(100); 2]; 2]; 2];
    params.controller.completion = [us(10), us(20)];
    let mut bench = Bench::new(&params);
    // Three tracks of ten sectors: cylinder 0, both surfaces, and cylinder 1.
    for lba in [25, 5, 15] {
        bench.next(write(lba, 1));
    }
    let issue = bench.now;
    assert_eq!(issue, at_us(3 * (100 + 500 + 20)));
    // Sector 5 passes until 6 ms, 15 (skewed by one) from 16 to 17 ms, 25 (by two) until 28 ms.
    assert_eq!(bench.drive.flush(issue, &mut NoChance), at_us(28_000 + 20));
    let again = at_us(50_000);
    assert_eq!(bench.drive.flush(again, &mut NoChance), again + us(100 + 20), "nothing waits");
}

#[test]
fn a_flush_waits_for_write_behind_too() {
    let mut params = drive();
    params.cache.write_report = WriteReport::Buffer;
    let mut bench = Bench::new(&params);
    let reported = bench.next(write(5, 1)).completion;
    assert_eq!(bench.drive.flush(reported, &mut NoChance), at_us(6_000));
}

#[test]
fn a_drive_of_many_terabytes_in_large_sectors_is_exact_to_its_end() {
    let mut params = written_back(100_000, 64);
    params.layout.sector_bytes = 4096;
    params.bus.read_sector = us(10);
    params.bus.write_sector = us(10);
    params.layout.surfaces = 18;
    params.layout.cylinders = 400_000;
    params.layout.zones = vec![zone([0, 399_999], 1_000)];
    params.cache.segment_sectors = 256;
    let mut bench = Bench::new(&params);
    let last = bench.drive.layout().capacity() - 1;
    assert_eq!(last, 7_199_999_999, "29 TB, beyond 2^32 sectors");
    assert_eq!(bench.next(write(last, 1)).cache, Reported);
    assert_eq!(bench.next(read(last, 1)).cache, Hit);
    let done = bench.drive.flush(bench.now, &mut NoChance);
    let place = bench.drive.layout().locate(last).expect("on the drive");
    assert_eq!((place.cylinder, place.surface, place.sector), (399_999, 17, 999));
    let service = bench.drive.serve(done, read(last, 1), &mut NoChance);
    assert_eq!((service.cache, service.seek_distance), (Miss, 0));
    assert_eq!(service.rotation + service.transfer, us(10_000), "it comes around again");
}
