//! The binary events of Linux's block layer, as `blktrace` and ftrace's `blk` tracer write them.
//!
//! Events are put together to one record per request that the device saw: it arrives with its
//! first Q, waits until its last D, and is served until its C. Requests merged into another are
//! part of it; a request cut in two becomes two with one arrival. Flushes, discards and SCSI
//! passthrough move no data and are counted in the notes.
//!
//! `blktrace` writes one file per CPU, and a request may be issued on one and complete on another:
//! such a set is read as one trace, whichever of its files is named.

mod assemble;
mod event;
mod set;
mod window;

#[cfg(test)]
mod tests;

use platterlab_units::{Operation, SECTOR_BYTES_DEFAULT, Span};

use self::assemble::Assembly;
pub(super) use self::event::{Action, BlktraceEvent, EventStream, category};
pub(super) use self::set::{open_set, set_of};

use self::event::Events;
use self::window::Request;
use super::checks::{ArrivalChecks, Completions, extent};
use super::{Declared, Format, Note, Notes, Position, TraceError, TraceFacts, TraceReader};
use crate::{Criticality, Record};

/// Picoseconds in a nanosecond.
const PS_PER_NS: u128 = 1_000;

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "blktrace",
    title: "Linux's block layer: the binary events of `blktrace`, or its files per CPU",
    columns: &[
        ["time", "ns", "when it happened"],
        ["sector", "sectors of 512 bytes", "where it starts"],
        ["bytes", "bytes", "how long it is"],
        ["action", "", "Q came, D issued, C done; M, F merged; R handed back; X cut in two"],
        ["category", "", "read or write, flush, discard, sync, read-ahead"],
        ["device", "", "major and minor number"],
    ],
    silent: "Flushes, discards and SCSI passthrough are left out and counted. A set whose files are \
             not all there is short of events: requests without D or C have no times.",
    sniff: event::sniff,
    open: |source, _| {
        let facts = source.facts(Format::Blktrace, SECTOR_BYTES_DEFAULT);
        Ok(Box::new(Assembled::new(facts, Events::new(source)?)))
    },
};

/// A reader that makes requests of block-layer events.
///
/// Memory is bounded by the requests in flight, and at the latest by 65,536 of them.
pub(super) struct Assembled<E> {
    events: E,
    facts: TraceFacts,
    assembly: Assembly,
    arrivals: ArrivalChecks,
    completions: Completions,
    notes: Notes,
    failed: bool,
    ended: bool,
}

impl<E: EventStream> Assembled<E> {
    /// Reads `events` from their beginning.
    pub(super) fn new(facts: TraceFacts, events: E) -> Self {
        Self {
            assembly: Assembly::new(events.order_advice()),
            events,
            facts,
            arrivals: ArrivalChecks::default(),
            completions: Completions::default(),
            notes: Notes::default(),
            failed: false,
            ended: false,
        }
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        loop {
            if let Some((arrival, request)) = self.assembly.pop(self.ended) {
                let record = self.finish(arrival, &request);
                return record.map(Some).map_err(|what| self.events.error(request.at, what));
            }
            if self.ended {
                return Ok(None);
            }
            match self.events.next(&mut self.notes)? {
                None => self.ended = true,
                Some((at, event)) => {
                    self.notes.add(Note::Events);
                    self.assembly
                        .take(at, event, &mut self.notes)
                        .map_err(|what| self.events.error(at, what))?;
                }
            }
        }
    }

    fn finish(&mut self, arrival: u64, request: &Request) -> Result<Record, String> {
        let Request { queued, issued, completed, lba, bytes, category, device, .. } = *request;
        if bytes % SECTOR_BYTES_DEFAULT != 0 {
            return Err(format!("a length of {bytes} bytes is not a multiple of 512"));
        }
        let (lba, sectors) = extent(lba, u64::from(bytes / SECTOR_BYTES_DEFAULT))?;
        let ps = |ns: u64| u128::from(ns) * PS_PER_NS;
        let service = match (issued, completed) {
            (Some(issued), Some(completed)) => Some(between(issued, completed)?),
            (Some(_), None) => self.note(Note::NeverCompleted),
            (None, Some(_)) => self.note(Note::NotIssued),
            (None, None) => self.note(Note::NeverIssued),
        };
        let think = match (issued, completed) {
            (Some(issued), Some(completed)) => {
                self.completions.think(device, ps(issued), ps(completed))?
            }
            _ => None,
        };
        let queued = queued.zip(issued).map(|(from, to)| between(from, to)).transpose()?;
        let write = category & category::WRITE != 0;
        Ok(Record {
            arrival: self.arrivals.place(ps(arrival))?,
            queued,
            service,
            think,
            lba,
            sectors,
            device,
            operation: if write { Operation::Write } else { Operation::Read },
            criticality: criticality(category),
        })
    }

    fn note(&mut self, note: Note) -> Option<Span> {
        self.notes.add(note);
        None
    }
}

/// `to - from` nanoseconds; events never go back in time here, so only the length can be wrong.
fn between(from: u64, to: u64) -> Result<Span, String> {
    let ps = to.saturating_sub(from).checked_mul(PS_PER_NS as u64);
    ps.map(Span::from_ps).ok_or_else(|| "a request that lasts longer than 213 days".into())
}

/// Linux holds that somebody waits for every read but a read-ahead, and for writes marked so.
fn criticality(category: u32) -> Criticality {
    let has = |bit: u32| category & bit != 0;
    match (has(category::WRITE), has(category::AHEAD), has(category::SYNC)) {
        (false, true, _) => Criticality::Limited,
        (false, false, _) | (true, _, true) => Criticality::Critical,
        (true, _, false) => Criticality::Noncritical,
    }
}

impl<E: EventStream> Iterator for Assembled<E> {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = self.record();
        self.failed = record.is_err();
        record.transpose()
    }
}

impl<E: EventStream> TraceReader for Assembled<E> {
    fn facts(&self) -> &TraceFacts {
        &self.facts
    }

    fn bytes_read(&self) -> u64 {
        self.events.bytes_read()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.events.bytes_total()
    }

    fn place(&self) -> Position {
        self.events.place()
    }

    fn notes(&self) -> Notes {
        self.notes.clone()
    }
}
