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
    /// The place of the data.
    pub store: Store,
    /// Sectors it holds.
    pub size_sectors: u64,
    /// Sectors of a line, what is replaced as one.
    pub line_sectors: u32,
    /// Sectors of a granule, what is present or dirty as one; 64 or fewer make a line.
    pub granule_sectors: u32,
    /// Longer requests go past the cache.
    pub max_request_sectors: u32,
    /// The choice of the line that makes room.
    pub replacement: Replacement,
    /// Lines that make room first.
    pub allocation: Allocation,
    /// The instant at which a write is done.
    pub write: WriteScheme,
    /// Times at which dirty lines are written.
    pub flush: FlushOptions,
    /// Data that is read with a read.
    pub read_prefetch: Prefetch,
    /// Data that is read where a write covers a granule in part.
    pub write_prefetch: Prefetch,
    /// Whether each line is fetched by a command of its own.
    pub line_by_line: bool,
    /// The most lines one command to a device reads or writes; without it there is no limit.
    pub max_gather_lines: Option<u32>,
}

/// The place of the cache's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// In the controller's memory.
    Memory,
    /// On a device faster than those it caches, by its place in the system.
    Device(u32),
}

/// Lines that make room first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Allocation {
    /// The line the replacement names, clean or dirty.
    #[default]
    Any,
    /// Clean lines before dirty ones.
    CleanFirst,
}

/// The instant at which a write is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum WriteScheme {
    /// When it is on the drive.
    #[default]
    Through,
    /// When it is in the cache, while it is on its way to the drive.
    ThroughEarly,
    /// When it is in the cache, which loses it with its power.
    Back,
    /// When it is in the cache, which outlives a loss of power.
    BatteryBacked,
}

impl WriteScheme {
    /// Whether a write is done while no drive has been asked for it.
    #[must_use]
    pub fn is_back(self) -> bool {
        matches!(self, Self::Back | Self::BatteryBacked)
    }
}

/// Times at which dirty lines are written; always when their room is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields, default))]
pub struct FlushOptions {
    /// All of them each time this has passed, in milliseconds; without it, not by the clock.
    #[cfg_attr(feature = "file", serde(rename = "period_ms"))]
    #[cfg_attr(feature = "file", schemars(range(min = 0.001, max = 1e9)))]
    pub period: Option<Span>,
    /// When the host has wanted nothing for so long, in milliseconds; without it, not in idle time.
    #[cfg_attr(feature = "file", serde(rename = "idle_ms"))]
    #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e9)))]
    pub idle_delay: Option<Span>,
    /// The most lines that follow each other written by one command.
    #[cfg_attr(feature = "file", schemars(range(min = 1, max = 1_000_000)))]
    pub max_cluster_lines: u32,
}

impl Default for FlushOptions {
    fn default() -> Self {
        Self { period: None, idle_delay: None, max_cluster_lines: 8 }
    }
}

/// The part of a line that is read beyond what is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Prefetch {
    /// Nothing.
    #[default]
    None,
    /// The part before it.
    Front,
    /// The part behind it.
    Rest,
    /// The whole line.
    Line,
}
