//! The keys of `[controller.cache]`: a controller's cache and its policies.

use super::{Rules, Scheduler, Timeout};
use platterlab_profile::Size;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A controller's cache, and how the controller uses its drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SystemCache {
    /// What it holds.
    pub size: Size,
    /// Where the data is kept.
    #[serde(default)]
    pub store: CacheStore,
    /// What is replaced as one.
    #[serde(default = "line")]
    pub line: Size,
    /// What is present or dirty as one; a line has 64 of them at most.
    #[serde(default = "granule")]
    pub granule: Size,
    /// Longer requests go past the cache.
    #[serde(default = "max_request")]
    pub max_request: Size,
    /// Which line makes room.
    #[serde(default)]
    pub replacement: ReplacementKind,
    /// What makes room first.
    #[serde(default)]
    pub allocation: Allocation,
    /// When a write is done.
    #[serde(default)]
    pub write: WriteKind,
    /// When dirty lines are written, besides when their room is wanted.
    #[serde(default)]
    pub flush: Flush,
    /// What is read with a read.
    #[serde(default)]
    pub read_prefetch: PrefetchKind,
    /// What is read where a write covers a granule in part.
    #[serde(default)]
    pub write_prefetch: PrefetchKind,
    /// Whether each line is fetched by a command of its own.
    #[serde(default)]
    pub line_by_line: bool,
    /// The most lines one command to a drive reads or writes; without it there is no limit.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_gather_lines: Option<u32>,
    /// The order in which the controller serves its drives.
    #[serde(default)]
    pub scheduler: Scheduler,
    /// Requests that a process waits for go first, in this order.
    pub critical: Option<Scheduler>,
    /// Requests that have waited too long go before others.
    pub timeout: Option<Timeout>,
    /// What goes before the scheduler.
    #[serde(default)]
    pub rules: Rules,
    /// Commands the controller gives a drive at a time.
    #[serde(default = "depth")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub drive_depth: u32,
}

fn line() -> Size {
    Size::from_bytes(32 << 10)
}

fn granule() -> Size {
    Size::from_bytes(512)
}

fn max_request() -> Size {
    Size::from_bytes(1 << 20)
}

fn depth() -> u32 {
    1
}

/// Where a cache's data is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum CacheStore {
    /// In the controller's memory.
    #[default]
    Memory,
    /// On a drive faster than those it caches.
    Drive {
        /// That drive.
        drive: String,
    },
}

/// Which line makes room.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ReplacementKind {
    /// The one not used for longest.
    #[default]
    Lru,
    /// The one that came first.
    Fifo,
    /// The one that came last.
    Lifo,
    /// Any.
    Random,
    /// Segmented LRU: a line moves up a segment with each use (Karedla et al. 1994).
    SegmentedLru {
        /// The shares of the segments, from the lowest; they add up to 1.
        #[schemars(length(min = 1))]
        shares: Vec<f64>,
    },
    /// Adaptive replacement (Megiddo and Modha 2003).
    Arc,
}

/// What makes room first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// The line the replacement names, clean or dirty.
    #[default]
    Any,
    /// Clean lines before dirty ones.
    CleanFirst,
}

/// When a write is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WriteKind {
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

/// When dirty lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Flush {
    /// All of them each time this has passed, in milliseconds; without it, not by the clock.
    #[schemars(range(min = 0.001, max = 1e9))]
    pub period_ms: Option<f64>,
    /// When the host has wanted nothing for so long, in milliseconds; without it, not in idle time.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub idle_ms: Option<f64>,
    /// The most lines that follow each other written by one command.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_cluster_lines: u32,
}

impl Default for Flush {
    fn default() -> Self {
        Self { period_ms: None, idle_ms: None, max_cluster_lines: 8 }
    }
}

/// What of a line is read beyond what is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PrefetchKind {
    /// Nothing.
    #[default]
    None,
    /// What lies before it.
    Front,
    /// What lies behind it.
    Rest,
    /// The whole line.
    Line,
}
