//! Turns the raw trace of a Linux system into a process flow (`platterlab_workload::flow`).
//!
//! A raw capture is a folder: the pages of the kernel's ring buffers as they were read, the format
//! files of the events in them, and a snapshot of the system. Nothing here needs Linux: the pages
//! are decoded on any machine. It holds names of every process of the host and is thrown away;
//! the flow holds the traced processes alone.
//!
//! The stages, in order: [`ring`] cuts pages into events, [`merge`] puts those of all CPUs in the
//! order of their time, [`event`] gives them types, [`convert`] hands each to the parts that follow
//! it: `tasks` (who computes, waits and wakes), `block` (which bios became which requests), `cache`
//! (which page came and was touched when). `assemble` writes what they found.

pub mod event;
pub mod merge;
pub mod ring;

mod assemble;
mod block;
mod cache;
mod calls;
mod conversion;
mod convert;
mod cpus;
mod error;
mod files;
mod snapshot;
mod tasks;
mod waits;

pub use convert::convert;
pub use error::CaptureError;
pub use snapshot::{Snapshot, SystemAccounts};
