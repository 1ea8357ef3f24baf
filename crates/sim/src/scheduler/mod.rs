//! Which of the waiting requests comes next. One file per policy; all keep the contract of
//! [`Queue`], at the driver, in a controller and in the drive alike.
//!
//! To add a policy: a file with a type that has `push`, `pop` and `len`, and a line for it in
//! `policy.rs`.

mod batch;
mod fcfs;
mod look;
mod policy;
mod queue;
mod sorted;
mod sptf;
mod view;
mod vscan;

use policy::Policy;
pub use policy::{Key, PolicyKind};
pub use queue::{Queue, QueueOptions, TimeoutRule};
pub use view::DeviceView;

use platterlab_drive::layout::Run;
use platterlab_units::{Operation, Time};
use platterlab_workload::Criticality;

/// A waiting request, as policies see it.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The caller's name for it.
    pub id: u32,
    /// Its number in the order of arrival; no two are alike.
    pub sequence: u64,
    /// When it came to this queue.
    pub arrival: Time,
    /// First sector on the device.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// Who waits for it.
    pub criticality: Criticality,
    /// Where it lies on the media; only there if [`PolicyKind::needs_place`].
    pub place: Option<Run>,
}

impl Waiting {
    /// The first sector after it.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.lba + u64::from(self.sectors)
    }

    /// Its cylinder, or 0 where there is none.
    #[must_use]
    pub fn cylinder(&self) -> u32 {
        self.place.as_ref().map_or(0, |place| place.cylinder)
    }
}
