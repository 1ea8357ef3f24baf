//! The error of a run that cannot continue: its trace, its flow or its system.

use platterlab_sim::SystemError;
use platterlab_workload::trace::TraceError;
use std::fmt;

/// Why a run cannot continue.
#[derive(Clone, Debug)]
pub enum RunError {
    /// Something is wrong with a trace.
    Trace(TraceError),
    /// The processes of a flow wait for what will never come.
    Stuck(String),
    /// The simulated time goes beyond what the clock holds.
    ClockFull,
    /// What decides from outside did not keep to its contract.
    Outside(String),
    /// The system cannot be built.
    System(SystemError),
}

impl From<TraceError> for RunError {
    fn from(error: TraceError) -> Self {
        Self::Trace(error)
    }
}

impl From<SystemError> for RunError {
    fn from(error: SystemError) -> Self {
        Self::System(error)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trace(error) => error.fmt(f),
            Self::Stuck(what) | Self::Outside(what) => f.write_str(what),
            Self::ClockFull => f.write_str(
                "the simulated time is beyond the range of times: a billion years, or 106 days of \
                 waiting for a bus; ask for shorter intervals or fewer requests",
            ),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}
