//! The contents of a flow in figures: one pass, constant memory.

use std::collections::BTreeMap;

use platterlab_units::{Operation, Span, Time};
use serde::Serialize;

use super::header::{FlowHeader, FlowSummary};
use super::observed::{Observed, Pause};
use super::record::{Item, Step};
use super::{Event, FlowReader};
use crate::Criticality;
use crate::trace::TraceError;

/// Bins of a timeline; when time outgrows them, two become one.
const BINS: usize = 400;
const FIRST_BIN_PS: u64 = 1_000_000_000;

/// What a flow holds, in one pass and constant memory.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct FlowInfo {
    /// The system it belongs to.
    pub header: FlowHeader,
    /// Its totals.
    pub summary: FlowSummary,
    /// Processes.
    pub processes: u64,
    /// Files whose pages have a place.
    pub extents: u64,
    /// Pages in memory at the start.
    pub resident_pages: u64,
    /// Steps by event.
    pub steps: BTreeMap<&'static str, u64>,
    /// Computation time of all steps.
    pub compute_ms: f64,
    /// The requests of the traced system, by cause.
    pub by_cause: BTreeMap<&'static str, ClassInfo>,
    /// The same by criticality.
    pub by_class: BTreeMap<&'static str, ClassInfo>,
    /// All of them.
    pub requests: ClassInfo,
    /// How many requests were outstanding in the mean, from the first arrival to the last end.
    pub mean_outstanding: f64,
    /// Waits of processes, by kind.
    pub pauses: BTreeMap<&'static str, PauseInfo>,
    /// What happened when.
    pub timeline: Timeline,
    /// How long after its arrival a request is recorded at the latest.
    #[serde(skip)]
    pub delay: Span,
}

/// Requests of one class.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct ClassInfo {
    /// How many.
    pub requests: u64,
    /// Of these reads.
    pub reads: u64,
    /// Their length.
    pub sectors: u64,
    /// Arrival to completion, in the mean.
    pub response_mean_ms: f64,
    /// The longest.
    pub response_max_ms: f64,
    /// Issue to completion, in the mean.
    pub access_mean_ms: f64,
    /// The device's own time in the mean, if it serves one request after the other: from issue, or
    /// from the end before it where that is later.
    pub service_mean_ms: f64,
    /// Requests that a process needed at a known instant.
    pub with_limit: u64,
    /// From arrival to that instant, in the mean.
    pub limit_mean_ms: f64,
    /// Share of these that had ended by then.
    pub limit_met_share: f64,
    /// Requests that processes waited for.
    pub waited_for: u64,
    /// How long processes waited for them.
    pub waited_ms: f64,
}

impl ClassInfo {
    fn add(&mut self, request: &Observed, before: Time) {
        let response = request.completion.since(request.arrival);
        self.requests += 1;
        self.reads += u64::from(request.operation == Operation::Read);
        self.sectors += u64::from(request.sectors);
        self.response_mean_ms += response.as_ms();
        self.response_max_ms = self.response_max_ms.max(response.as_ms());
        self.access_mean_ms += request.completion.since(request.issue).as_ms();
        let begin = request.issue.max(before);
        self.service_mean_ms += request.completion.since(begin).as_ms();
        if let Some(limit) = request.limit {
            self.with_limit += 1;
            self.limit_mean_ms += limit.as_ms();
            self.limit_met_share += f64::from(u8::from(response <= limit));
        }
        self.waited_for += u64::from(request.waited > Span::ZERO);
        self.waited_ms += request.waited.as_ms();
    }

    /// Sums become means.
    fn settle(&mut self) {
        let (all, limited) = (self.requests.max(1) as f64, self.with_limit.max(1) as f64);
        self.response_mean_ms /= all;
        self.access_mean_ms /= all;
        self.service_mean_ms /= all;
        self.limit_mean_ms /= limited;
        self.limit_met_share /= limited;
    }
}

/// Waits of one kind.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct PauseInfo {
    /// How many.
    pub count: u64,
    /// Altogether.
    pub total_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

/// Sums over equal stretches of time.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Timeline {
    /// The length of a stretch.
    pub bin_ms: f64,
    /// Name to one sum per stretch, in ms: computation, waits by kind, outstanding by class.
    pub series: BTreeMap<&'static str, Vec<f64>>,
    #[serde(skip)]
    bin_ps: u64,
}

impl Timeline {
    fn add(&mut self, name: &'static str, from: Time, to: Time) {
        while to.as_ps() / self.bin_ps >= BINS as u64 {
            self.bin_ps *= 2;
            for bins in self.series.values_mut() {
                *bins = bins.chunks(2).map(|pair| pair.iter().sum()).collect();
            }
        }
        let bins = self.series.entry(name).or_default();
        let (first, last) = (from.as_ps() / self.bin_ps, to.as_ps() / self.bin_ps);
        bins.resize(bins.len().max(last as usize + 1), 0.0);
        for bin in first..=last {
            let begin = Time::from_ps(bin * self.bin_ps).max(from);
            let end = Time::from_ps((bin + 1).saturating_mul(self.bin_ps)).min(to);
            bins[bin as usize] += end.since(begin).as_ms();
        }
    }
}

impl FlowInfo {
    /// Reads a flow to its end.
    ///
    /// # Errors
    /// Whatever the reader finds wrong.
    pub fn of(reader: &mut FlowReader) -> Result<Self, TraceError> {
        let mut info = Self {
            header: reader.header().clone(),
            summary: FlowSummary::default(),
            processes: 0,
            extents: 0,
            resident_pages: 0,
            steps: BTreeMap::new(),
            compute_ms: 0.0,
            by_cause: BTreeMap::new(),
            by_class: BTreeMap::new(),
            requests: ClassInfo::default(),
            mean_outstanding: 0.0,
            pauses: BTreeMap::new(),
            timeline: Timeline { bin_ps: FIRST_BIN_PS, ..Timeline::default() },
            delay: Span::ZERO,
        };
        let mut last = Time::ZERO;
        let mut busy = (Time::MAX, Time::ZERO);
        for record in reader.by_ref() {
            let record = record?;
            match &record.item {
                Item::Process(_) => info.processes += 1,
                Item::Extent(_) => info.extents += 1,
                Item::Resident { pages, .. } => info.resident_pages += u64::from(*pages),
                Item::Step(step) => info.step(record.at, step),
                Item::Observed(request) => {
                    busy = (busy.0.min(request.arrival), busy.1.max(request.completion));
                    info.delay = info.delay.max(record.at.since(request.arrival));
                    info.observed(request, last);
                    last = last.max(request.completion);
                }
                Item::Pause(pause) => info.pause(pause),
            }
        }
        info.summary = reader.summary().cloned().unwrap_or_default();
        info.settle(busy.1.since(busy.0));
        Ok(info)
    }

    fn step(&mut self, at: Time, step: &Step) {
        *self.steps.entry(name(&step.event)).or_default() += 1;
        self.compute_ms += step.compute.as_ms();
        let from = Time::from_ps(at.as_ps().saturating_sub(step.compute.as_ps()));
        self.timeline.add("compute", from, at);
    }

    fn observed(&mut self, request: &Observed, before: Time) {
        let class = class_name(request.criticality);
        self.by_cause.entry(request.cause.name()).or_default().add(request, before);
        self.by_class.entry(class).or_default().add(request, before);
        self.requests.add(request, before);
        self.timeline.add(class, request.arrival, request.completion);
    }

    fn pause(&mut self, pause: &Pause) {
        let sum = self.pauses.entry(pause.kind.name()).or_default();
        sum.count += 1;
        sum.total_ms += pause.span.as_ms();
        sum.max_ms = sum.max_ms.max(pause.span.as_ms());
        self.timeline.add(pause.kind.name(), pause.start, pause.start + pause.span);
    }

    fn settle(&mut self, busy: Span) {
        let sum_ms = self.requests.response_mean_ms;
        self.mean_outstanding = if busy > Span::ZERO { sum_ms / busy.as_ms() } else { 0.0 };
        let classes = self.by_cause.values_mut().chain(self.by_class.values_mut());
        classes.for_each(ClassInfo::settle);
        self.requests.settle();
        self.timeline.bin_ms = Span::from_ps(self.timeline.bin_ps).as_ms();
    }
}

/// The word for a class in documents.
fn class_name(class: Criticality) -> &'static str {
    match class {
        Criticality::Unknown => "unknown",
        Criticality::Critical => "time_critical",
        Criticality::Limited => "time_limited",
        Criticality::Noncritical => "time_noncritical",
    }
}

fn name(event: &Event) -> &'static str {
    match event {
        Event::SystemCall { .. } => "system_call",
        Event::SystemReturn => "system_return",
        Event::Trap => "trap",
        Event::TrapComplete => "trap_complete",
        Event::Read { .. } => "read",
        Event::Write { .. } => "write",
        Event::Sync { .. } => "sync",
        Event::SyncAll => "sync_all",
        Event::Commit { .. } => "commit",
        Event::Flush => "flush",
        Event::Forget { .. } => "forget",
        Event::ReadBlock { .. } => "read_block",
        Event::WriteBlock { .. } => "write_block",
        Event::Fork { .. } => "fork",
        Event::Exit => "exit",
        Event::Sleep { .. } => "sleep",
        Event::Wait { .. } => "wait",
        Event::WakeUp { .. } => "wake_up",
    }
}
