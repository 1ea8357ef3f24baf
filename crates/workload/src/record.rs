//! One request of a workload, and its criticality.

use platterlab_units::{Operation, Span, Stamp};

/// How much a process depends on a request (Ganger–Patt 1998, §3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criticality {
    /// The trace does not say.
    #[default]
    Unknown,
    /// A process waits for it.
    Critical,
    /// A process will wait for it unless it ends in time.
    Limited,
    /// Nothing waits for it.
    Noncritical,
}

/// One request of a workload, as a trace records it or a generator makes it.
///
/// Addresses and lengths are in sectors of [`crate::trace::TraceFacts::sector_bytes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// When the request came to the host's driver, from the first record of the trace.
    pub arrival: Stamp,
    /// How long it waited in the driver before the drive got it; `None` where the trace is silent.
    pub queued: Option<Span>,
    /// How long the drive took, from issue to completion; `None` where the trace is silent.
    pub service: Option<Span>,
    /// From the completion of the device's previous request to this one's issue; `None` where the
    /// trace is silent or the two overlap.
    pub think: Option<Span>,
    /// First sector.
    pub lba: u64,
    /// Length in sectors, at least 1.
    pub sectors: u32,
    /// The device it is for, as the trace numbers them.
    pub device: u32,
    /// Read or write.
    pub operation: Operation,
    /// Who waits for it.
    pub criticality: Criticality,
}

/// Replays hold and move many of these: one and a half cache lines, and no more.
const _: () = assert!(size_of::<Record>() <= 96);
