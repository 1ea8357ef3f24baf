//! What a read finds in the buffer, computed by hand.

use crate::round::{Bench, caching, parts_us, read, us, write};
use platterlab_drive::CacheOutcome::{Hit, Miss, Partial};
use platterlab_drive::{CacheOutcome, Command, DriveParams, ReadAhead};

fn outcomes<const N: usize>(params: &DriveParams, commands: [Command; N]) -> [CacheOutcome; N] {
    let mut bench = Bench::new(params);
    commands.map(|command| bench.next(command).cache)
}

#[test]
fn a_hit_takes_its_overhead_and_the_bus_alone() {
    let mut params = caching(ReadAhead::None, 8);
    params.controller.overhead[0] = [[us(1_000); 2], [us(300); 2]];
    params.controller.completion[0] = us(50);
    params.bus.reconnect = us(200);
    let mut bench = Bench::new(&params);
    bench.next(read(3, 4));
    let service = bench.at(20_000, read(4, 2));
    assert_eq!(parts_us(&service), (21_350, [350, 0, 0, 0, 0, 1_000]));
    assert_eq!(service.cache, Hit);
}

#[test]
fn data_that_was_read_stays_only_if_the_drive_keeps_it() {
    let mut params = caching(ReadAhead::None, 8);
    let commands = [read(3, 4), read(3, 2), read(3, 2), read(5, 2)];
    assert_eq!(outcomes(&params, commands), [Miss, Hit, Hit, Hit]);
    params.cache.keep_after_hit = false;
    assert_eq!(outcomes(&params, commands), [Miss, Hit, Miss, Miss]);
    assert_eq!(outcomes(&params, [read(3, 4), read(3, 2), read(4, 1)]), [Miss, Hit, Miss]);
    let onward = [read(3, 4), read(3, 2), read(5, 2), read(5, 2)];
    assert_eq!(outcomes(&params, onward), [Miss, Hit, Hit, Miss]);
}

#[test]
fn a_partial_hit_reads_only_the_rest_from_the_media() {
    let mut params = caching(ReadAhead::None, 8);
    params.cache.partial_hits = true;
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.next(read(3, 2))).0, 5_500);
    let service = bench.next(read(3, 4));
    assert_eq!(parts_us(&service), (17_500, [0, 0, 0, 9_500, 2_000, 500]));
    assert_eq!(service.cache, Partial);
}

#[test]
fn without_partial_hits_all_of_it_comes_from_the_media() {
    let mut bench = Bench::new(&caching(ReadAhead::None, 8));
    bench.next(read(3, 2));
    let service = bench.next(read(3, 4));
    assert_eq!(parts_us(&service), (17_500, [0, 0, 0, 7_500, 4_000, 500]));
    assert_eq!(service.cache, Miss);
}

#[test]
fn a_read_whose_last_part_only_is_cached_is_a_miss() {
    let mut params = caching(ReadAhead::None, 8);
    params.cache.partial_hits = true;
    assert_eq!(outcomes(&params, [read(5, 2), read(4, 2)]), [Miss, Miss]);
}

#[test]
fn a_segment_keeps_the_end_of_a_read_larger_than_itself() {
    let params = caching(ReadAhead::None, 4);
    assert_eq!(outcomes(&params, [read(0, 10), read(6, 4)]), [Miss, Hit]);
    assert_eq!(outcomes(&params, [read(0, 10), read(5, 1)]), [Miss, Miss]);
}

#[test]
fn each_stream_has_its_segment() {
    let mut params = caching(ReadAhead::None, 8);
    params.cache.segments = 2;
    let commands = [read(0, 1), read(50, 1), read(0, 1), read(80, 1), read(50, 1)];
    assert_eq!(outcomes(&params, commands), [Miss, Miss, Hit, Miss, Miss]);
}

#[test]
fn of_two_segments_the_one_that_holds_more_serves() {
    let mut params = caching(ReadAhead::Aggressive, 8);
    params.cache.segments = 2;
    let mut bench = Bench::new(&params);
    bench.next(read(4, 1));
    // Read-ahead is broken off within sector 5, and later passes sectors 1 to 8.
    bench.next(read(0, 1));
    assert_eq!(bench.at(40_000, read(4, 4)).cache, Hit);
}

#[test]
fn written_data_can_be_read_back_where_the_drive_keeps_it() {
    let mut params = caching(ReadAhead::None, 8);
    let commands = [write(3, 2), read(3, 2)];
    assert_eq!(outcomes(&params, commands), [Miss, Miss]);
    params.cache.hits_on_written = true;
    assert_eq!(outcomes(&params, commands), [Miss, Hit]);
    let extended = [write(3, 2), write(5, 2), read(3, 4)];
    assert_eq!(outcomes(&params, extended), [Miss, Miss, Hit]);
}

#[test]
fn an_overlapping_write_invalidates_what_it_overlaps() {
    let params = caching(ReadAhead::None, 8);
    for (overlap, kept, lost) in
        [(write(4, 1), 3, 4), (write(0, 5), 5, 4), (write(5, 9), 4, 5), (write(2, 1), 3, 2)]
    {
        let find = |lba| outcomes(&params, [read(3, 4), overlap, read(lba, 1)])[2];
        assert_eq!(find(kept), Hit, "{overlap:?}");
        assert_eq!(find(lost), Miss, "{overlap:?}");
    }
    let whole = [read(3, 4), write(3, 4), read(3, 1)];
    assert_eq!(outcomes(&params, whole), [Miss; 3]);
}

#[test]
fn a_write_invalidates_what_read_ahead_has_read() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 8));
    bench.next(read(0, 1));
    bench.at(8_000, write(4, 1));
    assert_eq!(bench.next(read(3, 1)).cache, Hit);
    assert_eq!(bench.next(read(4, 1)).cache, Miss);
}

#[test]
fn no_segments_cache_nothing() {
    let mut params = caching(ReadAhead::Aggressive, 8);
    params.cache.segments = 0;
    params.cache.hits_on_written = true;
    assert_eq!(outcomes(&params, [read(0, 4), read(0, 1), write(5, 1), read(5, 1)]), [Miss; 4]);
}
