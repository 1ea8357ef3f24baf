//! The header of a flow: the system it belongs to.

use serde::{Deserialize, Serialize};

/// Where a flow comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Traced on a running system.
    Captured,
    /// Made from published characteristics.
    Generated,
}

/// What stands at the beginning of a flow: the system it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlowHeader {
    /// Captured or generated.
    pub origin: Origin,
    /// What the flow is, in words; never a file's name.
    pub title: String,
    /// CPUs and memory.
    pub machine: Machine,
    /// How the file cache reads ahead and when it makes writers wait.
    pub cache: CacheSettings,
    /// When dirty pages are written.
    pub syncer: SyncerSettings,
    /// The device the addresses belong to.
    pub device: DeviceFacts,
}

/// The computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Processors, at least 1.
    pub cpus: u32,
    /// Memory that can hold file pages, in pages.
    pub memory_pages: u64,
    /// Bytes of a page, a multiple of the sector.
    pub page_bytes: u32,
    /// The operating system and its version.
    pub system: String,
    /// The clock of the trace.
    pub clock: String,
}

/// The file cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CacheSettings {
    /// The largest read-ahead window, in pages; 1 reads page N+1 when N is read.
    pub read_ahead_pages: u32,
    /// Share of memory that may be dirty before daemons begin to write, in percent.
    pub dirty_background_percent: f64,
    /// Share of memory that may be dirty before writers wait, in percent.
    pub dirty_percent: f64,
}

/// The daemon that writes dirty pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SyncerSettings {
    /// How often it wakes, in ms.
    pub interval_ms: f64,
    /// How old a page must be before it writes it, in ms.
    pub expire_ms: f64,
}

/// The block device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DeviceFacts {
    /// Its size, in sectors.
    pub sectors: u64,
    /// Bytes of a sector.
    pub sector_bytes: u32,
    /// The scheduler of its queue.
    pub scheduler: String,
    /// The longest request, in sectors.
    pub max_request_sectors: u32,
    /// The file system on it.
    pub file_system: String,
}

/// What stands at the end of a flow: totals that the records are checked against.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlowSummary {
    /// From the first instruction of the first process to the end of the last one, in ns.
    pub elapsed_ns: u64,
    /// CPU time of the flow's processes by the trace, interrupts not counted, in ns.
    pub compute_ns: u64,
    /// Time of interrupt handlers that ran while one of the processes had the CPU, in ns.
    pub interrupt_ns: u64,
    /// CPU time of the same processes by the system's own accounts, in ns; 0 where unknown.
    pub scheduler_ns: u64,
    /// CPU time of everything else while the flow ran, in ns.
    pub other_cpu_ns: u64,
    /// Time that a CPU had nothing to run while a process waited for storage, in ns.
    pub false_idle_ns: u64,
    /// Interrupts that were seen.
    pub interrupts: u64,
    /// Context switches that were seen.
    pub context_switches: u64,
    /// Events of the trace that were read.
    pub trace_events: u64,
    /// Requests by the system's own counters, reads + writes + flushes + discards; 0 where unknown.
    pub device_requests: u64,
    /// Flushes without data. The system counts each as a write, besides the flush it becomes.
    pub empty_flushes: u64,
    /// Requests that no cause could be found for.
    pub unattributed_requests: u64,
    /// Requests that had not ended when the trace did.
    pub unfinished_requests: u64,
    /// Processes that still ran when the trace ended; their flows are cut there.
    pub cut_processes: u64,
    /// Pages that were written and whose place on the device is not known.
    pub unplaced_pages: u64,
}
