//! The choice of the next of the waiting requests. One file per policy; all keep the contract of
//! [`Queue`], at the driver, in a controller and in the drive alike.
//!
//! To add a policy: a file in `policy/` with a type that has `push`, `pop`, `remove` and `len`, and its
//! arms in `policy/mod.rs`, which the compiler names.
//!
//! What goes before policies: lists by criticality and age (`lists`, `late`), streams (`together`),
//! requests that become one command (`combine`), requests for the same sectors (`overlap`), and the
//! tags of a drive's own queue (`tags`). [`Queue`] puts them together.

mod combine;
mod key;
mod late;
mod lists;
mod neighbours;
mod options;
mod overlap;
mod policy;
mod queue;
mod sorted;
mod tags;
mod together;
mod view;

pub use key::Key;
pub use options::{Combine, Overlap, QueueOptions, Rules, Tag, TagRule, TimeoutRule, Together};

use policy::Policy;
pub use policy::Scheduler;
pub use queue::Queue;
pub use view::DeviceView;

use platterlab_drive::layout::Spot;
use platterlab_units::{Moment, Operation};
use platterlab_workload::Criticality;

/// A waiting request, as policies see it.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The caller's name for it.
    pub id: u32,
    /// Its number in the order of arrival; no two are alike.
    pub sequence: u64,
    /// When it came to this queue.
    pub arrival: Moment,
    /// First sector on the device.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// Who waits for it.
    pub criticality: Criticality,
    /// How the drive's own queue is to treat it, if the request says so.
    pub order: Option<Tag>,
    /// Where it lies on the media; only there if [`Scheduler::needs_place`].
    pub place: Option<Spot>,
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
