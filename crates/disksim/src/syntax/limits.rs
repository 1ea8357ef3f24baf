//! What no profile exceeds, so that a sheet that does is refused where it says so.

/// More cylinders than this no profile has.
pub(crate) const MOST_CYLINDERS: u32 = 10_000_000;
/// More surfaces than this no profile has.
pub(crate) const MOST_SURFACES: u32 = 1_024;
