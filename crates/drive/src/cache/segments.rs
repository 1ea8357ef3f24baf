//! Cache segments: runs of consecutive addresses, the least recently used given up first.

/// One run of cached addresses, `first..end`.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    first: u64,
    end: u64,
    /// Larger is more recent.
    used: u64,
}

/// All segments of one drive.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    segments: Vec<Segment>,
    capacity: u64,
    uses: u64,
}

impl Segments {
    pub(crate) fn new(count: u32, capacity_sectors: u32) -> Self {
        Self {
            segments: vec![Segment::default(); count as usize],
            capacity: u64::from(capacity_sectors),
            uses: 0,
        }
    }

    /// The segment that holds most from `lba` on, and how many sectors.
    #[inline]
    pub(crate) fn find(&self, lba: u64) -> Option<(usize, u64)> {
        let holds = |(_, segment): &(usize, &Segment)| (segment.first..segment.end).contains(&lba);
        let holders = self.segments.iter().enumerate().filter(holds);
        let (index, segment) = holders.max_by_key(|(_, segment)| segment.end)?;
        Some((index, segment.end - lba))
    }

    /// Marks a segment as the most recently used.
    #[inline]
    pub(crate) fn touch(&mut self, index: usize) {
        self.uses += 1;
        self.segments[index].used = self.uses;
    }

    /// Gives the least recently used segment to `lba..end`, of which its capacity is kept; `None`
    /// if the drive has no segments. Overlapping data in other segments is given up.
    pub(crate) fn take(&mut self, lba: u64, end: u64) -> Option<usize> {
        self.forget(lba, end);
        let oldest = |index: &usize| self.segments[*index].used;
        let index = (0..self.segments.len()).min_by_key(oldest)?;
        let first = lba.max(end.saturating_sub(self.capacity));
        self.segments[index] = Segment { first, end, used: 0 };
        self.touch(index);
        Some(index)
    }

    /// Extends a segment to `end`; its oldest data makes room.
    #[inline]
    pub(crate) fn extend(&mut self, index: usize, end: u64) {
        self.segments[index] = self.extended(index, end);
    }

    /// The most sectors that any segment holds from `lba` on, once `growing` has been extended.
    pub(crate) fn held(&self, lba: u64, growing: Option<(usize, u64)>) -> u64 {
        let held = |index| {
            let segment = match growing {
                Some((grows, end)) if grows == index => self.extended(index, end),
                _ => self.segments[index],
            };
            if (segment.first..segment.end).contains(&lba) { segment.end - lba } else { 0 }
        };
        (0..self.segments.len()).map(held).max().unwrap_or(0)
    }

    /// First and end of what each segment holds, once `growing` has been extended.
    pub(crate) fn ranges(&self, growing: Option<(usize, u64)>, ranges: &mut Vec<(u64, u64)>) {
        let held = (0..self.segments.len()).map(|index| match growing {
            Some((grows, end)) if grows == index => self.extended(index, end),
            _ => self.segments[index],
        });
        let full = held.filter(|segment| segment.first < segment.end);
        ranges.extend(full.map(|segment| (segment.first, segment.end)));
    }

    #[inline]
    fn extended(&self, index: usize, end: u64) -> Segment {
        let segment = self.segments[index];
        let end = segment.end.max(end);
        let first = segment.first.max(end.saturating_sub(self.capacity));
        Segment { first, end, ..segment }
    }

    /// Gives up a segment's data before `lba`.
    #[inline]
    pub(crate) fn discard_before(&mut self, index: usize, lba: u64) {
        let segment = &mut self.segments[index];
        segment.first = segment.first.max(lba).min(segment.end);
    }

    /// Gives up what overlaps `lba..end`: of a segment cut in two, the earlier part stays.
    pub(crate) fn forget(&mut self, lba: u64, end: u64) {
        for segment in &mut self.segments {
            if segment.first < end && lba < segment.end {
                if segment.first < lba {
                    segment.end = lba;
                } else {
                    segment.first = end.min(segment.end);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_segment_is_given_up() {
        let mut segments = Segments::new(2, 100);
        segments.take(0, 10);
        segments.take(1000, 1010);
        segments.touch(segments.find(5).unwrap().0);
        segments.take(2000, 2010);
        assert_eq!(segments.find(1000), None);
        assert_eq!(segments.find(5).map(|(_, sectors)| sectors), Some(5));
        assert_eq!(segments.find(2000).map(|(_, sectors)| sectors), Some(10));
    }

    #[test]
    fn a_segment_keeps_its_newest_data() {
        let mut segments = Segments::new(1, 100);
        let index = segments.take(0, 80).unwrap();
        segments.extend(index, 150);
        assert_eq!(segments.find(49), None);
        assert_eq!(segments.find(50), Some((0, 100)));
        segments.take(500, 700);
        assert_eq!(segments.find(600), Some((0, 100)));
        assert_eq!(segments.find(599), None);
    }

    #[test]
    fn what_is_overwritten_is_given_up() {
        for (lba, end, kept, lost) in [(20, 30, 19, 20), (0, 10, 10, 9), (90, 200, 89, 90)] {
            let mut segments = Segments::new(1, 100);
            segments.take(0, 100);
            segments.forget(lba, end);
            assert!(segments.find(kept).is_some(), "{lba}..{end} should keep {kept}");
            assert!(segments.find(lost).is_none(), "{lba}..{end} should lose {lost}");
        }
    }

    #[test]
    fn no_segments_cache_nothing() {
        let mut segments = Segments::new(0, 100);
        assert_eq!(segments.take(0, 10), None);
        assert_eq!(segments.find(0), None);
    }
}
