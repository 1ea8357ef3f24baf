//! Positioning times reckoned from where and when a sector last passed, or as if the arm could leave at
//! once, by hand.

use crate::round::{Bench, at_us, caching, drive, read, us, write};
use platterlab_drive::{ReadAhead, WriteReport};
use platterlab_units::Operation::Read;

#[test]
fn read_ahead_is_known_to_its_last_whole_sector() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 20));
    bench.next(read(0, 1));
    // Sectors 0 to 4 have passed by 5 ms.
    let departure = bench.drive.depart_from_last_sector(at_us(5_500));
    let spot = |lba| bench.drive.layout().run(lba, 1).spot();
    assert_eq!(bench.drive.positioning_from(&departure, &spot(8), Read), us(3_000));
    assert!(bench.drive.arrives_within(&departure, &spot(3), 3, Read), "sectors 3, 4 and 5");
    assert!(!bench.drive.arrives_within(&departure, &spot(3), 2, Read));
    assert!(!bench.drive.arrives_within(&departure, &spot(6), 2, Read));
}

#[test]
fn a_seek_is_not_known_before_its_first_sector_passes() {
    let mut params = drive();
    params.cache.write_report = WriteReport::Buffer;
    let mut bench = Bench::new(&params);
    // Three cylinders away, where its sectors pass from 6 to 8 ms.
    bench.next(write(60, 2));
    for (now, cylinder, sector_0) in [(4_000, 0, 0), (7_000, 3, 3_000), (9_000, 3, 12_000)] {
        let departure = bench.drive.depart_from_last_sector(at_us(now));
        assert_eq!(departure.cylinder(), cylinder, "at {now} us");
        let spot = bench.drive.layout().run(0, 1).spot();
        let told = bench.drive.positioning_from(&departure, &spot, Read);
        assert_eq!(told, us(sector_0), "at {now} us");
    }
}

#[test]
fn of_two_writes_the_one_under_way_counts() {
    let mut params = drive();
    params.cache.write_report = WriteReport::BufferInTurn;
    let mut bench = Bench::new(&params);
    bench.at(0, write(3, 2));
    // It is written from 15 to 16 ms.
    bench.at(1_000, write(5, 1));
    for (now, sector_9) in [(4_500, 4_500), (9_000, 4_000), (15_500, 3_500), (17_000, 3_000)] {
        let departure = bench.drive.depart_from_last_sector(at_us(now));
        let spot = bench.drive.layout().run(9, 1).spot();
        let told = bench.drive.positioning_from(&departure, &spot, Read);
        assert_eq!(told, us(sector_9), "at {now} us");
    }
}

#[test]
fn at_once_is_from_now_on_or_from_the_end_of_what_has_been_begun() {
    let mut params = caching(ReadAhead::Aggressive, 20);
    params.cache.read_ahead_stops_in_sector = false;
    params.cache.write_report = WriteReport::Buffer;
    params.controller.overhead = [[[us(0); 2]; 2]; 2];
    let mut bench = Bench::new(&params);
    bench.next(read(0, 1));
    let told = |bench: &Bench, now: u64, lba: u64| {
        let departure = bench.drive.depart_at_once(at_us(now));
        let spot = bench.drive.layout().run(lba, 1).spot();
        bench.drive.positioning_from(&departure, &spot, Read)
    };
    // Sector 5 passes until 6 ms.
    assert_eq!(told(&bench, 5_500, 6), us(500));
    assert_eq!(told(&bench, 5_500, 5), us(9_500));
    let mut bench = Bench::new(&params);
    // Three cylinders away, where its sectors pass from 6 to 8 ms: from there sector 0 is met at 20 ms.
    bench.next(write(60, 2));
    assert_eq!(told(&bench, 4_000, 0), us(16_000));
    assert_eq!(told(&bench, 9_000, 0), us(11_000));
}

#[test]
fn the_mechanism_is_at_rest_when_nothing_is_left_to_read_on() {
    let mut params = caching(ReadAhead::Aggressive, 20);
    params.cache.write_report = WriteReport::Buffer;
    let mut bench = Bench::new(&params);
    bench.next(read(0, 1));
    assert_eq!(bench.drive.at_rest_since(at_us(5_500)), at_us(5_500));
    let over = bench.drive.at_rest_since(at_us(200_000));
    assert!(at_us(10_000) < over && over < at_us(100_000), "{over:?}");
    assert_eq!(bench.drive.at_rest_since(at_us(300_000)), over);
    let mut bench = Bench::new(&params);
    // Three cylinders away, where its sectors pass from 6 to 8 ms.
    bench.next(write(60, 2));
    for (now, since) in [(4_000, 4_000), (7_000, 7_000), (20_000, 8_000)] {
        assert_eq!(bench.drive.at_rest_since(at_us(now)), at_us(since), "at {now} us");
    }
}
