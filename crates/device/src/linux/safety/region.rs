//! The range of sectors that a run may write.

use std::fmt;

/// The only sectors of a device that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first, in logical sectors.
    pub first: u64,
    /// How many, in logical sectors.
    pub sectors: u64,
}

impl Region {
    /// Whether all of the sectors from `lba` on lie in it.
    pub(in crate::linux) fn contains(&self, lba: u64, sectors: u32) -> bool {
        lba >= self.first
            && lba.checked_add(u64::from(sectors)).is_some_and(|end| end <= self.end())
    }

    /// The first sector after it.
    pub(super) fn end(&self) -> u64 {
        self.first.saturating_add(self.sectors)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sectors == 1 {
            return write!(f, "sector {}", self.first);
        }
        write!(f, "sectors {} to {}", self.first, self.end().saturating_sub(1))
    }
}
