//! Each key of the cache but those of read-ahead: at random with the others, and by itself on the
//! round drive, computed by hand.

use crate::dice::span;
use crate::read_ahead_policies::read_ahead;
use crate::round::{Bench, caching, later, parts_us, read, us, write};
use platterlab_drive::CacheOutcome::{Hit, InFlight, Miss, Partial, Reported};
use platterlab_drive::{
    CacheParams, DriveParams, Overwritten, ReadAhead, SlowFence, WriteBack, WriteReport,
};
use platterlab_units::Span;
use proptest::prelude::*;

/// A buffer with segments and fences of all sizes, nothing else being said of it.
fn buffer() -> impl Strategy<Value = CacheParams> {
    (1u32..60, 0u32..30, 0u32..30, 0u32..4, 1u32..60, any::<[bool; 3]>()).prop_map(
        |(buffer, read_fence, write_fence, segments, segment_sectors, flags)| CacheParams {
            buffer_sectors: Some(buffer),
            read_fence_sectors: read_fence,
            write_fence_sectors: write_fence,
            write_fence_by_track: flags[2],
            write_fence_slow: flags[2].then_some(SlowFence {
                from_sector: Span::from_us(u64::from(segments) * 100),
                share: read_fence * 30_000,
            }),
            zero_latency_read: flags[0],
            zero_latency_write: flags[1],
            segments,
            segment_sectors,
            ..CacheParams::default()
        },
    )
}

/// Caches with all of it.
pub(crate) fn cache() -> impl Strategy<Value = CacheParams> {
    let overwritten = prop_oneof![
        Just(Overwritten::Updated),
        Just(Overwritten::KeepsEarlier),
        Just(Overwritten::KeepsLater),
        Just(Overwritten::Dropped),
    ];
    let write_report = prop_oneof![
        Just(WriteReport::Media),
        Just(WriteReport::Immediate),
        Just(WriteReport::Buffer),
        Just(WriteReport::BufferInTurn)
    ];
    let write_segments = prop_oneof![Just(None), (1u32..4).prop_map(Some)];
    let flags = any::<[bool; 8]>();
    let write_back = (1u32..60, 1u32..4, span(20_000));
    let write_back =
        proptest::option::of(write_back.prop_map(|(sectors, extents, idle)| WriteBack {
            sectors,
            extents,
            idle,
        }));
    let writes = (overwritten, write_report, write_segments, write_back);
    (buffer(), read_ahead(), writes, flags).prop_map(
        |(buffer, ahead, (overwritten, write_report, write_segments, write_back), flags)| {
            CacheParams {
                write_back: write_back.filter(|_| write_report == WriteReport::Buffer),
                buffer_sectors: buffer.buffer_sectors,
                read_fence_sectors: buffer.read_fence_sectors,
                write_fence_sectors: buffer.write_fence_sectors,
                write_fence_by_track: buffer.write_fence_by_track,
                write_fence_slow: buffer.write_fence_slow,
                zero_latency_read: buffer.zero_latency_read,
                zero_latency_write: buffer.zero_latency_write,
                segments: buffer.segments,
                segment_sectors: buffer.segment_sectors,
                write_segments,
                separate_write_segments: flags[0]
                    && write_segments.is_some_and(|most| most < buffer.segments),
                keep_after_hit: flags[1],
                keep_after_miss: flags[2],
                partial_hits: flags[3],
                partial_hits_at_once: flags[4],
                hits_on_later_tracks: flags[2],
                hits_in_flight: flags[5],
                almost_hits: flags[4],
                overwritten,
                write_report,
                hits_on_written: flags[6],
                combine_writes: flags[7],
                ..ahead
            }
        },
    )
}

#[test]
fn a_partial_hit_goes_on_in_its_segment() {
    let mut params = caching(ReadAhead::Track, 20);
    params.cache.partial_hits = true;
    let start = [read(5, 1), read(8, 4)];
    for kept in [5, 8, 19] {
        assert_eq!(later(&params, &start, kept), Hit, "{kept}");
    }
}

#[test]
fn delivered_data_stays_or_is_given_up() {
    let mut params = caching(ReadAhead::Aggressive, 20);
    params.cache.read_ahead_most_sectors = Some(10);
    assert_eq!(later(&params, &[read(0, 2)], 1), Hit);
    params.cache.keep_after_miss = false;
    assert_eq!(later(&params, &[read(0, 2)], 1), Miss);
    assert_eq!(later(&params, &[read(0, 2)], 2), Hit);
    assert_eq!(later(&params, &[read(0, 2), read(4, 1)], 2), Hit, "skipped, but not delivered");
    params.cache.keep_after_hit = false;
    assert_eq!(later(&params, &[read(0, 2), read(4, 1)], 2), Miss);
    assert_eq!(later(&params, &[read(0, 2), read(4, 1)], 5), Hit);
}

#[test]
fn a_write_updates_cuts_or_drops_what_it_overwrites() {
    for (policy, outcomes) in [
        (Overwritten::Updated, [Hit, Hit, Hit]),
        (Overwritten::KeepsEarlier, [Hit, Miss, Miss]),
        (Overwritten::KeepsLater, [Miss, Miss, Hit]),
        (Overwritten::Dropped, [Miss, Miss, Miss]),
    ] {
        let mut params = caching(ReadAhead::None, 20);
        params.cache.overwritten = policy;
        let before = [read(0, 9), write(3, 3)];
        assert_eq!([2, 3, 6].map(|lba| later(&params, &before, lba)), outcomes, "{policy:?}");
    }
}

#[test]
fn written_data_takes_as_many_segments_as_it_may() {
    let mut params = caching(ReadAhead::None, 20);
    params.cache.segments = 3;
    params.cache.hits_on_written = true;
    let before = [read(0, 1), write(100, 1), write(200, 1), write(300, 1)];
    let outcomes = |params: &DriveParams| [0, 100, 200, 300].map(|lba| later(params, &before, lba));
    assert_eq!(outcomes(&params), [Miss, Hit, Hit, Hit]);
    params.cache.write_segments = Some(2);
    assert_eq!(outcomes(&params), [Hit, Miss, Hit, Hit]);
    params.cache.write_segments = Some(1);
    assert_eq!(outcomes(&params), [Hit, Miss, Miss, Hit]);
    params.cache.separate_write_segments = true;
    let reads = [write(300, 1), read(0, 1), read(100, 1), read(200, 1)];
    let after_reads = [0, 100, 200, 300].map(|lba| later(&params, &reads, lba));
    assert_eq!(after_reads, [Miss, Hit, Hit, Hit], "two for reads, one for writes");
}

#[test]
fn sequential_writes_share_a_segment_where_they_may() {
    let mut params = caching(ReadAhead::None, 20);
    params.cache.segments = 2;
    params.cache.hits_on_written = true;
    let before = [read(0, 1), write(100, 1), write(101, 1)];
    assert_eq!(later(&params, &before, 0), Hit);
    params.cache.combine_writes = false;
    assert_eq!(later(&params, &before, 0), Miss, "each write has taken a segment");
}

#[test]
fn a_read_takes_what_the_head_meets_first() {
    let mut params = caching(ReadAhead::None, 20);
    params.bus.overlap = false;
    // At 3 ms the head is in the middle of the request: one turn has all of it.
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.at(3_000, read(0, 8))).0, 10_000 + 8_000 + 4_000);
    params.cache.zero_latency_read = true;
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.at(3_000, read(0, 8))).0, 10_000 + 3_000 + 4_000);
}

#[test]
fn a_write_puts_down_what_the_head_meets_first_once_it_has_all_data() {
    let mut params = caching(ReadAhead::None, 20);
    params.cache.zero_latency_write = true;
    params.bus.overlap = false;
    // The data comes from 0 to 4 ms; sectors 4 to 7 pass then, and 0 to 3 until 14 ms.
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.next(write(0, 8))).0, 14_000);
    params.bus.overlap = true;
    params.bus.read_sector = us(500);
    // Data still on its way keeps to the order: sector 0 comes around at 10 ms.
    let mut bench = Bench::new(&params);
    assert_eq!(parts_us(&bench.next(write(0, 8))).0, 18_000);
}

#[test]
fn the_cached_part_goes_at_once_or_with_the_rest() {
    let mut params = caching(ReadAhead::None, 20);
    params.cache.partial_hits = true;
    params.bus.read_sector = us(2_000);
    for (at_once, completion) in [(true, 20_000 + 8_000), (false, 23_000 + 8_000)] {
        params.cache.partial_hits_at_once = at_once;
        let mut bench = Bench::new(&params);
        bench.next(read(0, 2));
        // Sectors 0 and 1 are there; 2 and 3 pass from 22 to 24 ms.
        let service = bench.at(20_000, read(0, 4));
        assert_eq!((service.cache, parts_us(&service).0), (Partial, completion));
    }
}

#[test]
fn a_read_of_what_is_passing_waits_for_it_or_starts_anew() {
    let mut params = caching(ReadAhead::Aggressive, 20);
    for (in_flight, outcome) in [(true, InFlight), (false, Miss)] {
        params.cache.hits_in_flight = in_flight;
        let mut bench = Bench::new(&params);
        bench.next(read(0, 2));
        assert_eq!(bench.next(read(2, 2)).cache, outcome);
    }
}

#[test]
fn a_write_reported_from_the_buffer_costs_what_a_hit_costs() {
    let mut params = caching(ReadAhead::None, 20);
    params.cache.write_report = WriteReport::Buffer;
    params.controller.overhead[1] = [[us(3_000); 2], [us(200); 2]];
    let service = Bench::new(&params).next(write(5, 2));
    assert_eq!((service.cache, parts_us(&service).0), (Reported, 1_200));
}
