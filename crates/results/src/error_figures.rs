//! Errors of a model, as a distribution and request by request.

use serde::Serialize;

/// Picoseconds of grace in milliseconds: 0.1 ms has no exact f64.
pub(crate) const GRACE_MS: f64 = 1e-9;

/// The demerit of Ruemmler and Wilkes: root mean square of the horizontal distance between the two
/// distributions, in milliseconds. The order of the values does not matter.
///
/// With as many simulated as measured values it is `sqrt(mean((sorted(sim) - sorted(real))^2))`;
/// otherwise quantiles of the smaller set are compared with the interpolated ones of the larger.
/// `None` if either is empty or holds a value that is not a number.
#[must_use]
pub fn demerit_ms(simulated: &[f64], measured: &[f64]) -> Option<f64> {
    let sorted = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    };
    if simulated.is_empty() || measured.is_empty() {
        return None;
    }
    let (mut few, mut many) = (sorted(simulated), sorted(measured));
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    let sum: f64 = few
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let other = if few.len() == many.len() {
                many[index]
            } else {
                quantile(&many, (index as f64 + 0.5) / few.len() as f64)
            };
            (value - other) * (value - other)
        })
        .sum();
    let demerit = (sum / few.len() as f64).sqrt();
    demerit.is_finite().then_some(demerit)
}

/// The quantile of sorted values, linear between the middles of their steps.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = (share * sorted.len() as f64 - 0.5).clamp(0.0, (sorted.len() - 1) as f64);
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (position - below as f64)
}

/// Errors of single requests: simulated minus measured service time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct ErrorFigures {
    /// Requests compared.
    pub requests: u64,
    /// Whether all figures are exact; see [`Agreement`](crate::Agreement) for what is not.
    pub exact: bool,
    /// Mean of the measured times.
    pub measured_mean_ms: f64,
    /// Mean of the simulated times.
    pub simulated_mean_ms: f64,
    /// See [`demerit_ms`].
    pub demerit_ms: f64,
    /// The demerit in percent of the measured mean.
    pub demerit_percent: f64,
    /// Root mean square error.
    pub rmse_ms: f64,
    /// Median of the absolute error.
    pub median_abs_error_ms: f64,
    /// 95th percentile of the absolute error.
    pub p95_abs_error_ms: f64,
    /// Share of requests at most 0.1 ms off.
    pub within_100_us: f64,
    /// Share of requests at most 0.25 ms off.
    pub within_250_us: f64,
    /// Share of requests at most 0.5 ms off.
    pub within_500_us: f64,
    /// Share of requests at most 1 ms off.
    pub within_1_ms: f64,
}

impl ErrorFigures {
    /// How far off requests may be for the shares.
    pub(crate) const WITHIN_MS: [f64; 4] = [0.1, 0.25, 0.5, 1.0];

    /// Compares request by request; `None` unless both hold the same number of numbers, at least
    /// one.
    #[must_use]
    pub fn new(simulated: &[f64], measured: &[f64]) -> Option<Self> {
        if simulated.len() != measured.len() {
            return None;
        }
        let demerit = demerit_ms(simulated, measured)?;
        let count = measured.len() as f64;
        let mut errors: Vec<f64> =
            simulated.iter().zip(measured).map(|(sim, real)| (sim - real).abs()).collect();
        let squares: f64 = errors.iter().map(|error| error * error).sum();
        errors.sort_unstable_by(f64::total_cmp);
        let [within_100_us, within_250_us, within_500_us, within_1_ms] = Self::WITHIN_MS
            .map(|ms| errors.partition_point(|error| *error <= ms + GRACE_MS) as f64 / count);
        let measured_mean = measured.iter().sum::<f64>() / count;
        Some(Self {
            requests: measured.len() as u64,
            exact: true,
            measured_mean_ms: measured_mean,
            simulated_mean_ms: simulated.iter().sum::<f64>() / count,
            demerit_ms: demerit,
            demerit_percent: 100.0 * demerit / measured_mean,
            rmse_ms: (squares / count).sqrt(),
            median_abs_error_ms: quantile(&errors, 0.5),
            p95_abs_error_ms: quantile(&errors, 0.95),
            within_100_us,
            within_250_us,
            within_500_us,
            within_1_ms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_invisible_to_the_demerit_and_plain_request_by_request() {
        let (real, sim) = ([1.0, 2.0, 3.0], [3.0, 1.0, 2.0]);
        assert_eq!(demerit_ms(&sim, &real), Some(0.0));
        let figures = ErrorFigures::new(&sim, &real).unwrap();
        assert_eq!((figures.demerit_ms, figures.median_abs_error_ms), (0.0, 1.0));
        assert_eq!(figures.rmse_ms, 2f64.sqrt());
    }

    #[test]
    fn a_constant_shift_is_its_own_demerit() {
        let real: Vec<f64> = (0..100).map(f64::from).collect();
        let sim: Vec<f64> = real.iter().map(|ms| ms + 0.1).collect();
        let figures = ErrorFigures::new(&sim, &real).unwrap();
        assert!((figures.demerit_ms - 0.1).abs() < 1e-12);
        assert_eq!((figures.within_100_us, figures.within_500_us), (1.0, 1.0));
    }

    #[test]
    fn sets_of_different_size_compare_by_quantile() {
        let many: Vec<f64> = (0..1000).map(|i| f64::from(i) / 1000.0).collect();
        let few: Vec<f64> = (0..10).map(|i| f64::from(i) / 10.0 + 0.0495).collect();
        assert!(demerit_ms(&few, &many).unwrap() < 1e-3);
        assert_eq!(demerit_ms(&[], &many), None);
        assert_eq!(ErrorFigures::new(&few, &many), None);
        assert_eq!(demerit_ms(&[f64::NAN], &[1.0]), None);
    }
}
