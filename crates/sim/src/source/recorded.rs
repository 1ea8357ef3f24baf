//! A source that keeps what it asked for, as a trace.

use super::{Request, Tap, Tapped};
use platterlab_units::Stamp;
use platterlab_workload::Record;

/// A source whose requests are kept, as in a trace of them.
pub type Recorded<S> = Tapped<S, Recorder>;

/// What a [`Recorded`] source asked for.
#[derive(Debug, Default)]
pub struct Recorder {
    records: Vec<Record>,
}

impl<S> Recorded<S> {
    /// Keeps what `source` asks for.
    pub fn new(source: S) -> Self {
        Self { source, tap: Recorder::default() }
    }

    /// The requests so far, in the order of their arrivals, which are given away.
    pub fn take_records(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.tap.records)
    }
}

impl Tap for Recorder {
    fn pass(&mut self, now: Stamp, out: &mut Vec<Request>, kept: usize) {
        self.records.extend(out[kept..].iter().map(|request| Record {
            arrival: now,
            queued: None,
            service: None,
            think: None,
            lba: request.lba,
            sectors: request.sectors,
            device: request.volume,
            operation: request.operation,
            criticality: request.criticality,
        }));
    }
}
