use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The host and its driver, which has a queue for each device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Host {
    /// The order in which waiting requests are served.
    pub scheduler: Scheduler,
    /// Requests that a process waits for, or may come to wait for, go before all others, in this
    /// order. Without it, criticality makes no difference.
    pub critical: Option<Scheduler>,
    /// Requests that have waited too long go before others.
    pub timeout: Option<Timeout>,
    /// What starting a read takes, in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub read_ms: f64,
    /// What starting a write takes, in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub write_ms: f64,
    /// Processors on which the processes of all workloads think; without it each has its own.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub processors: Option<u32>,
}

/// Requests that have waited too long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timeout {
    /// How long is too long, in milliseconds.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub after_ms: f64,
    /// The order among them.
    #[serde(default)]
    pub scheduler: Scheduler,
}

/// A scheduling policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Scheduler {
    /// First come, first served.
    Fcfs {},
    /// On in the same direction, and back where nothing is left in it (the elevator).
    Look {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// Upwards only, then back to the lowest.
    CLook {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// The nearest.
    Sstf {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// The nearest, turning back at the cost of a share of the range: V-SCAN(R) (Geist and Daniel
    /// 1987).
    VScan {
        /// What is compared.
        #[serde(default)]
        by: By,
        /// The share, R.
        #[schemars(range(min = 0.0, max = 1.0))]
        turn_share: f64,
    },
    /// What waits when a batch begins is served, upwards, before anything that comes later.
    Batch {
        /// What is compared.
        #[serde(default)]
        by: By,
    },
    /// Shortest positioning time.
    Sptf {},
    /// Shortest positioning time, none for what the drive's cache holds.
    Spctf {},
    /// Shortest time until the last sector.
    Satf {},
    /// Shortest positioning time less a share of the time waited.
    AgedSptf {
        /// Milliseconds forgiven for each millisecond waited.
        #[schemars(range(min = 0.0, max = 1_000.0))]
        weight: f64,
        /// Whether what the cache holds needs no positioning.
        #[serde(default)]
        cache_aware: bool,
        /// Whether time counts until the last sector rather than the first.
        #[serde(default)]
        with_transfer: bool,
    },
    /// Shortest positioning time, scaled down to nothing as the wait nears a limit.
    WeightedSptf {
        /// The limit, in milliseconds.
        #[schemars(range(min = 0.001, max = 1e9))]
        limit_ms: f64,
        /// Whether what the cache holds needs no positioning.
        #[serde(default)]
        cache_aware: bool,
        /// Whether time counts until the last sector rather than the first.
        #[serde(default)]
        with_transfer: bool,
    },
}

impl Default for Scheduler {
    fn default() -> Self {
        Self::Fcfs {}
    }
}

/// What policies of place compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// First sectors.
    #[default]
    Lba,
    /// Cylinders of first sectors.
    Cylinder,
}
