//! Averages over time in bins that double in width as the run grows.

use platterlab_units::Stamp;

/// Quantities over time in bounded memory: how many of something there were, on the average of each
/// bin. Bins double in width when the run outgrows them.
///
/// However many bins an interval covers, only those where it begins and where it ends are touched.
/// All quantities have their bins of one time side by side, as those are what is used at that time.
#[derive(Clone, Debug)]
pub(crate) struct OverTime {
    /// How many quantities.
    width: usize,
    /// Bins are 2^shift picoseconds wide.
    shift: u32,
    /// Bins of each.
    length: usize,
    /// The most of them.
    most: usize,
    bins: Vec<Bin>,
    /// The bin in which the last interval ended, where most do, from its first to its last picosecond,
    /// and where it stands; none where it ends before it begins.
    begin_ps: u64,
    last_ps: u64,
    base: usize,
}

/// In as little memory as can be: there are many.
#[derive(Clone, Copy, Debug, Default)]
#[repr(Rust, packed(8))]
struct Bin {
    /// Time of intervals that begin in this bin, from there to its end, less that of intervals that
    /// end in it, from there to its end.
    within_ps: i128,
    /// Intervals that begin in this bin, less those that end in it.
    step: i64,
}

/// Bins of each quantity at most, and at least half as many once the run is longer than that of the
/// narrowest. Where there are very many quantities each has fewer, down to a sixteenth.
const BINS: usize = 256;
const FEWEST: usize = BINS / 16;
/// Bins of all quantities together that leave each its own.
const ALL: usize = 1 << 20;
/// About a millisecond.
const NARROWEST: u32 = 30;

impl OverTime {
    /// A number of quantities.
    pub(crate) fn new(width: usize) -> Self {
        let most = (ALL / width.max(1).next_power_of_two()).clamp(FEWEST, BINS);
        let bins = Vec::new();
        let (shift, length, begin_ps, last_ps, base) = (NARROWEST, 0, 1, 0, 0);
        Self { width, shift, length, most, bins, begin_ps, last_ps, base }
    }

    /// One more of the quantity `which` from `from` to `to`.
    #[inline(always)]
    pub(crate) fn add(&mut self, which: usize, from: Stamp, to: Stamp) {
        // Within 213 days half of the bits are all there is.
        let (from_ps, to_ps) = (from.as_ps() as u64, to.as_ps() as u64);
        let within = from_ps >= self.begin_ps && to_ps <= self.last_ps;
        if within && to.as_ps() >> 64 == 0 {
            self.bins[self.base + which].within_ps += i128::from(to_ps - from_ps);
        } else {
            self.add_across(which, from, to);
        }
    }

    /// What does not lie within the bin in which the last interval ended.
    #[inline(never)]
    fn add_across(&mut self, which: usize, from: Stamp, to: Stamp) {
        let (from_ps, to_ps) = (from.as_ps() as u64, to.as_ps() as u64);
        let short_bin = |at_ps: u64| (at_ps >> (self.shift & 63)) as usize;
        let (first, last) = (short_bin(from_ps), short_bin(to_ps));
        if to.as_ps() >> 64 != 0 || last >= self.length {
            return self.add_late(which, from, to);
        }
        debug_assert!(self.shift < 62, "time does not go back by so much");
        let span = 1_u64 << self.shift;
        let rest = |at_ps: u64| i128::from(span - (at_ps & (span - 1)));
        let begun = &mut self.bins[first * self.width + which];
        begun.within_ps += rest(from_ps);
        begun.step += 1;
        self.base = last * self.width;
        let ended = &mut self.bins[self.base + which];
        ended.within_ps -= rest(to_ps);
        ended.step -= 1;
        self.begin_ps = (last as u64) << self.shift;
        self.last_ps = self.begin_ps + (span - 1);
    }

    /// The same for instants of any bits, where there may be no bin yet.
    #[cold]
    fn add_late(&mut self, which: usize, from: Stamp, to: Stamp) {
        if self.bin(to) >= self.length {
            self.reach(to);
        }
        let span = 1_u128 << self.shift;
        for (at, by) in [(from, 1), (to, -1)] {
            let rest = span - (at.as_ps() & (span - 1));
            let index = self.bin(at) * self.width + which;
            let bin = &mut self.bins[index];
            bin.within_ps += i128::from(by) * rest as i128;
            bin.step += by;
        }
        // Bins may be others now.
        (self.begin_ps, self.last_ps) = (1, 0);
    }

    /// The bin of an instant.
    #[inline]
    fn bin(&self, at: Stamp) -> usize {
        usize::try_from(at.as_ps() >> self.shift).unwrap_or(usize::MAX)
    }

    /// Makes room for what happens at `to`.
    #[cold]
    fn reach(&mut self, to: Stamp) {
        while self.bin(to) >= self.most {
            self.double();
        }
        let wanted = self.bin(to) + 1;
        if wanted > self.length {
            self.length = wanted;
            self.bins.resize(wanted * self.width, Bin::default());
        }
    }

    fn double(&mut self) {
        let (width, span) = (self.width, 1_i128 << self.shift);
        self.length = self.length.div_ceil(2);
        // In place: a new bin comes from some that are not before it.
        for index in 0..self.length {
            let both = (2 * index + 1) * width < self.bins.len();
            for which in 0..width {
                let even = self.bins[2 * index * width + which];
                let odd =
                    if both { self.bins[(2 * index + 1) * width + which] } else { Bin::default() };
                // What begins in the even half covers all of the odd one.
                let within_ps = even.within_ps + odd.within_ps + span * i128::from(even.step);
                let step = even.step + odd.step;
                self.bins[index * width + which] = Bin { within_ps, step };
            }
        }
        self.bins.truncate(self.length * width);
        self.shift += 1;
    }

    /// The width, a power of two of picoseconds, of the bins that a run until `end` is reported in.
    pub(crate) fn told_in(&self, end: Stamp) -> u32 {
        let mut shift = NARROWEST;
        while end.as_ps() >> shift >= self.most as u128 {
            shift += 1;
        }
        shift
    }

    /// How many of the quantity `which` there were on the average of each bin of 2^`shift` ps, until
    /// `end`, which nothing goes beyond.
    pub(crate) fn means(&self, which: usize, end: Stamp, shift: u32) -> Vec<f64> {
        let bins = self.bins.iter().skip(which).step_by(self.width).copied().collect();
        let mut wide = Self { width: 1, bins, ..*self };
        while wide.shift < shift {
            wide.double();
        }
        // Wider only if what was broken off would have gone on beyond `end`.
        let width = 1_u128 << wide.shift;
        let mut covering = 0_i128;
        let mean = |index: usize| {
            let Bin { within_ps, step } = wide.bins.get(index).copied().unwrap_or_default();
            let length = width.min(end.as_ps() - index as u128 * width);
            let time_ps = within_ps + covering * width as i128;
            covering += i128::from(step);
            time_ps as f64 / length as f64
        };
        let means: Vec<f64> = (0..end.as_ps().div_ceil(width) as usize).map(mean).collect();
        let count = end.as_ps().div_ceil(1 << shift) as usize;
        (0..count).map(|index| means[index >> (wide.shift - shift)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::Span;

    #[test]
    fn means_are_those_of_adding_up_every_interval_bin_by_bin() {
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 20) % below
        };
        let stamp = |ps: u64| Stamp::from_ps(u128::from(ps));
        // Beside another that must not get into it.
        let mut series = OverTime::new(2);
        let mut intervals = Vec::new();
        for at in 0..5_000_u64 {
            let from = at * 1_000_000 + next(900_000);
            let length = if next(50) == 0 { next(1_000_000_000) } else { next(3_000_000) };
            let (from, to) = (from * 1_000, (from + length) * 1_000);
            series.add(1, stamp(from), stamp(to));
            series.add(0, stamp(from / 2), stamp(to));
            intervals.push((from, to));
        }
        let end = intervals.iter().map(|interval| interval.1).max().unwrap_or(0);
        let shift = series.told_in(stamp(end));
        let means = series.means(1, stamp(end), shift);
        let width = 1_u64 << shift;
        assert!(means.len() > BINS / 2 && means.len() <= BINS);
        for (index, mean) in (0_u64..).zip(&means) {
            let (first, last) = (index * width, ((index + 1) * width).min(end));
            let overlap =
                |&(from, to): &(u64, u64)| to.min(last).saturating_sub(from.max(first)) as f64;
            let expected = intervals.iter().map(overlap).sum::<f64>() / (last - first) as f64;
            assert!((mean - expected).abs() < 1e-9, "{index}: {mean}, {expected}");
        }
        let total = Span::from_ps(intervals.iter().map(|(from, to)| to - from).sum());
        assert!(total > Span::ZERO && OverTime::new(1).means(0, Stamp::ZERO, 30).is_empty());
    }

    #[test]
    fn very_many_quantities_have_fewer_bins_each() {
        for (width, most) in [(1, 256), (4096, 256), (4097, 128), (131_072, 16), (1 << 24, 16)] {
            assert_eq!(OverTime::new(width).most, most, "{width}");
        }
    }
}
