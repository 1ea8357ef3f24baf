//! Skews and surfaces from the sequence of angles between successive tracks.

use crate::Estimate;
use crate::clock::Turn;
use crate::stats::{circular_median, fold, mad, wrap};

/// Track and cylinder skew, and after how many tracks they alternate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Skews {
    /// The paper's "head switch time".
    pub(crate) track_skew_ms: Estimate,
    /// The paper's "cylinder switch time".
    pub(crate) cylinder_skew_ms: Estimate,
    pub(crate) surfaces: Estimate,
    /// Which of the boundaries are cylinder boundaries, once the pattern is known: each number
    /// that leaves `phase` divided by the surfaces.
    pub(crate) phase: Option<usize>,
}

impl Skews {
    /// Whether boundary `index` of the sequence leads to another cylinder.
    pub(crate) fn is_cylinder(&self, index: usize) -> Option<bool> {
        let surfaces = self.surfaces.ok()? as usize;
        self.phase.map(|phase| index % surfaces == phase)
    }

    fn unknown(build: impl Fn() -> Estimate) -> Self {
        Self { track_skew_ms: build(), cylinder_skew_ms: build(), surfaces: build(), phase: None }
    }
}

const METHOD: &str = "offsets of successive tracks";

/// Reads skews off the angles between successive tracks, in milliseconds: most of them are the
/// track skew, one in every `surfaces` is the cylinder skew.
pub(crate) fn skews(jumps: &[f64], turn: Turn) -> Skews {
    let Some(common) = densest(jumps, turn) else {
        return Skews::unknown(|| Estimate::unsupported(METHOD, "no step shows a track boundary"));
    };
    let rest: Vec<f64> = jumps.iter().copied().filter(|jump| !near(*jump, common, turn)).collect();
    let Some(other) = densest(&rest, turn).filter(|other| members(jumps, *other, turn).len() >= 2)
    else {
        return single(jumps, common, turn);
    };
    let labels: Vec<Option<bool>> = jumps
        .iter()
        .map(|jump| {
            if near(*jump, common, turn) {
                Some(false)
            } else {
                near(*jump, other, turn).then_some(true)
            }
        })
        .collect();
    let Some((surfaces, mut phase, agreement)) = period(&labels) else {
        return single(jumps, common, turn);
    };
    let (mut track, mut cylinder) = (common, other);
    if surfaces == 2 && track > cylinder {
        // Both are as frequent; the one that also moves the arm is the longer.
        (track, cylinder) = (cylinder, track);
        phase = 1 - phase;
    }
    let count = Estimate::exact(surfaces as u64, "track boundaries between cylinder boundaries");
    let surfaces = if agreement < 0.95 {
        let note = format!("{:.0} % of the boundaries fit", 100.0 * agreement);
        count.doubted(note)
    } else {
        count
    };
    Skews {
        track_skew_ms: value(jumps, track, turn),
        cylinder_skew_ms: value(jumps, cylinder, turn),
        surfaces,
        phase: Some(phase),
    }
}

/// All boundaries look alike.
fn single(jumps: &[f64], common: f64, turn: Turn) -> Skews {
    let note = "all track boundaries look alike: one surface, equal skews, or more surfaces than \
                tracks were seen";
    Skews {
        track_skew_ms: value(jumps, common, turn).noted(note),
        cylinder_skew_ms: Estimate::ambiguous(METHOD, note),
        surfaces: Estimate::ambiguous(METHOD, note),
        phase: None,
    }
}

fn near(jump: f64, centre: f64, turn: Turn) -> bool {
    fold(jump - centre, turn.period).abs() <= turn.tolerance()
}

fn members(jumps: &[f64], centre: f64, turn: Turn) -> Vec<f64> {
    jumps
        .iter()
        .filter(|jump| near(**jump, centre, turn))
        .map(|jump| fold(jump - centre, turn.period))
        .collect()
}

/// The jump with most others near it.
fn densest(jumps: &[f64], turn: Turn) -> Option<f64> {
    let rank = |centre: &f64| members(jumps, *centre, turn).len();
    let centre = jumps.iter().copied().rev().max_by_key(|centre| rank(centre))?;
    let around: Vec<f64> = members(jumps, centre, turn);
    circular_median(&around, turn.period).map(|offset| wrap(centre + offset, turn.period))
}

fn value(jumps: &[f64], centre: f64, turn: Turn) -> Estimate {
    let around = members(jumps, centre, turn);
    let spread = mad(&around).unwrap_or(0.0).max(turn.jitter);
    let error = 1.96 * 1.25 * spread / (around.len() as f64).sqrt();
    Estimate::new(centre, error, METHOD)
}

/// The period and phase of the `true` labels that contradict the fewest, and the share that fits.
/// At least two whole periods must have been seen.
fn period(labels: &[Option<bool>]) -> Option<(usize, usize, f64)> {
    let mut best = (0, 0, 0);
    for length in 2..=labels.len() / 2 {
        for phase in 0..length {
            let fits = labels
                .iter()
                .enumerate()
                .filter(|(index, label)| **label == Some(index % length == phase))
                .count();
            if fits > best.0 {
                best = (fits, length, phase);
            }
        }
    }
    let (fits, length, phase) = best;
    (length > 0).then(|| (length, phase, fits as f64 / labels.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Turn = Turn { period: 8.333, error: 1e-5, jitter: 0.01 };

    #[test]
    fn surfaces_are_counted_despite_a_slip() {
        let mut jumps: Vec<f64> = (0..60)
            .map(|i| if i % 15 == 4 { 2.1 } else { 0.7 } + 0.01 * f64::from(i % 3))
            .collect();
        jumps[20] = 5.0;
        let found = skews(&jumps, TURN);
        assert_eq!((found.surfaces.ok(), found.phase), (Some(15.0), Some(4)));
        assert!((found.track_skew_ms.ok().unwrap() - 0.71).abs() < 0.01);
        assert!((found.cylinder_skew_ms.ok().unwrap() - 2.11).abs() < 0.01);
    }

    #[test]
    fn two_surfaces_take_the_smaller_skew_for_the_track_skew() {
        let jumps: Vec<f64> = (0..20).map(|i| if i % 2 == 0 { 1.5 } else { 0.5 }).collect();
        let found = skews(&jumps, TURN);
        assert_eq!(found.track_skew_ms.ok(), Some(0.5));
        assert_eq!((found.surfaces.ok(), found.is_cylinder(0)), (Some(2.0), Some(true)));
    }

    #[test]
    fn what_looks_alike_is_not_counted() {
        assert_eq!(skews(&[0.7; 40], TURN).surfaces.ok(), None);
        assert_eq!(skews(&[], TURN).track_skew_ms.ok(), None);
        let once: Vec<f64> = (0..20).map(|i| if i == 9 { 2.0 } else { 0.7 }).collect();
        assert_eq!(skews(&once, TURN).surfaces.ok(), None, "one cylinder boundary proves nothing");
    }
}
