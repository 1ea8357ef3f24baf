//! Puts requests into the order in which the drive got them.
//!
//! A driver that schedules gives requests to the drive in another order than they came. No request
//! is issued before it arrives, so one can be passed on as soon as a later arrival is seen: memory
//! is bounded by what waits in the driver.

use platterlab_units::{Span, Stamp};
use platterlab_workload::Record;
use platterlab_workload::trace::TraceError;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The requests of `source` by issue time; as they come if `enabled` is false.
#[derive(Debug)]
pub(crate) struct ByIssue<S> {
    source: S,
    enabled: bool,
    waiting: BinaryHeap<Reverse<Unissued>>,
    /// No record to come is issued before this.
    latest_arrival: Stamp,
    seen: u64,
    ended: bool,
}

/// A request in the driver, ordered by issue and then by position in the trace.
#[derive(Debug)]
struct Unissued {
    issue: Stamp,
    position: u64,
    record: Record,
}

impl<S> ByIssue<S> {
    pub(crate) fn new(source: S, enabled: bool) -> Self {
        Self {
            source,
            enabled,
            waiting: BinaryHeap::new(),
            latest_arrival: Stamp::ZERO,
            seen: 0,
            ended: false,
        }
    }

    pub(crate) fn source(&self) -> &S {
        &self.source
    }
}

impl<S: Iterator<Item = Result<Record, TraceError>>> Iterator for ByIssue<S> {
    type Item = S::Item;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.enabled { self.first_issued() } else { self.source.next() }
    }
}

impl<S: Iterator<Item = Result<Record, TraceError>>> ByIssue<S> {
    fn first_issued(&mut self) -> Option<Result<Record, TraceError>> {
        loop {
            let settled = |Reverse(first): &Reverse<Unissued>| first.issue <= self.latest_arrival;
            if self.ended || self.waiting.peek().is_some_and(settled) {
                return self.waiting.pop().map(|Reverse(first)| Ok(first.record));
            }
            match self.source.next() {
                Some(Ok(record)) => {
                    self.latest_arrival = self.latest_arrival.max(record.arrival);
                    let issue = record.arrival + record.queued.unwrap_or(Span::ZERO);
                    self.waiting.push(Reverse(Unissued { issue, position: self.seen, record }));
                    self.seen += 1;
                }
                Some(Err(error)) => return Some(Err(error)),
                None => self.ended = true,
            }
        }
    }
}

impl PartialEq for Unissued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Unissued {}

impl PartialOrd for Unissued {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Unissued {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.issue, self.position).cmp(&(other.issue, other.position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::Operation;
    use platterlab_workload::Criticality;

    fn record(lba: u64, arrival_us: u64, queued_us: u64) -> Record {
        Record {
            arrival: Stamp::from_us(arrival_us),
            queued: Some(Span::from_us(queued_us)),
            service: None,
            think: None,
            lba,
            sectors: 1,
            device: 0,
            operation: Operation::Read,
            criticality: Criticality::Unknown,
        }
    }

    #[test]
    fn requests_come_out_by_issue_and_ties_in_trace_order() {
        let trace = [
            record(0, 0, 50),
            record(1, 10, 5),
            record(2, 20, 30),
            record(3, 100, 0),
            record(4, 100, 0),
        ];
        let order = |enabled| -> Vec<u64> {
            let source = trace.iter().map(|record| Ok(*record));
            ByIssue::new(source, enabled).map(|record| record.unwrap().lba).collect()
        };
        assert_eq!(order(true), [1, 0, 2, 3, 4]);
        assert_eq!(order(false), [0, 1, 2, 3, 4]);
    }
}
