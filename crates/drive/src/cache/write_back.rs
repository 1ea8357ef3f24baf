//! Written data that waits for the media, and the order in which it goes there.

use crate::WriteBack;

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
}

impl Dirty {
    pub(crate) fn new(params: &WriteBack) -> Self {
        let most_extents = params.extents as usize;
        let extents = Vec::with_capacity(most_extents);
        Self { extents, most_extents, most_sectors: u64::from(params.sectors), sectors: 0 }
    }

    /// Whether all of `lba..end` waits.
    pub(crate) fn holds(&self, lba: u64, end: u64) -> bool {
        let index = self.extents.partition_point(|extent| extent.end <= lba);
        self.extents.get(index).is_some_and(|extent| extent.first <= lba && end <= extent.end)
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

    /// Takes the first extent at or after `from`, or from the beginning where there is none.
    pub(crate) fn take(&mut self, from: u64) -> Option<(u64, u32)> {
        let next = self.extents.partition_point(|extent| extent.first < from);
        let index = if next < self.extents.len() { next } else { 0 };
        let Extent { first, end } = *self.extents.get(index)?;
        self.extents.remove(index);
        self.sectors -= end - first;
        // It has no more sectors than can wait.
        Some((first, (end - first) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::Span;

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
        assert_eq!((dirty.take(0), dirty.take(0)), (Some((10, 40)), None));
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
        for lba in [50, 10, 30] {
            dirty.add(lba, lba + 1);
        }
        let order = [30, 31, 51].map(|from| dirty.take(from).map(|(lba, _)| lba));
        assert_eq!(order, [Some(30), Some(50), Some(10)]);
        assert_eq!(dirty.take(0), None);
    }
}
