//! Curves through the seek times, minimum time to media removed.

use crate::SeekPoint;
use crate::stats::{Line, line};
use schemars::JsonSchema;
use serde::Serialize;

/// Points of a piece, at least.
const FEWEST: usize = 4;

/// What a distance is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Cylinders.
    Cylinders,
    /// Sectors, as in the paper's figures.
    Sectors,
}

/// `a + b * sqrt(d)` up to a distance and `c + e * d` beyond it, the form of Ruemmler and Wilkes.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SeekFit {
    /// What `d` counts.
    pub against: Unit,
    /// `a` and `b`, in milliseconds.
    pub short_ms: [f64; 2],
    /// `c` and `e`, in milliseconds.
    pub long_ms: [f64; 2],
    /// The last distance of the short piece.
    pub boundary: u64,
    /// Root mean square of what is left, in milliseconds.
    pub rms_ms: f64,
}

/// Least squares against cylinders, where they are known, and against sectors.
pub(crate) fn seek_fits(seeks: &[SeekPoint]) -> Vec<SeekFit> {
    let cylinders = |seek: &SeekPoint| seek.distance_cylinders.map(u64::from);
    let sectors = |seek: &SeekPoint| Some(seek.distance_sectors);
    [fit(seeks, Unit::Cylinders, cylinders), fit(seeks, Unit::Sectors, sectors)]
        .into_iter()
        .flatten()
        .collect()
}

/// The boundary between the pieces is the one that leaves least.
fn fit(
    seeks: &[SeekPoint],
    against: Unit,
    distance: impl Fn(&SeekPoint) -> Option<u64>,
) -> Option<SeekFit> {
    let mut points: Vec<(f64, f64)> = seeks
        .iter()
        .filter_map(|seek| Some((distance(seek).filter(|d| *d > 0)? as f64, seek.seek_ms)))
        .collect();
    points.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let last = points.len().checked_sub(FEWEST)?;
    let split = |at: usize| {
        let (near, far) = points.split_at(at);
        let roots: Vec<(f64, f64)> = near.iter().map(|(d, time)| (d.sqrt(), *time)).collect();
        let (short, long) = (line(&roots)?, line(far)?);
        Some((squares(&short, &roots) + squares(&long, far), short, long, near.last()?.0))
    };
    let (left, short, long, boundary) =
        (FEWEST..=last).filter_map(split).min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(SeekFit {
        against,
        short_ms: [short.offset, short.slope],
        long_ms: [long.offset, long.slope],
        boundary: boundary as u64,
        rms_ms: (left / points.len() as f64).sqrt(),
    })
}

fn squares(line: &Line, points: &[(f64, f64)]) -> f64 {
    points.iter().map(|(x, y)| (y - line.at(*x)).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_pieces_are_found_again() {
        let curve = |d: f64| if d <= 400.0 { 3.24 + 0.4 * d.sqrt() } else { 8.0 + 0.008 * d };
        let point = |cylinders: u32| SeekPoint {
            distance_sectors: u64::from(cylinders) * 1_368,
            distance_cylinders: Some(cylinders),
            seek_ms: curve(f64::from(cylinders)),
            half_width_ms: 0.0,
        };
        let seeks: Vec<SeekPoint> =
            [1, 2, 4, 8, 20, 60, 150, 300, 400, 600, 900, 1_200, 1_900].map(point).to_vec();
        let fits = seek_fits(&seeks);
        assert_eq!(fits.len(), 2);
        let fit = &fits[0];
        assert_eq!((fit.against, fit.boundary), (Unit::Cylinders, 400));
        for (found, truth) in fit.short_ms.iter().chain(&fit.long_ms).zip([3.24, 0.4, 8.0, 0.008]) {
            assert!((found - truth).abs() < 1e-6, "{fit:?}");
        }
        assert!(seek_fits(&seeks[..3]).is_empty());
    }
}
