//! Times in bins of constant relative width, and the distance between two such distributions.

/// Bits of the fraction that a bin keeps: bins are 2^-12, or 0.025 %, of their value wide.
const FRACTION_BITS: u32 = 12;
const DROPPED_BITS: u32 = f64::MANTISSA_DIGITS - 1 - FRACTION_BITS;
/// A nanosecond: shorter times share the first bin, below what any trace resolves.
const LEAST_MS: f64 = 1e-6;
/// 30 years: longer times share the last bin.
const MOST_MS: f64 = 1e12;

/// Times in bins as wide as a fixed share of them, each with its count and its sum.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    /// How many, and their sum: side by side, as both are used together.
    bins: Vec<(u64, f64)>,
    count: u64,
    sum_ms: f64,
}

/// The bin of a time: the leading bits of a positive f64 rise with its value.
fn bin(ms: f64) -> usize {
    let leading = |ms: f64| (ms.to_bits() >> DROPPED_BITS) as usize;
    leading(ms.clamp(LEAST_MS, MOST_MS)) - leading(LEAST_MS)
}

impl Default for Bins {
    fn default() -> Self {
        // Zeroed memory that is never touched costs nothing, and few bins are touched.
        let bins = bin(MOST_MS) + 1;
        Self { bins: vec![(0, 0.0); bins], count: 0, sum_ms: 0.0 }
    }
}

impl Bins {
    /// Adds times. The bins are far away: where nothing else is done meanwhile, many are on their way
    /// at once.
    pub(crate) fn extend(&mut self, times_ms: impl Iterator<Item = f64>) {
        for ms in times_ms {
            let (count, sum_ms) = &mut self.bins[bin(ms)];
            *count += 1;
            *sum_ms += ms;
            self.count += 1;
            self.sum_ms += ms;
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let pairs = self.bins.iter_mut().zip(&other.bins);
        for ((count, sum_ms), (more, more_ms)) in pairs.filter(|(_, (more, _))| *more > 0) {
            *count += more;
            *sum_ms += more_ms;
        }
        self.count += other.count;
        self.sum_ms += other.sum_ms;
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The mean; `None` if it is empty.
    pub(crate) fn mean_ms(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ms / self.count as f64)
    }

    /// How many, and their mean, of every bin that has any, in order.
    fn filled(&self) -> impl Iterator<Item = (u64, f64)> {
        let filled = self.bins.iter().filter(|(count, _)| *count > 0);
        filled.map(|(count, sum_ms)| (*count, sum_ms / *count as f64))
    }

    /// The time below which the share `quantile` of the times lies; 0 if it is empty.
    pub(crate) fn quantile_ms(&self, quantile: f64) -> f64 {
        let wanted = quantile * self.count as f64;
        let mut passed = 0;
        let mut bins = self.filled();
        let found = bins.find(|(count, _)| {
            passed += count;
            passed as f64 >= wanted
        });
        found.map_or(0.0, |(_, mean)| mean)
    }

    /// The root mean square of the distance between two distributions of as many times each.
    pub(crate) fn distance_ms(&self, other: &Self) -> f64 {
        let (mut ours, mut theirs) = (self.filled(), other.filled());
        let (mut one, mut two) = ((0, 0.0), (0, 0.0));
        let mut sum = 0.0;
        loop {
            if one.0 == 0 {
                let Some(next) = ours.next() else { break };
                one = next;
            }
            if two.0 == 0 {
                let Some(next) = theirs.next() else { break };
                two = next;
            }
            let together = one.0.min(two.0);
            sum += together as f64 * (one.1 - two.1) * (one.1 - two.1);
            one.0 -= together;
            two.0 -= together;
        }
        (sum / self.count.max(1) as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_is_as_wide_as_promised() {
        for ms in [1e-6, 0.001, 0.37, 14.99, 1_000.0, 1e9] {
            assert_eq!(bin(ms), bin(ms * (1.0 + 1e-12)));
            assert!(bin(ms * 1.000_25) > bin(ms), "{ms}");
        }
        assert_eq!((bin(0.0), bin(f64::INFINITY)), (0, bin(MOST_MS)));
    }

    #[test]
    fn a_shift_is_its_own_distance() {
        let (mut one, mut two) = (Bins::default(), Bins::default());
        one.extend((0..1_000).map(|step| 5.0 + f64::from(step) * 0.03));
        two.extend((0..1_000).map(|step| 5.2 + f64::from(step) * 0.03));
        assert!((one.distance_ms(&two) - 0.2).abs() < 1e-3);
        assert!((one.quantile_ms(0.5) - 19.97).abs() < 0.01);
        assert_eq!(Bins::default().distance_ms(&Bins::default()), 0.0);
    }
}
