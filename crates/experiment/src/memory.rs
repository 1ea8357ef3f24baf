//! How much memory a plan takes, told before any of it is.

use crate::options::TraceTiming;
use crate::plan::{FlowSource, Plan, SourcePlan};

/// Bytes that each of these takes while a system runs, as measured of many of them (with
/// `tests/test_memory.py`) and rounded up.
const CLIENT: u64 = 320;
const DRIVE: u64 = 18_000;
const WORKLOAD: u64 = 20_000;

/// What there is most of, and what all of it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Bytes, about.
    pub bytes: u64,
    /// Of how many clients and processes, drives and workloads.
    pub of: String,
}

impl Plan {
    /// What so many replications take that run at a time.
    #[must_use]
    pub fn memory(&self, at_a_time: u64) -> Memory {
        let clients: u64 = self.sources.iter().map(clients).sum();
        let (drives, workloads) = (self.drives.len() as u64, self.sources.len() as u64);
        let runs = at_a_time.clamp(1, self.replications.max(1).into());
        let one = clients * CLIENT + drives * DRIVE + workloads * WORKLOAD;
        let kinds = [(clients, "clients"), (drives, "drives"), (workloads, "workloads")];
        let named = kinds.map(|(count, kind)| format!("{count} {kind}"));
        let of = format!("{}, {} runs at a time", named.join(", "), runs);
        Memory { bytes: runs * one, of }
    }
}

/// Those whose requests may be in flight together.
fn clients(source: &SourcePlan) -> u64 {
    match source {
        SourcePlan::Made(made) => made.count.into(),
        SourcePlan::Trace(trace) => match trace.timing {
            TraceTiming::Closed { population } => population.into(),
            TraceTiming::Open { .. } => 0,
        },
        SourcePlan::Flow(flow) => match flow.model {
            FlowSource::Closed { population, .. } => population.into(),
            FlowSource::System(_) | FlowSource::Open { .. } => 0,
        },
    }
}
