//! The way to a device that may be written, and back.
//!
//! 1. `checks`: nobody else may be using the device, nothing may be on it, and the user has named
//!    it. Everything found against it is told at once, each with the way out.
//! 2. It is opened so that nobody else can take it (`O_EXCL`; a lock for files).
//! 3. `journal`: the region is saved to a file, and that file is on its disk, before the first
//!    write.
//! 4. `saved_region`: every write writes what was saved, so the content never changes.
//! 5. At the end the region is compared, put right where needed, and the journal removed. If the
//!    process died before that, [`repair()`] does it at the next start.

mod checks;
mod checksum;
mod header;
mod journal;
mod open;
mod refusal;
mod region;
mod repair;
mod restore;
mod saved_region;
mod signature;
mod usage;

pub(super) use saved_region::SavedRegion;

pub use open::{DryRun, WriteError, WriteRequest, dry_run, open_for_writing};
pub use refusal::{Refusal, RefusalKind, Refused};
pub use region::Region;
pub use repair::{Repair, RepairOutcome, repair};
