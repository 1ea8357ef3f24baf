//! Quantiles, medians and median absolute deviations.

/// The standard error of a median, in those of a mean.
pub const MEDIAN_ERROR: f64 = 1.25;

/// Scales a median absolute deviation to the standard deviation of a Gaussian.
const MAD_TO_SIGMA: f64 = 1.4826;

/// The value below which the share `q` (0 to 1) of the finite values lies.
#[must_use]
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let last = sorted.len().checked_sub(1)?;
    sorted.sort_unstable_by(f64::total_cmp);
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = sorted.get(place.floor() as usize)?;
    let above = sorted.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}

/// The middle value.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The standard deviation of a Gaussian with the same median absolute deviation.
#[must_use]
pub fn mad(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    let deviations: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    median(&deviations).map(|deviation| deviation * MAD_TO_SIGMA)
}

/// The number that comes most often, and how often.
#[must_use]
pub fn mode(numbers: impl IntoIterator<Item = u64>) -> Option<(u64, usize)> {
    let mut numbers: Vec<u64> = numbers.into_iter().collect();
    numbers.sort_unstable();
    let most = numbers.chunk_by(|one, other| one == other).max_by_key(|same| same.len())?;
    Some((most[0], most.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_do_not_move_them() {
        let mut values: Vec<f64> = (0..99).map(|i| f64::from(i % 3)).collect();
        values.extend([1e9, f64::NAN, f64::INFINITY]);
        assert_eq!(median(&values), Some(1.0));
        assert!(mad(&values).unwrap() < 1.5);
        assert_eq!((median(&[]), mad(&[f64::NAN])), (None, None));
    }
}
