//! A distribution of times: mean, extremes and percentiles in constant memory.

use crate::Histogram;
use platterlab_units::{Lapse, Span};
use serde::Serialize;

/// A distribution of times in constant memory: exact mean and extremes, percentiles to 0.1 %.
#[derive(Clone, Debug)]
pub struct Distribution {
    histogram: Histogram,
    sum_ps: u128,
    /// Sum of squares in ns², exact in 128 bits for any number of spans a run can hold.
    sum_squares_ns: u128,
    /// Of the spans but those of 0, which nothing but a count is kept of.
    min: Span,
    max: Span,
    /// What no span holds: rare, and kept out of the way of the others.
    long: Option<Box<Long>>,
}

/// Of values of more than 213 days.
#[derive(Clone, Debug)]
struct Long {
    /// Sum of squares, in ms².
    squares_ms: f64,
    min: Lapse,
    max: Lapse,
}

/// The figures of a distribution.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct DistributionSummary {
    /// Values.
    pub count: u64,
    /// Mean.
    pub mean_ms: f64,
    /// Standard deviation of the sample (n - 1); of one value none is known.
    pub sd_ms: Option<f64>,
    /// Smallest.
    pub min_ms: f64,
    /// Median.
    pub p50_ms: f64,
    /// 90th percentile.
    pub p90_ms: f64,
    /// 95th percentile.
    pub p95_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
    /// 99.9th percentile.
    pub p999_ms: f64,
    /// Largest.
    pub max_ms: f64,
}

impl Default for Distribution {
    fn default() -> Self {
        Self::new()
    }
}

impl Distribution {
    /// No values yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            histogram: Histogram::default(),
            sum_ps: 0,
            sum_squares_ns: 0,
            min: Span::MAX,
            max: Span::ZERO,
            long: None,
        }
    }

    /// Adds a value. Percentiles report values above 584 years as 584 years.
    #[inline]
    pub fn add(&mut self, value: impl Into<Lapse>) {
        let value: Lapse = value.into();
        let Some(value) = value.span() else { return self.add_long(value) };
        if value == Span::ZERO {
            return self.add_zeros(1);
        }
        let ns = value.as_ps() / 1_000;
        self.histogram.add(ns);
        self.sum_ps += u128::from(value.as_ps());
        self.sum_squares_ns += u128::from(ns) * u128::from(ns);
        if value < self.min || value > self.max {
            self.widen(value);
        }
    }

    #[cold]
    fn widen(&mut self, value: Span) {
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Adds this many values of 0.
    #[inline]
    pub fn add_zeros(&mut self, count: u64) {
        self.histogram.add_zeros(count);
    }

    #[cold]
    fn add_long(&mut self, value: Lapse) {
        self.histogram.add(ns_of(value));
        self.sum_ps += value.as_ps();
        let one = Long { squares_ms: value.as_ms() * value.as_ms(), min: value, max: value };
        self.merge_long(&one);
    }

    fn merge_long(&mut self, other: &Long) {
        match &mut self.long {
            Some(long) => {
                long.squares_ms += other.squares_ms;
                long.min = long.min.min(other.min);
                long.max = long.max.max(other.max);
            }
            none => *none = Some(Box::new(other.clone())),
        }
    }

    fn min_ms(&self) -> f64 {
        match &self.long {
            _ if self.histogram.zeros() > 0 => 0.0,
            Some(long) if self.min > self.max => long.min.as_ms(),
            _ => self.min.as_ms(),
        }
    }

    fn max_ms(&self) -> f64 {
        self.long.as_ref().map_or(self.max.as_ms(), |long| long.max.as_ms())
    }

    /// Adds all values of another.
    pub fn merge(&mut self, other: &Self) {
        self.histogram.merge(&other.histogram);
        self.sum_ps += other.sum_ps;
        self.sum_squares_ns += other.sum_squares_ns;
        if let Some(long) = &other.long {
            self.merge_long(long);
        }
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The counts behind the percentiles, in nanoseconds.
    #[must_use]
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// Values so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.histogram.total()
    }

    /// Sum of all values in milliseconds.
    #[must_use]
    pub fn sum_ms(&self) -> f64 {
        self.sum_ps as f64 / 1e9
    }

    /// The time below which the share `quantile` of the values lies, to 0.1 %.
    #[must_use]
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        self.quantiles_ms([quantile])[0]
    }

    /// The same of several shares, upwards.
    fn quantiles_ms<const N: usize>(&self, quantiles: [f64; N]) -> [f64; N] {
        let (min_ms, max_ms) = (self.min_ms().min(self.max_ms()), self.max_ms());
        self.histogram.quantiles(quantiles).map(|ns| (ns / 1e6).clamp(min_ms, max_ms))
    }

    /// Its figures; `None` if it is empty.
    #[must_use]
    pub fn summary(&self) -> Option<DistributionSummary> {
        let values = self.count();
        if values == 0 {
            return None;
        }
        let count = values as f64;
        let mean_ms = self.sum_ms() / count;
        let long_squares_ms = self.long.as_ref().map_or(0.0, |long| long.squares_ms);
        let mean_square = (self.sum_squares_ns as f64 / 1e12 + long_squares_ms) / count;
        let [p50_ms, p90_ms, p95_ms, p99_ms, p999_ms] =
            self.quantiles_ms([0.5, 0.9, 0.95, 0.99, 0.999]);
        Some(DistributionSummary {
            count: values,
            mean_ms,
            sd_ms: (values > 1).then(|| {
                let of_all = (mean_square - mean_ms * mean_ms).max(0.0);
                (of_all * count / (count - 1.0)).sqrt()
            }),
            min_ms: self.min_ms(),
            p50_ms,
            p90_ms,
            p95_ms,
            p99_ms,
            p999_ms,
            max_ms: self.max_ms(),
        })
    }
}

/// Whole nanoseconds, 584 years at most.
#[inline]
#[must_use]
pub fn ns_of(value: Lapse) -> u64 {
    match value.span() {
        Some(span) => span.as_ps() / 1_000,
        None => u64::try_from(value.as_ps() / 1_000).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_extremes_are_exact_and_percentiles_close() {
        let mut distribution = Distribution::new();
        for us in 1..=1000 {
            distribution.add(Span::from_us(us));
        }
        let summary = distribution.summary().unwrap();
        assert_eq!((summary.min_ms, summary.max_ms, summary.mean_ms), (0.001, 1.0, 0.5005));
        assert!((summary.p90_ms - 0.9).abs() < 0.001, "{}", summary.p90_ms);
        let sd_ms = summary.sd_ms.unwrap();
        assert!((sd_ms - 0.288_819_4).abs() < 1e-6, "of the sample: {sd_ms}");
        assert_eq!(Distribution::new().summary(), None);
        let mut one = Distribution::new();
        one.add(Span::from_us(3));
        assert_eq!(one.summary().unwrap().sd_ms, None);
    }

    #[test]
    fn nothing_counts_like_every_other_time() {
        let mut distribution = Distribution::new();
        distribution.add(Span::from_us(2));
        distribution.add(Span::ZERO);
        distribution.add_zeros(2);
        let summary = distribution.summary().unwrap();
        assert_eq!((summary.count, summary.min_ms, summary.max_ms), (4, 0.0, 0.002));
        assert_eq!((summary.mean_ms, summary.p50_ms, summary.p99_ms), (0.0005, 0.0, 0.002));
        assert_eq!(distribution.histogram().counts_between(&[0, 1]), [3, 1]);
    }

    #[test]
    fn years_are_added_up_like_milliseconds() {
        let mut distribution = Distribution::new();
        for years in 1..=1_000 {
            distribution.add(Lapse::from_ps(years * 365 * 86_400 * 1_000_000_000_000));
        }
        let (summary, year_ms) = (distribution.summary().unwrap(), 365.0 * 86_400e3);
        assert_eq!((summary.min_ms, summary.max_ms), (year_ms, 1_000.0 * year_ms));
        assert!((summary.mean_ms / year_ms - 500.5).abs() < 1e-9, "{}", summary.mean_ms);
        let sd_years = summary.sd_ms.unwrap() / year_ms;
        assert!((sd_years - 288.819).abs() < 1e-3, "{sd_years}");
        assert!((summary.p50_ms / year_ms - 500.0).abs() < 1.0, "{}", summary.p50_ms);
    }
}
