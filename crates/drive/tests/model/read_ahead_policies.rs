//! Each key of read-ahead: at random with the others, and by itself on the round drive, computed by
//! hand.

use crate::dice::{Dice, span};
use crate::round::{Bench, PS, at_us, caching, later, read, us, write};
use platterlab_drive::CacheOutcome::{Hit, InFlight, Miss};
use platterlab_drive::{
    CacheParams, Chance, Drive, DriveParams, NoChance, OnHit, Overwritten, ReadAhead,
    ReadAheadAfter, ReadAheadEnds, WriteReport,
};
use platterlab_units::{Angle, Span};
use proptest::prelude::*;

/// Read-ahead of all kinds, nothing else being said of the cache.
pub(crate) fn read_ahead() -> impl Strategy<Value = CacheParams> {
    let extent = prop_oneof![
        Just(ReadAhead::None),
        Just(ReadAhead::Track),
        Just(ReadAhead::TrackOrNext),
        Just(ReadAhead::WholeTrack),
        Just(ReadAhead::Cylinder),
        Just(ReadAhead::Aggressive),
        Just(ReadAhead::OnArrival),
    ];
    let on_hit = prop_oneof![
        Just(OnHit::Ignore),
        Just(OnHit::Continue),
        Just(OnHit::Extend),
        Just(OnHit::Start)
    ];
    let least = prop_oneof![3 => Just(0u32), 1 => 0u32..40];
    let abandoned = prop_oneof![3 => Just(0u32), 1 => 0u32..1_000_001];
    let most = proptest::option::of(0u32..80);
    let on_hit = (on_hit, prop_oneof![Just(Span::ZERO), span(20_000)]);
    (extent, on_hit, least, most, abandoned, any::<[bool; 5]>()).prop_map(
        |(read_ahead, (read_ahead_on_hit, read_ahead_hold), least, most, abandoned, flags)| {
            CacheParams {
                read_ahead,
                read_ahead_on_hit,
                read_ahead_hold,
                read_ahead_least_sectors: least,
                read_ahead_most_sectors: most,
                read_ahead_abandoned: abandoned,
                read_ahead_after: match (flags[0], flags[4]) {
                    (true, _) => ReadAheadAfter::AnyRead,
                    (false, true) => ReadAheadAfter::SequentialReads,
                    (false, false) => ReadAheadAfter::Sequential,
                },
                read_ahead_next_track: flags[1],
                read_ahead_over_requested: flags[2],
                read_ahead_over_unsent: flags[2] || flags[1],
                read_ahead_stops_in_sector: flags[3],
                read_ahead_ends: if flags[4] {
                    ReadAheadEnds::MediaNeeded
                } else {
                    ReadAheadEnds::OtherCommand
                },
                ..CacheParams::default()
            }
        },
    )
}

#[test]
fn the_beginning_of_the_track_is_there_once_the_request_would_come_around_again() {
    let params = caching(ReadAhead::WholeTrack, 20);
    // Sector 5 passes from 5 ms on; sectors 0 to 4 of the same track until 15 ms.
    for (issue, outcome) in [(at_us(15_000) - PS, Miss), (at_us(15_000), Hit)] {
        let mut bench = Bench::new(&params);
        bench.next(read(5, 1));
        assert_eq!(bench.drive.serve(issue, read(0, 5), &mut NoChance).cache, outcome);
    }
    assert_eq!(later(&params, &[read(5, 1)], 9), Hit);
    assert_eq!(later(&params, &[read(5, 1)], 10), Miss);
    // A read over two tracks has the beginning of the second and not that of the first.
    assert_eq!(later(&params, &[read(9, 3)], 8), Miss);
    assert_eq!(later(&params, &[read(9, 3)], 19), Hit);
    // What an interruption keeps from passing is not there.
    let mut bench = Bench::new(&params);
    bench.next(read(5, 1));
    bench.at(14_000, read(900, 1));
    assert_eq!(bench.at(90_000, read(4, 1)).cache, Miss);
}

#[test]
fn read_ahead_ends_where_its_extent_does() {
    let mut params = caching(ReadAhead::Cylinder, 40);
    assert_eq!(later(&params, &[read(3, 1)], 19), Hit, "two tracks are a cylinder");
    assert_eq!(later(&params, &[read(3, 1)], 20), Miss);
    params.cache.read_ahead = ReadAhead::Track;
    assert_eq!(later(&params, &[read(3, 1)], 10), Miss);
    params.cache.read_ahead_least_sectors = 8;
    assert_eq!(later(&params, &[read(3, 1)], 11), Hit);
    assert_eq!(later(&params, &[read(3, 1)], 12), Miss);
    params.cache.read_ahead_most_sectors = Some(4);
    assert_eq!(later(&params, &[read(3, 1)], 7), Hit);
    assert_eq!(later(&params, &[read(3, 1)], 8), Miss);
}

#[test]
fn the_next_track_is_read_too_after_sequential_reads() {
    let mut params = caching(ReadAhead::Track, 40);
    params.cache.read_ahead_next_track = true;
    assert_eq!(later(&params, &[read(3, 1)], 10), Miss);
    params.cache.read_ahead_after = ReadAheadAfter::SequentialReads;
    assert_eq!(later(&params, &[read(3, 1)], 4), Miss);
    assert_eq!(later(&params, &[read(3, 1), read(4, 1)], 19), Hit);
    assert_eq!(later(&params, &[read(3, 1), read(4, 1)], 20), Miss);
    assert_eq!(later(&params, &[write(3, 1), read(4, 1)], 5), Miss, "a write is not a read");
    params.cache.read_ahead_after = ReadAheadAfter::Sequential;
    assert_eq!(later(&params, &[read(3, 1)], 4), Miss);
    assert_eq!(later(&params, &[write(3, 1), read(4, 1)], 19), Hit, "but a command");
    assert_eq!(later(&params, &[write(3, 1), read(4, 1)], 20), Miss);
}

#[test]
fn a_read_to_the_end_of_its_track_can_have_another_track_read() {
    let params = caching(ReadAhead::TrackOrNext, 60);
    for (request, last) in [(read(3, 1), 9), (read(3, 6), 9), (read(3, 7), 29), (read(9, 3), 29)] {
        assert_eq!(later(&params, &[request], last), Hit, "{request:?}");
        assert_eq!(later(&params, &[request], last + 1), Miss, "{request:?}");
    }
}

#[test]
fn read_ahead_under_way_is_extended_by_hits_and_one_at_rest_is_not() {
    let mut params = caching(ReadAhead::Aggressive, 6);
    params.cache.read_ahead_on_hit = OnHit::Continue;
    for (hit_us, outcome) in [(3_500, Hit), (50_000, Miss)] {
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        assert_eq!(bench.at(hit_us, read(2, 1)).cache, Hit);
        assert_eq!(bench.at(150_000, read(8, 1)).cache, outcome);
    }
}

#[test]
fn read_ahead_is_held_after_a_completion_for_hits_to_go_on() {
    let mut params = caching(ReadAhead::Aggressive, 6);
    params.cache.read_ahead_on_hit = OnHit::Continue;
    params.cache.read_ahead_hold = us(40_000);
    let done = Bench::new(&params).next(read(0, 1)).completion;
    for (late, outcome) in [(Span::ZERO, Hit), (PS, Miss)] {
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        let hit = bench.drive.serve(done + us(40_000) + late, read(2, 1), &mut NoChance);
        assert_eq!(hit.cache, Hit);
        assert_eq!(bench.at(150_000, read(8, 1)).cache, outcome);
        // Once it is over, no hit that follows soon has it go on.
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        bench.drive.serve(done + us(40_000) + late, read(1, 1), &mut NoChance);
        assert_eq!(bench.at(60_000, read(2, 1)).cache, Hit);
        assert_eq!(bench.at(150_000, read(8, 1)).cache, outcome);
    }
}

#[test]
fn a_write_into_what_is_being_read_ahead_leaves_its_segment() {
    let mut params = caching(ReadAhead::Aggressive, 20);
    params.cache.segments = 2;
    params.cache.overwritten = Overwritten::Dropped;
    for (write_us, outcome) in [(8_500, Hit), (60_000, Miss)] {
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        bench.at(write_us, write(5, 1));
        assert_eq!(bench.at(150_000, read(3, 1)).cache, outcome, "{write_us} us");
    }
}

#[test]
fn almost_hits_wait_for_read_ahead_only_where_the_drive_has_them() {
    for (almost_hits, outcome) in [(true, InFlight), (false, Miss)] {
        let mut params = caching(ReadAhead::Track, 20);
        params.cache.almost_hits = almost_hits;
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        assert_eq!(bench.at(2_500, read(6, 1)).cache, outcome);
    }
}

#[test]
fn what_is_read_ahead_takes_the_place_of_the_request_where_it_may() {
    let mut params = caching(ReadAhead::Track, 4);
    params.cache.read_ahead_most_sectors = Some(20);
    assert_eq!(later(&params, &[read(0, 2)], 5), Miss);
    assert_eq!(later(&params, &[read(0, 2)], 6), Hit, "the last four of the track are kept");
    params.cache.read_ahead_over_requested = false;
    assert_eq!(later(&params, &[read(0, 2)], 0), Hit);
    assert_eq!(later(&params, &[read(0, 2)], 3), Hit);
    assert_eq!(later(&params, &[read(0, 2)], 4), Miss);
}

#[test]
fn read_ahead_waits_a_turn_for_what_the_bus_has_not_sent_where_it_may_not_take_its_place() {
    let mut params = caching(ReadAhead::Track, 4);
    params.cache.read_ahead_most_sectors = Some(20);
    let then = |params: &DriveParams, time_us, lba| {
        let mut bench = Bench::new(params);
        bench.next(read(0, 2));
        bench.at(time_us, read(lba, 1)).cache
    };
    // Sector 0 is sent from 1 to 4 ms, as sector 4 comes for its place, and sector 1 until 7 ms.
    params.bus.read_sector = us(3_000);
    assert_eq!(then(&params, 14_000, 4), Miss);
    assert_eq!(then(&params, 14_000, 9), Hit);
    params.cache.read_ahead_over_unsent = false;
    assert_eq!(then(&params, 14_000, 4), Hit);
    assert_eq!(then(&params, 15_900, 5), InFlight);
    // There is room for sector 5 when it comes around again, from 15 to 16 ms.
    assert_eq!(then(&params, 16_000, 5), Hit);
    assert_eq!(then(&params, 20_000, 4), Miss);
    assert_eq!(then(&params, 20_000, 9), Hit);
    // Until then nobody waits for it.
    let mut bench = Bench::new(&params);
    bench.next(read(0, 2));
    assert_eq!(bench.at(12_000, read(13, 1)).media_end, at_us(15_000));
    // In time for both.
    params.bus.read_sector = us(2_000);
    assert_eq!(then(&params, 14_000, 9), Hit);
}

#[test]
fn a_hit_leaves_read_ahead_alone_or_extends_it_or_starts_it_again() {
    for (on_hit, extended, started) in
        [(OnHit::Ignore, Miss, Miss), (OnHit::Extend, Hit, Miss), (OnHit::Start, Hit, Hit)]
    {
        let mut params = caching(ReadAhead::Aggressive, 6);
        params.cache.segments = 2;
        params.cache.read_ahead_on_hit = on_hit;
        // Read-ahead of 6 sectors after sector 0, and after sector 3.
        assert_eq!(later(&params, &[read(0, 1), read(3, 1)], 8), extended, "{on_hit:?}");
        let away = [read(0, 1), read(500, 1), read(3, 1)];
        assert_eq!(later(&params, &away, 8), started, "{on_hit:?}");
    }
}

#[test]
fn a_read_ahead_started_by_a_hit_waits_for_the_writes_before_it() {
    let mut params = caching(ReadAhead::Aggressive, 6);
    params.cache.segments = 2;
    params.cache.read_ahead_on_hit = OnHit::Start;
    params.cache.write_report = WriteReport::Buffer;
    let mut bench = Bench::new(&params);
    bench.next(read(0, 1));
    bench.at(50_000, write(505, 1));
    assert_eq!(bench.at(51_000, read(3, 1)).cache, Hit);
    // The arm has 25 cylinders to go, a sector to write, and 25 cylinders to come back.
    let service = bench.at(100_000, read(7, 1));
    assert_eq!(service.cache, InFlight, "nothing can have been read yet");
    assert!(service.media_end > at_us(50_000 + 25_000 + 1_000 + 25_000));
}

#[test]
fn read_ahead_stops_in_a_sector_or_at_its_end() {
    for (in_sector, now, free) in [
        (true, at_us(3_000) + PS, at_us(3_000) + PS),
        (false, at_us(3_000), at_us(3_000)),
        (false, at_us(3_000) + PS, at_us(4_000)),
        (false, at_us(4_000), at_us(4_000)),
        // The sector that comes after a change of tracks is aimed at, and cannot be left either.
        (true, at_us(10_000) + PS, at_us(11_000)),
        (false, at_us(10_000) + PS, at_us(12_000)),
    ] {
        let mut params = caching(ReadAhead::Aggressive, 20);
        params.cache.read_ahead_stops_in_sector = in_sector;
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        let service = bench.drive.serve(now, read(900, 1), &mut NoChance);
        assert_eq!(now + service.wait, free, "in sector: {in_sector}, {now}");
    }
}

#[test]
fn read_ahead_is_abandoned_as_often_as_said() {
    let share = |millionths: u32| {
        let mut params = caching(ReadAhead::Aggressive, 20);
        params.cache.read_ahead_abandoned = millionths;
        let mut drive = Drive::new(&params).expect("legal");
        let mut dice = Dice(3);
        let mut misses = 0;
        for turn in 1..1_001 {
            drive.serve(at_us(turn * 400_000), read(turn % 30 * 60, 1), &mut dice);
            let next = read(turn % 30 * 60 + 1, 1);
            let service = drive.serve(at_us(turn * 400_000 + 200_000), next, &mut dice);
            misses += u32::from(service.cache == Miss);
        }
        misses
    };
    assert_eq!((share(0), share(1_000_000)), (0, 1_000));
    let some = share(65_000);
    assert!((40..90).contains(&some), "{some} of 1000");
}

#[test]
fn chance_is_not_asked_where_nothing_is_abandoned() {
    struct Never;
    impl Chance for Never {
        fn angle(&mut self) -> Angle {
            panic!("nothing here is left to chance")
        }
    }
    let mut drive = Drive::new(&caching(ReadAhead::Aggressive, 20)).expect("legal");
    drive.serve(at_us(0), read(0, 1), &mut Never);
}
