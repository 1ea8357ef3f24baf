//! The simulator: a workload meets a drive.
//!
//! For one drive without a queue of its own no events are needed: [`Replay`] hands each request to
//! the drive model, which says when it completes.

mod by_issue;
mod chance;
mod clock;
mod phase;
mod replay;

pub use replay::{Replay, ReplayError, ReplayOptions, Timing};
