//! Waiting requests by address, to find those that are contiguous or overlap.

use super::sorted::Sorted;
use super::{Key, Waiting};

/// Waiting requests by address, for the rules that look at adjacent or overlapping requests.
#[derive(Clone, Debug)]
pub(super) struct Neighbours {
    by_lba: Sorted,
    /// Sectors in the longest request there ever was.
    longest: u64,
}

impl Neighbours {
    pub(super) fn new() -> Self {
        Self { by_lba: Sorted::new(Key::Lba), longest: 0 }
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        self.longest = self.longest.max(u64::from(waiting.sectors));
        self.by_lba.push(waiting);
    }

    pub(super) fn remove(&mut self, waiting: &Waiting) {
        self.by_lba.remove(waiting);
    }

    /// Those that start at `lba` or up to `gap` sectors after it.
    pub(super) fn starting(&self, lba: u64, gap: u64) -> impl Iterator<Item = &Waiting> {
        self.by_lba.upwards(lba).take_while(move |waiting| waiting.lba - lba <= gap)
    }

    /// Those that end where `lba` begins or up to `gap` sectors before it.
    pub(super) fn ending(&self, lba: u64, gap: u64) -> impl Iterator<Item = &Waiting> {
        let ends = move |end| end <= lba && lba - end <= gap;
        self.within(lba.saturating_sub(gap), lba).filter(move |waiting| ends(waiting.end()))
    }

    /// Those that have sectors in `lba..end`.
    pub(super) fn overlapping(&self, lba: u64, end: u64) -> impl Iterator<Item = &Waiting> {
        self.within(lba, end).filter(move |waiting| waiting.end() > lba)
    }

    /// Those that start before `end` and may reach `lba`.
    fn within(&self, lba: u64, end: u64) -> impl Iterator<Item = &Waiting> {
        let longest = self.longest;
        self.by_lba.downwards(end).take_while(move |waiting| waiting.lba + longest >= lba)
    }
}
