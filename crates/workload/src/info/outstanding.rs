//! The number of requests that an arriving one finds outstanding.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;

use crate::Record;

/// The most requests followed at once; a trace beyond it has no such figure.
const MOST_FOLLOWED: usize = 1 << 16;

/// How many requests an arriving one finds in the driver or at the drive, itself not counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct OutstandingInfo {
    /// Mean over all arrivals.
    pub mean: f64,
    /// The most found.
    pub max: u64,
}

/// The completions that still lie ahead of the latest arrival, in picoseconds of the trace.
#[derive(Debug, Default)]
pub(super) struct Outstanding {
    ahead: BinaryHeap<Reverse<u128>>,
    arrivals: u64,
    found: u64,
    max: u64,
    known: bool,
    too_many: bool,
}

impl Outstanding {
    pub(super) fn add(&mut self, record: &Record) {
        let now = record.arrival.as_ps();
        while self.ahead.peek().is_some_and(|Reverse(completion)| *completion <= now) {
            self.ahead.pop();
        }
        let found = self.ahead.len() as u64;
        self.arrivals += 1;
        self.found += found;
        self.max = self.max.max(found);
        let (Some(queued), Some(service)) = (record.queued, record.service) else {
            return;
        };
        self.known = true;
        if self.ahead.len() == MOST_FOLLOWED {
            self.too_many = true;
            self.ahead.clear();
        }
        self.ahead.push(Reverse((record.arrival + queued + service).as_ps()));
    }

    pub(super) fn finish(self) -> Option<OutstandingInfo> {
        let told = self.known && !self.too_many;
        told.then(|| OutstandingInfo {
            mean: self.found as f64 / self.arrivals as f64,
            max: self.max,
        })
    }
}
