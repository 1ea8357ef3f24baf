//! Requests and waits as they were observed on the traced system, with their causes.

use platterlab_units::{Operation, Span, Time, words};

use super::ProcessId;
use crate::Criticality;

words! {
    /// What made a request. The order is that of the file format.
    pub enum Cause {
        /// A process needs the block now.
        DemandRead = "demand_read",
        /// The rest of the window that a demand read opened.
        ReadAheadTail = "read_ahead_tail",
        /// A window ahead of a process that found its block in memory.
        ReadAhead = "read_ahead",
        /// A process needs metadata now.
        MetadataRead = "metadata_read",
        /// Metadata that will probably be needed.
        MetadataReadAhead = "metadata_read_ahead",
        /// A read past the file cache.
        DirectRead = "direct_read",
        /// Data of a file that a process is syncing, or writes synchronously.
        SyncWrite = "sync_write",
        /// A write past the file cache.
        DirectWrite = "direct_write",
        /// The file system's log.
        Journal = "journal",
        /// The drive's own cache is to be emptied.
        Flush = "flush",
        /// Dirty data or metadata that a daemon cleans.
        WriteBack = "write_back",
        /// Blocks that hold nothing any more.
        Discard = "discard",
    }
}

impl Cause {
    /// How critical the cause alone makes a request (Ganger–Patt 1998, §2 and §7): what a process
    /// asked for and cannot continue without is time-critical, what was begun on its behalf
    /// time-limited, what daemons clean time-noncritical.
    #[must_use]
    pub const fn criticality(self) -> Criticality {
        match self {
            Self::DemandRead
            | Self::MetadataRead
            | Self::DirectRead
            | Self::SyncWrite
            | Self::DirectWrite
            | Self::Flush => Criticality::Critical,
            Self::ReadAheadTail | Self::ReadAhead | Self::MetadataReadAhead | Self::Journal => {
                Criticality::Limited
            }
            Self::WriteBack | Self::Discard => Criticality::Noncritical,
        }
    }
}

/// A request the traced system made, recorded when it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    /// When it came to the block layer.
    pub arrival: Time,
    /// When the device got it.
    pub issue: Time,
    /// When it ended.
    pub completion: Time,
    /// First sector; 0 for a flush.
    pub lba: u64,
    /// Length in sectors; 0 for a flush.
    pub sectors: u32,
    /// Read or write; a flush and a discard are writes.
    pub operation: Operation,
    /// What made it.
    pub cause: Cause,
    /// Who can wait for it: the cause's class, raised where a process waited for a write.
    pub criticality: Criticality,
    /// The process that made it; `None` where a daemon did.
    pub process: Option<ProcessId>,
    /// From arrival to the moment a process first needed it; `None` where none did.
    pub limit: Option<Span>,
    /// How long processes waited for it, altogether.
    pub waited: Span,
}

words! {
    /// Why a process did not run.
    pub enum PauseKind {
        /// It waited for requests.
        Storage = "storage",
        /// It was made to wait because memory holds too much that is dirty.
        Throttled = "throttled",
        /// It waited for another process or slept.
        Sleep = "sleep",
        /// It could run, and other work had the CPU.
        Runnable = "runnable",
        /// It waited inside the system for something the trace does not show.
        Other = "other",
    }
}

/// A time in which a process did not run, recorded when it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Who.
    pub process: ProcessId,
    /// When it began.
    pub start: Time,
    /// How long it took.
    pub span: Span,
    /// Why.
    pub kind: PauseKind,
}
