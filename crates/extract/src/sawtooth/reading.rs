//! SKIPPY's sawtooth: STM, MTM, skews, surfaces and switch times, read off one run.

use super::threshold::turning_point;
use super::{Slope, Step, slope};
use crate::Estimate;
use crate::analytic::true_switch_ms;
use crate::clock::Turn;
use crate::pattern::{LEAST, Skews, skews};
use crate::stats::{fold, wrap};

/// Everything read off one SKIPPY run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sawtooth {
    pub(crate) slope: Slope,
    /// `StepSize` of point (3): the smallest distance on one track that makes the revolution.
    pub(crate) stm_sectors: Estimate,
    /// MTM and one sector's transfer.
    pub(crate) access_ms: Estimate,
    /// Offsets of L3 and L4 from L2, and how they alternate.
    pub(crate) skews: Skews,
    /// From the downward spikes left of the MTM point.
    pub(crate) head_switch_ms: Estimate,
}

/// Reads the sawtooth, the period being known.
pub(crate) fn read(steps: &[Step], turn: Turn) -> Option<Sawtooth> {
    let slope = slope(steps, turn.period)?;
    let limit = slope.sectors_per_track(turn.period) * 0.98;
    // Beyond a track's length a step may cross several boundaries.
    let within: Vec<Step> =
        steps.iter().copied().filter(|step| step.distance.abs() < limit).collect();
    let stm = same_track_turn(&within, &slope, turn);
    let skews = skews(&jumps(&within, &slope, turn), turn, LEAST * slope.tau);
    let head_switch_ms = head_switch(&within, &slope, turn, stm, &skews);
    Some(Sawtooth {
        slope,
        stm_sectors: stm_estimate(stm),
        access_ms: access(stm, &within, &slope, turn),
        skews,
        head_switch_ms,
    })
}

/// What a step turned beyond its distance, less whole turns, in `[0, period)`.
fn beyond(step: &Step, slope: &Slope, period: f64) -> f64 {
    wrap(step.between - step.distance * slope.tau - slope.offset, period)
}

/// The skews of the boundaries crossed, in their order: each is crossed by one step.
fn jumps(steps: &[Step], slope: &Slope, turn: Turn) -> Vec<f64> {
    steps
        .iter()
        .map(|step| {
            let jump = beyond(step, slope, turn.period);
            if step.distance < 0.0 { wrap(-jump, turn.period) } else { jump }
        })
        .filter(|jump| fold(*jump, turn.period).abs() > turn.tolerance())
        .collect()
}

/// Where steps beyond `jump` begin to make the same revolution, in sectors the target lies ahead:
/// a step backwards by `d` is one forwards by a whole track less `d`.
fn turn_beyond(steps: &[Step], slope: &Slope, turn: Turn, jump: f64) -> Option<(f64, f64)> {
    let answers: Vec<(f64, bool)> = steps
        .iter()
        .filter(|step| step.distance != 0.0)
        .filter_map(|step| {
            let ahead = wrap(step.distance * slope.tau, turn.period);
            let left = step.between - ahead - slope.offset - jump;
            let off = fold(left, turn.period);
            (off.abs() <= turn.tolerance()).then(|| (ahead / slope.tau, left < turn.period / 2.0))
        })
        .collect();
    turning_point(&answers)
}

fn same_track_turn(steps: &[Step], slope: &Slope, turn: Turn) -> Option<(f64, f64)> {
    turn_beyond(steps, slope, turn, 0.0)
}

fn stm_estimate(stm: Option<(f64, f64)>) -> Estimate {
    let method = "step at which L1 becomes L2";
    match stm {
        Some((miss, hit)) => Estimate::new(hit, hit - miss, method),
        None => Estimate::unsupported(method, "no step within a track shows the transition"),
    }
}

/// The latency between the last step that misses and the first that makes it.
fn access(stm: Option<(f64, f64)>, steps: &[Step], slope: &Slope, turn: Turn) -> Estimate {
    let method = "latency at the MTM point";
    let Some((miss, hit)) = stm else {
        return Estimate::unsupported(method, "no step within a track shows the transition");
    };
    let gaps: Vec<f64> = steps.iter().map(|step| step.between - step.elapsed).collect();
    let gap = crate::stats::median(&gaps).unwrap_or(0.0);
    let latency = f64::midpoint(miss, hit) * slope.tau + slope.offset - gap;
    Estimate::new(latency, (hit - miss) / 2.0 * slope.tau + turn.jitter, method)
}

/// §4.1.4 turned around: where crossing steps begin to make the revolution.
fn head_switch(
    steps: &[Step],
    slope: &Slope,
    turn: Turn,
    stm: Option<(f64, f64)>,
    skews: &Skews,
) -> Estimate {
    let method = "downward spikes left of the MTM point";
    let (Some((miss, hit)), Some(skew)) = (stm, skews.track_skew_ms.ok()) else {
        return Estimate::unsupported(method, "needs the MTM point and the track skew");
    };
    match turn_beyond(steps, slope, turn, skew) {
        // Only some steps cross a track: the smallest that makes it lies between two of them.
        Some((miss_x, hit_x)) => {
            let (stm, smallest) = (f64::midpoint(miss, hit), f64::midpoint(miss_x, hit_x));
            let switch = true_switch_ms(skew, stm, smallest, slope.tau);
            let width = (hit - miss + hit_x - miss_x) / 2.0 * slope.tau + turn.jitter;
            Estimate::new(switch, width, method)
        }
        None => Estimate::unsupported(method, "too few steps cross a track near the MTM point"),
    }
}
