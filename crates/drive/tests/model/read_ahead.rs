//! Read-ahead, computed by hand: "the disk continues to read where the last host request left off"
//! (Ruemmler and Wilkes 1994, "Read-ahead").

use crate::round::{Bench, PS, at_us, caching, once, parts_us, read, us, write};
use platterlab_drive::CacheOutcome::{Hit, InFlight, Miss};
use platterlab_drive::{NoChance, ReadAhead, Skew};

#[test]
fn sequential_reads_never_lose_a_turn() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 20));
    assert_eq!(parts_us(&bench.next(read(0, 2))), (2_500, [0, 0, 0, 0, 2_000, 500]));
    // Sector 2 is passing from 2 to 3 ms.
    let service = bench.next(read(2, 1));
    assert_eq!(parts_us(&service), (3_500, [0, 0, 0, 0, 500, 500]));
    assert_eq!(service.cache, InFlight);
    // Sectors 3 and 4 have passed at 5 ms.
    let service = bench.at(5_000, read(3, 2));
    assert_eq!(parts_us(&service), (6_000, [0, 0, 0, 0, 0, 1_000]));
    assert_eq!(service.cache, Hit);
    // Sector 5 has passed at 6 ms, 6 and 7 follow.
    let service = bench.next(read(5, 3));
    assert_eq!(parts_us(&service), (8_500, [0, 0, 0, 0, 2_000, 500]));
    assert_eq!(service.cache, InFlight);
}

#[test]
fn a_sector_is_a_hit_from_the_picosecond_it_has_passed() {
    let params = caching(ReadAhead::Aggressive, 20);
    for (issue, outcome) in [(at_us(3_000) - PS, InFlight), (at_us(3_000), Hit)] {
        let mut bench = Bench::new(&params);
        bench.next(read(0, 2));
        assert_eq!(bench.drive.serve(issue, read(2, 1), &mut NoChance).cache, outcome);
    }
}

#[test]
fn a_request_further_on_the_same_track_is_in_flight_too() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 20));
    bench.next(read(0, 2));
    let service = bench.next(read(6, 2));
    assert_eq!(parts_us(&service), (8_500, [0, 0, 0, 0, 5_500, 500]));
    assert_eq!(service.cache, InFlight);
}

#[test]
fn aggressive_read_ahead_crosses_tracks_and_cylinders_until_the_segment_is_full() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 24));
    bench.next(read(0, 1));
    // Sectors 1 to 24: tracks 0 to 2 until 10, 21 and 27 ms, as two switches come between.
    assert_eq!(bench.at(27_000, read(1, 24)).cache, Hit);
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 24));
    bench.next(read(0, 1));
    assert_eq!(bench.at(26_000, read(1, 24)).cache, InFlight);
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 24));
    bench.next(read(0, 1));
    assert_eq!(bench.at(50_000, read(25, 1)).cache, Miss);
}

#[test]
fn read_ahead_ends_with_the_last_sector_of_the_drive() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 24));
    bench.next(read(1_990, 1));
    assert_eq!(bench.at(300_000, read(1_991, 9)).cache, Hit);
    assert_eq!(bench.at(400_000, read(1_999, 1)).cache, Hit);
}

#[test]
fn a_hit_moves_the_limit_and_a_stream_at_rest_goes_on() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 4));
    bench.next(read(0, 2));
    // Sectors 2 to 5 are there from 6 ms on. A hit at 16 ms starts the stream again: sector 6
    // passes from 16 to 17 ms.
    assert_eq!(bench.at(16_000, read(2, 2)).cache, Hit);
    let service = bench.next(read(4, 3));
    assert_eq!((parts_us(&service).0, service.cache), (18_500, Hit));
}

#[test]
fn track_read_ahead_stops_at_the_end_of_the_track() {
    let params = caching(ReadAhead::Track, 30);
    let mut bench = Bench::new(&params);
    bench.next(read(3, 1));
    assert_eq!(bench.at(20_000, read(4, 6)).cache, Hit);
    let service = bench.at(30_000, read(10, 1));
    // The head is still on the first track: one switch, and sector 10 passes at 31 ms.
    assert_eq!(parts_us(&service), (32_500, [0, 0, 1_000, 0, 1_000, 500]));
    assert_eq!(service.cache, Miss);
}

#[test]
fn track_read_ahead_stops_when_the_segment_is_full() {
    let mut bench = Bench::new(&caching(ReadAhead::Track, 4));
    bench.next(read(0, 1));
    assert_eq!(bench.at(30_000, read(1, 4)).cache, Hit);
}

#[test]
fn without_read_ahead_the_next_sector_costs_a_turn() {
    let mut bench = Bench::new(&caching(ReadAhead::None, 20));
    assert_eq!(parts_us(&bench.next(read(0, 2))).0, 2_500);
    assert_eq!(parts_us(&bench.next(read(2, 1))), (13_500, [0, 0, 0, 9_500, 1_000, 500]));
}

#[test]
fn an_unrelated_request_breaks_read_ahead_off_at_once() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 100));
    bench.next(read(0, 2));
    let service = bench.at(4_200, read(60, 1));
    // Cylinder 3 is turned by six sectors.
    assert_eq!(parts_us(&service), (17_500, [0, 0, 3_000, 8_800, 1_000, 500]));
}

#[test]
fn a_switch_of_read_ahead_cannot_be_broken_off() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 100));
    bench.next(read(8, 2));
    // The switch lasts from 10 to 11 ms; the way back from 11 to 12 ms.
    let service = bench.at(10_500, read(5, 1));
    assert_eq!(parts_us(&service), (16_500, [0, 500, 1_000, 3_000, 1_000, 500]));
}

#[test]
fn the_wait_for_a_sector_after_a_switch_can_be_broken_off() {
    let mut params = caching(ReadAhead::Aggressive, 100);
    params.layout.zones[0].track_skew = Skew::Sectors(3);
    let mut bench = Bench::new(&params);
    bench.next(read(8, 2));
    // The head is on surface 1 from 11 ms on and waits for 13 ms.
    let service = bench.at(11_500, read(5, 1));
    assert_eq!(parts_us(&service), (16_500, [0, 0, 1_000, 2_500, 1_000, 500]));
}

#[test]
fn a_write_waits_for_a_switch_of_read_ahead() {
    let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 100));
    bench.next(read(8, 2));
    let service = bench.at(10_500, write(5, 1));
    assert_eq!(parts_us(&service), (16_000, [0, 500, 1_000, 3_000, 1_000, 0]));
}

#[test]
fn a_command_before_the_model_is_done_finds_the_model_done() {
    // A replay at measured times: the measured drive was done, so nothing is waited for.
    let cached = caching(ReadAhead::Aggressive, 100);
    let mut plain = cached.clone();
    plain.cache.segments = 0;
    let service = |params| {
        let mut bench = Bench::new(params);
        bench.next(read(8, 2));
        bench.drive.serve(at_us(6_500), read(60, 1), &mut NoChance)
    };
    assert_eq!(service(&cached), service(&plain));
    assert_eq!(service(&cached).wait, us(0));
}

#[test]
fn read_ahead_turns_with_the_platter() {
    // Sector 2 passes from 2 to 3 ms; the platter is turned on or back by 0.2 ms in between.
    for (backwards, transfer_us) in [(false, 300), (true, 700)] {
        let mut bench = Bench::new(&caching(ReadAhead::Aggressive, 20));
        bench.next(read(0, 2));
        bench.drive.turn(us(200), backwards);
        let service = bench.next(read(2, 1));
        let completion_us = 3_000 + transfer_us;
        assert_eq!(parts_us(&service), (completion_us, [0, 0, 0, 0, transfer_us, 500]));
        assert_eq!(service.cache, InFlight);
    }
}

#[test]
fn on_arrival_a_whole_track_takes_one_turn_from_any_sector_on() {
    for arrival_us in [0, 3_000, 3_500, 9_000, 9_999] {
        let mut params = caching(ReadAhead::OnArrival, 10);
        params.controller.overhead[0][0][0] = us(arrival_us);
        let service = once(&params, read(0, 10));
        // A sector the head arrives within has to come around again.
        let cut_off_us = (1_000 - arrival_us % 1_000) % 1_000;
        let mechanical = service.rotation + service.transfer;
        assert_eq!(mechanical, us(10_000 + cut_off_us), "arrival at {arrival_us} us");
    }
}

#[test]
fn on_arrival_sends_what_came_first_last() {
    let mut params = caching(ReadAhead::OnArrival, 10);
    params.controller.overhead[0][0][0] = us(3_500);
    // Sectors 4 to 9 pass first, 0 to 3 from 10 to 14 ms, and the bus sends the rest after them.
    let service = once(&params, read(0, 10));
    assert_eq!(parts_us(&service), (17_500, [3_500, 0, 0, 6_500, 4_000, 3_500]));
}

#[test]
fn on_arrival_keeps_what_passed_before_the_request() {
    let mut params = caching(ReadAhead::OnArrival, 10);
    params.controller.overhead[0][0][0] = us(2_000);
    let mut bench = Bench::new(&params);
    bench.next(read(5, 1));
    assert_eq!(bench.next(read(2, 3)).cache, Hit, "2 to 4 passed while 5 was awaited");
    let mut bench = Bench::new(&params);
    bench.next(read(5, 1));
    assert_eq!(bench.next(read(1, 3)).cache, Miss, "1 passed before the head arrived");
}

#[test]
fn on_arrival_over_two_tracks_knows_only_what_passed_on_the_second() {
    let mut bench = Bench::new(&caching(ReadAhead::OnArrival, 20));
    let service = bench.next(read(0, 12));
    assert_eq!(parts_us(&service).0, 13_500);
    // Sector 13 is passing until 14 ms; 19 comes only at 20 ms.
    let service = bench.next(read(19, 1));
    assert_eq!((parts_us(&service).0, service.cache), (21_500, InFlight));
}

#[test]
fn a_read_of_what_comes_on_a_later_track_waits_for_it_or_has_the_head_move() {
    let mut params = caching(ReadAhead::Aggressive, 40);
    params.cache.read_ahead_most_sectors = Some(29);
    // Sector 22 passes from 24 ms on if the head reads on, and from 4 ms on if it moves.
    for (waits, lba, outcome, done_us, before) in [
        (true, 22, InFlight, 25_500, Hit),
        (false, 22, Miss, 5_500, Miss),
        (true, 30, Miss, 14_500, Miss),
    ] {
        params.cache.hits_on_later_tracks = waits;
        let mut bench = Bench::new(&params);
        bench.next(read(0, 1));
        let service = bench.at(2_500, read(lba, 1));
        assert_eq!((service.cache, service.completion), (outcome, at_us(done_us)), "{waits} {lba}");
        assert_eq!(bench.at(150_000, read(15, 1)).cache, before, "{waits} {lba}");
    }
}
