//! Seek time against distance, tabulated once for every distance the drive has.

use super::check_seek;
use crate::{ParamError, SeekCurve};
use platterlab_units::Span;
use std::sync::Arc;

/// A seek curve as one time per distance.
#[derive(Clone, Debug)]
pub struct SeekTable {
    by_distance: Arc<[Span]>,
}

impl SeekTable {
    /// Tabulates `curve`, called `key` in errors, for distances `0..cylinders`.
    ///
    /// # Errors
    /// A curve that is negative or not a number somewhere, or a table that does not rise.
    pub fn new(key: &str, curve: &SeekCurve, cylinders: u32) -> Result<Self, ParamError> {
        check_seek::check(key, curve, cylinders)?;
        let mut by_distance = Vec::with_capacity(cylinders as usize);
        by_distance.push(Span::ZERO);
        let none = |distance: u32| {
            let what = format!("gives no time of 0 or more at {distance} cylinders");
            ParamError::new(key, what)
        };
        let mut walk = Walk::default();
        for distance in 1..cylinders {
            let time = match curve {
                SeekCurve::Table { points } => walk.at(points, distance),
                _ => curve.at(distance, cylinders),
            };
            by_distance.push(time.ok_or_else(|| none(distance))?);
        }
        Ok(Self { by_distance: by_distance.into() })
    }

    /// No seek takes longer.
    pub(crate) fn longest(&self) -> Span {
        self.by_distance.iter().copied().max().unwrap_or_default()
    }

    /// For each distance, a time that no seek this far or farther beats in either table.
    pub(crate) fn floor(&self, other: &Self) -> Self {
        let mut floor: Vec<Span> =
            self.by_distance.iter().zip(other.by_distance.iter()).map(|(a, b)| *a.min(b)).collect();
        for distance in (1..floor.len()).rev() {
            floor[distance - 1] = floor[distance - 1].min(floor[distance]);
        }
        Self { by_distance: floor.into() }
    }

    /// The time to move by `distance` cylinders, which is less than the drive has.
    #[must_use]
    #[inline]
    pub fn time(&self, distance: u32) -> Span {
        self.by_distance[distance as usize]
    }
}

impl SeekCurve {
    /// The time at `distance` (at least 1) on a drive of `cylinders`; `None` if the curve is
    /// negative or not a number there.
    fn at(&self, distance: u32, cylinders: u32) -> Option<Span> {
        let d = f64::from(distance);
        match self {
            Self::Constant { time } => Some(*time),
            Self::Linear { single, full } => {
                let steps = f64::from(cylinders.saturating_sub(2).max(1));
                let (single, full) = (single.as_ms(), full.as_ms());
                Span::from_ms(single + (full - single) * (d - 1.0) / steps)
            }
            Self::ThreePoint { single, average, full } => {
                let (min, avg, max) = (single.as_ms(), average.as_ms(), full.as_ms());
                let n = f64::from(cylinders);
                let a = (-10.0 * min + 15.0 * avg - 5.0 * max) / (3.0 * n.sqrt());
                let b = (7.0 * min - 15.0 * avg + 8.0 * max) / (3.0 * n);
                Span::from_ms(a * (d - 1.0).sqrt() + b * (d - 1.0) + min)
            }
            Self::TwoPiece { short_ms: [a, b], long_ms: [c, e], boundary_cylinders, first } => {
                if let Some(time) = first.get(distance as usize - 1) {
                    Some(*time)
                } else if distance < *boundary_cylinders {
                    Span::from_ms(a + b * d.sqrt())
                } else {
                    Span::from_ms(c + e * d)
                }
            }
            Self::Table { points } => Walk::default().at(points, distance),
        }
    }
}

/// Goes along the points of a table, from nearer distances to farther ones: what holds between two
/// points is worked out once.
#[derive(Default)]
struct Walk {
    /// Points before the distance.
    passed: usize,
    /// The later of the two points that hold, and what they make: from where, the time there, and by
    /// how much it grows with each cylinder.
    line: Option<(usize, [f64; 3])>,
}

impl Walk {
    /// Linear between the two points around `distance`, or through the two nearest beyond the ends;
    /// before the first point, its time.
    fn at(&mut self, points: &[(u32, Span)], distance: u32) -> Option<Span> {
        while points.get(self.passed).is_some_and(|(d, _)| *d < distance) {
            self.passed += 1;
        }
        if self.passed == 0 || points.len() == 1 {
            return points.first().map(|(_, time)| *time);
        }
        let right = self.passed.min(points.len() - 1);
        let [from, ms, slope] = match self.line {
            Some((known, line)) if known == right => line,
            _ => {
                let ((d0, t0), (d1, t1)) = (points[right - 1], points[right]);
                let slope = (t1.as_ms() - t0.as_ms()) / f64::from(d1 - d0);
                self.line.insert((right, [f64::from(d0), t0.as_ms(), slope])).1
            }
        };
        Span::from_ms(ms + slope * (f64::from(distance) - from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(value: f64) -> Span {
        Span::from_ms(value).unwrap()
    }

    #[test]
    fn two_pieces_meet_the_formula_of_the_paper() {
        let curve = SeekCurve::TwoPiece {
            short_ms: [3.45, 0.597],
            long_ms: [10.8, 0.012],
            boundary_cylinders: 616,
            first: vec![],
        };
        let table = SeekTable::new("seek", &curve, 1449).unwrap();
        assert_eq!(table.time(0), Span::ZERO);
        assert_eq!(table.time(4), ms(3.45 + 1.194));
        assert_eq!(table.time(615), ms(3.45 + 0.597 * 615f64.sqrt()));
        assert_eq!(table.time(616), ms(10.8 + 0.012 * 616.0));
        assert_eq!(table.time(1448), ms(28.176));
    }

    #[test]
    fn a_line_runs_from_single_to_full_stroke() {
        let curve = SeekCurve::Linear { single: ms(2.0), full: ms(20.0) };
        let table = SeekTable::new("seek", &curve, 1001).unwrap();
        assert_eq!((table.time(1), table.time(1000)), (ms(2.0), ms(20.0)));
        assert!(SeekTable::new("seek", &curve, 1).is_ok(), "a one-cylinder drive never seeks");
    }

    #[test]
    fn a_table_is_linear_between_its_points_and_beyond() {
        let points = vec![(2, ms(1.0)), (4, ms(2.0)), (8, ms(2.4))];
        let table = SeekTable::new("seek", &SeekCurve::Table { points }, 13).unwrap();
        assert_eq!(table.time(1), ms(1.0));
        assert_eq!(table.time(3), ms(1.5));
        assert_eq!(table.time(4), ms(2.0));
        assert_eq!(table.time(6), ms(2.2));
        assert_eq!(table.time(12), ms(2.8));
    }

    #[test]
    fn curves_that_make_no_sense_are_refused() {
        let fails = |curve| SeekTable::new("seek", &curve, 100).unwrap_err().to_string();
        let falling = SeekCurve::TwoPiece {
            short_ms: [1.0, -0.2],
            long_ms: [1.0, 0.0],
            boundary_cylinders: 50,
            first: vec![],
        };
        assert!(fails(falling).contains("makes longer seeks shorter"));
        let points = vec![(1, ms(1.0)), (1, ms(2.0))];
        assert!(fails(SeekCurve::Table { points }).contains("distances must rise"));
        assert!(fails(SeekCurve::Table { points: vec![] }).contains("at least one"));
    }
}
