//! The quantities every other crate speaks in: time, angle, sectors, operations.
//!
//! All arithmetic is on integers, so a simulation gives the same bits on every machine.
//! This crate depends on nothing.

mod angle;
#[cfg(feature = "file")]
mod file;
mod moment;
mod nearest;
mod operation;
mod sectors;
mod size;
mod stamp;
mod time;
mod words;

pub use angle::Angle;
pub use moment::Moment;
pub use nearest::{meant, nearest};
pub use operation::Operation;
pub use sectors::{MAX_LBA, Partial, SECTOR_BYTES_DEFAULT, SectorSizes, Touched};
pub use size::{MIB, SizeError, parse_size};
pub use stamp::{Lapse, Stamp};
pub use time::{PS_PER_MS, PS_PER_US, Span, Time};
pub use words::named;
