//! Cache segments: runs of consecutive addresses, the least recently used given up first.

use super::Growth;
use super::overwrite::left;
use crate::{CacheParams, Overwritten};
use std::ops::Range;

/// One run of cached addresses, `first..end`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    pub(super) first: u64,
    pub(super) end: u64,
    /// Larger is more recent.
    used: u64,
    /// Whether it was filled by a write.
    written: bool,
}

/// All segments of one drive.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    segments: Vec<Segment>,
    capacity: u64,
    uses: u64,
    /// Segments with written data, at most.
    most_written: usize,
    /// Whether the last of the segments are for written data, and only they.
    separate: bool,
    overwritten: Overwritten,
}

impl Segments {
    pub(crate) fn new(cache: &CacheParams) -> Self {
        Self {
            segments: vec![Segment::default(); cache.segments as usize],
            capacity: u64::from(cache.segment_sectors),
            uses: 0,
            most_written: cache.most_write_segments() as usize,
            separate: cache.separate_write_segments,
            overwritten: cache.overwritten,
        }
    }

    /// The segment that holds most of `sectors` from `lba` on, the most recently used of those that
    /// hold as much, and how many sectors it holds from there.
    #[inline]
    pub(crate) fn find(&self, lba: u64, sectors: u64) -> Option<(usize, u64)> {
        let holds = |(_, segment): &(usize, &Segment)| (segment.first..segment.end).contains(&lba);
        let holders = self.segments.iter().enumerate().filter(holds);
        let end = lba + sectors;
        let (index, segment) =
            holders.max_by_key(|(_, segment)| (segment.end.min(end), segment.used))?;
        Some((index, segment.end - lba))
    }

    /// Marks a segment as the most recently used.
    #[inline]
    pub(crate) fn touch(&mut self, index: usize) {
        self.uses += 1;
        self.segments[index].used = self.uses;
    }

    /// Gives the least recently used segment to read data `lba..end`, of which its capacity is
    /// kept; `None` if there is no segment for it. The same data in other segments is given up.
    pub(crate) fn take(&mut self, lba: u64, end: u64) -> Option<usize> {
        self.change(Overwritten::KeepsEarlier, lba, end, None);
        let readable = self.segments.len() - if self.separate { self.for_written() } else { 0 };
        let index = self.oldest(0..readable, |_| true)?;
        self.fill(index, lba, end, false)
    }

    /// The same for data that was written. Segments with written data make room first, once they
    /// are as many as can be.
    pub(crate) fn take_written(&mut self, lba: u64, end: u64) -> Option<usize> {
        let all = self.segments.len();
        let index = if self.separate {
            self.oldest(all - self.for_written()..all, |_| true)?
        } else {
            let written = self.segments.iter().filter(|segment| segment.written).count();
            let full = written >= self.for_written();
            self.oldest(0..all, |segment| segment.written || !full)?
        };
        self.fill(index, lba, end, true)
    }

    fn for_written(&self) -> usize {
        self.most_written.min(self.segments.len())
    }

    fn oldest(&self, among: Range<usize>, fits: impl Fn(&Segment) -> bool) -> Option<usize> {
        let fitting = among.filter(|index| fits(&self.segments[*index]));
        fitting.min_by_key(|index| self.segments[*index].used)
    }

    fn fill(&mut self, index: usize, lba: u64, end: u64, written: bool) -> Option<usize> {
        let first = lba.max(end.saturating_sub(self.capacity));
        self.segments[index] = Segment { first, end, used: 0, written };
        self.touch(index);
        Some(index)
    }

    /// The addresses a segment holds, and whether a write filled it.
    pub(crate) fn holds(&self, index: usize) -> (Range<u64>, bool) {
        let segment = &self.segments[index];
        (segment.first..segment.end, segment.written)
    }

    /// Extends a segment to `end`; its oldest data makes room.
    #[inline]
    pub(crate) fn extend(&mut self, index: usize, end: u64) {
        self.grow(index, &Growth { end, behind: None });
    }

    /// Adds to a segment what read-ahead has read.
    #[inline]
    pub(crate) fn grow(&mut self, index: usize, growth: &Growth) {
        self.segments[index] = self.grown(index, growth);
    }

    /// The most sectors that any segment holds from `lba` on, once `growing` has grown.
    pub(crate) fn held(&self, lba: u64, growing: Option<&(usize, Growth)>) -> u64 {
        let held = |index| {
            let segment = self.once_grown(index, growing);
            if (segment.first..segment.end).contains(&lba) { segment.end - lba } else { 0 }
        };
        (0..self.segments.len()).map(held).max().unwrap_or(0)
    }

    /// First and end of what each segment holds, once `growing` has grown.
    pub(crate) fn ranges(&self, growing: Option<&(usize, Growth)>, ranges: &mut Vec<(u64, u64)>) {
        let held = (0..self.segments.len()).map(|index| self.once_grown(index, growing));
        let full = held.filter(|segment| segment.first < segment.end);
        ranges.extend(full.map(|segment| (segment.first, segment.end)));
    }

    fn once_grown(&self, index: usize, growing: Option<&(usize, Growth)>) -> Segment {
        match growing {
            Some((grows, growth)) if *grows == index => self.grown(index, growth),
            _ => self.segments[index],
        }
    }

    #[inline]
    fn grown(&self, index: usize, growth: &Growth) -> Segment {
        let segment = self.segments[index];
        let end = segment.end.max(growth.end);
        let first = match growth.behind {
            // What the host has taken since is not read again.
            Some(behind) if behind.end == segment.first && segment.first < end => behind.first,
            _ => segment.first,
        };
        Segment { first: first.max(end.saturating_sub(self.capacity)), end, ..segment }
    }

    /// Gives up a segment's data before `lba`.
    #[inline]
    pub(crate) fn discard_before(&mut self, index: usize, lba: u64) {
        let segment = &mut self.segments[index];
        segment.first = segment.first.max(lba).min(segment.end);
    }

    /// Does to segments what a write of `lba..end` does to them, but for one that is `spared`.
    pub(crate) fn overwrite(&mut self, lba: u64, end: u64, spared: Option<usize>) {
        self.change(self.overwritten, lba, end, spared);
    }

    #[inline]
    fn change(&mut self, policy: Overwritten, lba: u64, end: u64, spared: Option<usize>) {
        for (index, segment) in self.segments.iter_mut().enumerate() {
            if segment.first < end && lba < segment.end && Some(index) != spared {
                let left = left(policy, segment.first..segment.end, lba..end);
                (segment.first, segment.end) = (left.start, left.end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(count: u32) -> Segments {
        let cache = CacheParams { segments: count, segment_sectors: 100, ..CacheParams::default() };
        Segments::new(&cache)
    }

    #[test]
    fn the_least_recently_used_segment_is_given_up() {
        let mut segments = segments(2);
        segments.take(0, 10);
        segments.take(1000, 1010);
        segments.touch(segments.find(5, 1).unwrap().0);
        segments.take(2000, 2010);
        assert_eq!(segments.find(1000, 1), None);
        assert_eq!(segments.find(5, 1).map(|(_, sectors)| sectors), Some(5));
        assert_eq!(segments.find(2000, 1).map(|(_, sectors)| sectors), Some(10));
    }

    #[test]
    fn a_segment_keeps_its_newest_data() {
        let mut segments = segments(1);
        let index = segments.take(0, 80).unwrap();
        segments.extend(index, 150);
        assert_eq!(segments.find(49, 1), None);
        assert_eq!(segments.find(50, 1), Some((0, 100)));
        segments.take(500, 700);
        assert_eq!(segments.find(600, 1), Some((0, 100)));
        assert_eq!(segments.find(599, 1), None);
    }

    #[test]
    fn what_is_overwritten_is_given_up() {
        for (lba, end, kept, lost) in [(20, 30, 19, 20), (0, 10, 10, 9), (90, 200, 89, 90)] {
            let mut segments = segments(1);
            segments.take(0, 100);
            segments.overwrite(lba, end, None);
            assert!(segments.find(kept, 1).is_some(), "{lba}..{end} should keep {kept}");
            assert!(segments.find(lost, 1).is_none(), "{lba}..{end} should lose {lost}");
        }
    }

    #[test]
    fn no_segments_cache_nothing() {
        let mut segments = segments(0);
        assert_eq!(segments.take(0, 10), None);
        assert_eq!(segments.find(0, 1), None);
    }
}
