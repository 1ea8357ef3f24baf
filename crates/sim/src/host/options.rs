//! The parameters of a computer: CPUs, file cache, read-ahead, syncer and log.

use platterlab_units::Span;

/// Read-ahead of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileReadAhead {
    /// Nothing.
    Off,
    /// Page N + 1 when page N is read, unless another cluster of this many pages begins there
    /// (UNIX SVR4).
    Next {
        /// Pages of a cluster, at least 1.
        cluster_pages: u32,
    },
    /// A window that doubles while reads stay sequential, up to this many pages (Linux).
    Window(u32),
}

/// The daemon that writes dirty pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Syncer {
    /// Wakes each `interval` and sweeps the part of memory that it has to, to come by every page
    /// once in `cycle` (UNIX SVR4 MP).
    Sweep {
        /// Between two wake-ups.
        interval: Span,
        /// Once around memory.
        cycle: Span,
        /// The step, in thousandths of the part; 0 is page after page.
        stride_thousandths: u32,
    },
    /// Wakes each `interval` and writes everything that is dirty (conventional UNIX).
    Burst {
        /// Between two wake-ups.
        interval: Span,
    },
    /// Wakes each `interval` and writes what has been dirty for `expire`; beyond `background_pages`
    /// dirty pages it writes the oldest until there are fewer (Linux).
    Expire {
        /// Between two wake-ups.
        interval: Span,
        /// How old is too old.
        expire: Span,
        /// How many dirty pages are too many.
        background_pages: u64,
    },
}

/// A file system's log, which a thread of its own writes: what has changed, then a record that makes
/// it valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Journal {
    /// First sector of the log.
    pub lba: u64,
    /// Its length in sectors.
    pub sectors: u32,
    /// The record that ends a commit, in sectors; no more than the log holds.
    pub record_sectors: u32,
    /// Whether the drive's own cache is emptied before and after that record.
    pub flushes: bool,
    /// Time of the thread for a commit, from the first process that asks to the one that
    /// continues.
    pub thread: Span,
}

/// A computer.
#[derive(Clone, Debug, PartialEq)]
pub struct HostOptions {
    /// Processors, at least 1.
    pub cpus: u32,
    /// How many times as fast as the flow's computation times say, for all host work; above 0.
    pub speed: f64,
    /// How long a process keeps a CPU that others want.
    pub quantum: Span,
    /// Time to change the process of a CPU.
    pub context_switch: Span,
    /// How long a process that is ready takes to come to a CPU, even an idle one.
    pub wake_up: Span,
    /// Computation of a process between issuing a read that it needs and going to sleep for it.
    pub issue_to_sleep: Span,
    /// Time of the interrupt of a completed request.
    pub interrupt: Span,
    /// How often the clock interrupts, whatever else happens; `None`: never.
    pub clock: Option<Span>,
    /// Time of the handler of a tick of the clock.
    pub tick: Span,
    /// Time of the syncer for each request it makes.
    pub syncer_request: Span,
    /// Pages the file cache can hold, at least 1.
    pub memory_pages: u64,
    /// Sectors of a page, at least 1.
    pub page_sectors: u32,
    /// Pages that one request can move, at least 1.
    pub request_pages: u32,
    /// Read-ahead of files.
    pub read_ahead: FileReadAhead,
    /// The daemon that writes dirty pages.
    pub syncer: Syncer,
    /// With more dirty pages than this, writers wait; `None`: as long as memory lasts.
    pub dirty_limit_pages: Option<u64>,
    /// Whether a process that syncs sleeps for one request after the other, in the order of their
    /// pages (Linux), and not once for all of them.
    pub sync_in_turn: bool,
    /// The log, if the file system has one.
    pub journal: Option<Journal>,
    /// Time of the drive to empty its own cache.
    pub flush: Span,
    /// The volume that all of it is on.
    pub volume: u32,
    /// First sector of the pages that the flow gives no place.
    pub unplaced_lba: u64,
}
