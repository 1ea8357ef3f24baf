//! Line fits: least squares with standard errors, and the robust line of Theil and Sen.

use super::median;

/// `y = offset + slope * x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// `y` at 0.
    pub offset: f64,
    /// Change of `y` per unit of `x`.
    pub slope: f64,
    /// Standard deviation of what is left.
    pub residual: f64,
    /// Standard error of the slope.
    pub slope_error: f64,
}

impl Line {
    /// The line's `y` at `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.offset + self.slope * x
    }
}

/// The line of least squares; `None` for fewer than two different `x`.
#[must_use]
pub fn line(points: &[(f64, f64)]) -> Option<Line> {
    let n = points.len() as f64;
    let (mean_x, mean_y) =
        points.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x / n, sy + y / n));
    let mut spread = 0.0;
    let mut together = 0.0;
    for (x, y) in points {
        spread += (x - mean_x) * (x - mean_x);
        together += (x - mean_x) * (y - mean_y);
    }
    let slope = together / spread;
    if !slope.is_finite() {
        return None;
    }
    let offset = mean_y - slope * mean_x;
    let squares: f64 = points.iter().map(|(x, y)| (y - offset - slope * x).powi(2)).sum();
    let residual = (squares / (n - 2.0).max(1.0)).sqrt();
    Some(Line { offset, slope, residual, slope_error: residual / spread.sqrt() })
}

/// The line whose slope is the median of all pairs' slopes (Theil–Sen): up to 29 % of the points
/// may be anything. Pairs are thinned out evenly beyond a few hundred points.
#[must_use]
pub fn theil_sen(points: &[(f64, f64)]) -> Option<Line> {
    let thin = points.len().div_ceil(400);
    let kept: Vec<(f64, f64)> = points.iter().copied().step_by(thin.max(1)).collect();
    let mut slopes = Vec::with_capacity(kept.len() * kept.len() / 2);
    for (i, (x0, y0)) in kept.iter().enumerate() {
        slopes.extend(kept[i + 1..].iter().map(|(x1, y1)| (y1 - y0) / (x1 - x0)));
    }
    let slope = median(&slopes)?;
    let offsets: Vec<f64> = points.iter().map(|(x, y)| y - slope * x).collect();
    let offset = median(&offsets)?;
    let left: Vec<f64> = offsets.iter().map(|value| value - offset).collect();
    let residual = super::mad(&left)?;
    let mean = points.iter().map(|(x, _)| x).sum::<f64>() / points.len() as f64;
    let spread: f64 = points.iter().map(|(x, _)| (x - mean) * (x - mean)).sum();
    Some(Line { offset, slope, residual, slope_error: residual / spread.sqrt() })
}

/// Coefficients of least squares for rows of `N` terms, and their standard errors; `None` where
/// the rows do not determine them.
#[must_use]
pub fn least_squares<const N: usize>(rows: &[([f64; N], f64)]) -> Option<([f64; N], [f64; N])> {
    let mut normal = [[0.0; N]; N];
    let mut right = [0.0; N];
    for (terms, y) in rows {
        for i in 0..N {
            right[i] += terms[i] * y;
            for j in 0..N {
                normal[i][j] += terms[i] * terms[j];
            }
        }
    }
    let inverse = invert(normal)?;
    let mut found = [0.0; N];
    for i in 0..N {
        found[i] = (0..N).map(|j| inverse[i][j] * right[j]).sum();
    }
    let squares: f64 = rows
        .iter()
        .map(|(terms, y)| (y - (0..N).map(|i| terms[i] * found[i]).sum::<f64>()).powi(2))
        .sum();
    let variance = squares / (rows.len() as f64 - N as f64).max(1.0);
    let mut errors = [0.0; N];
    for i in 0..N {
        errors[i] = (variance * inverse[i][i]).max(0.0).sqrt();
    }
    found.iter().all(|value| value.is_finite()).then_some((found, errors))
}

/// Gauss–Jordan with partial pivoting.
fn invert<const N: usize>(mut matrix: [[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let mut inverse = [[0.0; N]; N];
    for (i, row) in inverse.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for column in 0..N {
        let pivot = (column..N)
            .max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        if scale == 0.0 || !scale.is_finite() {
            return None;
        }
        for j in 0..N {
            matrix[column][j] /= scale;
            inverse[column][j] /= scale;
        }
        for row in (0..N).filter(|row| *row != column) {
            let factor = matrix[row][column];
            for j in 0..N {
                matrix[row][j] -= factor * matrix[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_nonsense_leaves_the_robust_line_alone() {
        let points: Vec<(f64, f64)> = (0..100)
            .map(|i| {
                let x = f64::from(i);
                (x, if i % 4 == 0 { 1e6 - x } else { 3.0 + 2.0 * x })
            })
            .collect();
        let robust = theil_sen(&points).unwrap();
        assert!((robust.slope - 2.0).abs() < 1e-9, "{robust:?}");
        assert!(line(&points).is_some());
        assert_eq!(line(&[(1.0, 2.0)]), None);
        assert_eq!(theil_sen(&[]), None);
    }

    #[test]
    fn a_plane_is_found_again() {
        let rows: Vec<([f64; 3], f64)> = (0..20)
            .map(|i| {
                let (a, b) = (f64::from(i), f64::from(i % 7));
                ([1.0, a, b], 5.0 + 0.5 * a - 3.0 * b)
            })
            .collect();
        let (found, _) = least_squares(&rows).unwrap();
        for (got, truth) in found.iter().zip([5.0, 0.5, -3.0]) {
            assert!((got - truth).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(least_squares(&[([1.0, 2.0], 1.0)]), None);
    }
}
