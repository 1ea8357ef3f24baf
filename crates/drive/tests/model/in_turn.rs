//! A buffer that takes written data in turn, and read-ahead that any other command ends, computed by
//! hand.

use crate::round::{Bench, at_us, caching, read, us, write};
use platterlab_drive::CacheOutcome::{Hit, Miss, Reported};
use platterlab_drive::{DriveParams, ReadAhead, ReadAheadEnds, WriteReport};

/// Writes are reported, and half a millisecond a sector brings their data.
fn reporting(write_report: WriteReport) -> DriveParams {
    let mut params = caching(ReadAhead::None, 50);
    params.cache.write_report = write_report;
    params.cache.hits_on_written = true;
    params
}

#[test]
fn a_write_that_continues_the_one_under_way_is_reported_at_once_and_written_a_turn_later() {
    for (report, on_media) in [(WriteReport::BufferInTurn, 16_000), (WriteReport::Buffer, 6_000)] {
        let mut bench = Bench::new(&reporting(report));
        let first = bench.at(0, write(3, 2));
        assert_eq!((first.completion, first.media_end), (at_us(1_000), at_us(5_000)));
        let second = bench.at(1_000, write(5, 1));
        assert_eq!((second.cache, second.completion), (Reported, at_us(1_500)), "{report:?}");
        assert_eq!(second.media_end, at_us(on_media), "{report:?}");
    }
}

#[test]
fn what_a_segment_has_no_room_for_comes_as_the_media_takes_the_rest() {
    for (segment, completion) in [(4, 2_000), (2, 5_500)] {
        let mut params = reporting(WriteReport::BufferInTurn);
        params.cache.segment_sectors = segment;
        let one = Bench::new(&params).at(0, write(3, 4));
        assert_eq!((one.completion, one.media_end), (at_us(completion), at_us(7_000)));
    }
}

#[test]
fn the_next_one_waits_while_the_first_is_written() {
    // The head goes on into the second one, until 6 ms; the second is written until 16 ms.
    for (issue, completion) in [(1_500, 16_500), (5_999, 16_500), (6_000, 6_500)] {
        let mut bench = Bench::new(&reporting(WriteReport::BufferInTurn));
        bench.at(0, write(3, 2));
        bench.at(1_000, write(5, 1));
        assert_eq!(bench.at(issue, write(6, 1)).completion, at_us(completion), "at {issue} us");
    }
}

#[test]
fn the_head_does_not_go_on_into_data_that_comes_late() {
    let mut bench = Bench::new(&reporting(WriteReport::BufferInTurn));
    bench.at(0, write(3, 2));
    // Its first sector is there at 5.3 ms, and should have begun to pass at 5 ms.
    let second = bench.at(4_800, write(5, 4));
    assert_eq!((second.completion, second.media_end), (at_us(6_800), at_us(19_000)));
    assert_eq!(bench.at(6_800, write(9, 1)).completion, at_us(7_300));
}

#[test]
fn what_is_in_the_buffer_waits_for_what_is_being_written() {
    for (report, completion) in [(WriteReport::BufferInTurn, 6_000), (WriteReport::Buffer, 2_000)] {
        let mut bench = Bench::new(&reporting(report));
        bench.at(0, write(3, 2));
        let hit = bench.at(1_000, read(3, 2));
        assert_eq!((hit.cache, hit.completion), (Hit, at_us(completion)), "{report:?}");
    }
}

#[test]
fn read_ahead_ends_as_another_command_arrives_or_as_it_needs_the_media() {
    for (ends, fifth) in [(ReadAheadEnds::MediaNeeded, Hit), (ReadAheadEnds::OtherCommand, Miss)] {
        let mut params = caching(ReadAhead::Aggressive, 20);
        params.cache.segments = 2;
        params.cache.read_ahead_ends = ends;
        params.controller.overhead[1] = [[us(2_000); 2]; 2];
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        // Sectors 0 to 4 have passed; 5 and 6 do so during the overhead.
        bench.at(5_000, write(500, 1));
        assert_eq!(bench.at(100_000, read(4, 1)).cache, Hit, "{ends:?}");
        assert_eq!(bench.at(200_000, read(5, 1)).cache, fifth, "{ends:?}");
    }
}

#[test]
fn a_hit_elsewhere_ends_read_ahead_or_leaves_it_alone() {
    for (ends, later) in [(ReadAheadEnds::MediaNeeded, Hit), (ReadAheadEnds::OtherCommand, Miss)] {
        let mut params = caching(ReadAhead::Aggressive, 20);
        params.cache.segments = 2;
        params.cache.read_ahead_ends = ends;
        let mut bench = Bench::new(&params);
        bench.next(read(500, 1));
        // Sector 0 comes around at 130 ms, and sector 5 at 135 ms.
        bench.at(100_000, read(0, 1));
        assert_eq!(bench.at(135_000, read(505, 1)).cache, Hit);
        assert_eq!(bench.at(200_000, read(4, 1)).cache, Hit, "{ends:?}");
        assert_eq!(bench.at(300_000, read(8, 1)).cache, later, "{ends:?}");
    }
}
