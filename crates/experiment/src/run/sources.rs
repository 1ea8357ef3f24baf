//! The sources of one replication, opened from its plan, and how far each has come.

use super::mapped::Mapped;
use super::{RunError, flows};
use crate::options::TraceTiming;
use crate::plan::{FlowPlan, FlowSource, Made, Plan, SourcePlan, TracePlan};
use platterlab_sim::host::{Host, HostReport};
use platterlab_sim::source::{
    Closed, Gate, Group, InSectors, Labelled, Open, Over, Processes, Request, Source,
};
use platterlab_units::Stamp;
use platterlab_workload::flow::FlowReader;
use platterlab_workload::synthetic::Generator;
use platterlab_workload::trace::TraceError;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Any source of an experiment.
pub(crate) enum Boxed {
    /// One that nothing more is asked of than requests.
    Plain(Box<dyn Source<Error = TraceError> + Send>),
    /// A computer.
    Host(Box<Labelled<InSectors<Host<FlowReader>>>>, PathBuf),
}

impl fmt::Debug for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Boxed")
    }
}

impl Boxed {
    pub(crate) fn new(source: impl Source<Error = TraceError> + Send + 'static) -> Self {
        Self::Plain(Box::new(source))
    }

    /// With the trace's label, and an end after this many requests if that is wanted.
    fn of(source: impl Source<Error = TraceError> + Send + 'static, plan: &TracePlan) -> Self {
        let source = Labelled::new(InSectors::new(source, plan.sizes), plan.label);
        match plan.requests {
            None => Self::new(source),
            Some(most) => Self::new(Gate::new(source, most, Stamp::MAX)),
        }
    }

    fn source(&mut self) -> &mut dyn Source<Error = TraceError> {
        match self {
            Self::Plain(source) => source,
            Self::Host(host, _) => host,
        }
    }

    /// What a computer did.
    pub(super) fn host(&self) -> Option<HostReport> {
        match self {
            Self::Plain(_) => None,
            Self::Host(host, _) => Some(host.source().source().report()),
        }
    }

    /// Whether processes wait for what will never come.
    pub(super) fn check_stuck(&mut self) -> Result<(), RunError> {
        let Self::Host(host, path) = self else { return Ok(()) };
        match host.source_mut().source_mut().deadlock()? {
            None => Ok(()),
            Some(what) => {
                Err(RunError::Stuck(format!("{}: the flow stops: {what}", path.display())))
            }
        }
    }
}

/// What is known of the sources' progress.
#[derive(Debug, Default)]
pub(super) struct Sources {
    traces: Vec<(Arc<AtomicU64>, u64)>,
    requests: u64,
    wrapped: Arc<AtomicU64>,
}

impl Sources {
    /// Opens every source of a plan.
    pub(super) fn open(&mut self, plan: &Plan, seed: u64) -> Result<Vec<Boxed>, TraceError> {
        let mut all = Vec::new();
        let mut shared = Vec::new();
        let mut number = 0;
        for source in &plan.sources {
            match source {
                SourcePlan::Made(made) => {
                    let group = group(made, seed, &mut number);
                    self.requests += made.requests.unwrap_or(0);
                    if made.shared && plan.processors.is_some() {
                        shared.push(group);
                    } else {
                        all.push(Boxed::new(Processes::new(vec![group], None)));
                    }
                }
                SourcePlan::Trace(trace) => all.push(self.trace(trace)?),
                SourcePlan::Flow(plan) => all.push(flow(plan)?),
                SourcePlan::Outside(own) => {
                    all.push(Boxed::Plain(own.make(&plan.volume_sectors, seed)));
                }
            }
        }
        if !shared.is_empty() {
            all.push(Boxed::new(Processes::new(shared, plan.processors)));
        }
        Ok(all)
    }

    fn trace(&mut self, plan: &TracePlan) -> Result<Boxed, TraceError> {
        let read = Arc::new(AtomicU64::new(0));
        let (records, total) = Mapped::open(plan, Arc::clone(&read), Arc::clone(&self.wrapped))?;
        if let Some(total) = total.filter(|total| *total > 0) {
            self.traces.push((read, total));
        }
        Ok(match plan.timing {
            TraceTiming::Open { time_scale, .. } => Boxed::of(Open::new(records, time_scale), plan),
            TraceTiming::Closed { population } => Boxed::of(Closed::new(records, population), plan),
        })
    }

    /// Requests of traces that were given another place on their volume, as read so far.
    pub(super) fn wrapped(&self) -> u64 {
        self.wrapped.load(Ordering::Relaxed)
    }

    /// How much of what ends by itself is done, `served` requests having been served.
    pub(super) fn share(&self, served: f64) -> f64 {
        let read = |(read, total): &(Arc<AtomicU64>, u64)| {
            read.load(Ordering::Relaxed) as f64 / *total as f64
        };
        let traces = self.traces.iter().map(read).reduce(f64::min);
        let made = (self.requests > 0).then(|| served / self.requests as f64);
        traces.or(made).unwrap_or(0.0)
    }
}

/// What makes requests of a process flow.
fn flow(plan: &FlowPlan) -> Result<Boxed, TraceError> {
    let (label, sizes) = (plan.label, plan.sizes);
    Ok(match &plan.model {
        FlowSource::System(options) => {
            let host = Host::new((**options).clone(), FlowReader::open(&plan.path)?);
            Boxed::Host(
                Box::new(Labelled::new(InSectors::new(host, sizes), label)),
                plan.path.clone(),
            )
        }
        FlowSource::Open { time_scale, delay } => {
            let requests = flows::requests(plan, *delay)?;
            let source = InSectors::new(Open::new(requests, *time_scale), sizes);
            Boxed::new(Labelled::new(source, label))
        }
        FlowSource::Closed { population, delay } => {
            let requests = flows::requests(plan, *delay)?;
            let source = InSectors::new(Closed::new(requests, *population), sizes);
            Boxed::new(Labelled::new(source, label))
        }
    })
}

/// The processes of a workload, each with random streams of its own.
pub(super) fn group(made: &Made, seed: u64, number: &mut u32) -> Group {
    let first = *number;
    *number += made.count;
    let generators = Generator::all(made.params.clone(), seed, first..*number);
    Group { generators, label: made.label, requests: made.requests.unwrap_or(u64::MAX) }
}

impl Source for Boxed {
    type Error = TraceError;

    fn next(&mut self) -> Option<Stamp> {
        self.source().next()
    }

    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), TraceError> {
        self.source().act(now, out)
    }

    fn over(&mut self, now: Stamp, over: &Over, out: &mut Vec<Request>) -> Result<(), TraceError> {
        self.source().over(now, over, out)
    }

    fn take_awaited(&mut self) -> Option<u64> {
        self.source().take_awaited()
    }
}
