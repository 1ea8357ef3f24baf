//! The keys of the host and its driver.

use super::{Rules, Scheduler, TimeoutRule, Woken};
use platterlab_drive::LONGEST_MS;
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
    /// Whether a request that a process comes to wait for later joins the critical ones.
    pub promote: bool,
    /// After each critical request, nothing else is begun for so long, in milliseconds: the next may
    /// be near, and the arm would have left.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub anticipate_ms: f64,
    /// Requests that have waited too long go before others.
    pub timeout: Option<TimeoutRule>,
    /// Rules that go before the scheduler: streams and overlaps.
    pub rules: Rules,
    /// Time to start a read, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub read_ms: f64,
    /// Time to start a write, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub write_ms: f64,
    /// Processors on which the processes of all workloads think; without it each has its own.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub processors: Option<u32>,
    /// The processors that resume a process whose request has come.
    pub woken: Woken,
}
