//! The period of instants that lie on a grid, and its standard error.

use super::{line, mad};

/// Instants that lie on a grid: `origin + n * period`, up to a jitter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// One instant of the grid.
    pub origin: f64,
    /// Between two.
    pub period: f64,
    /// Standard error of the period.
    pub period_error: f64,
    /// Standard deviation of the jitter.
    pub jitter: f64,
    /// Share of the instants that lie on the grid.
    pub share: f64,
}

impl Grid {
    /// Fits a grid to rising instants, `period` being its rough period: each instant is given the
    /// whole number of periods since the one before it, then a line goes through them, without
    /// those that stand out. The error falls as their number to the power of 3/2.
    #[must_use]
    pub fn fit(instants: &[f64], period: f64) -> Option<Self> {
        if !(period.is_finite() && period > 0.0) {
            return None;
        }
        let mut count = 0.0;
        let mut points = Vec::with_capacity(instants.len());
        let mut previous = *instants.first()?;
        for instant in instants {
            count += ((instant - previous) / period).round();
            previous = *instant;
            points.push((count, *instant));
        }
        let mut kept = points.clone();
        let mut fitted = line(&kept)?;
        for _ in 0..4 {
            let left = |points: &[(f64, f64)]| -> Vec<f64> {
                points.iter().map(|(x, y)| y - fitted.at(*x)).collect()
            };
            let all = left(&points);
            let middle = super::median(&all)?;
            let limit = 3.5 * mad(&left(&kept))?.max(period * 1e-9);
            kept = points
                .iter()
                .zip(&all)
                .filter(|(_, residual)| (*residual - middle).abs() <= limit)
                .map(|(point, _)| *point)
                .collect();
            fitted = line(&kept)?;
        }
        Some(Self {
            origin: fitted.offset,
            period: fitted.slope,
            period_error: fitted.slope_error,
            jitter: fitted.residual,
            share: kept.len() as f64 / points.len() as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_turns_and_stragglers_do_not_matter() {
        let period = 8.333;
        let mut now = 0.0;
        let instants: Vec<f64> = (0..100)
            .map(|i| {
                now += if i % 10 == 3 { 2.0 * period } else { period };
                now + if i % 25 == 7 { 0.5 } else { 0.001 * f64::from(i % 3) }
            })
            .collect();
        let grid = Grid::fit(&instants, 8.4).unwrap();
        assert!((grid.period - period).abs() < 1e-4, "{grid:?}");
        assert!(grid.share > 0.9);
        assert_eq!(Grid::fit(&[], 1.0), None);
        assert_eq!(Grid::fit(&[1.0, 2.0], f64::NAN), None);
    }
}
