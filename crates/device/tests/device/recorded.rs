//! A measured run played back: as it was answered, and nothing else.

use crate::common::recorded::{Recorded, RecordedRequest};
use platterlab_device::{BlockDevice, DeviceInfo, WriteConsent};
use platterlab_units::{Operation, Span, Time};

fn info() -> DeviceInfo {
    DeviceInfo {
        name: "tape".to_owned(),
        capacity_sectors: 100,
        logical_sector_bytes: 512,
        physical_sector_bytes: 512,
        facts: Vec::new(),
    }
}

fn read(lba: u64, submitted_us: u64, completed_us: u64) -> RecordedRequest {
    RecordedRequest {
        operation: Operation::Read,
        lba,
        sectors: 1,
        submitted: Time::ZERO + Span::from_us(submitted_us),
        completed: Time::ZERO + Span::from_us(completed_us),
    }
}

#[test]
fn a_recording_answers_as_it_was_answered() {
    let requests = vec![read(5, 10, 20), read(7, 25, 40)];
    let mut tape = Recorded::new(info(), Span::from_us(2), requests).unwrap();
    assert_eq!(tape.read(5, 1).unwrap().elapsed(), Span::from_us(10));
    tape.idle(Span::MAX);
    assert_eq!(tape.now(), Time::ZERO + Span::from_us(25));
    assert_eq!(tape.read(7, 1).unwrap().elapsed(), Span::from_us(15));
    let error = tape.read(7, 1).unwrap_err().to_string();
    assert!(error.contains("ends after 2 requests"), "{error}");
}

#[test]
fn another_request_is_told_from_the_recorded_one() {
    let mut tape = Recorded::new(info(), Span::ZERO, vec![read(5, 0, 1)]).unwrap();
    let consent = WriteConsent::for_simulation();
    let error = tape.write(&consent, 5, 1).unwrap_err().to_string();
    assert!(error.contains("request 0 is a write of sector 5 (+1)"), "{error}");
    assert!(error.contains("the recording has a read of sector 5 (+1)"), "{error}");
    assert_eq!(tape.remaining(), 1, "it can still be asked rightly");
}

#[test]
fn a_recording_that_cannot_be_is_refused() {
    for bad in [vec![read(100, 0, 1)], vec![read(1, 2, 1)], vec![read(1, 0, 5), read(2, 4, 6)]] {
        assert!(Recorded::new(info(), Span::ZERO, bad.clone()).is_err(), "{bad:?}");
    }
}
