//! Writes of a part of a sector, on the round drive with eight logical sectors in each, by hand.

use crate::round::{Bench, PS, at_us, caching, drive, parts_us, read, us, write};
use platterlab_drive::{Command, DriveParams, NoChance, ReadAhead, WriteBack, WriteReport};
use platterlab_units::{Partial, Span};

fn emulating(mut params: DriveParams) -> DriveParams {
    params.layout.logical_sector_bytes = params.layout.sector_bytes / 8;
    params
}

fn part(lba: u64, sectors: u32, before: u8, after: u8) -> Command {
    Command { partial: Partial { before, after }, ..write(lba, sectors) }
}

#[test]
fn a_partial_write_costs_the_turn_between_its_read_and_its_write() {
    let params = emulating(drive());
    let whole = Bench::new(&params).next(write(5, 1));
    assert_eq!(parts_us(&whole), (6_000, [0, 0, 0, 5_000, 1_000, 0]));
    // Sector 5 is read from 5 to 6 ms and written from 15 to 16 ms.
    for command in [part(5, 1, 4, 2), part(5, 1, 4, 0), part(5, 1, 0, 2)] {
        let service = Bench::new(&params).next(command);
        assert_eq!(parts_us(&service), (16_000, [0, 0, 0, 14_000, 2_000, 0]));
    }
}

#[test]
fn both_edges_are_read_in_one_turn_and_the_middle_is_not() {
    let params = emulating(drive());
    // Sectors 5 and 7 are read by 8 ms; 5 to 7 are written from 15 to 18 ms.
    let service = Bench::new(&params).next(part(5, 3, 1, 1));
    assert_eq!(parts_us(&service), (18_000, [0, 0, 0, 13_000, 5_000, 0]));
    // Only sector 7, by 8 ms.
    let service = Bench::new(&params).next(part(5, 3, 0, 1));
    assert_eq!(parts_us(&service), (18_000, [0, 0, 0, 14_000, 4_000, 0]));
}

#[test]
fn a_seek_to_the_sector_is_made_once() {
    // Three cylinders of twenty sectors on: a seek of 3 ms, to a sector that is skewed by six.
    let params = emulating(drive());
    let (whole, partial) =
        (Bench::new(&params).next(write(60, 1)), Bench::new(&params).next(part(60, 1, 7, 0)));
    assert_eq!((partial.seek, partial.seek_distance), (us(3_000), 3));
    assert_eq!((whole.seek, whole.seek_distance), (us(3_000), 3));
    assert_eq!(partial.completion, whole.completion + us(10_000));
}

#[test]
fn what_the_buffer_holds_need_not_be_read() {
    let mut bench = Bench::new(&emulating(caching(ReadAhead::None, 20)));
    bench.next(read(5, 1));
    let before = bench.now;
    let service = bench.next(part(5, 1, 4, 2));
    // Read until 6 ms and 0.5 ms over the bus, which leaves 8.5 ms until it passes again.
    assert_eq!(before, at_us(6_500));
    assert_eq!((service.rotation, service.completion), (us(8_500), at_us(16_000)));
}

#[test]
fn a_partial_write_that_is_reported_early_keeps_the_mechanism_for_the_turn() {
    let mut params = emulating(drive());
    params.cache.write_report = WriteReport::Buffer;
    let mut bench = Bench::new(&params);
    assert_eq!(bench.next(part(5, 1, 4, 2)).completion, at_us(500));
    // The mechanism is free at 16 ms.
    assert_eq!(bench.next(read(7, 1)).wait, us(15_500));
}

#[test]
fn a_write_back_cache_reads_what_no_later_write_completes() {
    let mut params = emulating(caching(ReadAhead::None, 20));
    params.cache.write_report = WriteReport::Buffer;
    params.cache.write_back = Some(WriteBack { sectors: 100, extents: 9, idle: us(10_000) });
    let wait = |writes: [Command; 2]| {
        let mut bench = Bench::new(&params);
        for write in writes {
            bench.next(write);
        }
        // Reported at 1 ms, idle until 11 ms; sector 5 passes from 15 ms on.
        bench.drive.serve(at_us(11_000) + PS, read(7, 1), &mut NoChance).wait
    };
    let passes = [us(5_000) - PS, us(15_000) - PS];
    assert_eq!(wait([part(5, 1, 0, 4), part(5, 1, 4, 0)]), passes[0], "two halves");
    assert_eq!(wait([part(5, 1, 0, 4), write(5, 1)]), passes[0], "written over");
    assert_eq!(wait([write(5, 1), part(5, 1, 3, 3)]), passes[0], "whole before");
    assert_eq!(wait([part(5, 1, 0, 4), part(5, 1, 5, 0)]), passes[1], "a gap");
    assert_eq!(wait([part(5, 1, 0, 4), part(5, 1, 0, 4)]), passes[1], "the same half");
}

#[test]
fn a_sector_that_waits_in_part_is_not_read_from_the_cache() {
    let mut params = emulating(caching(ReadAhead::None, 20));
    params.cache.write_report = WriteReport::Buffer;
    params.cache.write_back = Some(WriteBack { sectors: 100, extents: 9, idle: us(10_000) });
    let mut bench = Bench::new(&params);
    bench.next(part(5, 1, 0, 4));
    assert!(bench.next(read(5, 1)).transfer > Span::ZERO);
}
