//! The events of processes: what ends a computation time.

use platterlab_units::Span;

/// A process of a flow; the writer numbers them from 0.
pub type ProcessId = u32;
/// A file of a flow; a number that says nothing about the file's name.
pub type FileId = u32;

/// When a block that a process writes must reach the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteMode {
    /// The process waits for it.
    Synchronous,
    /// It is started at once and the process continues, as with metadata that must be ordered.
    Asynchronous,
    /// It stays dirty in memory until a daemon writes it.
    Delayed,
}

/// What ends a computation time: a cause of system activity (Ganger–Patt 1998, Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The process calls the operating system.
    SystemCall {
        /// The number of the call on the traced system.
        number: u16,
    },
    /// The call comes back.
    SystemReturn,
    /// An exception begins, such as a page fault.
    Trap,
    /// The exception has been served.
    TrapComplete,
    /// The process needs pages of a file.
    Read {
        /// The file.
        file: FileId,
        /// The first page.
        page: u64,
        /// How many, at least 1.
        pages: u32,
    },
    /// The process changes pages of a file; they are dirty from now on.
    Write {
        /// The file.
        file: FileId,
        /// The first page.
        page: u64,
        /// How many, at least 1.
        pages: u32,
    },
    /// The process waits until the file's changes are on the disk.
    Sync {
        /// The file.
        file: FileId,
    },
    /// The process waits until every change is on the disk.
    SyncAll,
    /// The process waits until what changed of the metadata is in the file system's log.
    Commit {
        /// What the log has to take, without the record that ends it.
        sectors: u32,
    },
    /// The process waits until the drive has emptied its own cache.
    Flush,
    /// The file ends before `page` from now on; dirty pages behind need not be written.
    Forget {
        /// The file.
        file: FileId,
        /// The first page that is gone.
        page: u64,
    },
    /// The process needs blocks of the device: metadata, or a read past the file cache.
    ReadBlock {
        /// The first sector.
        lba: u64,
        /// How many, at least 1.
        sectors: u32,
    },
    /// The process changes blocks of the device.
    WriteBlock {
        /// The first sector.
        lba: u64,
        /// How many, at least 1.
        sectors: u32,
        /// When they must reach the disk.
        mode: WriteMode,
    },
    /// Another process begins.
    Fork {
        /// The process that begins.
        child: ProcessId,
    },
    /// The process ends; its last event.
    Exit,
    /// The process gives up its CPU for a time that does not depend on the storage: a timer, a
    /// person, a network.
    Sleep {
        /// How long.
        span: Span,
    },
    /// The process waits until another one wakes it.
    Wait {
        /// What it waits for. As a semaphore does, a wake-up that comes first is kept.
        event: u32,
    },
    /// A process that waits for `event`, now or next, may continue.
    WakeUp {
        /// What is over.
        event: u32,
    },
}
