//! Runs a plan: one system for each replication, as many at a time as there are threads.

mod across;
mod confidence;
mod error;
mod flows;
mod job;
mod mapped;
mod pilot;
mod precision;
mod sources;

pub use confidence::Interval;
pub use error::RunError;
pub use job::{Job, JobReport, Progress, Replication};
pub use pilot::saturated;

use crate::plan::Plan;
use platterlab_results::{Columns, RequestColumns};
use platterlab_sim::host::HostReport;
use platterlab_sim::source::{Gate, Several};
use platterlab_sim::{Outcome, Report, System};
use platterlab_units::{Lapse, Stamp};
pub(crate) use precision::Precision;
use sources::{Boxed, Sources};

/// Events between two looks at what the outside wants.
const STEP_EVENTS: u32 = 16_384;
/// Events between two looks at how well the mean is known.
const LOOK_EVENTS: u32 = 64;
/// How much less is done between two looks where decisions come from outside.
const SLOWER: u32 = 64;
/// Rows handed over at a time.
const STEP_ROWS: usize = 16_384;

/// What was served in a part of a run.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Commands at the devices.
    pub commands: Columns,
    /// Requests to the volumes.
    pub requests: RequestColumns,
}

/// One replication at work.
#[derive(Debug)]
pub struct Run {
    system: System<Gate<Several<Boxed>>>,
    sources: Sources,
    requests: Option<u64>,
    until: Option<Stamp>,
    precision: Option<Precision>,
    /// Whether the precision that was wanted has been reached.
    shut: bool,
    rows: bool,
    /// The plan, where something is decided from outside.
    outside: Option<Plan>,
    /// How often it continued.
    steps: u32,
}

impl Run {
    /// Builds a replication. With `rows`, a row of each command and of each request is kept
    /// until it is taken.
    ///
    /// # Errors
    /// A trace that cannot be opened, or a system that cannot be built.
    pub fn new(plan: &Plan, replication: u32, rows: bool) -> Result<Self, RunError> {
        let seed = plan.seed_of(replication);
        let mut sources = Sources::default();
        let several = Several::new(sources.open(plan, seed)?);
        let until = plan.stop.time_s.and_then(|s| Lapse::from_ms(s * 1e3));
        let until = until.map(|lapse| Stamp::ZERO + lapse);
        let most = plan.stop.requests.unwrap_or(u64::MAX);
        let gate = Gate::new(several, most, until.unwrap_or(Stamp::MAX));
        let system = System::new(plan.system(seed, rows), gate)?;
        let precision = plan.stop.precision_percent.map(Precision::new);
        let requests = plan.stop.requests;
        let outside = plan.asks_outside().then(|| plan.clone());
        Ok(Self {
            system,
            sources,
            requests,
            until,
            precision,
            shut: false,
            rows,
            outside,
            steps: 0,
        })
    }

    /// Continues for a while, or for a number of rows if they are kept; whether there is more.
    ///
    /// # Errors
    /// What is wrong with a trace, or what somebody outside did wrong.
    pub fn advance(&mut self) -> Result<bool, RunError> {
        let more = self.go_on()?;
        self.steps = self.steps.wrapping_add(1);
        match self.outside.as_ref().and_then(Plan::outside_failure) {
            Some(what) => Err(RunError::Outside(what)),
            None => Ok(more),
        }
    }

    fn go_on(&mut self) -> Result<bool, RunError> {
        if let Some(precision) = self.precision.as_mut().filter(|_| !self.shut) {
            // Rows or none, the looks are the same, and so is when it ends.
            for _ in 0..STEP_EVENTS / LOOK_EVENTS {
                if !self.system.run_events(LOOK_EVENTS)? {
                    return Ok(false);
                }
                let (count, sum_ms) = self.system.responses();
                if precision.reached(count, sum_ms) {
                    self.system.source_mut().shut();
                    self.shut = true;
                    break;
                }
            }
            return Ok(true);
        }
        let part = if self.outside.is_some() { SLOWER } else { 1 };
        Ok(if self.rows {
            self.system.run_for(STEP_ROWS / part as usize)?
        } else {
            self.system.run_events(STEP_EVENTS / part)?
        })
    }

    /// Requests served so far.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.system.served()
    }

    /// How much of the run is done, as far as it is known.
    #[must_use]
    pub fn share(&self) -> f64 {
        let served = self.system.served() as f64;
        let by_requests = self.requests.map_or(0.0, |most| served / most as f64);
        let elapsed = self.system.now().as_ms();
        let by_time = self.until.map_or(0.0, |end| elapsed / end.as_ms());
        by_requests.max(by_time).max(self.sources.share(served)).min(1.0)
    }

    /// Whether there are enough rows to be worth taking.
    pub(crate) fn rows_are_due(&self) -> bool {
        self.outside.is_none() || self.steps.is_multiple_of(SLOWER)
    }

    /// The rows kept so far.
    pub fn take_rows(&mut self) -> Rows {
        Rows { commands: self.system.take_rows(), requests: self.system.take_requests() }
    }

    /// Why the run ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.system.outcome()
    }

    /// Whether the precision that is wanted was reached; `None` where none is.
    #[must_use]
    pub fn precision_reached(&self) -> Option<bool> {
        self.precision.as_ref().map(Precision::is_reached)
    }

    /// The mean response by batches, where a precision is wanted and enough is known of it.
    #[must_use]
    pub fn precision(&self) -> Option<Interval> {
        self.precision.as_ref().and_then(Precision::interval)
    }

    /// The figures so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.system.report()
    }

    /// Requests of traces that were given another place on their volume.
    #[must_use]
    pub fn wrapped(&self) -> u64 {
        self.sources.wrapped()
    }

    /// What the computers of process flows did, in the order of the workloads.
    #[must_use]
    pub fn hosts(&self) -> Vec<HostReport> {
        self.system.source().source().sources().filter_map(Boxed::host).collect()
    }

    /// Once nothing more happens: whether processes of a flow wait for what will never come.
    ///
    /// # Errors
    /// That they do, with the cycle; or what is wrong with the rest of the flow.
    pub fn check_stuck(&mut self) -> Result<(), RunError> {
        // Where the run was told to stop, what processes wait for may only be cut off.
        if self.requests.is_some() || self.until.is_some() || self.shut {
            return Ok(());
        }
        for source in self.system.source_mut().source_mut().sources_mut() {
            source.check_stuck()?;
        }
        Ok(())
    }
}
