//! The way to a device that may be written, and back.
//!
//! 1. `checks`: nobody else may be using the device, nothing may be on it, and the user has named
//!    it. Everything found against it is reported at once, each with the way out.
//! 2. It is opened so that nobody else can take it (`O_EXCL`; a lock and a lease for files), and
//!    `guard` stops the run when another process opens it to write all the same.
//! 3. `journal`: the region is saved to a file that only this user can have made (`folder`), and
//!    that file is on its disk, before the first write.
//! 4. `saved_region`: every write writes what was saved, so the content never changes. `flight`
//!    says before each which it is.
//! 5. At the end the region is compared. What differs was written by somebody else: it is reported,
//!    never reverted, and the journal is removed.
//! 6. If the process died before that, or a write failed, the journal stays. Then at most the
//!    sectors in flight differ, and those that cannot be read; [`repair()`] writes these back, on
//!    the user's word alone, and only where everything else is as it was. [`left_behind`] says at
//!    each start what there is, and changes nothing.

mod checks;
mod checksum;
mod compare;
mod fingerprint;
mod flight;
mod folder;
mod guard;
mod header;
mod journal;
mod left;
mod open;
mod others;
mod refusal;
mod region;
mod repair;
mod saved_region;
mod sectors;
mod signature;
mod verdict;

pub(super) use saved_region::SavedRegion;

pub use left::{Left, left_behind};
pub use open::{DryRun, WriteError, WriteRequest, dry_run, open_for_writing};
pub use refusal::{Refusal, RefusalKind, Refused};
pub use region::Region;
pub use repair::{Repair, RepairOutcome, RepairRequest, repair};
pub use saved_region::Finished;
pub use sectors::Sectors;
