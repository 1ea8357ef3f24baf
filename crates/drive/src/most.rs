//! The most that a drive can have of anything that a file counts or times.

/// The longest time that a file can state for one step of a drive or a host, in milliseconds.
pub const LONGEST_MS: f64 = 10_000.0;
/// Cylinders of a drive at most.
pub const MOST_CYLINDERS: u32 = 10_000_000;
/// Surfaces of a drive at most.
pub const MOST_SURFACES: u32 = 1_024;
/// Sectors at the end of a transfer from which a drive takes the bus again, at most.
pub const MOST_BEFORE_END: u32 = 4_096;
/// Segments of a buffer at most.
pub(crate) const MOST_SEGMENTS: u32 = 65_536;
/// Runs of addresses that can wait in a buffer, at most.
pub(crate) const MOST_EXTENTS: u32 = 1_024;
