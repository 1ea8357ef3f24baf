//! Process flows: what the processes of a system did, as causes and not as effects.
//!
//! A flow is a set of processes, each a sequence of (computation time, event) pairs after Ganger
//! and Patt (1998, §3). Logical accesses, forks, sleeps and wake-ups between processes are causes
//! and belong in it; block requests, context switches and interrupts are effects that a model has
//! to produce. What a capture saw of those goes with the flow as [`Observed`] and [`Pause`], to
//! compare a model with, and never drives one. `docs/reference/process-flow.md` has the bytes.

mod arrivals;
mod check;
mod event;
mod header;
mod info;
mod observed;
mod pages;
mod read;
mod record;
mod wire;
mod write;

#[cfg(test)]
mod tests;

pub use arrivals::Arrivals;
pub use event::{Event, FileId, ProcessId, WriteMode};
pub use header::{
    CacheSettings, DeviceFacts, FlowHeader, FlowSummary, Machine, Origin, SyncerSettings,
};
pub use info::{ClassInfo, FlowInfo};
pub use observed::{Cause, Observed, Pause, PauseKind};
pub use pages::PageMap;
pub use read::FlowReader;
pub use record::{Extent, FlowRecord, Item, Process, Step};
pub use write::FlowWriter;

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u16 = 1;
