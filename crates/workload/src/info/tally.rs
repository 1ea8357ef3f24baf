//! One quantity of a trace: exact moments, approximate quantiles, a histogram.

use platterlab_results::Histogram;
use platterlab_units::{PS_PER_MS, PS_PER_US};
use serde::Serialize;

/// Quantiles are off by at most this share of their value.
pub const QUANTILE_RELATIVE_ERROR: f64 = 1e-3;

/// How one quantity is distributed; the unit is in the name of the key that holds it.
///
/// Count, extremes, mean and deviation are exact; quantiles are within [`QUANTILE_RELATIVE_ERROR`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Distribution {
    /// How many values.
    pub count: u64,
    /// The smallest.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the sample (n - 1); of one value none is known.
    pub sd: Option<f64>,
    /// Half of the values are at or below it.
    pub p50: f64,
    /// 90 % of them.
    pub p90: f64,
    /// 95 % of them.
    pub p95: f64,
    /// 99 % of them.
    pub p99: f64,
    /// The largest.
    pub max: f64,
    /// How many values lie in each range that has any; ranges are bounded by powers of two.
    pub histogram: Vec<Bin>,
}

/// The values from `from` up to, but not including, `below`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Bin {
    /// Lower bound.
    pub from: f64,
    /// Upper bound.
    pub below: f64,
    /// Values in between.
    pub count: u64,
}

/// Takes values one by one; a fixed quarter of a megabyte at most.
#[derive(Debug)]
pub(super) struct Tally {
    quantiles: Histogram,
    bins: [u64; 65],
    /// Values in a unit of the first bin, and in a unit of the answer.
    per_bin: u64,
    per_unit: f64,
    count: u64,
    min: u128,
    max: u128,
    mean: f64,
    /// Sum of squared distances from the mean, updated as Welford does.
    squares: f64,
}

impl Tally {
    /// Of picoseconds, answered in milliseconds, in bins by powers of two of a microsecond.
    pub(super) fn of_times() -> Self {
        Self::new(PS_PER_US, PS_PER_MS as f64)
    }

    /// Of whole numbers.
    pub(super) fn of_counts() -> Self {
        Self::new(1, 1.0)
    }

    fn new(per_bin: u64, per_unit: f64) -> Self {
        Self {
            quantiles: Histogram::default(),
            bins: [0; 65],
            per_bin,
            per_unit,
            count: 0,
            min: u128::MAX,
            max: 0,
            mean: 0.0,
            squares: 0.0,
        }
    }

    pub(super) fn add(&mut self, value: impl Into<u128>) {
        let value: u128 = value.into();
        let bits = u128::BITS - (value / u128::from(self.per_bin)).leading_zeros();
        self.bins[(bits as usize).min(self.bins.len() - 1)] += 1;
        // Quantiles report what is longer as that.
        self.quantiles.add(u64::try_from(value).unwrap_or(u64::MAX));
        self.count += 1;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        let value = value as f64 / self.per_unit;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
    }

    /// What was added; `None` if nothing was.
    pub(super) fn finish(self) -> Option<Distribution> {
        if self.count == 0 {
            return None;
        }
        let at = |share: f64| {
            let value = self.quantiles.quantile(share).clamp(self.min as f64, self.max as f64);
            value / self.per_unit
        };
        Some(Distribution {
            count: self.count,
            min: self.min as f64 / self.per_unit,
            mean: self.mean,
            sd: (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt()),
            p50: at(0.5),
            p90: at(0.9),
            p95: at(0.95),
            p99: at(0.99),
            max: self.max as f64 / self.per_unit,
            histogram: self.histogram(),
        })
    }

    fn histogram(&self) -> Vec<Bin> {
        let scale = self.per_bin as f64 / self.per_unit;
        let bound = |power: usize| if power == 0 { 0.0 } else { 2f64.powi(power as i32 - 1) };
        let bins = self.bins.iter().enumerate().filter(|(_, count)| **count > 0);
        bins.map(|(power, count)| Bin {
            from: bound(power) * scale,
            below: bound(power + 1) * scale,
            count: *count,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_moments_are_exact_and_quantiles_close() {
        let mut tally = Tally::of_times();
        for ms in 1..=1_000u64 {
            tally.add(ms * 1_000_000_000);
        }
        let d = tally.finish().unwrap();
        assert_eq!((d.count, d.min, d.max), (1_000, 1.0, 1_000.0));
        assert!((d.mean - 500.5).abs() < 1e-9 && (d.sd.unwrap() - 288.819_436_1).abs() < 1e-6);
        for (quantile, expected) in [(d.p50, 500.0), (d.p90, 900.0), (d.p99, 990.0)] {
            // One rank more or less is not an error of the value.
            assert!((quantile - expected).abs() <= expected * QUANTILE_RELATIVE_ERROR + 1.0);
        }
        assert_eq!(d.histogram.iter().map(|bin| bin.count).sum::<u64>(), 1_000);
        assert_eq!((d.histogram[0].from, d.histogram[0].below), (0.512, 1.024));
    }

    #[test]
    fn the_largest_values_have_a_place() {
        let mut tally = Tally::of_counts();
        tally.add(0_u64);
        tally.add(u64::MAX);
        let d = tally.finish().unwrap();
        assert_eq!((d.min, d.max), (0.0, u64::MAX as f64));
        assert!(d.p99 > d.max * 0.999, "{}", d.p99);
        assert_eq!(d.histogram.len(), 2);
        assert!(Tally::of_counts().finish().is_none());
        let mut one = Tally::of_counts();
        one.add(7_u64);
        assert_eq!(one.finish().unwrap().sd, None);
    }
}
