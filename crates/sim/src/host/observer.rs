//! The view of a tracer on a computer at work: the way from a simulated run to a flow.
//!
//! It knows times and events and nothing of the flow that the computer runs: computation is the time
//! that processes had a CPU, an access is seen when it is tried and, where pages were missing, once
//! more when it is served.

use super::Host;
use super::transfers::Transfer;
use crate::source::Request;
use platterlab_units::{Lapse, Span, Stamp, Time};
use platterlab_workload::flow::{
    Event, FlowRecord, Item, Observed, Pause, PauseKind, ProcessId, Step,
};

/// What was seen so far.
#[derive(Debug, Default)]
pub(super) struct HostObserver {
    /// What each process has computed since its last step.
    computed: Vec<Lapse>,
    records: Vec<FlowRecord>,
}

impl HostObserver {
    /// A process had a CPU for so long.
    pub(super) fn compute(&mut self, process: ProcessId, span: Lapse) {
        let index = process as usize;
        if index >= self.computed.len() {
            self.computed.resize(index + 1, Lapse::ZERO);
        }
        self.computed[index] += span;
    }

    /// A process came to an event. One that it `tries_again` is seen when it is done, but for reads,
    /// which are seen when they begin as well.
    pub(super) fn step(&mut self, now: Stamp, process: ProcessId, event: Event, tries_again: bool) {
        if tries_again && !matches!(event, Event::Read { .. }) {
            return;
        }
        self.compute(process, Lapse::ZERO);
        // What is cut off counts for the next step.
        let computed = &mut self.computed[process as usize];
        let compute = whole_span(*computed);
        *computed -= compute.into();
        self.records.push(FlowRecord {
            at: whole(now),
            item: Item::Step(Step { process, compute, event }),
        });
    }

    /// A process waited for storage from `start` until now.
    pub(super) fn waited(&mut self, now: Stamp, process: ProcessId, start: Stamp) {
        let (now, start) = (whole(now), whole(start));
        let pause = Pause { process, start, span: now.since(start), kind: PauseKind::Storage };
        self.records.push(FlowRecord { at: now, item: Item::Pause(pause) });
    }

    /// A request came back. The tracer stands before the driver: from there a request is issued when
    /// it arrives.
    pub(super) fn request(&mut self, now: Stamp, transfer: Transfer, request: &Request) {
        let (now, issued) = (whole(now), whole(transfer.issued));
        let item = Item::Observed(Observed {
            arrival: issued,
            issue: issued,
            completion: now,
            lba: request.lba,
            sectors: request.sectors,
            operation: request.operation,
            cause: transfer.cause,
            criticality: request.criticality,
            process: None,
            limit: None,
            waited: Span::ZERO,
        });
        self.records.push(FlowRecord { at: now, item });
    }
}

/// The instant on a tracer's clock, in whole nanoseconds.
fn whole(at: Stamp) -> Time {
    Time::ZERO + whole_span(at.since(Stamp::ZERO))
}

/// The same for a length of time.
fn whole_span(lapse: Lapse) -> Span {
    let span = lapse.span().expect("a flow lasts less than 213 days, and so does its run");
    Span::from_ns(span.as_ps() / 1_000)
}

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// The same computer with a tracer that sees what it does, and holds it.
    #[must_use]
    pub fn observed(mut self) -> Self {
        self.observer = Some(Box::default());
        self.script.keep_facts();
        self
    }

    /// The flow of what the tracer saw, which is given away: processes, places and resident pages,
    /// then everything in the order of its time.
    pub fn take_observed(&mut self) -> Vec<FlowRecord> {
        let facts = self.script.take_facts().into_iter();
        let mut all: Vec<FlowRecord> =
            facts.map(|item| FlowRecord { at: Time::ZERO, item }).collect();
        if let Some(observer) = self.observer.take() {
            all.extend(observer.records);
        }
        all
    }
}
