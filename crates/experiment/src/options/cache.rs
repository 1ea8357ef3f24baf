//! The keys of `[controller.cache]`: a controller's cache and its policies.

use super::{Rules, Scheduler, TimeoutRule};
use platterlab_profile::Size;
use platterlab_sim::controller::{Allocation, FlushOptions, Prefetch, Replacement, WriteScheme};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A controller's cache, and how the controller uses its drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SystemCache {
    /// Its capacity.
    pub size: Size,
    /// The place of the data.
    #[serde(default)]
    pub store: CacheStore,
    /// The unit of replacement.
    #[serde(default = "line")]
    pub line: Size,
    /// The unit that is present or dirty; a line has 64 of them at most.
    #[serde(default = "granule")]
    pub granule: Size,
    /// Longer requests go past the cache.
    #[serde(default = "max_request")]
    pub max_request: Size,
    /// The choice of the line that makes room.
    #[serde(default)]
    pub replacement: Replacement,
    /// Lines that make room first.
    #[serde(default)]
    pub allocation: Allocation,
    /// The instant at which a write is done.
    #[serde(default)]
    pub write: WriteScheme,
    /// Times at which dirty lines are written, besides when their room is wanted.
    #[serde(default)]
    pub flush: FlushOptions,
    /// Data that is read with a read.
    #[serde(default)]
    pub read_prefetch: Prefetch,
    /// Data that is read where a write covers a granule in part.
    #[serde(default)]
    pub write_prefetch: Prefetch,
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
    pub timeout: Option<TimeoutRule>,
    /// Rules that go before the scheduler.
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

/// The place of a cache's data.
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
