//! A flow's observed requests in the order of their arrivals.

use std::collections::BTreeMap;

use platterlab_units::{Span, Time};

use super::record::Item;
use super::{FlowReader, Observed};
use crate::trace::TraceError;

/// The requests of the traced system in the order in which they came, flushes left out as they have
/// no address.
///
/// A flow has them in the order of their ends. What is held are those that came within the longest
/// time that one was under way, however long the flow is.
pub struct Arrivals {
    reader: FlowReader,
    delay: Span,
    /// By arrival and then by place in the file.
    held: BTreeMap<(Time, u64), Observed>,
    read: u64,
    /// How far the flow has been read; `None` at its end.
    at: Option<Time>,
    failed: bool,
}

impl Arrivals {
    /// Those of a flow in which a request is recorded `delay` after its arrival at the latest, as
    /// [`super::FlowInfo::delay`] defines it.
    #[must_use]
    pub fn new(reader: FlowReader, delay: Span) -> Self {
        let (held, at) = (BTreeMap::new(), Some(Time::ZERO));
        Self { reader, delay, held, read: 0, at, failed: false }
    }

    /// Reads one record.
    fn read(&mut self) -> Result<(), TraceError> {
        let Some(record) = self.reader.next().transpose()? else {
            self.at = None;
            return Ok(());
        };
        self.at = Some(record.at);
        if let Item::Observed(request) = record.item
            && request.sectors > 0
        {
            if request.arrival + self.delay < record.at {
                return Err(self
                    .reader
                    .wrong("a request that came too early: the file has changed"));
            }
            self.held.insert((request.arrival, self.read), request);
            self.read += 1;
        }
        Ok(())
    }

    /// Whether nothing that is still to be read can come before the first of those held.
    fn is_settled(&self) -> bool {
        let Some(at) = self.at else { return true };
        self.held.first_key_value().is_some_and(|((arrival, _), _)| *arrival + self.delay <= at)
    }
}

impl Iterator for Arrivals {
    type Item = Result<Observed, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed && !self.is_settled() {
            if let Err(error) = self.read() {
                self.failed = true;
                return Some(Err(error));
            }
        }
        if self.failed { None } else { self.held.pop_first().map(|(_, request)| Ok(request)) }
    }
}
