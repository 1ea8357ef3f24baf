//! Block devices and regular files of a Linux host.
//!
//! [`LinuxDevice::open`] opens read-only. A device that can be written comes from
//! [`open_for_writing`] alone, with the consent to do so, after every check of `safety` has passed
//! and the region to be written is saved; what is written is what was there, and nothing is put
//! back but by [`repair()`]. No setting of the
//! drive or the kernel is changed anywhere, so none has to be restored.

mod buffer;
mod clock;
mod denied;
mod device;
mod errno;
mod facts;
mod lease;
mod locked;
mod nature;
mod overhead;
mod safety;
mod scheduling;
mod sysfs;
mod target;
mod usage;

pub use device::LinuxDevice;
pub use safety::{
    DryRun, Finished, Left, Refusal, RefusalKind, Refused, Region, Repair, RepairOutcome,
    RepairRequest, Sectors, WriteError, WriteRequest, dry_run, left_behind, open_for_writing,
    repair,
};
pub use scheduling::Scheduling;
