//! The figures of a computer.

use super::cpu::CpuTimes;
use super::transfers::{ClassReport, LimitReport};
use serde::Serialize;

/// What a computer did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct HostReport {
    /// From the start to the end of the first process.
    pub task_elapsed_ms: Option<f64>,
    /// Where the CPUs' time went until then.
    pub task_times: Option<CpuTimes>,
    /// Where it went altogether.
    pub times: CpuTimes,
    /// Computing for the first process.
    pub task_computation_ms: f64,
    /// How often processes waited for storage.
    pub waits: u64,
    /// How long, altogether.
    pub wait_ms: f64,
    /// How long the first process did.
    pub task_wait_ms: f64,
    /// Interrupts served.
    pub interrupts: u64,
    /// Changes of a CPU's process.
    pub context_switches: u64,
    /// Events of processes.
    pub events: u64,
    /// Requests by class of criticality.
    pub classes: Vec<ClassReport>,
    /// Requests by what made them.
    pub causes: Vec<(&'static str, u64)>,
    /// How time limits were kept.
    pub limits: Option<LimitReport>,
    /// Pages the flow gave no place on the device.
    pub unplaced_pages: u64,
    /// Processes that the flow ends before they do.
    pub cut_processes: u64,
}
