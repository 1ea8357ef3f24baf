//! The open source: requests arrive at their recorded times.

use super::{Over, Request, Source};
use platterlab_units::{Partial, Stamp};
use platterlab_workload::Record;

/// An open source: requests arrive when they are recorded to, whatever the system makes of them.
#[derive(Debug)]
pub struct Open<I, E> {
    records: I,
    /// The next record and its time, if it has been read.
    ahead: Option<(Stamp, Result<Record, E>)>,
    /// Interarrival times are multiplied by this, in parts of 2^20.
    stretch: u64,
}

impl<I: Iterator<Item = Result<Record, E>>, E> Open<I, E> {
    /// Records at their arrivals, all times multiplied by `time_scale`.
    pub fn new(records: I, time_scale: f64) -> Self {
        let stretch = (time_scale * f64::from(1_u32 << 20)).round() as u64;
        Self { records, ahead: None, stretch }
    }

    fn time(&self, arrival: Stamp) -> Stamp {
        if self.stretch == 1 << 20 {
            return arrival;
        }
        // In two parts, so that no arrival is too late for it.
        let (whole, rest) = (arrival.as_ps() >> 20, arrival.as_ps() & ((1 << 20) - 1));
        let stretch = u128::from(self.stretch);
        Stamp::from_ps(whole * stretch + ((rest * stretch) >> 20))
    }
}

/// The request a record asks for.
pub(super) fn request(record: &Record) -> Request {
    Request {
        volume: record.device,
        lba: record.lba,
        sectors: record.sectors,
        partial: Partial::WHOLE,
        operation: record.operation,
        criticality: record.criticality,
        stream: 0,
        order: None,
        tag: 0,
    }
}

impl<I: Iterator<Item = Result<Record, E>>, E> Source for Open<I, E> {
    type Error = E;

    fn next(&mut self) -> Option<Stamp> {
        if self.ahead.is_none() {
            let record = self.records.next()?;
            // At once: nothing that comes after a wrong record can be relied on.
            let time = record.as_ref().map_or(Stamp::ZERO, |record| self.time(record.arrival));
            self.ahead = Some((time, record));
        }
        self.ahead.as_ref().map(|(time, _)| *time)
    }

    fn act(&mut self, _: Stamp, out: &mut Vec<Request>) -> Result<(), E> {
        if let Some((_, record)) = self.ahead.take() {
            out.push(request(&record?));
        }
        Ok(())
    }

    fn over(&mut self, _: Stamp, _: &Over, _: &mut Vec<Request>) -> Result<(), E> {
        Ok(())
    }
}
