//! The common slope of all lines: the time of one sector.

use super::Step;
use crate::stats::{fold, line, median};

/// Half the width of a line, in turns, before its jitter is known.
const WIDTH: f64 = 0.03;
/// More sectors than this pass in no time that matters.
const STEEPEST: f64 = 0.14;
/// Distances looked at first, in strides.
const FIRST_REACH: f64 = 24.0;

/// The line L2 and its continuation L1: `between = offset + distance * tau`, less whole turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slope {
    /// Time of one sector, in milliseconds.
    pub(crate) tau: f64,
    /// Standard error of it.
    pub(crate) tau_error: f64,
    /// Of the line at distance 0.
    pub(crate) offset: f64,
    /// The largest distance at which most steps still stayed on a track, in sectors.
    pub(crate) reach: f64,
}

impl Slope {
    /// Sectors per track, not rounded.
    pub(crate) fn sectors_per_track(&self, turn: f64) -> f64 {
        turn / self.tau
    }

    /// The part of a revolution the steps on the line span. Below about a half the slope is a
    /// guess.
    pub(crate) fn span(&self, turn: f64) -> f64 {
        self.tau * self.reach / turn
    }
}

/// Finds the slope on short distances first, where few steps leave their track, then follows the
/// line outwards as long as it holds most of the steps.
pub(crate) fn slope(steps: &[Step], turn: f64) -> Option<Slope> {
    let stride = stride(steps)?;
    let farthest = steps.iter().map(|step| step.distance.abs()).fold(0.0, f64::max) / stride;
    let turns: Vec<(f64, f64)> =
        steps.iter().map(|step| (step.distance / stride, step.between / turn)).collect();
    let mut reach = FIRST_REACH.min(farthest);
    let (mut frequency, held) = search(&turns, reach, 0.0, STEEPEST);
    if held < 0.5 {
        return None;
    }
    while reach < farthest {
        let next = (reach * 1.25).min(farthest);
        let margin = 2.0 * WIDTH / reach;
        let (candidate, share) = search(&turns, next, frequency - margin, frequency + margin);
        if share < 0.5 {
            break;
        }
        (reach, frequency) = (next, candidate);
    }
    refine(&turns, reach, frequency).map(|(frequency, error, offset)| Slope {
        tau: frequency * turn / stride,
        tau_error: error * turn / stride,
        offset: offset * turn,
        reach: reach * stride,
    })
}

/// The growth of the distance from step to step.
fn stride(steps: &[Step]) -> Option<f64> {
    let growth: Vec<f64> = steps
        .windows(2)
        .map(|pair| (pair[1].distance - pair[0].distance).abs())
        .filter(|growth| *growth > 0.0)
        .collect();
    median(&growth)
}

/// The frequency, in turns a stride, whose line through zero holds most of the steps up to
/// `reach`, and the share it holds.
fn search(turns: &[(f64, f64)], reach: f64, from: f64, to: f64) -> (f64, f64) {
    let near: Vec<(f64, f64)> =
        turns.iter().copied().filter(|(distance, _)| distance.abs() <= reach).collect();
    let grain = WIDTH / 4.0 / reach.max(1.0);
    let trials = ((to - from) / grain).ceil().max(1.0) as usize;
    let mut best = (from, 0.0);
    for frequency in (0..=trials).map(|trial| from + trial as f64 * grain) {
        let score: f64 = near
            .iter()
            .map(|(distance, turned)| {
                (1.0 - fold(turned - distance * frequency, 1.0).abs() / WIDTH).max(0.0)
            })
            .sum();
        if score > best.1 {
            best = (frequency, score);
        }
    }
    let held = near
        .iter()
        .filter(|(distance, turned)| fold(turned - distance * best.0, 1.0).abs() < WIDTH)
        .count();
    (best.0, held as f64 / near.len().max(1) as f64)
}

/// Least squares through the steps on the line, which narrows as it gets better.
fn refine(turns: &[(f64, f64)], reach: f64, rough: f64) -> Option<(f64, f64, f64)> {
    let (mut frequency, mut offset, mut width) = (rough, 0.0, WIDTH);
    let mut error = 0.0;
    for _ in 0..5 {
        let on_line: Vec<(f64, f64)> = turns
            .iter()
            .filter(|(distance, _)| distance.abs() <= reach)
            .map(|(distance, turned)| {
                (*distance, fold(turned - distance * frequency - offset, 1.0))
            })
            .filter(|(_, left)| left.abs() < width)
            .collect();
        let fitted = line(&on_line)?;
        frequency += fitted.slope;
        offset += fitted.offset;
        error = fitted.slope_error;
        width = (5.0 * fitted.residual).clamp(1e-6, width);
    }
    (frequency > 0.0 && frequency.is_finite()).then_some((frequency, error, offset))
}
