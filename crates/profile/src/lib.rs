//! The drive profile: a TOML file that states every parameter of one disk drive and where each
//! value comes from, and its way to [`DriveParams`](platterlab_drive::DriveParams).
//!
//! A file passes these modules in turn: `shape` checks keys, types and ranges against the `schema`
//! of the [`options`](ProfileOptions); `origins` checks the provenance; `resolve` converts to the
//! drive's terms; and [`platterlab_drive::Drive::new`] checks that they make a drive. Whatever
//! fails on the way becomes one [`ProfileError`] with file, line, key and what would be right.

pub mod file;

mod advice;
mod align;
mod document;
mod error;
mod form;
mod key;
mod library;
mod options;
mod origins;
mod overrides;
mod place;
mod profile;
mod resolve;
mod schema;
mod shape;

pub use align::{AlignModel, Aligned, AlignedTrack, AlignedZone, Alignment};
pub use error::ProfileError;
pub use library::{LIBRARY, LibraryFile};
pub use options::*;
pub use origins::ProfileValue;
pub use profile::{Profile, id_of};
pub use schema::schema_json;
