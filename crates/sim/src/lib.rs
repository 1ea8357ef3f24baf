//! The simulator: a workload meets a drive.
//!
//! For one drive without a queue of its own no events are needed: [`Replay`] hands each request to
//! the drive model, which says when it completes.

mod av;
mod by_issue;
mod chance;
mod clock;
mod phase;
mod replay;

pub use av::{
    AvError, AvOptions, AvReport, AvRun, AvSession, AvSessionReport, LevelColumns, RoundOrder,
};
pub use replay::{Replay, ReplayError, ReplayOptions, Timing};
