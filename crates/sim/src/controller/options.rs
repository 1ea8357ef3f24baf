//! The parameters of a controller and its cache.

use super::Replacement;
use crate::bus::BusPlace;
use crate::scheduler::QueueOptions;
use platterlab_units::Span;

/// A controller to be built. Without a cache it passes everything through.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerOptions {
    /// Its own time for a read and for a write, before anything else is done.
    pub overhead: [Span; 2],
    /// Commands of the host it takes at a time; more wait in the driver.
    pub max_outstanding: Option<u32>,
    /// Whether a command that found it full is thought of only when the next one for the same device
    /// comes or is done, as in DiskSim, rather than as soon as there is room.
    pub forgetful: bool,
    /// The cache and what belongs to it.
    pub cache: Option<CacheOptions>,
}

/// A controller's cache, its way to the host, and how it uses its devices.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheOptions {
    /// Buses from the controller to the host, and its place on each; the buses of its devices end
    /// at the controller.
    pub buses: Vec<BusPlace>,
    /// For each sector between cache and host: the slowest of buses and controller, reading and
    /// writing.
    pub sector_time: [Span; 2],
    /// The queue it has for each device.
    pub queue: QueueOptions,
    /// Commands it gives a device at a time.
    pub depth: u32,
    /// Where the data is kept.
    pub store: Store,
    /// Sectors it holds.
    pub size_sectors: u64,
    /// Sectors of a line, what is replaced as one.
    pub line_sectors: u32,
    /// Sectors of a granule, what is present or dirty as one; 64 or fewer make a line.
    pub granule_sectors: u32,
    /// Longer requests go past the cache.
    pub max_request_sectors: u32,
    /// Which line makes room.
    pub replacement: Replacement,
    /// Whether clean lines make room before dirty ones.
    pub clean_first: bool,
    /// When a write is done.
    pub write: WriteScheme,
    /// When dirty lines are written.
    pub flush: FlushOptions,
    /// What is read with a read.
    pub read_prefetch: Prefetch,
    /// What is read where a write covers a granule in part.
    pub write_prefetch: Prefetch,
    /// Whether each line is fetched by a command of its own.
    pub line_by_line: bool,
    /// The most lines one command to a device reads or writes; without it there is no limit.
    pub max_gather_lines: Option<u32>,
}

/// Where the cache's data is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// In the controller's memory.
    Memory,
    /// On a device faster than those it caches, by its place in the system.
    Device(u32),
}

/// When a write is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteScheme {
    /// When it is on the device.
    Through,
    /// When it is in the cache, while it is on its way to the device.
    ThroughEarly,
    /// When it is in the cache.
    Back {
        /// Whether what is dirty outlives a loss of power.
        battery: bool,
    },
}

/// When dirty lines are written; always when their room is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlushOptions {
    /// All of them, each time this has passed.
    pub period: Option<Span>,
    /// One after the other, when the host has wanted nothing for so long.
    pub idle_delay: Option<Span>,
    /// The most lines that follow each other written by one command.
    pub max_cluster_lines: u32,
}

/// What of a line is read beyond what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefetch {
    /// Nothing.
    None,
    /// What lies before it.
    Front,
    /// What lies behind it.
    Rest,
    /// The whole line.
    Line,
}
