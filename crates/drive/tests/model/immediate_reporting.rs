//! Immediate reporting as Ruemmler and Wilkes define it (1994, "Write caching"): a write is reported
//! from the buffer "if it is the first write since a read or a sequential extension of the last
//! write", unless flagged; and the write-behind that follows.

use crate::round::{Bench, PS, at_us, caching, drive, parts_us, read, us, write};
use platterlab_drive::{CacheOutcome, Command, DriveParams, NoChance, ReadAhead, WriteReport};

fn reporting(buffer_sectors: u32) -> DriveParams {
    let mut params = drive();
    params.cache.write_report = WriteReport::Immediate;
    params.cache.buffer_sectors = Some(buffer_sectors);
    params
}

fn outcomes(params: &DriveParams, commands: &[Command]) -> Vec<CacheOutcome> {
    let mut bench = Bench::new(params);
    commands.iter().map(|command| bench.next(*command).cache).collect()
}

use CacheOutcome::{Miss, Reported};

#[test]
fn a_reported_write_is_complete_when_the_bus_is_done() {
    let service = Bench::new(&reporting(8)).next(write(3, 2));
    assert_eq!(parts_us(&service), (1_000, [0, 0, 0, 0, 0, 1_000]));
    assert_eq!(service.cache, Reported);
}

#[test]
fn the_first_write_since_a_read_is_reported_and_a_second_elsewhere_is_not() {
    let commands = [write(3, 2), write(50, 2), read(7, 1), write(90, 1), write(3, 1)];
    let expected = [Reported, Miss, Miss, Reported, Miss];
    assert_eq!(outcomes(&reporting(8), &commands), expected);
}

#[test]
fn a_sequential_extension_is_reported_whether_or_not_the_last_write_was() {
    let flagged = Command { may_report_early: false, ..write(5, 1) };
    let commands = [write(3, 2), flagged, write(6, 1), write(60, 2), write(62, 1), write(61, 1)];
    let expected = [Reported, Miss, Reported, Miss, Reported, Miss];
    assert_eq!(outcomes(&reporting(8), &commands), expected);
}

#[test]
fn a_read_from_the_buffer_counts_as_a_read() {
    let mut params = caching(ReadAhead::None, 8);
    params.cache.write_report = WriteReport::Immediate;
    let commands = [read(80, 1), write(3, 1), read(80, 1), write(50, 1)];
    let expected = [Miss, Reported, CacheOutcome::Hit, Reported];
    assert_eq!(outcomes(&params, &commands), expected);
}

#[test]
fn a_write_larger_than_the_buffer_is_not_reported() {
    assert_eq!(outcomes(&reporting(4), &[write(3, 5), read(0, 1), write(3, 4)])[0], Miss);
    assert_eq!(outcomes(&reporting(4), &[write(3, 4)]), [Reported]);
}

#[test]
fn the_other_policies_report_all_or_none() {
    let commands = [write(3, 2), write(50, 2), write(20, 1)];
    let mut params = reporting(8);
    params.cache.write_report = WriteReport::Buffer;
    assert_eq!(outcomes(&params, &commands), [Reported; 3]);
    params.cache.write_report = WriteReport::Media;
    assert_eq!(outcomes(&params, &commands), [Miss; 3]);
}

#[test]
fn back_to_back_sequential_writes_stream_at_media_speed() {
    let mut bench = Bench::new(&reporting(100));
    for (number, lba) in (3..13).step_by(2).enumerate() {
        let service = bench.next(write(lba, 2));
        let completion_us = (number as u64 + 1) * 1_000;
        assert_eq!(parts_us(&service), (completion_us, [0, 0, 0, 0, 0, 1_000]));
    }
    // Sectors 3 to 9 pass from 3 to 10 ms, 10 to 12 on the next track from 11 to 14 ms; sector 13
    // is read right behind them.
    let service = bench.next(read(13, 1));
    assert_eq!(parts_us(&service), (15_500, [0, 9_000, 0, 0, 1_000, 500]));
}

#[test]
fn a_write_elsewhere_waits_for_write_behind() {
    let mut bench = Bench::new(&reporting(8));
    bench.next(write(3, 2));
    // From 1 ms it waits until 5 ms; its sector passes at 8 ms.
    assert_eq!(parts_us(&bench.next(write(8, 1))), (9_000, [0, 4_000, 0, 3_000, 1_000, 0]));
}

#[test]
fn a_read_waits_for_write_behind() {
    let mut bench = Bench::new(&reporting(8));
    bench.next(write(3, 2));
    assert_eq!(parts_us(&bench.next(read(7, 1))), (8_500, [0, 4_000, 0, 2_000, 1_000, 500]));
}

/// How long a read of sector 7 waits for write-behind, after writes of sectors 3 and 4 at time zero
/// and of 5 and 6 at `second_issue`.
fn wait_after_two_writes(second_issue: platterlab_units::Time) -> u64 {
    let mut bench = Bench::new(&reporting(8));
    bench.next(write(3, 2));
    let second = bench.drive.serve(second_issue, write(5, 2), &mut NoChance);
    assert_eq!(second.cache, Reported);
    let third = bench.drive.serve(at_us(6_000), read(7, 1), &mut NoChance);
    third.wait.as_ps()
}

#[test]
fn a_stream_goes_on_if_its_data_comes_in_time_and_loses_a_turn_one_picosecond_later() {
    // Write-behind ends at 5 ms; the next sector takes half a millisecond to come.
    assert_eq!(wait_after_two_writes(at_us(1_000)), us(1_000).as_ps());
    assert_eq!(wait_after_two_writes(at_us(4_500)), us(1_000).as_ps());
    assert_eq!(wait_after_two_writes(at_us(4_500) + PS), us(11_000).as_ps());
}

#[test]
fn a_full_buffer_holds_the_next_write_back_without_breaking_the_stream() {
    let mut bench = Bench::new(&reporting(4));
    assert_eq!(parts_us(&bench.next(write(3, 4))), (2_000, [0, 0, 0, 0, 0, 2_000]));
    // There is room for both sectors at 5 ms; the first may come while the second gets its room.
    assert_eq!(parts_us(&bench.next(write(7, 2))), (5_500, [0, 2_500, 0, 0, 0, 1_000]));
    assert_eq!(parts_us(&bench.next(read(9, 1))), (10_500, [0, 3_500, 0, 0, 1_000, 500]));
}

#[test]
fn all_writes_behind_fill_the_buffer_together() {
    let mut bench = Bench::new(&reporting(4));
    bench.next(write(3, 2));
    bench.next(write(5, 2));
    // Two writes fill the buffer at 2 ms; the media takes the first sector until 4 ms.
    assert_eq!(parts_us(&bench.next(write(7, 1))), (4_500, [0, 2_000, 0, 0, 0, 500]));
}

#[test]
fn over_a_bus_slower_than_the_media_the_first_sector_waits_for_room() {
    let mut params = reporting(2);
    params.bus.write_sector = us(1_500);
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.next(write(7, 2))).0, 3_000);
    // The media takes sector 7 until 8 ms; by 9.5 ms there is long room for the second.
    assert_eq!(parts_us(&bench.next(write(9, 2))), (11_000, [0, 5_000, 0, 0, 0, 3_000]));
}

#[test]
fn writes_as_large_as_the_buffer_stream_too() {
    let mut bench = Bench::new(&reporting(4));
    bench.next(write(1, 4));
    assert_eq!(parts_us(&bench.next(write(5, 4))), (5_500, [0, 1_500, 0, 0, 0, 2_000]));
    assert_eq!(parts_us(&bench.next(read(9, 1))).0, 10_500);
}

#[test]
fn a_read_from_the_buffer_does_not_empty_it() {
    let mut params = reporting(4);
    params.cache.segments = 2;
    params.cache.segment_sectors = 8;
    params.cache.hits_on_written = true;
    let mut bench = Bench::new(&params);
    bench.next(write(3, 4));
    assert_eq!(parts_us(&bench.next(read(3, 1))), (2_500, [0, 0, 0, 0, 0, 500]));
    // The buffer holds four sectors until 4 ms, then one less every millisecond until 7 ms.
    assert_eq!(parts_us(&bench.next(write(60, 3))).1[1], 2_500);
}

#[test]
fn write_behind_turns_with_the_platter() {
    for (backwards, free_us) in [(false, 6_800), (true, 7_200)] {
        let mut bench = Bench::new(&reporting(8));
        bench.next(write(3, 2));
        bench.drive.turn(us(200), backwards);
        assert_eq!(bench.next(write(5, 2)).cache, Reported);
        assert_eq!(parts_us(&bench.next(read(7, 1))).1[1], free_us - 2_000);
    }
}

#[test]
fn parts_add_up_where_an_unreported_extension_meets_a_bus_without_overlap() {
    let mut params = reporting(8);
    params.bus.overlap = false;
    let mut bench = Bench::new(&params);
    bench.next(write(3, 2));
    let flagged = Command { may_report_early: false, ..write(5, 1) };
    let service = bench.at(4_750, flagged);
    // Write-behind started when its data was there, at 1 ms, and ends at 5 ms; the flagged sector
    // comes at 5.25 ms and passes a turn later.
    let (completion_us, parts) = parts_us(&service);
    assert_eq!(completion_us, 16_000);
    assert_eq!(parts.iter().sum::<u64>(), 16_000 - 4_750);
}
