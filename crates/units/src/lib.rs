//! The quantities every other crate speaks in: time, angle, sectors, operations.
//!
//! All arithmetic is on integers, so a simulation gives the same bits on every machine.
//! This crate depends on nothing.

mod angle;
mod nearest;
mod operation;
mod sectors;
mod size;
mod time;

pub use angle::Angle;
pub use nearest::nearest;
pub use operation::Operation;
pub use sectors::{MAX_LBA, SECTOR_BYTES_DEFAULT};
pub use size::{SizeError, parse_size};
pub use time::{Span, Stamp, Time};
