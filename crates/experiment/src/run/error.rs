//! The error of a run that cannot continue: its trace, its flow or its system.

use platterlab_sim::SystemError;
use platterlab_workload::trace::TraceError;

/// Why a run cannot continue.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// Something is wrong with a trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The processes of a flow wait for what will never come.
    #[error("{0}")]
    Stuck(String),
    /// The simulated time goes beyond what the clock holds.
    #[error(
        "the simulated time is beyond the range of times: a billion years, or 106 days of waiting \
         for a bus; ask for shorter intervals or fewer requests"
    )]
    ClockFull,
    /// What decides from outside did not keep to its contract.
    #[error("{0}")]
    Outside(String),
    /// The system cannot be built.
    #[error(transparent)]
    System(#[from] SystemError),
}
