//! Angles on a circle: wrapping, folding and the circular median.

use super::median;

/// `value` less whole turns: in `[0, period)`.
#[must_use]
pub fn wrap(value: f64, period: f64) -> f64 {
    let wrapped = value.rem_euclid(period);
    if wrapped >= period { 0.0 } else { wrapped }
}

/// `value` less whole turns: in `[-period/2, period/2)`.
#[must_use]
pub fn fold(value: f64, period: f64) -> f64 {
    wrap(value + period / 2.0, period) - period / 2.0
}

/// The middle of values on a circle, in `[0, period)`.
///
/// The circle is cut opposite the densest place, which a histogram finds; there the ordinary
/// median applies.
#[must_use]
pub fn circular_median(values: &[f64], period: f64) -> Option<f64> {
    const BINS: usize = 36;
    let mut histogram = [0_u32; BINS];
    let mut any = false;
    for value in values.iter().filter(|value| value.is_finite()) {
        let bin = (wrap(*value, period) / period * BINS as f64) as usize;
        // Neighbours count too, so that a cluster across a bin's edge is one cluster.
        for neighbour in [bin + BINS - 1, bin, bin + 1] {
            histogram[neighbour % BINS] += 1;
        }
        any = true;
    }
    if !any {
        return None;
    }
    let densest = (0..BINS).rev().max_by_key(|bin| histogram[*bin])?;
    let centre = (densest as f64 + 0.5) / BINS as f64 * period;
    let around: Vec<f64> = values.iter().map(|value| fold(value - centre, period)).collect();
    median(&around).map(|offset| wrap(centre + offset, period))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seam_does_not_matter() {
        let values = [9.9, 0.1, 0.0, 9.8, 0.2, 5.0];
        let middle = circular_median(&values, 10.0).unwrap();
        assert!(fold(middle, 10.0).abs() < 0.2, "{middle}");
        assert_eq!(circular_median(&[f64::NAN], 1.0), None);
        assert_eq!(fold(7.0, 10.0), -3.0);
        assert_eq!(wrap(-1e-20, 10.0), 0.0);
    }
}
