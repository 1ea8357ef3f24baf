//! Confidence intervals of the mean over replications.

use schemars::JsonSchema;
use serde::Serialize;

/// A mean and its 95 % confidence interval, by Student's t.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; `None` for a single value.
    pub half_width_95: Option<f64>,
    /// How many values there are.
    pub count: usize,
}

impl Interval {
    /// Of independent values; `None` of none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let n = count as f64;
        let mean = values.iter().sum::<f64>() / n;
        let half_width_95 = (count > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
            student_95(count - 1) * (squares / (n - 1.0) / n).sqrt()
        });
        Some(Self { mean, half_width_95, count })
    }
}

/// The 97.5th percentile of Student's distribution (Abramowitz and Stegun, table 26.10), between
/// its entries the smaller number of degrees.
fn student_95(degrees: usize) -> f64 {
    const FIRST: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    match degrees {
        0 => f64::INFINITY,
        1..=30 => FIRST[degrees - 1],
        31..=39 => 2.042,
        40..=59 => 2.021,
        60..=119 => 2.000,
        _ => 1.980,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_students() {
        let interval = Interval::of(&[9.0, 10.0, 11.0]).expect("three values");
        assert_eq!((interval.mean, interval.count), (10.0, 3));
        // s = 1, n = 3, t = 4.303.
        let half = interval.half_width_95.expect("more than one");
        assert!((half - 4.303 / 3.0_f64.sqrt()).abs() < 1e-9, "{half}");
        assert_eq!(Interval::of(&[]), None);
        assert_eq!(Interval::of(&[1.0]).and_then(|one| one.half_width_95), None);
    }
}
