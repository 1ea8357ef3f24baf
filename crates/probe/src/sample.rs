//! Samples: one request each, with its times on the device's clock, and how a run ended.

use platterlab_device::DeviceError;
use platterlab_units::{Operation, Span, Time};

/// One request of a probe and its times on the device's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// First sector.
    pub lba: u64,
    /// Length in logical sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// From the start of the previous request of the same run to the start of this one, in logical
    /// sectors; 0 for the first.
    pub distance_sectors: i64,
    /// When it was submitted.
    pub submitted: Time,
    /// When it was complete.
    pub completed: Time,
}

impl Sample {
    /// From submission to completion, host included.
    #[must_use]
    pub fn elapsed(&self) -> Span {
        self.completed.since(self.submitted)
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The plan was carried out.
    Complete,
    /// The caller broke it off.
    Cancelled,
    /// The device refused or failed a request.
    Failed(DeviceError),
}
