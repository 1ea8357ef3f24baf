//! Written data that waits for the media, and the order in which it goes there.

use crate::WriteBack;
use platterlab_units::{Span, Time};
use std::collections::BTreeMap;
use std::ops::Range;

/// Consecutive addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extent {
    first: u64,
    end: u64,
}

/// Data that waits: extents that neither overlap nor touch, by address.
#[derive(Clone, Debug)]
pub(crate) struct Dirty {
    extents: Vec<Extent>,
    most_extents: usize,
    most_sectors: u64,
    sectors: u64,
    /// Where the last extent that was taken ended.
    taken: u64,
    /// Sectors that wait of which only a part is known: which logical sectors of each.
    partial: BTreeMap<u64, (u16, u16)>,
    /// Taken, and when it is on the media.
    landing: Vec<(Extent, Time)>,
}

impl Dirty {
    pub(crate) fn new(params: &WriteBack) -> Self {
        let most_extents = params.extents as usize;
        let extents = Vec::with_capacity(most_extents);
        Self {
            extents,
            most_extents,
            most_sectors: u64::from(params.sectors),
            sectors: 0,
            taken: 0,
            partial: BTreeMap::new(),
            landing: Vec::new(),
        }
    }

    /// Whether all of `lba..end` waits, whole.
    pub(crate) fn holds(&self, lba: u64, end: u64) -> bool {
        let index = self.extents.partition_point(|extent| extent.end <= lba);
        self.extents.get(index).is_some_and(|extent| extent.first <= lba && end <= extent.end)
            && self.partial.range(lba..end).next().is_none()
    }

    /// Adds `lba..end`, in place of the same addresses and in one with its neighbours; whether
    /// there was room.
    pub(crate) fn add(&mut self, lba: u64, end: u64) -> bool {
        let from = self.extents.partition_point(|extent| extent.end < lba);
        let to = self.extents.partition_point(|extent| extent.first <= end);
        let mut joined = Extent { first: lba, end };
        let mut known = 0;
        for extent in &self.extents[from..to] {
            joined.first = joined.first.min(extent.first);
            joined.end = joined.end.max(extent.end);
            known += extent.end - extent.first;
        }
        let sectors = self.sectors - known + (joined.end - joined.first);
        let extents = self.extents.len() - (to - from) + 1;
        if sectors > self.most_sectors || extents > self.most_extents {
            return false;
        }
        self.extents.splice(from..to, [joined]);
        self.sectors = sectors;
        true
    }

    /// Notes what is known of the sectors that were just `added`: all of them, but for
    /// the `edges`, of which only so much was `written`. What was known of an edge before stays known;
    /// nothing was known of the `unread` ones. `each` logical sectors make a sector.
    pub(crate) fn complete(
        &mut self,
        added: Range<u64>,
        each: u16,
        written: impl Iterator<Item = (u64, (u16, u16))>,
        unread: &[Option<u64>],
    ) {
        if each == 1 {
            return;
        }
        let mut known = self.partial.split_off(&added.start);
        self.partial.append(&mut known.split_off(&added.end));
        for (sector, (from, to)) in written {
            let part = match known.get(&sector) {
                // Apart from what is known, it leaves a gap: the sector will have to be read.
                Some(&(first, last)) if from > last || first > to => (first, last),
                Some(&(first, last)) => (first.min(from), last.max(to)),
                None if unread.contains(&Some(sector)) => (from, to),
                None => continue,
            };
            if part != (0, each) {
                self.partial.insert(sector, part);
            }
        }
    }

    /// Takes the first of the sectors `lba..end` of which only a part is known.
    pub(crate) fn take_partial(&mut self, lba: u64, end: u64) -> Option<u64> {
        let sector = *self.partial.range(lba..end).next()?.0;
        self.partial.remove(&sector);
        Some(sector)
    }

    /// Takes the first extent at or after the end of the last one taken, or from the beginning where
    /// there is none.
    pub(crate) fn take(&mut self) -> Option<(u64, u32)> {
        let next = self.extents.partition_point(|extent| extent.first < self.taken);
        let index = if next < self.extents.len() { next } else { 0 };
        let Extent { first, end } = *self.extents.get(index)?;
        self.extents.remove(index);
        self.sectors -= end - first;
        self.taken = end;
        // It has no more sectors than can wait.
        Some((first, (end - first) as u32))
    }
}

impl Dirty {
    /// What was taken is on the media at `at`.
    pub(crate) fn lands(&mut self, first: u64, end: u64, at: Time) {
        self.landing.push((Extent { first, end }, at));
    }

    /// Forgets what is on the media by `now`.
    pub(crate) fn forget_landed(&mut self, now: Time) {
        self.landing.retain(|&(_, at)| at > now);
    }

    /// Adds what waits or is on its way at `now`.
    pub(crate) fn unwritten(&self, now: Time, runs: &mut Vec<(u64, u64)>) {
        let landing = self.landing.iter().filter(|&&(_, at)| at > now).map(|(extent, _)| extent);
        runs.extend(self.extents.iter().chain(landing).map(|&Extent { first, end }| (first, end)));
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        for (_, at) in &mut self.landing {
            *at = at.rebased(by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dirty(sectors: u32, extents: u32) -> Dirty {
        Dirty::new(&WriteBack { sectors, extents, idle: Span::ZERO })
    }

    #[test]
    fn what_overlaps_or_touches_is_one_extent() {
        let mut dirty = dirty(100, 3);
        for (lba, end) in [(10, 20), (40, 50), (30, 40), (15, 25)] {
            assert!(dirty.add(lba, end));
        }
        assert!(dirty.holds(10, 25) && dirty.holds(30, 50));
        assert!(!dirty.holds(20, 31) && !dirty.holds(9, 11) && !dirty.holds(49, 51));
        assert!(dirty.add(25, 30), "the gap");
        assert_eq!((dirty.take(), dirty.take()), (Some((10, 40)), None));
    }

    #[test]
    fn room_ends_with_the_last_sector_and_the_last_extent() {
        let mut few = dirty(100, 2);
        assert!(few.add(0, 1) && few.add(10, 11) && !few.add(20, 21));
        assert!(few.add(11, 12), "no new extent");
        let mut small = dirty(10, 9);
        assert!(small.add(0, 6) && !small.add(20, 25) && small.add(20, 24));
        assert!(small.add(0, 6), "the same addresses again");
        assert!(!small.add(6, 7));
    }

    #[test]
    fn extents_go_in_rising_order_over_and_over() {
        let mut dirty = dirty(100, 9);
        for lba in [50, 30] {
            dirty.add(lba, lba + 1);
        }
        assert_eq!(dirty.take(), Some((30, 1)));
        dirty.add(10, 11);
        assert_eq!(
            [dirty.take(), dirty.take(), dirty.take()],
            [Some((50, 1)), Some((10, 1)), None]
        );
    }
}
