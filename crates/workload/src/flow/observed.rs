//! Requests and waits as they were observed on the traced system, with their causes.

use platterlab_units::{Operation, Span, Time};

use super::ProcessId;
use crate::Criticality;

/// What made a request. The order is that of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// A process needs the block now.
    DemandRead,
    /// The rest of the window that a demand read opened.
    ReadAheadTail,
    /// A window ahead of a process that found its block in memory.
    ReadAhead,
    /// A process needs metadata now.
    MetadataRead,
    /// Metadata that will probably be needed.
    MetadataReadAhead,
    /// A read past the file cache.
    DirectRead,
    /// Data of a file that a process is syncing, or writes synchronously.
    SyncWrite,
    /// A write past the file cache.
    DirectWrite,
    /// The file system's log.
    Journal,
    /// The drive's own cache is to be emptied.
    Flush,
    /// Dirty data or metadata that a daemon cleans.
    WriteBack,
    /// Blocks that hold nothing any more.
    Discard,
}

impl Cause {
    /// Every cause, in the order of the file format.
    pub const ALL: [Self; 12] = [
        Self::DemandRead,
        Self::ReadAheadTail,
        Self::ReadAhead,
        Self::MetadataRead,
        Self::MetadataReadAhead,
        Self::DirectRead,
        Self::SyncWrite,
        Self::DirectWrite,
        Self::Journal,
        Self::Flush,
        Self::WriteBack,
        Self::Discard,
    ];

    /// The word for it in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DemandRead => "demand_read",
            Self::ReadAheadTail => "read_ahead_tail",
            Self::ReadAhead => "read_ahead",
            Self::MetadataRead => "metadata_read",
            Self::MetadataReadAhead => "metadata_read_ahead",
            Self::DirectRead => "direct_read",
            Self::SyncWrite => "sync_write",
            Self::DirectWrite => "direct_write",
            Self::Journal => "journal",
            Self::Flush => "flush",
            Self::WriteBack => "write_back",
            Self::Discard => "discard",
        }
    }

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

/// Why a process did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PauseKind {
    /// It waited for requests.
    Storage,
    /// It was made to wait because memory holds too much that is dirty.
    Throttled,
    /// It waited for another process or slept.
    Sleep,
    /// It could run, and other work had the CPU.
    Runnable,
    /// It waited inside the system for something the trace does not show.
    Other,
}

impl PauseKind {
    /// Every kind, in the order of the file format.
    pub const ALL: [Self; 5] =
        [Self::Storage, Self::Throttled, Self::Sleep, Self::Runnable, Self::Other];

    /// The word for it in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Storage => "storage",
            Self::Throttled => "throttled",
            Self::Sleep => "sleep",
            Self::Runnable => "runnable",
            Self::Other => "other",
        }
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
