//! Skews and surfaces from the angles of many successive tracks.
//!
//! The angle of track `i` is a straight sum of skews, so that over `n` tracks the jitter counts for
//! `1 / n` of what it does in a single step.

use super::places;
use crate::Estimate;
use crate::clock::Turn;
use crate::pattern::{Skews, alike, least_ms, skews};
use crate::stats::{fold, least_squares, mad, wrap};
use platterlab_probe::Samples;

/// A skew whose interval is wider than this, in parts of itself and to either side, is a hint.
const LARGEST_ERROR: f64 = 0.03;

/// What the angles of successive tracks show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Starts {
    pub(crate) skews: Skews,
    /// Boundaries between the tracks seen.
    pub(crate) boundaries: usize,
}

/// Reads a run that visited one sector on each of successive tracks, by a clock of that grain.
pub(crate) fn starts(run: &Samples, turn: Turn, sectors_per_track: u64, grain_ms: f64) -> Starts {
    let angles: Vec<f64> = places(run, turn).iter().map(|place| place.angle).collect();
    let jumps: Vec<f64> =
        angles.windows(2).map(|pair| wrap(pair[1] - pair[0], turn.period)).collect();
    let least_ms = least_ms(turn.period / sectors_per_track as f64, grain_ms);
    let mut found = skews(&jumps, turn, least_ms);
    if let (Some(track), Some(cylinder), Some(_)) =
        (found.track_skew_ms.ok(), found.cylinder_skew_ms.ok(), found.surfaces.ok())
        && let Some((by_track, by_cylinder)) = fit(&angles, &found, (track, cylinder), turn)
    {
        if (by_track.0 - by_cylinder.0).abs() < least_ms {
            // A few late completions made a pattern of steps that are alike.
            let found = alike(&jumps, turn);
            return Starts { skews: found, boundaries: jumps.len() };
        }
        found.track_skew_ms = settle(by_track, turn, sectors_per_track);
        found.cylinder_skew_ms = settle(by_cylinder, turn, sectors_per_track);
    }
    Starts { skews: found, boundaries: jumps.len() }
}

/// Least squares of all angles on the number of boundaries of either kind before them; values and
/// standard errors. What is off by more than a few deviations is left out.
fn fit(
    angles: &[f64],
    pattern: &Skews,
    rough: (f64, f64),
    turn: Turn,
) -> Option<((f64, f64), (f64, f64))> {
    let mut rows: Vec<([f64; 3], f64)> = Vec::with_capacity(angles.len());
    let (mut tracks, mut cylinders, mut drift) = (0.0, 0.0, 0.0);
    for (index, angle) in angles.iter().enumerate() {
        if index > 0 {
            if pattern.is_cylinder(index - 1)? {
                cylinders += 1.0;
            } else {
                tracks += 1.0;
            }
        }
        let expected = tracks * rough.0 + cylinders * rough.1;
        let left = fold(angle - angles[0] - expected - drift, turn.period) + drift;
        // Rough values may be off by more than half a turn over many tracks: follow the drift.
        if fold(left - drift, turn.period).abs() < turn.tolerance() {
            drift = left;
        }
        rows.push(([1.0, tracks, cylinders], left));
    }
    let mut kept = rows.clone();
    let mut found = least_squares(&kept)?;
    for _ in 0..3 {
        let left = |row: &([f64; 3], f64)| {
            row.1 - row.0.iter().zip(found.0).map(|(term, value)| term * value).sum::<f64>()
        };
        let limit = 3.5 * mad(&kept.iter().map(left).collect::<Vec<f64>>())?.max(1e-9);
        kept = rows.iter().copied().filter(|row| left(row).abs() <= limit).collect();
        found = least_squares(&kept)?;
    }
    let (values, errors) = found;
    Some(((rough.0 + values[1], errors[1]), (rough.1 + values[2], errors[2])))
}

/// How skews are known that are whole sectors.
pub(crate) const WHOLE: &str = "angles of many tracks, whole sectors";

/// A skew is a whole number of sectors on most drives: where the interval holds exactly one, it is
/// that one; where sectors are too short to tell, or it holds none, it stays as measured.
fn settle((skew, error): (f64, f64), turn: Turn, sectors_per_track: u64) -> Estimate {
    let tau = turn.period / sectors_per_track as f64;
    let half_width = 1.96 * error;
    let whole = (skew / tau).round();
    if (skew / tau - whole).abs() * tau <= half_width * 1.5 && 8.0 * half_width < tau {
        let note = format!("{whole} sectors");
        let error = whole * turn.error / sectors_per_track as f64;
        return Estimate::new(whole * tau, 1.96 * error, WHOLE).noted(note);
    }
    let estimate = Estimate::new(skew, half_width, "angles of many tracks");
    if half_width > LARGEST_ERROR * skew {
        return estimate.doubted("too few tracks for this jitter");
    }
    estimate
}
