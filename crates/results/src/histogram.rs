//! Histograms with bins of constant relative width.

/// Counts of whole numbers in steps that widen with the number, `2^STEP_BITS` of them in each
/// doubling: by default exact below 1024, and to 0.1 % above.
///
/// Memory follows the logarithm of the largest number, by default 4 KiB for each doubling; of a few
/// values it is a list of them, as there may be very many histograms.
#[derive(Clone, Debug, Default)]
pub struct Histogram<const STEP_BITS: u32 = 9> {
    /// By step; none while there are few values.
    counts: Vec<u64>,
    /// The steps of the few.
    few: Vec<u32>,
    /// Values of 0 that were counted as such.
    zeros: u64,
}

/// The most values that count as few.
const FEW: usize = 32;

impl<const STEP_BITS: u32> Histogram<STEP_BITS> {
    const STEPS: u64 = 1 << STEP_BITS;

    /// One with these counts in its steps, as [`Self::step_of`] numbers them.
    #[must_use]
    pub fn of_steps(counts: Vec<u64>) -> Self {
        Self { counts, few: Vec::new(), zeros: 0 }
    }

    /// Values counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.zeros + self.few.len() as u64 + self.counts.iter().sum::<u64>()
    }

    /// Counts `value`.
    #[inline]
    pub fn add(&mut self, value: u64) {
        self.add_in(Self::step_of(value));
    }

    /// Counts this many values of 0.
    #[inline]
    pub fn add_zeros(&mut self, count: u64) {
        self.zeros += count;
    }

    pub(crate) fn zeros(&self) -> u64 {
        self.zeros
    }

    #[inline]
    fn add_in(&mut self, step: usize) {
        match self.counts.get_mut(step) {
            Some(count) => *count += 1,
            None => self.add_beyond(step),
        }
    }

    /// Counts a value in a step that there is no counter for.
    #[cold]
    fn add_beyond(&mut self, step: usize) {
        if self.counts.is_empty() && self.few.len() < FEW {
            return self.few.push(step as u32);
        }
        for few in std::mem::take(&mut self.few) {
            self.count(few as usize);
        }
        self.count(step);
    }

    fn count(&mut self, step: usize) {
        if step >= self.counts.len() {
            // A whole doubling at a time.
            self.counts.resize((step | (Self::STEPS as usize - 1)) + 1, 0);
        }
        self.counts[step] += 1;
    }

    /// The steps that have values, upwards, and how many each has; a step may come again.
    fn counted(&self) -> impl Iterator<Item = (usize, u64)> {
        let mut few = self.few.clone();
        few.sort_unstable();
        let zeros = (self.zeros > 0).then_some((0, self.zeros));
        let few = few.into_iter().map(|step| (step as usize, 1));
        let many = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        zeros.into_iter().chain(few).chain(many.map(|(step, n)| (step, *n)))
    }

    /// Adds all counts of another.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        // With counters of its own, it has no few.
        let own = if self.counts.is_empty() { Vec::new() } else { std::mem::take(&mut self.few) };
        for step in own.iter().chain(&other.few) {
            self.add_in(*step as usize);
        }
        self.zeros += other.zeros;
    }

    /// The middle of the step in which the share `quantile` of the values is reached; 0 if there
    /// are none.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> f64 {
        self.quantiles([quantile])[0]
    }

    /// The same of several shares, upwards.
    #[must_use]
    pub fn quantiles<const N: usize>(&self, quantiles: [f64; N]) -> [f64; N] {
        let total = self.total() as f64;
        let wanted = quantiles.map(|quantile| ((quantile * total).ceil() as u64).max(1));
        let (mut found, mut reached, mut next) = ([0.0; N], 0, 0);
        for (step, count) in self.counted() {
            reached += count;
            while next < N && reached >= wanted[next] {
                let (first, width) = Self::bounds(step);
                found[next] = first as f64 + (width - 1) as f64 / 2.0;
                next += 1;
            }
        }
        found
    }

    /// How many values lie at or above `bounds[n]` and below the next bound, the last without end;
    /// a step counts where its first value lies.
    #[must_use]
    pub fn counts_between(&self, lower_bounds: &[u64]) -> Vec<u64> {
        let mut between = vec![0; lower_bounds.len()];
        for (step, count) in self.counted() {
            let after = lower_bounds.partition_point(|bound| *bound <= Self::bounds(step).0);
            if let Some(bin) = after.checked_sub(1) {
                between[bin] += count;
            }
        }
        between
    }

    /// The number of the step that holds `value`.
    #[inline]
    #[must_use]
    pub fn step_of(value: u64) -> usize {
        let shift = (u64::BITS - (value | Self::STEPS).leading_zeros()) - (STEP_BITS + 1);
        ((u64::from(shift) << STEP_BITS) + (value >> shift)) as usize
    }

    /// The first value of a step, and how many values it has.
    fn bounds(step: usize) -> (u64, u64) {
        let (step, steps) = (step as u64, Self::STEPS);
        if step < 2 * steps {
            return (step, 1);
        }
        let shift = (step >> STEP_BITS) - 1;
        ((steps + (step & (steps - 1))) << shift, 1 << shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_follow_each_other<const BITS: u32>(most: usize) {
        let step_of = Histogram::<BITS>::step_of;
        let mut next = 0;
        let top = step_of(u64::MAX);
        for step in 0..top {
            let (first, width) = Histogram::<BITS>::bounds(step);
            let last = first + (width - 1);
            assert_eq!((first, step_of(first), step_of(last)), (next, step, step));
            next = last + 1;
        }
        assert_eq!((Histogram::<BITS>::bounds(top).0, top < most), (next, true));
    }

    #[test]
    fn steps_follow_each_other_without_gaps() {
        steps_follow_each_other::<9>(60_000);
        steps_follow_each_other::<4>(1_000);
    }

    #[test]
    fn quantiles_are_those_of_the_values() {
        let mut histogram: Histogram = Histogram::default();
        let mut coarse = Histogram::<4>::default();
        let values: Vec<u64> = (0..10_000).map(|n| n * n * 7).collect();
        values.iter().for_each(|value| histogram.add(*value));
        values.iter().for_each(|value| coarse.add(*value));
        for (quantile, index) in [(0.0001, 0), (0.5, 4_999), (0.99, 9_899), (1.0, 9_999)] {
            let exact = values[index] as f64;
            for (found, off) in
                [(histogram.quantile(quantile), 0.001), (coarse.quantile(quantile), 0.032)]
            {
                assert!((found - exact).abs() <= exact * off, "{quantile}: {found}, {exact}");
            }
        }
        assert_eq!(histogram.counts_between(&[0, 7, 1 << 40]), [1, 9_999, 0]);
    }

    #[test]
    fn few_values_and_many_are_counted_alike() {
        let values: Vec<u64> = (1..=100).map(|n| n * 7_919 % 5_003).collect();
        for many in [1, FEW - 1, FEW, FEW + 1, 100] {
            let mut sorted = values[..many].to_vec();
            sorted.sort_unstable();
            let mut whole: Histogram = Histogram::default();
            let mut parts = [whole.clone(), whole.clone()];
            for (n, value) in values[..many].iter().enumerate() {
                whole.add(*value);
                parts[usize::from(n > many / 3)].add(*value);
            }
            let [mut first, second] = parts;
            first.merge(&second);
            for merged in [&whole, &first] {
                let middle = sorted[many.div_ceil(2) - 1] as f64;
                assert!((merged.quantile(0.5) - middle).abs() <= middle / 1_000.0, "{many}");
                assert_eq!(merged.total(), many as u64);
                assert_eq!(merged.counts_between(&[0]), [many as u64]);
            }
            assert_eq!(whole.few.is_empty(), many > FEW);
        }
    }
}
