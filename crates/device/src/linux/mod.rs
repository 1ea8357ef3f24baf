//! Block devices and regular files of a Linux host.
//!
//! [`LinuxDevice::open`] opens read-only. A device that can be written comes from
//! [`open_for_writing`] alone, with the consent to do so, after every check of `safety` has passed
//! and the region to be written is saved; what is written is what was there. No setting of the
//! drive or the kernel is changed anywhere, so none has to be restored.

mod buffer;
mod clock;
mod device;
mod errno;
mod facts;
mod overhead;
mod safety;
mod scheduling;
mod sysfs;
mod target;

pub use device::{Finished, LinuxDevice};
pub use safety::{
    DryRun, Refusal, RefusalKind, Refused, Region, Repair, RepairOutcome, WriteError, WriteRequest,
    dry_run, open_for_writing, repair,
};
pub use scheduling::Scheduling;
