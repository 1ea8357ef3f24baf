//! `snapshot.json`: what a capture says of its system before and after the traced run.

use std::collections::BTreeMap;
use std::path::Path;

use platterlab_workload::flow::FlowHeader;
use serde::Deserialize;

use crate::CaptureError;

/// What was written down about the system before and after the traced run: `snapshot.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Snapshot {
    /// The header of the flow to come.
    pub header: FlowHeader,
    /// The first traced process, by the kernel's number.
    pub root_pid: i32,
    /// `uname -m`, which determines the numbers of the system calls.
    pub architecture: String,
    /// The kernel's number of the traced disk and of its partitions.
    pub devices: Vec<u32>,
    /// The kernel's number of the file system's own device.
    pub file_system_device: u32,
    /// Where the file system begins on the disk, in sectors.
    pub partition_start: u64,
    /// Bytes of a block of the file system.
    pub block_bytes: u32,
    /// Kernel threads and their names, before and after.
    pub kernel_threads: BTreeMap<i32, String>,
    /// What the system itself counted.
    pub accounts: SystemAccounts,
    /// Whether names of processes are wanted in the flow.
    pub names: bool,
}

/// The kernel's own counts over the traced run.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SystemAccounts {
    /// CPU time of the traced processes, in ns.
    pub scheduler_ns: u64,
    /// Requests that the traced disk completed.
    pub device_requests: u64,
    /// Events that the ring buffers lost.
    pub lost_events: u64,
}

impl Snapshot {
    /// Reads `snapshot.json` of a raw capture.
    ///
    /// # Errors
    /// It is missing or not legal.
    pub fn read(folder: &Path) -> Result<Self, CaptureError> {
        let path = folder.join("snapshot.json");
        let refuse = |what: String| CaptureError::new(&path, what);
        let text = std::fs::read(&path).map_err(|error| refuse(error.to_string()))?;
        serde_json::from_slice(&text).map_err(|error| refuse(error.to_string()))
    }
}
