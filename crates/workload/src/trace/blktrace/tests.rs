//! The blktrace reader, event by event.

use super::super::testing;
use super::*;
use platterlab_units::Stamp;

const Q: u32 = 1;
const BACK_MERGE: u32 = 2;
const FRONT_MERGE: u32 = 3;
const REQUEUE: u32 = 6;
const D: u32 = 7;
const C: u32 = 8;
const SPLIT: u32 = 13;
const READ: u32 = 1;
const FIRST_NS: u64 = 1_000_000_000;

/// One event at `us` after the first, on device 8; `action` is its letter, `category` its bits.
fn event(action: u32, category: u32, us: u64, sector: u64, sectors: u32) -> Vec<u8> {
    encode(action, category, FIRST_NS + us * 1_000, sector, sectors * 512, &[], false)
}

fn encode(
    action: u32,
    category: u32,
    time: u64,
    sector: u64,
    bytes: u32,
    payload: &[u8],
    big: bool,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |value: u64, length: usize| {
        let bytes = value.to_be_bytes();
        let field = bytes[8 - length..].iter();
        if big { out.extend(field) } else { out.extend(field.rev()) }
    };
    let action = u64::from(category << 16 | action);
    for (value, length) in [
        (0x6561_7407, 4),
        (1, 4),
        (time, 8),
        (sector, 8),
        (u64::from(bytes), 4),
        (action, 4),
        (42, 4),
        (8, 4),
        (0, 4),
        (0, 2),
        (payload.len() as u64, 2),
    ] {
        put(value, length);
    }
    out.extend(payload);
    out
}

fn reader(events: &[Vec<u8>]) -> Assembled<Events> {
    let source = testing::source(events.concat());
    let facts = source.facts(Format::Blktrace, SECTOR_BYTES_DEFAULT);
    Assembled::new(facts, Events::new(source).unwrap())
}

/// Arrival, queued, service, think in microseconds, then first sector and length.
type ExpectedRow = (f64, Option<f64>, Option<f64>, Option<f64>, u64, u32);

fn rows(reader: &mut Assembled<Events>) -> Vec<ExpectedRow> {
    let us = |span: Span| span.as_ps() as f64 / 1e6;
    let row = |r: Record| {
        let arrival = r.arrival.as_ps() as f64 / 1e6;
        let times = (r.queued.map(us), r.service.map(us), r.think.map(us));
        (arrival, times.0, times.1, times.2, r.lba, r.sectors)
    };
    reader.map(Result::unwrap).map(row).collect()
}

fn notes(reader: &Assembled<Events>) -> Vec<(Note, u64)> {
    reader.notes().iter().filter(|(note, _)| *note != Note::Events).collect()
}

#[test]
fn a_request_is_queued_issued_and_completed() {
    for big in [false, true] {
        let event = |action, us: u64| {
            encode(action, READ | category::AHEAD, FIRST_NS + us * 1_000, 64, 4_096, b"pdu", big)
        };
        let mut reader =
            reader(&[event(Q, 0), event(4, 1), event(12, 2), event(D, 5), event(C, 45)]);
        let record = reader.next().unwrap().unwrap();
        let expected = Record {
            arrival: Stamp::ZERO,
            queued: Some(Span::from_us(5)),
            service: Some(Span::from_us(40)),
            think: None,
            lba: 64,
            sectors: 8,
            device: 8,
            operation: Operation::Read,
            criticality: Criticality::Limited,
        };
        assert_eq!(record, expected);
        assert!(reader.next().is_none());
        assert_eq!(reader.notes().count(Note::Events), 5);
    }
}

#[test]
fn records_come_in_order_of_arrival_whatever_completes_first() {
    let mut reader = reader(&[
        event(Q, READ, 0, 100, 8),
        event(Q, READ, 1, 200, 8),
        event(D, READ, 2, 100, 8),
        event(D, READ, 3, 200, 8),
        event(C, READ, 4, 200, 8),
        event(C, READ, 9, 100, 8),
        event(Q, READ, 10, 300, 8),
        event(D, READ, 11, 300, 8),
        event(C, READ, 12, 300, 8),
    ]);
    let expected = [
        (0.0, Some(2.0), Some(7.0), None, 100, 8),
        (1.0, Some(2.0), Some(1.0), None, 200, 8),
        (10.0, Some(1.0), Some(1.0), Some(2.0), 300, 8),
    ];
    assert_eq!(rows(&mut reader), expected);
}

#[test]
fn merged_requests_are_one() {
    let mut reader = reader(&[
        event(Q, READ, 0, 100, 8),
        event(Q, READ, 1, 108, 8),
        event(BACK_MERGE, READ, 2, 108, 8),
        event(Q, READ, 3, 92, 8),
        event(FRONT_MERGE, READ, 4, 92, 8),
        event(D, READ, 5, 92, 24),
        event(C, READ, 9, 92, 24),
    ]);
    assert_eq!(rows(&mut reader), [(0.0, Some(5.0), Some(4.0), None, 92, 24)]);
    assert_eq!(notes(&reader), [(Note::Merged, 2)]);
}

#[test]
fn a_split_request_is_two_of_one_arrival() {
    let split = |payload: &[u8]| encode(SPLIT, READ, FIRST_NS, 100, 4_096, payload, false);
    for again in [None, Some(event(Q, READ, 1, 108, 8))] {
        let mut events = vec![event(Q, READ, 0, 100, 16), split(&108u64.to_be_bytes())];
        events.extend(again);
        events.extend([
            event(D, READ, 2, 100, 8),
            event(D, READ, 3, 108, 8),
            event(C, READ, 4, 100, 8),
            event(C, READ, 6, 108, 8),
        ]);
        let mut reader = reader(&events);
        let expected =
            [(0.0, Some(2.0), Some(2.0), None, 100, 8), (0.0, Some(3.0), Some(3.0), None, 108, 8)];
        assert_eq!(rows(&mut reader), expected);
    }
    let mut reader = reader(&[event(Q, READ, 0, 100, 16), split(&99u64.to_be_bytes())]);
    assert_eq!(
        reader.next().unwrap().unwrap_err().to_string(),
        "t, byte 48: a request of 8192 bytes from sector 100 is split at sector 99, outside it"
    );
}

#[test]
fn parts_and_requeues_belong_to_their_request() {
    let mut reader = reader(&[
        event(Q, READ, 0, 100, 16),
        event(D, READ, 1, 100, 16),
        event(REQUEUE, READ, 2, 100, 16),
        event(D, READ, 5, 100, 16),
        event(C, READ, 6, 100, 8),
        event(C, READ, 9, 108, 8),
    ]);
    assert_eq!(rows(&mut reader), [(0.0, Some(5.0), Some(4.0), None, 100, 16)]);
    assert_eq!(notes(&reader), [(Note::Requeued, 1)]);
}

#[test]
fn what_moves_no_data_is_counted() {
    let mut reader = reader(&[
        event(Q, category::WRITE | category::DISCARD, 0, 100, 16),
        event(D, category::WRITE | category::DISCARD, 0, 100, 16),
        event(C, category::WRITE | category::DISCARD, 1, 100, 16),
        event(D, READ | category::FLUSH, 2, 0, 0),
        event(C, READ | category::FLUSH, 3, 0, 0),
        event(D, READ | category::PASSTHROUGH, 4, 0, 1),
        event(D, READ, 4, 0, 0),
        event(C, READ, 5, 777, 8),
        event(7, category::NOTIFY, 0, 1, 1),
    ]);
    assert_eq!(rows(&mut reader), []);
    let expected = [
        (Note::Flushes, 1),
        (Note::Discards, 1),
        (Note::Passthrough, 1),
        (Note::WithoutData, 1),
        (Note::StartNotSeen, 1),
    ];
    assert_eq!(notes(&reader), expected);
}

#[test]
fn incomplete_requests_are_records_without_times() {
    let mut reader = reader(&[
        event(Q, READ, 0, 100, 8),
        event(D, READ, 1, 200, 8),
        event(Q, READ, 2, 300, 8),
        event(C, READ, 3, 300, 8),
        event(D, READ, 4, 400, 8),
        event(C, READ, 6, 400, 8),
    ]);
    let expected = [
        (0.0, None, None, None, 100, 8),
        (1.0, None, None, None, 200, 8),
        (2.0, None, None, None, 300, 8),
        (4.0, None, Some(2.0), None, 400, 8),
    ];
    assert_eq!(rows(&mut reader), expected);
    let expected = [(Note::NeverIssued, 1), (Note::NeverCompleted, 1), (Note::NotIssued, 1)];
    assert_eq!(notes(&reader), expected);
}

#[test]
fn lost_completions_do_not_fill_the_memory() {
    let lost = event(Q, READ, 0, 1, 8);
    let many = (1..=window::MOST_HELD as u64 + 10).map(|us| event(Q, READ, us, us * 8, 8));
    let mut reader = reader(&std::iter::once(lost).chain(many).collect::<Vec<_>>());
    assert_eq!(reader.next().unwrap().unwrap().lba, 1);
    assert_eq!(reader.notes().count(Note::Events), window::MOST_HELD as u64 + 1);
}

#[test]
fn every_bad_event_says_what_and_where() {
    let good = event(Q, READ, 5_000, 8, 8);
    let mut version = event(Q, READ, 6_000, 8, 8);
    version[0] = 8;
    let mut magic = event(Q, READ, 6_000, 8, 8);
    magic[3] = 0;
    for (bad, message) in [
        (version, "an event of version 8; this reads version 7"),
        (magic, "0x00617407 where an event begins with 0x65617407"),
        (
            event(Q, READ, 3_500, 8, 8),
            "time runs backwards: this event is 1.5 ms before the one above it; were files \
             of several CPUs put into one? Keep them apart as NAME.blktrace.0, NAME.blktrace.1, ..., \
             and name one of them",
        ),
        (vec![7, 0x74, 0x61], "the file ends within an event: 3 of 48 bytes are there"),
        (
            encode(Q, READ, FIRST_NS + 6_000_000, 8, 100, &[], false),
            "a length of 100 bytes is not a multiple of 512",
        ),
        (
            event(Q, READ, 6_000, u64::MAX, 8),
            "8 sectors from 18446744073709551615 reach beyond the last sector 9223372036854775807",
        ),
    ] {
        let error = reader(&[good.clone(), bad]).find_map(Result::err).unwrap();
        assert_eq!(error.to_string(), format!("t, byte 48: {message}"));
    }
    let mut cut = encode(Q, READ, FIRST_NS, 8, 512, b"payload", false);
    cut.truncate(50);
    let error = reader(&[cut]).find_map(Result::err).unwrap().to_string();
    assert_eq!(
        error,
        "t, byte 48: the file ends within an event's payload: 2 of 7 bytes are there"
    );
    let slight = [event(Q, READ, 900, 8, 8), event(Q, READ, 0, 16, 8)];
    let mut reader = reader(&slight);
    assert_eq!(rows(&mut reader).len(), 2);
    assert_eq!(reader.notes().count(Note::ClockDisorder), 1);
}
