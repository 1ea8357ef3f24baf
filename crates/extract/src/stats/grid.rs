//! The period of instants that lie on a grid, and its standard error.

use super::{Line, line, mad};

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
    /// The same by what each is off by more than the one before it: less where the period itself wanders.
    pub successive: f64,
    /// Share of the instants that lie on the grid.
    pub share: f64,
}

/// The share of instants that lie on a grid, at least.
const MOST: f64 = 0.8;

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
        // Cut by what those scatter that were kept, hardly any may be left at last, where jitter is to one side.
        let by_kept = Self::of(&points, period, true)?;
        if by_kept.share > MOST { Some(by_kept) } else { Self::of(&points, period, false) }
    }

    /// The grid through these points, without those that stand out of what was kept before, or of all.
    fn of(points: &[(f64, f64)], period: f64, by_kept: bool) -> Option<Self> {
        let mut kept = points.to_vec();
        let mut fitted = line(&kept)?;
        for _ in 0..4 {
            let all = left_by(&fitted, points);
            let middle = super::median(&all)?;
            let scatter = if by_kept { mad(&left_by(&fitted, &kept))? } else { mad(&all)? };
            let limit = 3.5 * scatter.max(period * 1e-9);
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
            successive: successive(&left_by(&fitted, &kept)),
            share: kept.len() as f64 / points.len() as f64,
        })
    }
}

fn left_by(fitted: &Line, points: &[(f64, f64)]) -> Vec<f64> {
    points.iter().map(|(x, y)| y - fitted.at(*x)).collect()
}

/// The standard deviation of what scatters from one to the next (von Neumann 1941).
fn successive(residuals: &[f64]) -> f64 {
    let squares = residuals.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
    let count = residuals.len().saturating_sub(1).max(1) as f64;
    (squares.sum::<f64>() / (2.0 * count)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_that_wanders_scatters_less_from_one_to_the_next() {
        let instants = |wanders: f64| -> Vec<f64> {
            let noise = |i: u32| 0.005 * (f64::from(i * 37 % 101) / 101.0 - 0.5);
            let wave = |i: u32| wanders * (f64::from(i) / 40.0).sin();
            (0..800).map(|i| 8.0 * f64::from(i) + noise(i) + wave(i)).collect()
        };
        let [steady, wandering] = [0.0, 0.2].map(|wanders| Grid::fit(&instants(wanders), 8.0));
        let (steady, wandering) = (steady.expect("a grid"), wandering.expect("a grid"));
        assert!(steady.jitter < 2.0 * steady.successive, "{steady:?}");
        assert!(wandering.jitter > 10.0 * wandering.successive, "{wandering:?}");
    }

    #[test]
    fn jitter_to_one_side_leaves_most_instants_on_the_grid() {
        // Completions are late by 0 to 0.2 ms, most of them by little, or by as much to both sides.
        let period = 3.9976;
        for sides in [1.0, -1.0] {
            let instants: Vec<f64> = (0..400)
                .map(|i| {
                    let part = f64::from(i * 37 % 101) / 101.0;
                    let side = if i % 2 == 0 { sides } else { 1.0 };
                    f64::from(i) * period + 0.2 * side * part.powi(3)
                })
                .collect();
            let grid = Grid::fit(&instants, 3.9955).unwrap();
            assert!((grid.period - period).abs() < 5e-5, "{grid:?}");
            assert!(grid.share > 0.8, "{grid:?}");
        }
    }

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
