//! The simulator: a workload meets a drive, or a whole storage subsystem.
//!
//! For one drive without a queue of its own no events are needed: [`Replay`] hands each request to
//! the drive model, which says when it completes. A [`System`] has queues, buses, volumes and any
//! number of drives; its folders are in the order in which a request meets them. [`live`] has one
//! device with its queue for somebody who keeps the time.

pub mod array;
pub mod bus;
pub mod controller;
pub mod drive;
pub mod host;
pub mod live;
pub mod outside;
pub mod scheduler;
pub mod source;
pub mod system;

mod av;
mod by_issue;
mod chance;
mod clock;
mod engine;
mod observe;
mod phase;
mod replay;
mod row;
mod times;

pub use av::{
    AvError, AvOptions, AvReport, AvRun, AvSession, AvSessionReport, LevelColumns, RoundOrder,
};
pub use observe::{
    BusReport, ClassFigures, Counts, DeviceCounts, DeviceOverTime, DeviceReport, Figures,
    Histograms, MeanMoves, Mechanics, OperationFigures, OverTimeReport, Report, StreamFigures,
    TimesReport, VolumeReport,
};
pub use replay::{Replay, ReplayError, ReplayOptions, Timing, check_sectors, command_of};
pub use system::{Outcome, System, SystemError, SystemOptions};
pub use times::{TimedOutcome, times};
